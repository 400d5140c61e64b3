"""Jobs of a cluster in words: where they are, which rings they have, and what is left of them."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from fabric_twin.core.counted import counted
from fabric_twin.core.groups.cluster import Cluster
from fabric_twin.core.groups.labels import DIMENSIONS
from fabric_twin.core.rings.job import Job
from fabric_twin.core.rings.place import words
from fabric_twin.core.rings.plane import Plane, parse_planes
from fabric_twin.core.rings.ring import Entry
from fabric_twin.core.rings.state import State
from fabric_twin.documents.sheet import Table, table

#: Rings that a page lists; those that are missing come first.
MOST_RINGS = 96
RINGS = "axis,plane,way,on,entries"


def planes_told(cluster: Cluster, planes: Sequence[Plane]) -> str:
    """Planes as people write them: `row`, `row-1 and row-3-2`."""
    left, told = set(planes), list[str]()
    numbers = range(1, cluster.planes + 1)
    for dimension in DIMENSIONS[: cluster.dimensions]:
        indices = {plane.index for plane in planes} & {*numbers}
        lanes = {plane.lane for plane in planes} & {*numbers}
        for text in (
            dimension,
            *(f"{dimension}-{index}" for index in sorted(indices)),
            *(f"{dimension}-*-{lane}" for lane in sorted(lanes)),
        ):
            found = {*parse_planes(text, cluster, "")}
            if found <= left:
                left -= found
                told.append(text)
    return " and ".join([*told, *map(str, sorted(left))])


def axes_told(cluster: Cluster, job: Job) -> str:
    """What its rings are called, and where they run: `layer in row-1; data in row-*-3`."""
    ways = ", both ways" if job.both_ways else ""
    axes = (f"{axis.name} in {planes_told(cluster, axis.planes)}" for axis in job.axes)
    return "; ".join(axes) + ways


def left_told(state: State, job: Job) -> str:
    """What is left of the rings that it asked for."""
    if state.stands_still(job):
        return "stands still"
    if not job.axes:
        return "needs none"
    worst = min(job.remains, key=lambda one: one.there / one.wanted, default=None)
    return f"{worst.there} of {worst.wanted} lanes of {worst.axis}" if worst else "all"


def processors_of(state: State, job: Job) -> int:
    """The processors that it asked for, or has where it is a shape of groups."""
    return job.processors or len(job.groups) * state.wiring.cluster.group.size


def rings_table(state: State, job: Job, *, shows_entries: bool = True) -> Table:
    """Each ring that it asks for, with its entries in the order in which it passes them."""
    there = job.by_number
    missing = {number for number, _ in job.missing}
    rows = sorted(enumerate(job.wanted), key=lambda row: (row[0] not in missing, row[0]))
    title = f"{counted(len(rows), 'ring')}"
    title += f", {len(missing):,} of them missing" if missing else ""
    title += f": the first {MOST_RINGS}" if len(rows) > MOST_RINGS else ""
    cells = []
    for number, ring in rows[:MOST_RINGS]:
        told = "missing"
        if number in there:
            entries = there[number].entries
            told = entries_told(state, entries) if shows_entries else counted(len(entries), "entry")
        cells.append((ring.axis, str(ring.plane), ring.way, words(state, ring.groups), told))
    return table(title, RINGS, cells)


def entries_told(state: State, entries: Iterable[Entry]) -> str:
    """Entries in their order, those of a switch together: `g-row-01-1-1 2 -> 3, 4 -> 1`."""
    parts = []
    for switch, found in groupby(entries, lambda entry: entry.switch):
        told = ", ".join(f"{into} -> {out}" for _, into, out in found)
        parts.append(f"{state.names.device(switch)} {told}")
    return "; ".join(parts)
