"""A port of a switch as a person asks about it: what is on it, whose it is, and what is wrong."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from fabric_twin.core.audit.places import some
from fabric_twin.core.findings.noted import Noted, only_unseen
from fabric_twin.core.pods.names import Names
from fabric_twin.documents.pods.fabric import NOWHERE, Fabric
from fabric_twin.documents.pods.legend import Owner

IN_USE, FREE, SPARE, NO_CABLE, FIXED = "in use", "free", "spare", "no cable", "cabled"
UNHEALTHY, HELD = "unhealthy", "held"
#: What is said of ports at which nothing is wrong but findings that are not seen since.
NOT_SEEN = "not seen since"
#: A cable is in one of its two ports: this one, or the one at its other end.
ONE_END_IN = "one end in"


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
    #: What cables and circuits have otherwise than the rule, in a few words; empty when nothing.
    mismatch: str
    #: What audits found at either end of the cable, errors first.
    found: Sequence[Noted] = ()
    #: The ticket, work order or audit that holds it.
    held: str = ""

    @property
    def wrong(self) -> str:
        """What is wrong: what an audit found, by its cause; else what the drawing itself shows."""
        return str(self.found[0]) if self.found else self.mismatch

    @property
    def unseen(self) -> bool:
        """Whether all that is wrong is what no audit has seen since."""
        return only_unseen(self.found) and not self.mismatch

    @cached_property
    def look(self) -> str:
        """What a drawing shows first, in a word."""
        if self.unhealthy:
            return UNHEALTHY
        if self.owner:
            return f"owner-{self.owner.colour}"
        looks = {NO_CABLE: "empty", FREE: FREE, FIXED: FIXED, ONE_END_IN: "begun"}
        return looks.get(self.state, SPARE)  # held, and what is still to come

    @cached_property
    def letter(self) -> str:
        """The owner's letter, or that one end is in, after a mark of what is wrong."""
        half = "½" * (self.state == ONE_END_IN)
        return "!" * bool(self.wrong) + (self.owner.letter if self.owner else half)

    @cached_property
    def brief(self) -> str:
        """What is on the port and where its circuit goes, for a cell of a drawing."""
        near = self.at.cube if self.at else ""
        if self.to:
            return f"{near or '?'}>{self.to}"
        if self.state == UNHEALTHY or (near and self.state == ONE_END_IN):
            return near  # the box is black, or has its mark
        return f"{near} {self.state}".strip()

    @cached_property
    def summary(self) -> str:
        """All of it in a line."""
        at = f"{self.at.rack} {self.at.port} on " if self.at else ""
        parts = [f"{at}{self.device} {self.name}".strip(), self.state]
        parts += [self.cable] * (self.state == ONE_END_IN)
        parts += [f"joined to {self.to}"] * bool(self.to)
        parts += [self.owner.name] if self.owner else []
        parts += [UNHEALTHY] * (self.unhealthy and self.state != UNHEALTHY)
        parts += [f"held by {self.held}"] * bool(self.held)
        return ", ".join(parts) + (f"; wrong: {self.wrong}" if self.wrong else "")


def cube_port(fabric: Fabric, port: int) -> CubePort | None:
    """Describe a cube port; None for any other."""
    return _cube_port(fabric.names, port) if 0 <= port < fabric.layout.cube_ports else None


#: A pod's ports, each of which several sheets show; they go with the pod's names.
_described: WeakKeyDictionary[Names, dict[int, CubePort]] = WeakKeyDictionary()


def _cube_port(names: Names, port: int) -> CubePort:
    known = _described.setdefault(names, {})
    if port not in known:
        known[port] = _describe(names, port)
    return known[port]


def _describe(names: Names, port: int) -> CubePort:
    layout = names.layout
    cube, local = divmod(port, layout.ports_per_cube)
    tray, name = names.port(port)
    # By the rule: an operator's own name of a port does not give these.
    chip, face, *_ = layout.port_names[local].split("/")
    rack = names.cube(cube + 1)
    family = (int(layout.axis[local]), int(layout.index[local]), int(layout.lane[local]))
    return CubePort(cube + 1, names.short(cube + 1), rack, tray, name, chip, face, family)


