"""How every slot of a pod is used, and by whom: one account for every page, list and metric."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.slices.slot_use import (
    FREE,
    HELD,
    IN_JOB,
    NO_GROUP,
    POD_AT_REST,
    SMALL_JOBS_ONLY,
    in_order,
    use_of,
)
from fabric_twin.models import Cube, Pod, Reservation, SlicePart
from fabric_twin.operations.slices.occupancy import Standing, read_standing
from fabric_twin.operations.slices.rings import read_rings
from fabric_twin.repositories.pod_record import USABLE


@dataclass(frozen=True)
class SlotUse:
    """How a slot is used."""

    #: A word of `core.slices.slot_use`, or the status of the cube.
    use: str
    #: The keys of the tickets, work orders and runs that hold the cube, or a port that it is on.
    holders: tuple[UUID, ...]
    #: Whether a circuit joins it that is of no slice.
    by_hand: bool
    #: How many of its ports are out of service, alone or with their switch.
    ports_out: int


def slot_uses(standing: Standing) -> dict[int, SlotUse]:
    """How each slot of the design is used."""
    occupancy, cubes = standing.occupancy, standing.record.cubes
    takes = standing.record.pod.takes_slices
    return {
        slot: SlotUse(
            use=use_of(
                occupancy,
                slot,
                cubes[slot][2].lower() if slot in cubes else "",
                pod_takes=takes,
            ),
            holders=tuple(holder for holder, slots in standing.held.items() if slot in slots),
            by_hand=slot in standing.by_hand,
            ports_out=occupancy.unhealthy_ports[slot],
        )
        for slot in range(1, occupancy.design.slots + 1)
    }


def group_uses(pod: Pod) -> dict[int, str]:
    """How each place of a cluster is used: by the status of its group, where that is not in
    service."""
    parts = SlicePart.objects.filter(cube__pod=pod).order_by()
    taken = set(parts.values_list("cube__slot", flat=True))
    reserved = Reservation.objects.filter(cube__pod=pod).order_by()
    held = set(reserved.values_list("cube__slot", flat=True))
    short = {group + 1 for group in read_rings(pod).state.short}
    works = ((taken, IN_JOB), (held, HELD), (short, SMALL_JOBS_ONLY))
    idle = FREE if pod.takes_slices else POD_AT_REST
    rows = Cube.objects.filter(pod=pod).values_list("slot", "status__name")
    return dict.fromkeys(range(1, pod.to_core().slots + 1), NO_GROUP) | {
        slot: next((use for slots, use in works if slot in slots), idle)
        if status in USABLE
        else status.lower()
        for slot, status in rows
    }


def uses_of(pod: Pod) -> dict[int, str]:
    """In a word, how each slot of a pod is used, or each place of a cluster."""
    if pod.is_cluster:
        return group_uses(pod)
    return {slot: one.use for slot, one in slot_uses(read_standing(pod)).items()}


def count_uses(uses: Mapping[int, str]) -> dict[str, int]:
    """How many slots are used how, in the order of a legend."""
    counts = Counter(uses.values())
    return {use: counts[use] for use in in_order(counts)}


def count_uses_of(pods: Iterable[Pod]) -> Iterator[tuple[str, dict[str, int]]]:
    """The same by the name of each pod; one whose design is gone has no slots."""
    for pod in pods:
        with suppress(FabricTwinError):
            yield pod.name, count_uses(uses_of(pod))
