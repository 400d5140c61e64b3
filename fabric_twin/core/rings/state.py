"""A cluster as rings have it: its jobs, and what is lost."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.groups.design import GroupsDesign
from fabric_twin.core.groups.names import GroupNames
from fabric_twin.core.rings.job import Form, Job
from fabric_twin.core.rings.ring import Ring
from fabric_twin.core.rings.wiring import Exit, Wiring


@dataclass(frozen=True)
class State:
    """All that decides where the next ring can go; it is never changed, only followed by another.

    `kept_back` is the share of each link that rings leave to all other traffic.
    """

    wiring: Wiring
    names: GroupNames
    jobs: tuple[Job, ...] = ()
    #: Groups and switches by device number.
    lost: frozenset[int] = frozenset()
    kept_back: float = 0.0
    #: What somebody is about to change: directions of links, and groups.
    held_links: frozenset[Exit] = frozenset()
    held_groups: frozenset[int] = frozenset()

    @classmethod
    def of(cls, design: GroupsDesign, cluster: str, kept_back: float = 0.0) -> "State":
        """A cluster without jobs."""
        if not 0 <= kept_back < 1:
            raise UnusableInput(
                f"{kept_back} of a link cannot be kept back",
                where="rings",
                remedy="Keep back a number from 0 to less than 1",
            )
        return cls(Wiring(design), GroupNames(design.layout, cluster), kept_back=kept_back)

    def job(self, name: str) -> Job:
        """The job of a name, or a refusal."""
        if job := self._by_name.get(name):
            return job
        raise UnusableInput(
            f"there is no job {name[:40]!r}", where="rings", remedy="Name a job of the cluster"
        )

    @cached_property
    def _by_name(self) -> dict[str, Job]:
        return {job.name: job for job in self.jobs}

    @property
    def rings(self) -> Iterator[Ring]:
        """The rings of all jobs."""
        return (ring for job in self.jobs for ring in job.rings)

    def others(self, *jobs: str) -> Iterator[Ring]:
        """The rings of all jobs but these."""
        return (ring for job in self.jobs if job.name not in jobs for ring in job.rings)

    def with_job(self, new: Job) -> "State":
        """The same with a job in place of the one of its name, or after all others."""
        if any(job.name == new.name for job in self.jobs):
            jobs = tuple(new if job.name == new.name else job for job in self.jobs)
        else:
            jobs = (*self.jobs, new)
        return replace(self, jobs=jobs)

    def without(self, name: str) -> "State":
        """The same without a job."""
        return replace(self, jobs=tuple(job for job in self.jobs if job.name != name))

    @cached_property
    def in_groups(self) -> dict[int, int]:
        """By group that small jobs are in: how many of its processors they have."""
        found: Counter[int] = Counter()
        for job in self.jobs:
            if job.form is Form.SMALL:
                found[job.groups[0]] += job.processors
        return dict(found)

    @cached_property
    def whole(self) -> frozenset[int]:
        """The groups that jobs have whole."""
        large = (job for job in self.jobs if job.form is not Form.SMALL)
        return frozenset(group for job in large for group in job.groups)

    def is_free(self, group: int) -> bool:
        """Whether any job could have all of a group."""
        return self.is_empty(group) and group not in self.short

    def is_empty(self, group: int) -> bool:
        """Whether nobody has any of a group, and it is there: a small job could be in it."""
        taken = (self.whole, self.in_groups, self.lost, self.held_groups)
        return not any(group in groups for groups in taken)

    @cached_property
    def short(self) -> frozenset[int]:
        """The groups that have a port to a switch that is held."""
        at = (self.wiring.group_at(link) for link in self.held_links)
        return frozenset(group for group in at if group is not None)

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The groups that nobody has any of."""
        return tuple(filter(self.is_free, range(self.wiring.cluster.groups)))

    def stands_still(self, job: Job) -> bool:
        """Whether it has a group that is lost, or a row of processors without any ring."""
        return bool(self.lost.intersection(job.groups)) or job.share == 0

    def check(self) -> None:
        """Refuse what cannot be: two jobs of a group, two rings on a direction of a link."""
        names = Counter(job.name for job in self.jobs)
        if twice := next((name for name, many in names.items() if many > 1), None):
            raise _refused(f"there are two jobs {twice[:40]!r}", "Give each job a name of its own")
        size = self.wiring.cluster.group.size
        owners: dict[int, list[str]] = defaultdict(list)
        for job in self.jobs:
            for group in job.groups if job.form is not Form.SMALL else ():
                owners[group].append(job.name)
        for group, processors in self.in_groups.items():
            if processors > size:
                name = self.names.short(group + 1)
                raise _refused(
                    f"small jobs have {processors} processors of group {name}, which has {size}",
                    "Give each group no more than it has",
                )
            owners[group].append("small jobs")
        for group, of in owners.items():
            if len(of) > 1:
                name = self.names.short(group + 1)
                raise _refused(
                    f"group {name} is of {of[0][:40]} and of {of[1][:40]}",
                    "Give a group to one large job, or to small ones",
                )
        for ring in self.rings:
            if gone := {entry.switch for entry in ring.entries} & self.lost:
                raise _refused(
                    f"a ring passes {self.names.device(min(gone))}, which is lost",
                    "Take the ring away, or the switch from what is lost",
                )
        self._check_links()

    def _check_links(self) -> None:
        used: dict[tuple[int, int, bool], str] = {}
        for job in self.jobs:
            for switch, into, out in (entry for ring in job.rings for entry in ring.entries):
                for at in ((switch, into, False), (switch, out, True)):
                    if at in used:
                        whose = f"rings of {used[at][:40]} and {job.name[:40]}"
                        if used[at] == job.name:
                            whose = f"two rings of {job.name[:40]}"
                        raise _refused(
                            f"{whose} share port {at[1]} of {self.names.device(switch)}",
                            "Give each direction of a link to one ring",
                        )
                    used[at] = job.name


def _refused(what: str, remedy: str) -> UnusableInput:
    return UnusableInput(what, where="rings", remedy=remedy)
