"""A port of a switch as a person asks about it: what is on it, whose it is, and what is wrong."""

from dataclasses import dataclass

from fabric_twin.core.wiring import cube_port_label
from fabric_twin.documents.fabric import NOWHERE, Fabric
from fabric_twin.documents.owners import Owner

IN_USE, FREE, SPARE, EMPTY, FIXED = "in use", "free", "spare", "no cable", "cabled"


@dataclass(frozen=True)
class CubePort:
    """The end of a cable at a cube."""

    slot: int
    #: `c007`, short enough for a cell of a drawing.
    cube: str
    rack: str
    tray: str
    #: `4.3.2/X+`, with a lane where a port has two cables.
    port: str
    chip: str
    face: str
    #: What a circuit must not change: axis, index and lane.
    family: tuple[int, int, int]


@dataclass(frozen=True)
class SwitchPort:
    """One port of a switch, or the far end of a cable that goes to no switch."""

    device: str
    name: str
    state: str
    cable: str
    at: CubePort | None
    #: The port that a circuit joins it to, and the cube end behind that.
    to: str
    beyond: CubePort | None
    owner: Owner | None
    unhealthy: bool
    #: What is wrong, in a few words; empty when nothing is.
    wrong: str


def cube_port(fabric: Fabric, port: int) -> CubePort | None:
    """Describe a cube port; None for any other."""
    layout = fabric.layout
    if not 0 <= port < layout.cube_ports:
        return None
    local = port % layout.ports_per_cube
    tray, name = fabric.names.port(port)
    slot = port // layout.ports_per_cube + 1
    chip, _, face = cube_port_label(layout.cube, local // layout.lanes, 1).partition("/")
    rack = fabric.names.cube(slot)
    family = (int(layout.axis[local]), int(layout.index[local]), int(layout.lane[local]))
    return CubePort(slot, f"c{slot:03d}", rack, tray, name, chip, face, family)


def switch_port(fabric: Fabric, port: int) -> SwitchPort:
    """Describe a port at the switch end of a cable."""
    row = fabric.cable_at[port]
    near = cube_port(fabric, fabric.far_end(port))
    joined = fabric.circuits_at.get(port, [])
    device, name = fabric.names.port(port)
    to, beyond, owner = "", None, None
    if joined:
        circuit, other = joined[0]
        to = fabric.names.port(other)[1]
        beyond = cube_port(fabric, fabric.far_end(other))
        owner = fabric.owners[fabric.owner[circuit]]
    slot_unhealthy = near is not None and near.slot in fabric.unhealthy_slots
    unhealthy = fabric.is_unhealthy(port) or slot_unhealthy
    return SwitchPort(
        device=device,
        name=name,
        state=_state(fabric, port, row),
        cable=fabric.cables.name[row] if row != NOWHERE else "",
        at=near,
        to=to,
        beyond=beyond,
        owner=owner,
        unhealthy=unhealthy,
        wrong=_wrong(fabric, port, near, beyond, unhealthy=unhealthy),
    )


def _state(fabric: Fabric, port: int, row: int) -> str:
    if port < fabric.layout.cube_ports:
        return FIXED
    if port in fabric.circuits_at:
        return IN_USE
    if row != NOWHERE:
        return FREE
    return SPARE if fabric.layout.spare[port] else EMPTY


def _wrong(
    fabric: Fabric, port: int, near: CubePort | None, beyond: CubePort | None, *, unhealthy: bool
) -> str:
    """The first thing that is wrong, from the cable up."""
    return (
        (_wrong_cable(fabric, port) if fabric.recorded else "")
        or _wrong_circuit(fabric, port, near, unhealthy=unhealthy)
        or (_wrong_link(near, beyond) if port in fabric.circuits_at and near else "")
    )


def _wrong_cable(fabric: Fabric, port: int) -> str:
    """What an inventory has here that the rule does not want, or lacks."""
    present, wanted = fabric.far_end(port), fabric.want[port]
    if present == wanted or max(present, wanted) < 0:
        return ""
    if wanted < 0:
        return "the rule wants no cable here"
    named = " ".join(fabric.names.port(wanted))
    return f"{named} belongs here" if present >= 0 else f"the cable of {named} is missing"


def _wrong_circuit(fabric: Fabric, port: int, near: CubePort | None, *, unhealthy: bool) -> str:
    joined = fabric.circuits_at.get(port, [])
    if not joined:
        return ""
    if near is None:
        return "a circuit, but no cable"
    if unhealthy:
        return "in a circuit, but unhealthy"
    if fabric.paired and (len(joined) < 2 or joined[0][1] != joined[1][1]):
        return "half a link: the circuit back is missing"
    different = len({fabric.owner[circuit] for circuit, _ in joined}) > 1
    return "two owners of one link" if different else ""


def _wrong_link(near: CubePort, beyond: CubePort | None) -> str:
    """What the wiring rule says against joining two cube ports."""
    if beyond is None:
        return "its circuit ends on a port without a cable"
    if near.face == beyond.face:
        return f"joins {near.face} to {beyond.face}"
    if near.family != beyond.family:
        return f"joins {near.port} to {beyond.port}, another index"
    return ""
