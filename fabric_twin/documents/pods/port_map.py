"""The port map of a switch: which port holds which cube, face and chip, and whose circuit it is in.

A side          B side                what a ring says
[1A c001 >2B]   [1B c001 >3A]         owner A: c001 > c002 > c003 > c001
[2A c002 >3B]   [2B c002 >1A]
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from fabric_twin.core.counted import counted
from fabric_twin.core.cube import AXES
from fabric_twin.core.findings.noted import Noted
from fabric_twin.core.rule import Plant
from fabric_twin.documents.pods.fabric import Fabric
from fabric_twin.documents.pods.legend import Owner
from fabric_twin.documents.pods.ports import IN_USE, SwitchPort, alarms, switch_port, tally
from fabric_twin.documents.pods.rings import Beside, Use, beside, brief, named, rings
from fabric_twin.documents.sheet import Document, Table, table

#: Ports in a row of the drawing.
ACROSS = 12
COLUMNS = "port,state,cable,cube,tray,chip,face,to,to cube,owner,unhealthy,wrong"
#: The same of a switch between blocks.
OF_BLOCKS = "port,state,cable,block,strand,to,to block,owner,unhealthy,wrong"


@dataclass(frozen=True)
class Panel:
    """One side of a switch."""

    title: str
    ports: tuple[SwitchPort, ...]


@dataclass(frozen=True)
class Mark:
    """A circuit as a point: A ports go down, B ports across."""

    a: int
    b: int
    owner: Owner
    wrong: bool
    #: All that is wrong is not seen since.
    unseen: bool


@dataclass(frozen=True)
class Run:
    """Neighbouring A ports of one owner, first and last."""

    first: int
    last: int
    owner: Owner


@dataclass(frozen=True)
class PortMap:
    """The drawing's facts."""

    across: int
    radix: int
    panels: tuple[Panel, ...]
    counts: dict[str, int]
    marks: tuple[Mark, ...]
    runs: tuple[Run, ...]
    #: What is wrong at ports, and the rings of each owner, as far as there is room beside.
    beside: Beside
    #: What audits found of the whole switch.
    found: Sequence[Noted]


def port_map(fabric: Fabric, switch: int) -> Document:
    """The port map of one switch."""
    layout = fabric.layout
    first = layout.cube_ports + switch * layout.ports_per_switch
    ports = [switch_port(fabric, first + n) for n in range(layout.ports_per_switch)]
    titles = ("A side", "B side") if layout.plant is Plant.SPLIT else ("Ports, A and B together",)
    panels = tuple(
        _panel(fabric, title, first + side * layout.radix, ports[side * layout.radix :])
        for side, title in enumerate(titles)
    )
    counts = tally(ports)
    wrong = alarms((port.name, port) for port in ports)
    marks = _marks(fabric, switch, ports)
    uses = _uses(fabric, ports, marks)
    said = beside(wrong, uses)
    if fabric.is_network and marks:
        said = replace(said, rest=counted(len(marks), "circuit"))
    drawing = PortMap(
        across=ACROSS,
        radix=layout.radix,
        panels=panels,
        counts=counts,
        marks=marks,
        runs=_runs(marks),
        beside=said,
        found=fabric.switch_findings.get(switch, ()),
    )
    axis, numbers = layout.switches[switch]
    what = f"{AXES[axis]} faces, index {','.join(map(str, numbers))}"
    what = "joins blocks" if fabric.is_network else what
    columns = OF_BLOCKS if fabric.is_network else COLUMNS
    rows = (_row(port, is_network=fabric.is_network) for port in ports)
    words = ", ".join(f"{many} {state}" for state, many in counts.items() if many)
    return Document(
        kind="port-map",
        name=fabric.switches[switch],
        title=f"Port map of {fabric.switches[switch]}",
        lines=(
            f"{fabric.intended.noun} {fabric.pod} ({fabric.intended.design.name}): {what}",
            f"Ports: {words}",
            *(f"Wrong: {one}" for one in drawing.found),
            *fabric.gaps,
        ),
        tables=(table("Ports", columns, rows), _ring_table(uses)),
        paper=_on_paper(ports, wrong, uses, drawing.beside),
        drawing=drawing,
        gaps=fabric.gaps,
    )


def _ring_table(uses: Sequence[Use]) -> Table:
    return table(
        "Rings",
        "letter,owner,circuits,rings",
        ((use.owner.letter, use.owner.name, use.circuits, "; ".join(use.rings)) for use in uses),
    )


