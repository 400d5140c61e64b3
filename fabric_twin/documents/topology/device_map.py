"""The map of a block, a group or a switch: what is on each of its ports, as a table and drawn.

      N   N   N   N         a group: its processors, and at each edge where its cables go
W -  1.1 1.2 1.3 1.4  - E   a switch: its ports, eight in a row, and what is at the far end
W -  2.1 2.2 2.3 2.4  - E
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from fabric_twin.core.fabric.columns import NO_PORT
from fabric_twin.core.fabric.plant import IntendedPlant
from fabric_twin.core.findings.noted import Noted, only_unseen
from fabric_twin.core.groups.group import EDGES, Group
from fabric_twin.core.groups.names import GroupNames
from fabric_twin.documents.pods.fabric import Fabric
from fabric_twin.documents.sheet import Document, table

#: Ports in a row of the drawing of a switch, and in one of more ports than a page has room for.
ACROSS, NARROW, ROOM = 8, 16, 128
CABLED, FREE, SPARE, NO_CABLE = "cabled", "free", "spare", "no cable"
_LOOKS = {CABLED: "cabled", FREE: "empty", NO_CABLE: "empty"}
#: More processors than these are not drawn one by one: a chain's.
MOST_DRAWN = 8


@dataclass(frozen=True)
class PortCell:
    """A port of the device, and what is at the other end of its cable."""

    device: str
    name: str
    #: What it is for where it has no cable: neighbours of which it is the same are one row.
    panel: int
    state: str
    to: tuple[str, str] = ("", "")
    cable: str = ""
    #: What the cable has otherwise than the rule; empty when nothing.
    mismatch: str = ""
    found: Sequence[Noted] = ()

    @property
    def wrong(self) -> str:
        """What is wrong: what an audit found, by its cause; else what the records show."""
        return str(self.found[0]) if self.found else self.mismatch

    @property
    def unseen(self) -> bool:
        """Whether all that is wrong is what no audit has seen since."""
        return only_unseen(self.found) and not self.mismatch

    @property
    def look(self) -> str:
        """What a drawing shows first, in a word."""
        return _LOOKS.get(self.state, SPARE)

    @property
    def summary(self) -> str:
        """All of it in a line."""
        to = f" to {' '.join(self.to)}" if self.to[0] else ""
        wrong = f"; wrong: {self.wrong}" if self.wrong else ""
        return f"{self.device} {self.name}, {self.state}{to}{wrong}"


@dataclass(frozen=True)
class DeviceMap:
    """The drawing's facts."""

    #: Cut off the names of devices where there is little room.
    pod: str
    cells: tuple[PortCell, ...]
    #: Each state, how it looks, and how many ports are in it.
    counts: tuple[tuple[str, str, int], ...]
    #: Whether some of what is wrong is seen, and whether some is not seen since.
    marks: frozenset[bool]
    #: What audits found of the whole device.
    found: Sequence[Noted]

    @property
    def across(self) -> int:
        """How many ports are in a row."""
        return ACROSS if len(self.cells) <= ROOM else NARROW

    def brief(self, cell: PortCell) -> str:
        """The far end, within the pod."""
        if not cell.to[0]:
            return cell.state
        return f"{cell.to[0].removeprefix(f'{self.pod}-')} {cell.to[1]}"


@dataclass(frozen=True)
class GroupDrawing(DeviceMap):
    """The same of a group: by edge (`W`), the ports of each processor there."""

    columns: int
    rows: int
    lanes: int
    edges: Mapping[str, tuple[tuple[PortCell, ...], ...]]

    @property
    def is_long(self) -> bool:
        """Whether it has more processors in a row than are drawn."""
        return self.columns > MOST_DRAWN


def device_maps(
    intended: IntendedPlant, kind: str, device: str | None = None
) -> Iterator[Document]:
    """A map of each switch, or of each block or group; or of the one that is named."""
    fabric, names = intended.fabric, intended.names
    kept = fabric.unit == 0 if kind == "switch-map" else intended.a[fabric.unit[intended.a] > 0]
    for number in np.unique(fabric.device[kept]).tolist():
        if device in (None, names.device(number)):
            yield device_map(intended, kind, number)


