"""A change of a cluster's rings, as it is proposed: for whom groups and links are taken.

RingsInUse -- propose_job        a job comes            stage 1   entries that go, everywhere
           -- propose_release    it goes                stage 2   entries that come, after that
           -- rings_out.py       without groups, switches or cables, and with them again
           -- propose_as_wanted  switches get the entries that jobs have, and lose others
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from fabric_twin.core.circuits.plans import Circuit, Key, Plan, Stage
from fabric_twin.core.counted import counted
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.pods.names import Names
from fabric_twin.core.proposals.effects import Effect, MakeSlice, MoveSlice, ReleaseSlice
from fabric_twin.core.proposals.proposal import (
    DRIFT,
    LOW,
    MEDIUM,
    RELEASE,
    SLICE,
    ProposedChange,
    Risk,
    StageNote,
)
from fabric_twin.core.rings.as_slice import JobSlice, Seat, slice_of_job
from fabric_twin.core.rings.ask import ask, release
from fabric_twin.core.rings.change import Change, entries
from fabric_twin.core.rings.job import Form, Job
from fabric_twin.core.rings.ring import Entry
from fabric_twin.core.rings.state import State
from fabric_twin.core.rings.wish import Wish


@dataclass(frozen=True)
class RingsInUse:
    """A cluster as jobs use it now, under the names of the record."""

    state: State
    #: By group: the processors that small jobs have, by the name of each.
    seats: Mapping[int, Mapping[str, Sequence[Seat]]] = field(default_factory=dict)
    #: Entries that switches show and nobody wants, and that jobs want and no switch shows.
    left_over: frozenset[Entry] = frozenset()
    missing: frozenset[Entry] = frozenset()

    def slice_of(self, job: Job) -> JobSlice:
        """The slice of a job that stands."""
        cluster = self.state.wiring.cluster
        made = slice_of_job(cluster, job)
        if job.form is not Form.SMALL:
            return made
        return replace(made, seats=tuple(self.seats[job.groups[0]][job.name]))


@dataclass(frozen=True)
class RingsTouched:
    """Whom a change of rings concerns."""

    jobs: tuple[str, ...]
    #: Entries that go and come, and the fewest that any plan changes.
    removed: int
    added: int
    lower_bound: int
    #: What happens to which job.
    told: tuple[str, ...]
    #: Groups that nobody has any of.
    free: tuple[int, int]

    def as_json(self) -> dict[str, Any]:
        """For programs, and for a ticket's record."""
        return {
            "slices": list(self.jobs),
            "owners": list(self.jobs),
            "links": 0,
            "entries": {
                "remove": self.removed,
                "add": self.added,
                "lower_bound": self.lower_bound,
            },
            "told": list(self.told),
            "groups": {"free_before": self.free[0], "free_after": self.free[1]},
        }


@dataclass(frozen=True, kw_only=True)
class RingsProposal(ProposedChange):
    """A change of a cluster's flow entries."""

    before: State
    after: State
    told: tuple[str, ...] = ()
    #: Jobs that lose an entry, or a group.
    jobs: tuple[str, ...] = ()
    #: Entries that a lost switch took along: nobody wants them any more.
    gone: tuple[Circuit, ...] = ()

    @property
    def design(self) -> str:
        """The name of the cluster's design."""
        return self.before.wiring.design.name

    @property
    def names(self) -> Names:
        """What everything is called."""
        return self.before.names

    @property
    def not_wanted(self) -> frozenset[Key]:
        """Entries that are removed from the records alone: their switch is lost."""
        return frozenset(circuit.key for circuit in self.gone)

    @cached_property
    def blast(self) -> RingsTouched:
        """Whom it concerns."""
        plan = self.plan
        free = len(self.before.free), len(self.after.free)
        many = len(plan.remove), len(plan.add)
        return RingsTouched(self.jobs, *many, plan.lower_bound, self.told, free)

    @cached_property
    def notes(self) -> tuple[StageNote, ...]:
        """What each stage means for people, in the order of the plan."""
        return tuple(map(_note, self.plan.stages))

    @property
    def interrupted(self) -> tuple[str, ...]:
        """Jobs that lose entries, or groups: they run nothing meanwhile."""
        lost = {circuit.owner for circuit in self.plan.remove} - {""}
        gone = {e.made.name for e in self.effects if isinstance(e, ReleaseSlice | MoveSlice)}
        return tuple(sorted(lost | gone))

    def plan_json(self, ids: Mapping[str, str] | None = None) -> dict[str, Any]:
        """What is carried out, and what went with a switch."""
        return super().plan_json(ids) | {"gone": [circuit.as_json() for circuit in self.gone]}


def propose_job(now: RingsInUse, wish: Wish, asked: Mapping[str, Any]) -> RingsProposal:
    """A job with its groups and rings, all of them or none."""
    change = ask(now.state, wish)
    job = change.after.job(wish.name)
    taken = now.seats.get(job.groups[0], {}) if job.form is Form.SMALL else {}
    seats = {seat for of in taken.values() for seat in of}
    made = slice_of_job(now.state.wiring.cluster, job, seats)
    many = counted(job.processors, "processor") if job.processors else made.shape
    # A revision keeps the title, and may be elsewhere: `told` says where.
    title = f"Job {job.name}: {many} in {counted(len(job.groups), 'group')}"
    return proposed(SLICE, title, change, (MakeSlice(made),), asked, in_the_way(now, change))


def propose_release(now: RingsInUse, name: str, asked: Mapping[str, Any]) -> RingsProposal:
    """A job goes, and lets its groups and links go."""
    change = release(now.state, name)
    made = now.slice_of(now.state.job(name))
    return proposed(RELEASE, f"Release job {name}", change, (ReleaseSlice(made),), asked)