def _on_paper(
    ports: Sequence[SwitchPort], wrong: Sequence[str], uses: Sequence[Use], shown: Beside
) -> tuple[Table, ...]:
    """The ports in short, and what has no room beside the drawing."""
    at_cable = [port.cable for port in ports if port.at]
    places = [f"{port.at.rack}:{port.at.port}" for port in ports if port.at]
    columns = "port,cable at,to,by"
    if at_cable != places:
        columns += ",cable"
    short = [cells[: columns.count(",") + 1] for cells in (_short(port) for port in ports)]
    tables = [replace(table("Ports", columns, short), dense=True)]
    if not shown.all_alarms:
        tables.append(table("Wrong", "what", ((what,) for what in wrong)))
    if not shown.all_rings:
        tables.append(_ring_table(uses))
    return tuple(tables)


def _short(port: SwitchPort) -> tuple[str, ...]:
    """A port in short: where its cable ends, and where its circuit goes; a block has no trays."""
    at, beyond = port.at, f" {port.beyond.cube}" if port.beyond else ""
    tray = f" {at.tray.removeprefix(f'{at.rack}-')}" if at and at.tray != at.rack else ""
    return (
        port.name,
        f"{at.cube}:{at.port}{tray}" if at else "",
        f"{port.to}{beyond}" if port.to else port.state,
        port.letter,
        port.cable,
    )


def _panel(fabric: Fabric, title: str, first: int, ports: list[SwitchPort]) -> Panel:
    """One side, and the ports of a cube whose cables belong on it."""
    layout = fabric.layout
    shown = tuple(ports[: layout.radix])
    if fabric.is_network:
        return Panel(f"{title}: half of the strands of each block", shown)
    ends = fabric.intended.mate[first : first + layout.radix]
    local = dict.fromkeys((ends[ends >= 0] % layout.ports_per_cube).tolist())
    named = " and ".join(layout.port_names[port] for port in local)
    return Panel(f"{title}: {named} of each cube", shown)


def _row(port: SwitchPort, *, is_network: bool) -> tuple[str, ...]:
    at = port.at
    names = ("rack", "port") if is_network else ("rack", "tray", "chip", "face")
    where = (getattr(at, name) if at else "" for name in names)
    beyond = port.beyond.rack if port.beyond else ""
    owner = port.owner.name if port.owner else ""
    unhealthy = "unhealthy" if port.unhealthy else ""
    return (
        port.name,
        port.state,
        port.cable,
        *where,
        port.to,
        beyond,
        owner,
        unhealthy,
        port.wrong,
    )


def _marks(fabric: Fabric, switch: int, ports: list[SwitchPort]) -> tuple[Mark, ...]:
    circuits, marks = fabric.circuits, []
    for row in (circuits.switch == switch).nonzero()[0].tolist():
        a, b = int(circuits.a[row]), int(circuits.b[row])
        ends = ports[a - 1], ports[b - 1 + (fabric.layout.plant.sides - 1) * fabric.layout.radix]
        owner = fabric.owners[fabric.owner[row]]
        wrong = [end for end in ends if end.wrong]
        unseen = bool(wrong) and all(end.unseen for end in wrong)
        marks.append(Mark(a, b, owner, bool(wrong), unseen))
    return tuple(sorted(marks, key=lambda mark: mark.a))


def _runs(marks: tuple[Mark, ...]) -> tuple[Run, ...]:
    runs: list[Run] = []
    for mark in marks:
        if runs and runs[-1].last == mark.a - 1 and runs[-1].owner == mark.owner:
            runs[-1] = Run(runs[-1].first, mark.a, mark.owner)
        else:
            runs.append(Run(mark.a, mark.a, mark.owner))
    return tuple(runs)


def _uses(fabric: Fabric, ports: list[SwitchPort], marks: tuple[Mark, ...]) -> tuple[Use, ...]:
    """Follow the light from `+` to `-`, cube by cube, for every owner; blocks make no rings."""
    if fabric.is_network:
        return ()
    onward: dict[Owner, dict[tuple[str, int], tuple[str, int]]] = {}
    for port in ports:
        if (
            port.state == IN_USE
            and port.at
            and port.beyond
            and port.owner
            and port.at.face[1] == "+"
        ):
            steps = onward.setdefault(port.owner, {})
            steps[port.at.cube, port.at.family[1]] = (port.beyond.cube, port.beyond.family[1])
    count = Counter(mark.owner for mark in marks)
    owners = [owner for owner in fabric.owners.values() if owner in count]
    uses = []
    for owner in owners:
        found = rings(onward.get(owner, {}))
        names = tuple(named(cubes, is_open=is_open) for cubes, is_open in found)
        uses.append(Use(owner, count[owner], names, brief(found)))
    return tuple(uses)