def switch_port(fabric: Fabric, port: int) -> SwitchPort:
    """Describe a port at the switch end of a cable."""
    row = fabric.cable_at[port]
    near = cube_port(fabric, fabric.far_end(port))
    plug = fabric.plug_of.get(port, NOWHERE)
    joined = fabric.circuits_at.get(port, [])
    device, name = fabric.names.port(port)
    to, beyond, owner = "", None, None
    if joined:
        circuit, other = joined[0]
        to = fabric.names.port(other)[1]
        beyond = cube_port(fabric, fabric.far_end(other))
        owner = fabric.owners[fabric.owner[circuit]]
    near_unhealthy = near is not None and fabric.is_unhealthy(fabric.far_end(port))
    unhealthy = fabric.is_unhealthy(port) or near_unhealthy
    return SwitchPort(
        device=device,
        name=name,
        state=_state(fabric, port, row, unhealthy=unhealthy),
        cable=fabric.cables.name[row] if row != NOWHERE else fabric.half_in(port),
        at=near or cube_port(fabric, plug),
        to=to,
        beyond=beyond,
        owner=owner,
        unhealthy=unhealthy,
        mismatch=_mismatch(fabric, port, near, beyond, unhealthy=unhealthy),
        found=fabric.noted(port, fabric.far_end(port)),
        held=fabric.held.get(port, ""),
    )


def tally(ports: Sequence[SwitchPort]) -> dict[str, int]:
    """How many ports are in which state, each in one; and how many are marked as wrong, and how."""
    sick = f"{UNHEALTHY} and {IN_USE}"
    states = (sick if p.unhealthy and p.state == IN_USE else p.state for p in ports)
    unseen = sum(p.unseen for p in ports)
    return {
        **dict(sorted(Counter(states).items())),
        "wrong": sum(bool(p.wrong) for p in ports) - unseen,
        NOT_SEEN: unseen,
    }


def alarms(ports: Iterable[tuple[str, SwitchPort]]) -> tuple[str, ...]:
    """What is wrong at some named ports: each thing once, with the ports where it is."""
    at: dict[str, list[str]] = {}
    for name, port in ports:
        for what in [str(noted) for noted in port.found] or [port.mismatch] * bool(port.mismatch):
            at.setdefault(what, []).append(name)
    return tuple(f"{some(names)}: {what}" for what, names in at.items())


def _state(fabric: Fabric, port: int, row: int, *, unhealthy: bool) -> str:
    """In one state each: what is unhealthy is free for nobody."""
    if port in fabric.circuits_at:
        return IN_USE
    if unhealthy:
        return UNHEALTHY
    if port < fabric.layout.cube_ports:
        return FIXED
    cabled = row != NOWHERE or port in fabric.astray
    if not cabled and (coming := ONE_END_IN * (port in fabric.plug_of) or fabric.coming(port)):
        return coming
    if port in fabric.held:
        return HELD
    idle = SPARE if fabric.layout.spare[port] else NO_CABLE
    return FREE if cabled else idle


def _mismatch(
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
    if port in fabric.doubled:
        return "two cables on this port"
    if port in fabric.astray:
        return f"its cable {fabric.astray[port]} ends at no port of the pod"
    present, wanted = fabric.far_end(port), fabric.want[port]
    if present == wanted or max(present, wanted) < 0 or fabric.coming(port):
        return ""
    if wanted < 0:
        return "the rule wants no cable here"
    if half_in := fabric.half_in(port):
        return f"only one end of {half_in} is in"
    named = " ".join(fabric.names.port(wanted))
    return f"{named} belongs here" if present >= 0 else f"the cable of {named} is missing"


def _wrong_circuit(fabric: Fabric, port: int, near: CubePort | None, *, unhealthy: bool) -> str:
    joined = fabric.circuits_at.get(port, [])
    if not joined:
        return ""
    if port in fabric.crowded:
        ends = dict.fromkeys(fabric.names.port(other)[1] for _, other in joined)
        return f"in {len(joined)} circuits, to {' and '.join(ends)}"
    if near is None:
        return "a circuit, but no cable"
    if unhealthy:
        return "in a circuit, but unhealthy"
    if fabric.paired and (len(joined) < 2 or joined[0][1] != joined[1][1]):
        return "half a link: the circuit back is missing"
    different = len({fabric.owner[circuit] for circuit, _ in joined}) > 1
    differs = "" if port in fabric.held else fabric.differs.get(joined[0][0], "")
    return "two owners of one link" if different else differs


def _wrong_link(near: CubePort, beyond: CubePort | None) -> str:
    """What the wiring rule says against joining two cube ports."""
    if beyond is None:
        return "its circuit ends on a port without a cable"
    if near.face == beyond.face:
        return f"joins {near.face} to {beyond.face}"
    if near.family != beyond.family:
        return f"joins {near.port} to {beyond.port}, another index"
    return ""
