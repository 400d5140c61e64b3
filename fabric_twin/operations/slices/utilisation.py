"""How much of a pod is in use."""

from collections import Counter
from typing import Any

from fabric_twin.models import Pod
from fabric_twin.operations.slices.occupancy import read_standing
from fabric_twin.repositories.pod_record import USABLE


def utilisation_of(pod: Pod) -> dict[str, Any]:
    """Count cubes, chips and slices, for programs and for the page of the pod."""
    standing = read_standing(pod)
    occupancy, slots = standing.occupancy, standing.record.slots(USABLE)
    statuses = Counter(status for _, _, status in standing.record.cubes.values())
    size = occupancy.design.cube.size
    in_use = sum(occupancy.taken[slot].bit_count() for slot in slots)
    return {
        "version": 1,
        "pod": pod.name,
        "slots": occupancy.design.slots,
        "cubes": dict(sorted(statuses.items())),
        "free_cubes": len(occupancy.free),
        "chips": size * len(slots),
        "chips_in_use": in_use,
        "utilisation": in_use / (size * len(slots)) if slots else 0.0,
        "slices": len(occupancy.slices),
        "fits": occupancy.what_fits(),
    }