def propose_as_wanted(
    now: RingsInUse, at: Collection[tuple[int, int]] | None, asked: Mapping[str, Any]
) -> RingsProposal:
    """Switches get the entries that jobs have and they lack, and lose those of nobody.

    At some ports of switches alone, where these are named.
    """
    state = now.state

    def is_asked(entry: Entry) -> bool:
        ends = {(entry.switch, entry.into), (entry.switch, entry.out)}
        return entry.switch not in state.lost and (at is None or not ends.isdisjoint(at))

    usable = [entry for entry in sorted(now.left_over | now.missing) if is_asked(entry)]
    of = _owners(state)
    remove = [_circuit(state, entry, of) for entry in usable if entry in now.left_over]
    add = [_circuit(state, entry, of) for entry in usable if entry in now.missing]
    if not (remove or add):
        raise UnusableInput(
            "its switches show what jobs have there",
            where=f"cluster {state.names.pod}",
            remedy="Audit it, if that is not what you see",
        )
    plan = _plan(remove, add, (), (), len(usable))
    owners = tuple(sorted({circuit.owner for circuit in add} - {""}))
    return RingsProposal(
        kind=DRIFT,
        title="Make switches have the entries of jobs",
        plan=plan,
        risk=Risk(LOW, "only entries of no job go, and only those of jobs come"),
        wish=dict(asked),
        before=state,
        after=state,
        jobs=owners,
    )


def in_the_way(now: RingsInUse, change: Change) -> list[Entry]:
    """Entries of nobody at ports where others come: switches do not let two share one."""
    into = {(entry.switch, entry.into) for entry in change.add}
    out = {(entry.switch, entry.out) for entry in change.add}
    return [
        entry
        for entry in now.left_over
        if (entry.switch, entry.into) in into or (entry.switch, entry.out) in out
    ]


def proposed(
    kind: str,
    title: str,
    change: Change,
    effects: Sequence[Effect],
    asked: Mapping[str, Any],
    surplus: Collection[Entry] = (),
) -> RingsProposal:
    """A change with what it means for jobs; all that goes is removed before anything comes.

    Entries that are there and nobody wants, the `surplus`, go too, but for those that jobs get.
    """
    before, after = _owners(change.before), _owners(change.after)
    state, there = change.before, {*surplus}
    gone = sorted(there - {*change.add})
    remove = [_circuit(state, entry, before) for entry in (*gone, *change.remove)]
    add = [_circuit(state, entry, after) for entry in change.add if entry not in there]
    taken_over = sorted(there & {*change.add})
    keep = entries(change.before) & entries(change.after)
    touched = {circuit.owner for circuit in (*remove, *add)}
    untouched = tuple(sorted({job.name for job in state.jobs} - touched))
    plan = _plan(
        remove,
        add,
        [_circuit(state, entry, after) for entry in sorted(keep)],
        untouched,
        change.lower_bound + len(gone) - len(taken_over),
        tuple((_circuit(state, e, {}), _circuit(state, e, after)) for e in taken_over),
    )
    lost = tuple(_circuit(state, entry, before) for entry in change.gone)
    hit = {circuit.owner for circuit in (*remove, *lost)} - {""}
    hit |= {e.made.name for e in effects if isinstance(e, ReleaseSlice | MoveSlice)}
    return RingsProposal(
        kind=kind,
        title=title[:255],
        plan=plan,
        risk=_risk(remove, hit),
        effects=tuple(effects),
        warnings=tuple(
            f"{job.name} stands still: a group that it has is out"
            for job in change.after.jobs
            if change.after.stands_still(job)
        ),
        wish=dict(asked),
        before=change.before,
        after=change.after,
        told=change.told,
        jobs=tuple(sorted(hit)),
        gone=lost,
    )


def _plan(
    remove: Sequence[Circuit],
    add: Sequence[Circuit],
    keep: Sequence[Circuit],
    untouched: tuple[str, ...],
    bound: int,
    passed_on: tuple[tuple[Circuit, Circuit], ...] = (),
) -> Plan:
    """First all that goes: what still takes from a link must not meet the packets of others."""
    stages = (Stage(remove=tuple(remove)), Stage(add=tuple(add)))
    return Plan(
        keep=tuple(keep),
        stages=tuple(stage for stage in stages if stage.remove or stage.add),
        passed_on=passed_on,
        untouched_owners=untouched,
        lower_bound=bound,
    )


def _owners(state: State) -> dict[Entry, str]:
    return {entry: job.name for job in state.jobs for ring in job.rings for entry in ring.entries}


def _circuit(state: State, entry: Entry, owners: Mapping[Entry, str]) -> Circuit:
    """A flow entry as a circuit: it comes in at an A port, and goes out at a B port."""
    switch, into, out = entry
    return Circuit(state.names.device(switch), f"{into}A", f"{out}B", owners.get(entry, ""))


def _risk(remove: Sequence[Circuit], hit: Collection[str]) -> Risk:
    of_jobs = sum(bool(circuit.owner) for circuit in remove)
    if not of_jobs:
        return Risk(LOW, "no entry of a job goes")
    many = counted(of_jobs, "entry")
    return Risk(MEDIUM, f"{many} of {counted(len(hit), 'job')} {'go' if of_jobs > 1 else 'goes'}")


def _note(stage: Stage) -> StageNote:
    interrupts = Counter(circuit.owner for circuit in stage.remove if circuit.owner)
    gone, come = (counted(len(some), "entry") for some in (stage.remove, stage.add))
    check = f"the switches no longer show {gone}" if stage.remove else f"the switches show {come}"
    undo = f"add back {gone}" if stage.remove else f"remove {come}"
    return StageNote(dict(interrupts.most_common()), check, undo)