def device_map(
    intended: IntendedPlant, kind: str, number: int, recorded: Fabric | None = None
) -> Document:
    """The map of one device, by the rule, or as its cables are recorded."""
    name = intended.names.device(number)
    ports = np.flatnonzero(intended.fabric.device == number).tolist()
    if recorded:
        cells = tuple(_recorded(intended, recorded, port) for port in ports)
    else:
        cells = tuple(_by_rule(intended, port) for port in ports)
    columns = "port,state,to,port there,cable" + ",wrong" * (recorded is not None)
    used = sum(cell.state == CABLED for cell in cells)
    drawing = _drawing(intended, number, cells, recorded)
    return Document(
        kind=kind,
        name=name,
        title=f"{kind.capitalize().replace('-', ' ')} of {name}",
        lines=(
            f"{intended.noun} {intended.pod}",
            f"{used:,} of {len(ports):,} ports have a cable",
            *(f"Wrong: {one}" for one in drawing.found),
            *(recorded.gaps if recorded else ()),
        ),
        tables=(table("Ports", columns, _rows(cells, wrong=recorded is not None)),),
        drawing=drawing if kind != "block-map" else None,
        gaps=recorded.gaps if recorded else (),
    )


def _by_rule(intended: IntendedPlant, port: int) -> PortCell:
    device, name = intended.names.port(port)
    panel, far = int(intended.fabric.panel[port]), int(intended.want[port])
    if far == NO_PORT:
        return PortCell(device, name, panel, SPARE if intended.fabric.spare[port] else FREE)
    near = intended.fabric.near_first((port, far))[0]
    names = intended.names
    return PortCell(device, name, panel, CABLED, names.port(far), names.cable(near))


def _recorded(intended: IntendedPlant, recorded: Fabric, port: int) -> PortCell:
    """A port as the records have it, with what audits found there and at its far end."""
    names, want, far = recorded.names, int(intended.want[port]), recorded.far_end(port)
    device, name = names.port(port)
    there = (device, name, int(intended.fabric.panel[port]))
    found = recorded.noted(*(one for one in (port, far) if one >= 0))
    belongs = f"belongs on {' '.join(names.port(want))}" if want != NO_PORT else "is for no cable"
    if far >= 0:
        cable = recorded.cables.name[recorded.cable_at[port]]
        wrong = belongs if far != want else ""
        return PortCell(*there, CABLED, names.port(far), cable, wrong, found)
    if cable := recorded.astray.get(port, ""):
        return PortCell(*there, CABLED, ("", ""), cable, f"its cable leads away: {belongs}", found)
    if want == NO_PORT:
        return PortCell(*there, SPARE if intended.fabric.spare[port] else FREE, found=found)
    if coming := recorded.coming(port) or recorded.coming(want):
        return PortCell(*there, coming, names.port(want), found=found)
    missing = f"the cable to {' '.join(names.port(want))} is missing"
    return PortCell(*there, NO_CABLE, mismatch=missing, found=found)


def _rows(cells: Sequence[PortCell], *, wrong: bool) -> Iterator[tuple[str, ...]]:
    """Every port; those without a cable, and of which nothing else is known, in runs."""
    for (state, _, odd), run in groupby(cells, lambda c: (c.state, c.panel, bool(c.wrong))):
        here = list(run)
        if state in {FREE, SPARE} and not odd:
            ends = dict.fromkeys(cell.name for cell in (here[0], here[-1]))
            yield (" to ".join(ends), state, "", "", "", *([""] * wrong))
        else:
            yield from (
                (cell.name, state, *cell.to, cell.cable, *([cell.wrong] * wrong)) for cell in here
            )


def _drawing(
    intended: IntendedPlant, number: int, cells: tuple[PortCell, ...], recorded: Fabric | None
) -> DeviceMap:
    many = Counter(cell.state for cell in cells)
    found: Sequence[Noted] = ()
    names, group = intended.names, None
    if isinstance(names, GroupNames):
        switch = number - names.layout.slots
        group = names.layout.cluster.group if switch < 0 else None
        if recorded:
            by = recorded.cube_findings if group else recorded.switch_findings
            found = by.get(number + 1 if group else switch, ())
    drawn = DeviceMap(
        pod=intended.pod,
        cells=cells,
        counts=tuple((state, _LOOKS.get(state, SPARE), ports) for state, ports in many.items()),
        marks=frozenset(cell.unseen for cell in cells if cell.wrong),
        found=found,
    )
    return _of_group(drawn, group) if group else drawn


def _of_group(drawn: DeviceMap, group: Group) -> GroupDrawing:
    """Its ports edge by edge, as it numbers them."""
    rest = iter(drawn.cells)
    edges = {
        EDGES[face.axis][face.sign]: tuple(
            tuple(next(rest) for _ in range(group.lanes)) for _ in group.indices(face.axis)
        )
        for face in group.faces
    }
    columns, rows = (*group.chips, 1)[:2]
    return GroupDrawing(**vars(drawn), columns=columns, rows=rows, lanes=group.lanes, edges=edges)
