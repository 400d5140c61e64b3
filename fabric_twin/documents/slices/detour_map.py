"""What a slice does without, and how the traffic goes instead: a face for each axis that lost.

X   1,4  2,4  3,4  4,4        each place is an index with its switch
    1,3  2,3  3,3  4,3        a dark one lost its circuit at some joins
    1,2  2,2 [3,2]>4,2        an arrow leads to the circuit by which that traffic goes
    1,1  2,1  3,1  4,1
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from fabric_twin.core.cube import AXES
from fabric_twin.core.slices.bearing import Bearing
from fabric_twin.documents.pods.legend import Owner
from fabric_twin.documents.sheet import Document, Table, table
from fabric_twin.documents.slices.bearing_report import capacity_left, index_of, way_of


@dataclass(frozen=True)
class IndexCell:
    """An index of a face, and what its circuits do."""

    across: int
    up: int
    name: str
    switch: str
    #: At how many joins its circuit is not made, and at how many it carries another's traffic.
    lost: int = 0
    carries: int = 0

    @property
    def said(self) -> str:
        """What happens here, in words."""
        parts = (("lost", self.lost), ("detours", self.carries))
        return ", ".join(f"{word} {many:,}" for word, many in parts if many)


@dataclass(frozen=True)
class Hop:
    """From a lost index to the one that its traffic goes by: places across and up, from 0."""

    start: tuple[int, int]
    end: tuple[int, int]


@dataclass(frozen=True)
class AxisFace:
    """One axis that lost something; `across` and `up` name the axes of its face."""

    name: str
    across: str
    up: str
    cells: tuple[IndexCell, ...]
    hops: tuple[Hop, ...]


@dataclass(frozen=True)
class DetourMap:
    """The drawing's facts."""

    faces: tuple[AxisFace, ...]
    columns: int
    rows: int
    owner: Owner


def detour_map(pod: str, bearing: Bearing, owner: Owner) -> Document:
    """Draw what a slice does without, and its detours."""
    faces = tuple(_faces(bearing))
    cells = [cell for face in faces for cell in face.cells]
    return Document(
        kind="detour-map",
        name=bearing.made.name,
        title=f"Detours of {bearing.made.name}",
        lines=(f"Pod {pod}: {bearing.made.shape}", capacity_left(bearing)),
        tables=(missing_circuits(bearing), detours_alike(bearing)),
        drawing=DetourMap(
            faces,
            1 + max((cell.across for cell in cells), default=0),
            1 + max((cell.up for cell in cells), default=0),
            owner,
        ),
    )


def missing_circuits(bearing: Bearing) -> Table:
    """How many circuits are not made on each switch, and why."""
    switches = bearing.intended.names.switches
    counts = Counter((switches[circuit[0]], why) for circuit, why in bearing.reasons())
    rows = ((switch, f"{many:,}", why) for (switch, why), many in counts.items())
    return table("Circuits that are not made", "switch,circuits,why", rows)


def detours_alike(bearing: Bearing) -> Table:
    """The detours between the same two indices in a row, with the first of them as an example."""
    rows = (
        (
            AXES[first.axis],
            index_of(first.axis, first.lost, bearing),
            index_of(first.axis, first.by, bearing),
            f"{1 + len(others):,}",
            way_of(first, bearing),
        )
        for first, *others in bearing.alike_detours()
    )
    return table("Detours", "axis,lost,by,joins,the first", rows)


def _faces(bearing: Bearing) -> Iterator[AxisFace]:
    layout = bearing.intended.design.layout
    cube, lanes = layout.cube, layout.lanes
    carries = Counter((one.axis, one.by // lanes) for one in bearing.detours)
    hops = {(one.axis, one.lost // lanes, one.by // lanes) for one in bearing.detours}
    for axis, lost in bearing.lost_joins.items():
        indices = cube.indices(axis)
        places = [(index[0] - 1, (*index, 1)[1] - 1) for index in indices]
        others = [AXES[other].lower() for other in range(cube.dimensions) if other != axis]
        gone = Counter[int]()
        for link, joins in lost.items():
            gone[link // lanes] += joins
        yield AxisFace(
            name=AXES[axis],
            across=others[0],
            up=(*others, "")[1],
            cells=tuple(
                IndexCell(
                    across,
                    up,
                    ",".join(map(str, indices[number])),
                    bearing.switch_of(axis, number * lanes),
                    gone[number],
                    carries[axis, number],
                )
                for number, (across, up) in enumerate(places)
            ),
            hops=tuple(
                Hop(places[start], places[end])
                for of_axis, start, end in sorted(hops)
                if of_axis == axis and start != end
            ),
        )
