"""How much of a pod is in use."""

from collections import Counter
from typing import Any

from fabric_twin.core.rings.place import what_fits
from fabric_twin.core.slices.slot_use import FREE
from fabric_twin.models import Pod
from fabric_twin.operations.slices.occupancy import Standing, read_standing
from fabric_twin.operations.slices.rings import read_rings
from fabric_twin.operations.slices.slot_uses import count_uses, uses_of
from fabric_twin.repositories.pod_record import USABLE, PodRecord


def utilisation_of(pod: Pod) -> dict[str, Any]:
    """Count cubes, chips and slices, for programs: of a cluster groups, processors and jobs."""
    record, uses = PodRecord(pod), count_uses(uses_of(pod))
    in_use, fits = _in_cluster(pod) if pod.is_cluster else _in_slices(pod)
    chips = record.design.cube.size * len(record.slots(USABLE))
    return {
        "version": 1,
        "pod": pod.name,
        "slots": record.design.slots,
        "cubes": dict(sorted(Counter(status for _, _, status in record.cubes.values()).items())),
        "uses": uses,
        "free_cubes": uses.get(FREE, 0),
        "chips": chips,
        "chips_in_use": in_use,
        "utilisation": in_use / chips if chips else 0.0,
        "slices": pod.slices.count(),
        "fits": fits if pod.takes_slices else "Nothing fits: the pod is at rest",
    }


def chips_in_use(standing: Standing) -> tuple[int, int]:
    """How many chips of active cubes are in slices, and how many there are."""
    occupancy, slots = standing.occupancy, standing.record.slots(USABLE)
    in_use = sum(occupancy.taken[slot].bit_count() for slot in slots)
    return in_use, occupancy.design.cube.size * len(slots)


def _in_slices(pod: Pod) -> tuple[int, str]:
    standing = read_standing(pod)
    in_use, _ = chips_in_use(standing)
    return in_use, standing.occupancy.what_fits()


def _in_cluster(pod: Pod) -> tuple[int, str]:
    """How many processors of groups in service are in jobs, and what fits."""
    state = read_rings(pod).state
    size = state.wiring.cluster.group.size
    used = dict.fromkeys(state.whole, size) | state.in_groups
    return sum(many for group, many in used.items() if group not in state.lost), what_fits(state)
