"""What is taken out of service, and what is lost with it.

    a switch         all its ports
    a driver board   a run of its switch's ports, on both sides
    a cube           the cube, and every port that its cables are on
    a port           itself

A cube that has a cable on such a port is short of it: a slice of whole cubes needs all ports of
each of its cubes, so it must do without that cube; a slice under a cube uses no cable.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.driver_boards import BOARDS, ports_of_board
from fabric_twin.core.circuits.plans import Circuit, Port
from fabric_twin.core.circuits.unhealthy import numbers_of
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.kinds import Verb
from fabric_twin.core.pods.names import Names
from fabric_twin.core.proposals.wishes import Wish
from fabric_twin.core.rule import Plant
from fabric_twin.core.slices.slice import Slice

#: The longest title that a ticket can have.
_LONGEST = 255


@dataclass(frozen=True)
class Out:
    """What is taken out of service, by number."""

    #: Switches by their number in the layout, from 0.
    switches: frozenset[int] = frozenset()
    #: Switch and driver board, both from 0.
    boards: frozenset[tuple[int, int]] = frozenset()
    slots: frozenset[int] = frozenset()
    #: Ports of switches, by their number in the layout.
    ports: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.switches or self.boards or self.slots or self.ports)


def out_of(intended: Intended, wish: Wish) -> Out:
    """What a wish takes out of service, by number."""
    names = intended.names
    switches = names.switches

    def switch(name: str) -> int:
        for whole in (name, f"{names.pod}-{name}", f"{names.pod}-ocs-{name}"):
            if whole in switches:
                return switches.index(whole)
        intended.design.check_can(Verb.TAKE_SWITCH)
        raise UnusableInput(
            f"the {names.noun} {names.pod} has no switch {name[:60]!r}",
            where="maintenance",
            remedy=f"Name one like {switches[0]}",
        )

    ports = [
        number for device, port in wish.get("ports", ()) for number in _ports(names, device, port)
    ]
    return Out(
        switches=frozenset(switch(name) for name in wish.get("switches", ())),
        boards=frozenset((switch(name), int(board)) for name, board in wish.get("boards", ())),
        slots=frozenset(int(slot) for slot in wish.get("slots", ())),
        ports=frozenset(ports),
    )


def _ports(names: Names, device: str, port: str) -> list[int]:
    found = [n for n in numbers_of(names, (device, port)) if n >= names.layout.cube_ports]
    if not found:
        raise UnusableInput(
            f"the {names.noun} has no port {port[:40]!r} of a switch {device[:60]!r}",
            where="maintenance",
            remedy="Name a switch and a port as a cut sheet does",
        )
    return found


@dataclass(frozen=True, eq=False)
class Reach:
    """What the plant of a pod has on that which is taken out."""

    intended: Intended
    out: Out

    def __post_init__(self) -> None:
        """Refuse what the pod does not have."""
        layout = self.intended.design.layout
        many = len(layout.switches)
        numbers = self.out.switches | {switch for switch, _ in self.out.boards}
        bad_switch = sorted(number for number in numbers if not 0 <= number < many)
        bad_board = sorted(board for _, board in self.out.boards if not 0 <= board < BOARDS)
        bad_slot = sorted(slot for slot in self.out.slots if not 1 <= slot <= layout.slots)
        end = layout.cube_ports + many * layout.ports_per_switch
        bad_port = sorted(port for port in self.out.ports if not layout.cube_ports <= port < end)
        for bad, what, has in (
            (bad_switch, "switch number", f"{many} switches, numbered from 0"),
            (bad_board, "driver board", f"driver boards 0 to {BOARDS - 1} in each switch"),
            (bad_slot, "slot", f"slots 1 to {layout.slots}"),
            (bad_port, "switch port", "ports of switches alone that can be taken out"),
        ):
            if bad:
                raise UnusableInput(
                    f"the {self.intended.names.noun} has no {what} {bad[0]}",
                    where="out of service",
                    remedy=f"It has {has}",
                )

    @cached_property
    def ports(self) -> frozenset[int]:
        """The ports of switches that are out themselves, by number."""
        layout, found = self.intended.design.layout, set(self.out.ports)
        per_side = range(1, layout.radix + 1)
        runs = [(switch, per_side) for switch in self.out.switches]
        runs += [(switch, ports_of_board(layout.radix, board)) for switch, board in self.out.boards]
        for switch, numbers in runs:
            first = layout.cube_ports + switch * layout.ports_per_switch - 1
            for side in range(layout.plant.sides):
                found.update(first + side * layout.radix + number for number in numbers)
        return frozenset(found)

    @cached_property
    def short(self) -> frozenset[int]:
        """The slots whose cube is out, or has a cable on a port that is."""
        layout, mate = self.intended.design.layout, self.intended.mate
        ends = (int(mate[port]) for port in self.ports)
        slots = {int(layout.slot[end]) for end in ends if end >= 0}
        return frozenset(slots - {0} | self.out.slots)

    @cached_property
    def dark(self) -> frozenset[Port]:
        """The ports that no circuit can be on, as circuits name them: also those of cubes out."""
        layout, mate = self.intended.design.layout, self.intended.mate
        per_cube = layout.ports_per_cube
        ends = (
            int(mate[port])
            for slot in self.out.slots
            for port in range((slot - 1) * per_cube, slot * per_cube)
        )
        of_cubes = {end for end in ends if end >= layout.cube_ports}
        return frozenset(port for number in self.ports | of_cubes for port in self._simplex(number))

    def _simplex(self, number: int) -> Iterator[Port]:
        """A port of the layout as circuits name it: both sides, in a paired plant."""
        layout, names = self.intended.design.layout, self.intended.names
        switch, place = divmod(number - layout.cube_ports, layout.ports_per_switch)
        device = self._switches[switch]
        if layout.plant is Plant.PAIRED:
            yield from ((device, f"{place + 1}{side}") for side in "AB")
        else:
            yield device, names.layout.port_names[layout.ports_per_cube + place]

    @cached_property
    def _switches(self) -> list[str]:
        return self.intended.names.switches

    def hits(self, made: Slice) -> tuple[int, ...]:
        """The slots that a slice must leave."""
        gone = self.out.slots if made.chips else self.short
        return tuple(slot for slot in made.slots if slot in gone)

    def through(self, circuit: Circuit) -> bool:
        """Whether a circuit goes through what is out."""
        return not self.dark.isdisjoint(circuit.ports)

    def on_switch(self, number: int) -> "Reach":
        """What is out of one switch: for the reason that a circuit of it goes."""
        first = self.intended.design.layout.cube_ports
        per_switch = self.intended.design.layout.ports_per_switch
        out = Out(
            switches=self.out.switches & {number},
            boards=frozenset(board for board in self.out.boards if board[0] == number),
            ports=frozenset(p for p in self.out.ports if (p - first) // per_switch == number),
        )
        return Reach(self.intended, out)

    def as_json(self) -> dict[str, Any]:
        """What is out, by names: a ticket keeps it, to plan again when the world has moved."""
        names, switches = self.intended.names, self._switches
        return {
            "switches": [switches[number] for number in sorted(self.out.switches)],
            "boards": [[switches[number], board] for number, board in sorted(self.out.boards)],
            "slots": sorted(self.out.slots),
            "ports": [list(names.port(port)) for port in sorted(self.out.ports)],
        }

    def __str__(self) -> str:
        """What is out, in words."""
        names, switches = self.intended.names, self._switches
        said = [switches[number] for number in sorted(self.out.switches)]
        for switch, board in sorted(self.out.boards):
            run = ports_of_board(self.intended.design.layout.radix, board)
            said.append(f"driver board {board} of {switches[switch]} (ports {run[0]} to {run[-1]})")
        said += [f"{names.cube(slot)} in slot {slot}" for slot in sorted(self.out.slots)]
        said += [" port ".join(names.port(port)) for port in sorted(self.out.ports)]
        shown = said[:3]
        return ", ".join(shown) + (f" and {len(said) - 3} more" if len(said) > 3 else "")


def title_of(reach: Reach, begins: str) -> str:
    """What a ticket about it is called, as long as its record takes."""
    title = f"{begins} {reach}"
    return title if len(title) <= _LONGEST else title[: _LONGEST - 1] + "…"
