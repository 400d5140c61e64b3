"""What slices bear: which circuits are missing, why, and what that costs.

By their records, and by what an audit found: on a dead switch no slice has a circuit.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from uuid import UUID

from nautobot.users.models import User

from fabric_twin.core.cube import AXES
from fabric_twin.core.errors import FabricTwinError, NotPermitted
from fabric_twin.core.slices.bearing import Bearing
from fabric_twin.core.slices.slice import torus_size, without_switches
from fabric_twin.models import Pod, Slice, Switch
from fabric_twin.operations.slices.occupancy import intended_by_records, standing_slices
from fabric_twin.operations.slices.reasons import reasons_for
from fabric_twin.operations.slices.rings import read_rings
from fabric_twin.operations.slices.without import ON_THE_WAY, joined_slices
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.ports_out import dead_switches_in


@dataclass(frozen=True)
class Left:
    """What is left of a slice: its capacity by axis, and the share that its slowest link has."""

    capacity: Mapping[str, float]
    slowest_link: float

    def __str__(self) -> str:
        """The axes that lost something."""
        lost = [f"{axis.upper()} {share:.4g}" for axis, share in self.capacity.items() if share < 1]
        return ", ".join(lost) or "1"


@dataclass(frozen=True)
class LeftOfJob(Left):
    """What is left of a cluster's job: of the rings of each axis, and of each of its links."""

    def __str__(self) -> str:
        """The axes that lost rings; a job that has all of one is as it was."""
        if not self.slowest_link:
            return "stands still"
        lost = [f"{axis} {share:.4g}" for axis, share in self.capacity.items() if share < 1]
        return ", ".join(lost) or "1"


def left_of(slices: Collection[Slice]) -> dict[UUID, Left]:
    """What is left of each slice of whole cubes that stands; of others there is nothing to say.

    Two queries, and a few for each pod that has a slice with losses or a dead switch, or jobs.
    """
    jobs = [made for made in slices if made.is_job]
    found: dict[UUID, Left] = left_of_jobs(jobs) if jobs else {}
    slices = [made for made in slices if not made.is_job]
    stand = joined_slices(Slice.objects.filter(pk__in=[made.pk for made in slices]))
    dead = dead_switches_in({made.pod_id for made in slices})
    fewer = []
    for made in stand.select_related("pod"):
        with suppress(FabricTwinError):  # the pod's design is gone
            design = made.pod.to_core()
            torus = torus_size(design, made.whole_cubes)
            if made.made_circuits < torus or (torus and dead.get(made.pod_id)):
                fewer.append(made)
            elif torus:
                axes = AXES[: design.cube.dimensions].lower()
                found[made.pk] = Left(dict.fromkeys(axes, 1), 1)
    for pod in {made.pod_id for made in fewer}:
        with suppress(FabricTwinError):  # spares that join nothing
            bearings = _bearings((made for made in fewer if made.pod_id == pod), dead)
            found |= {pk: Left(one.by_axis, one.slowest_link) for pk, one in bearings.items()}
    return found


def left_of_jobs(jobs: Collection[Slice]) -> dict[UUID, Left]:
    """What is left of jobs that have rings, unless a ticket makes or releases them."""
    rows = Slice.objects.filter(pk__in=[made.pk for made in jobs]).select_related("pod")
    by_pod: dict[Pod, dict[str, UUID]] = defaultdict(dict)
    for made in rows.exclude(status__name__in=ON_THE_WAY):
        by_pod[made.pod][made.name] = made.pk
    found: dict[UUID, Left] = {}
    for pod, keys in by_pod.items():
        with suppress(FabricTwinError):  # the pod's design is gone
            state = read_rings(pod).state
            for job in state.jobs:
                if job.name in keys and job.axes:
                    still = state.stands_still(job)
                    link = 0.0 if still else 1 - state.kept_back
                    shares = dict.fromkeys((axis.name for axis in job.axes), float(not still))
                    for one in job.remains:
                        shares[one.axis] = min(shares[one.axis], one.there / one.wanted)
                    found[keys[job.name]] = LeftOfJob(shares, link)
    return found


class LeftOfSlices:
    """What is left of slices, kept for an answer that tells of many."""

    def __init__(self) -> None:
        self._known: dict[UUID, Left | None] = {}

    def of(self, made: Slice, beside: Collection[Slice] = ()) -> Left | None:
        """Read with those beside it, or with all of its pod, the first time."""
        if made.pk not in self._known:
            slices = beside or list(Slice.objects.filter(pod__slices=made.pk))
            found = left_of(slices)
            self._known |= {one.pk: found.get(one.pk) for one in slices}
        return self._known[made.pk]


def bearing_of(made: Slice) -> Bearing | None:
    """What a slice bears, and why; nothing under a cube, or while a ticket makes or releases it."""
    if made.is_job:
        return None
    stand = joined_slices(Slice.objects.filter(pk=made.pk)).select_related("pod").first()
    if stand is None or not torus_size(made.pod.to_core(), stand.whole_cubes):
        return None
    return _bearings([stand], dead_switches_in([made.pod_id]))[made.pk]


def bearings_in(pod: Pod, user: User) -> list[Bearing]:
    """What each slice of a pod bears that does without anything, and why, as a user sees it."""
    stand = joined_slices(pod.slices.all()).select_related("pod")
    design, dead = pod.to_core(), dead_switches_in([pod.pk])
    sizes = {made: torus_size(design, made.whole_cubes) for made in stand}
    fewer = [made for made, n in sizes.items() if made.made_circuits < n or (n and dead)]
    bearings = _bearings(fewer, dead)
    return [
        replace(bearings[made.pk], whys=reasons_for(bearings[made.pk], made, user))
        for made in fewer
        if bearings[made.pk].made.without
    ]


def shown_bearing(made: Slice, user: User) -> Bearing | None:
    """The same for somebody: it names switches, and who may not see them all sees none."""
    found = bearing_of(made)
    if found is None or not found.made.without:
        return found
    if not may_see_switches(made.pod, user):
        raise NotPermitted(
            "you may not see all switches of the pod",
            where=f"slice {made.name}",
            remedy="Ask for the permission to view switches",
        )
    return replace(found, whys=reasons_for(found, made, user))


def may_see_switches(pod: Pod, user: User) -> bool:
    """Whether a user may see every switch of a pod: reasons and detours name any of them."""
    there = Switch.objects.filter(pod=pod)
    return bool(there.restrict(user, "view").count() == there.count())


def _bearings(
    slices: Iterable[Slice], dead: Mapping[UUID, Mapping[str, str]]
) -> dict[UUID, Bearing]:
    """What slices bear; `dead` are the switches of each pod that are dead, by finding."""
    by_pod: dict[Pod, dict[str, UUID]] = defaultdict(dict)
    for made in slices:
        by_pod[made.pod][made.name] = made.pk
    found = {}
    for pod, keys in by_pod.items():
        record = PodRecord(pod)
        intended = intended_by_records(record)
        names = set(dead.get(pod.pk, {}).values())
        out = {number for number, (_, name, _) in record.switches.items() if name in names}
        failed = record.unhealthy_ports.union(*map(record.design.layout.ports_of_switch, out))
        for core in standing_slices(pod, intended, keys.values()):
            left = without_switches(intended.design, core, intended.mate, out) if out else core
            found[keys[core.name]] = Bearing(intended, left, failed)
    return found
