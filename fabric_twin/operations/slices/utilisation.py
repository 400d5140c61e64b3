"""How much of a pod is in use."""

from collections import Counter
from typing import Any

from fabric_twin.core.slices.slot_use import FREE
from fabric_twin.models import Pod
from fabric_twin.operations.slices.occupancy import Standing, read_standing
from fabric_twin.operations.slices.slot_uses import count_uses, slot_uses
from fabric_twin.repositories.pod_record import USABLE


def utilisation_of(pod: Pod) -> dict[str, Any]:
    """Count cubes, chips and slices, for programs."""
    standing = read_standing(pod)
    occupancy = standing.occupancy
    statuses = Counter(status for _, _, status in standing.record.cubes.values())
    uses = count_uses(slot_uses(standing))
    in_use, chips = chips_in_use(standing)
    return {
        "version": 1,
        "pod": pod.name,
        "slots": occupancy.design.slots,
        "cubes": dict(sorted(statuses.items())),
        "uses": uses,
        "free_cubes": uses.get(FREE, 0),
        "chips": chips,
        "chips_in_use": in_use,
        "utilisation": in_use / chips if chips else 0.0,
        "slices": len(occupancy.slices),
        "fits": occupancy.what_fits() if pod.takes_slices else "Nothing fits: the pod is at rest",
    }


def chips_in_use(standing: Standing) -> tuple[int, int]:
    """How many chips of active cubes are in slices, and how many there are."""
    occupancy, slots = standing.occupancy, standing.record.slots(USABLE)
    in_use = sum(occupancy.taken[slot].bit_count() for slot in slots)
    return in_use, occupancy.design.cube.size * len(slots)
