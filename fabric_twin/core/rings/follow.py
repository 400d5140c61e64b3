"""A job's rings, followed from entry to entry: what does not close is no ring."""

from collections.abc import Iterable, Mapping

from fabric_twin.core.rings.job import Job
from fabric_twin.core.rings.ring import Entry, Ring, Wanted
from fabric_twin.core.rings.wiring import Exit, Wiring


def with_rings_of(wiring: Wiring, job: Job, entries: Iterable[Entry]) -> Job:
    """The job with those of the rings it asks for that some entries make."""
    goes = {(entry.switch, entry.into): entry for entry in entries}
    rings = {}
    for number, wanted in enumerate(job.wanted):
        if found := _followed(wiring, wanted, goes):
            rings[number] = Ring(wanted.axis, wanted.plane, wanted.way, wanted.groups, tuple(found))
    return job.with_rings(rings)


def _followed(wiring: Wiring, wanted: Wanted, goes: Mapping[tuple[int, int], Entry]) -> list[Entry]:
    """The entries of a ring in the order in which it passes them; none where it is open."""
    found: list[Entry] = []
    for start, end in wanted.hops:
        at = Exit(
            wiring.switch_of(start, wanted.plane),
            wiring.leaves_at(start, wanted.plane, wanted.way),
        )
        last = Exit(
            wiring.switch_of(end, wanted.plane), wiring.enters_at(end, wanted.plane, wanted.way)
        )
        while True:
            entry = goes.get(at)
            # More entries than there are is a circle that passes no group.
            if entry is None or len(found) > len(goes):
                return []
            found.append(entry)
            far = wiring.far(entry.exit)
            if far is None:
                break
            at = far
        if entry.exit != last:
            return []
    return found
