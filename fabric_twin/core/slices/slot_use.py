"""How a slot is used, in one word: the same on every drawing, page, list and metric.

A cube is `free` exactly if a slice of whole cubes could take it now.

The first that fits is told:

    no cube, out, in a slice, its status, held, pod at rest, parts only, free
"""

from collections.abc import Container, Iterable

from fabric_twin.core.slices.occupancy import Occupancy

NO_CUBE, OUT, IN_SLICE, HELD, PARTS_ONLY, FREE = (
    "no cube",
    "out",
    "in a slice",
    "held",
    "parts only",
    "free",
)
#: How a group of a cluster is used that a job has, or some processors of.
IN_JOB = "in a job"
#: A group of a cluster that has a port out, so that no ring can pass it.
SMALL_JOBS_ONLY = "small jobs only"
#: Where a cluster has none of which anybody made a record.
NO_GROUP = "no group"
#: What keeps a cube that nothing else keeps: its pod is not in service.
POD_AT_REST = "pod at rest"
#: The status of a cube that takes slices.
ACTIVE = "active"


def use_of(occupancy: Occupancy, slot: int, status: str, *, pod_takes: bool = True) -> str:
    """How the cube of a slot is used; `status` is its record's in lower case, or empty."""
    fits = (
        (NO_CUBE, not status),
        (OUT, status == OUT),
        (IN_SLICE, bool(occupancy.taken[slot])),
        (status, status != ACTIVE),
        (HELD, slot in occupancy.reserved),
        (POD_AT_REST, not pod_takes),
        (PARTS_ONLY, slot not in occupancy.free),
        (FREE, True),
    )
    return next(use for use, is_it in fits if is_it)


def in_order(uses: Iterable[str]) -> list[str]:
    """Uses as a legend has them: what works first, what is missing last."""
    known = (IN_SLICE, IN_JOB, FREE, HELD, PARTS_ONLY, SMALL_JOBS_ONLY, POD_AT_REST)
    last = (OUT, NO_CUBE, NO_GROUP)
    found = set(uses)
    return [*_of(known, found), *sorted(found - {*known, *last}), *_of(last, found)]


def _of(names: Iterable[str], found: Container[str]) -> list[str]:
    return [name for name in names if name in found]
