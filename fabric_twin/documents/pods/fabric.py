"""What documents are about: the cables of a pod, its circuits and owners, and what is unhealthy."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.findings.noted import Noted
from fabric_twin.core.kinds import Kind
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.pods.names import Names
from fabric_twin.core.rule import Plant
from fabric_twin.documents.pods.detours import PortDetour
from fabric_twin.documents.pods.legend import FINDINGS_HIDDEN, Owner, owners

NOWHERE = -1
#: What the ports of a cube wait for while it is taken away.
REMOVING = "removing"


class Cable(NamedTuple):
    """What is known of a cable that is not in both of its ports yet."""

    name: str
    length_m: str = ""
    label: str = ""


@dataclass(frozen=True, eq=False)
class Cables:
    """Cables as columns: the rule's or an inventory's. End a is the cube's, where one is."""

    name: Sequence[str]
    a: Column
    b: Column
    length_m: Sequence[str]
    label: Sequence[str]

    @classmethod
    def of_rule(cls, intended: Intended) -> "Cables":
        """The cables that the rule wants; nobody has measured them."""
        name = intended.names.cables(intended.a)
        return cls(name, intended.a, intended.b, [""] * len(name), [""] * len(name))

    @classmethod
    def recorded(
        cls,
        layout: Layout,
        rows: tuple[Sequence[str], Column, Column],
        written: dict[str, tuple[str, str]],
    ) -> "Cables":
        """Cables of an inventory, both ends of the design; length and label by name."""
        known = np.flatnonzero((rows[1] >= 0) & (rows[2] >= 0))
        name = [rows[0][row] for row in known.tolist()]
        a, b = rows[1][known], rows[2][known]
        turned = (a >= layout.cube_ports) & (b < layout.cube_ports)
        more = [written.get(cable) or written.get(f"{cable}:1", ("", "")) for cable in name]
        return cls(
            name,
            np.where(turned, b, a),
            np.where(turned, a, b),
            [length for length, _ in more],
            [label for _, label in more],
        )

    def __len__(self) -> int:
        """How many cables there are."""
        return len(self.name)


@dataclass(frozen=True, eq=False)
class Fabric:
    """A pod as documents show it."""

    intended: Intended
    cables: Cables
    circuits: Circuits = field(default_factory=Circuits.none)
    #: The owner of each circuit.
    owner: Sequence[str] = ()
    unhealthy_slots: Collection[int] = frozenset()
    #: The numbers of unhealthy ports, of switches and cubes.
    unhealthy_ports: Collection[int] = frozenset()
    #: By cube port: what its cube is while nobody misses its cable: planned, installing, removing.
    to_come: Mapping[int, str] = field(default_factory=dict)
    #: By port: the cable whose plug is in it, while its other end hangs loose.
    begun: Mapping[int, Cable] = field(default_factory=dict)
    #: By cube port: the cable that is planned for it, by the inventory or by a work order.
    ordered: Mapping[int, Cable] = field(default_factory=dict)
    #: By port of a switch: the ticket, work order or audit that holds it.
    held: Mapping[int, str] = field(default_factory=dict)
    #: By port: what audits found there, errors first.
    findings: Mapping[int, Sequence[Noted]] = field(default_factory=dict)
    #: By switch, and by slot: what audits found of the whole device, errors first.
    switch_findings: Mapping[int, Sequence[Noted]] = field(default_factory=dict)
    cube_findings: Mapping[int, Sequence[Noted]] = field(default_factory=dict)
    #: By row of the circuits: how what is wanted and what the switch shows differ.
    differs: Mapping[int, str] = field(default_factory=dict)
    #: Cables come from an inventory, so one that the rule wants may be missing.
    recorded: bool = False
    #: Ports whose cable ends at no port of the pod, and what the cable is called.
    astray: Mapping[int, str] = field(default_factory=dict)
    #: The letters of the pod's slices as recorded, also of those that have no circuit here.
    letters: Mapping[str, str] = field(default_factory=dict)
    #: By cube port: where its traffic goes if its slice does without its circuit.
    detours: Mapping[int, PortDetour] = field(default_factory=dict)
    #: The user who asked may not see all findings.
    findings_hidden: bool = False

    @property
    def gaps(self) -> tuple[str, ...]:
        """What is left out, for who reads a document about it."""
        return (FINDINGS_HIDDEN,) * self.findings_hidden

    @property
    def layout(self) -> Layout:
        """Every port of the pod."""
        return self.intended.names.layout

    @property
    def names(self) -> Names:
        """What ports and devices are called."""
        return self.intended.names

    @property
    def pod(self) -> str:
        """The pod's name."""
        return self.intended.pod

    @property
    def is_network(self) -> bool:
        """Whether blocks have its cables, and not cubes."""
        return self.intended.design.kind is Kind.NETWORK

    @cached_property
    def owners(self) -> dict[str, Owner]:
        """Everyone who has circuits, with a letter."""
        return owners([*self.owner, *self.letters], self.letters)

    @cached_property
    def switches(self) -> list[str]:
        """The names of the switches."""
        return self.names.switches

    @cached_property
    def paired(self) -> bool:
        """Whether a port of a switch is an A and a B port together."""
        return self.layout.plant is Plant.PAIRED

    @cached_property
    def cable_at(self) -> list[int]:
        """The cable on every port, or NOWHERE."""
        found = np.full(len(self.layout.mate), NOWHERE, dtype=np.int64)
        rows = np.arange(len(self.cables))
        found[self.cables.b], found[self.cables.a] = rows, rows
        return list(found.tolist())

    @cached_property
    def doubled(self) -> set[int]:
        """Ports that an inventory puts more than one cable on."""
        ports, many = np.unique(np.concatenate([self.cables.a, self.cables.b]), return_counts=True)
        return set(ports[many > 1].tolist())

    @cached_property
    def ends(self) -> tuple[list[int], list[int]]:
        """Both ends of every cable, as port numbers."""
        return self.cables.a.tolist(), self.cables.b.tolist()

    @cached_property
    def want(self) -> list[int]:
        """What the rule puts on the other end of a cable of every port."""
        return list(self.intended.want.tolist())

    @cached_property
    def circuits_at(self) -> dict[int, list[tuple[int, int]]]:
        """The circuits of every port of a switch: which, and the port at its other end."""
        layout, sides = self.layout, self.layout.plant.sides
        found: dict[int, list[tuple[int, int]]] = {}
        columns = (self.circuits.switch, self.circuits.a, self.circuits.b)
        for row, (switch, a, b) in enumerate(zip(*(c.tolist() for c in columns), strict=True)):
            first = layout.cube_ports + switch * layout.ports_per_switch - 1
            a_port, b_port = first + a, first + (sides - 1) * layout.radix + b
            found.setdefault(a_port, []).append((row, b_port))
            found.setdefault(b_port, []).append((row, a_port))
        return found

    @cached_property
    def crowded(self) -> set[int]:
        """Ports of switches that are in two circuits, or more; no switch can do that."""
        layout, sides = self.layout, self.layout.plant.sides
        first = layout.cube_ports + self.circuits.switch * layout.ports_per_switch - 1
        # In a paired plant a port is in one circuit by its A and in one by its B side.
        ends = first + self.circuits.a, first + (sides - 1) * layout.radix + self.circuits.b
        found: set[int] = set()
        for ports in ends:
            numbers, many = np.unique(ports, return_counts=True)
            found.update(numbers[many > 1].tolist())
        return found

    @cached_property
    def plug_of(self) -> dict[int, int]:
        """Of cables with one end in: the port that it is in, by that port and by the other."""
        others = {self.want[port]: port for port in self.begun}
        bare = {at: port for at, port in others.items() if at >= 0 and self.is_bare(at)}
        return bare | {port: port for port in self.begun}

    @cached_property
    def to_lay(self) -> Cables:
        """The recorded cables; after them those that ports wait for, where the rule wants them."""
        a, b = self.intended.a, self.intended.b
        leaving = [port for port, why in self.to_come.items() if why == REMOVING]
        at = np.isin(a, [*self.to_come, *self.plug_of]) | np.isin(b, list(self.to_come))
        at &= ~(np.isin(a, leaving) | np.isin(b, leaving))
        pairs = zip(a[at].tolist(), b[at].tolist(), strict=True)
        rows = np.flatnonzero(at)[
            [
                near in self.plug_of or (self.is_bare(near) and self.is_bare(far))
                for near, far in pairs
            ]
        ]
        a, b = a[rows], b[rows]
        cables = [
            self.begun[self.plug_of[near]]
            if near in self.plug_of
            else self.ordered.get(near, Cable(name))
            for near, name in zip(a.tolist(), self.names.cables(a), strict=True)
        ]
        return Cables(
            [*self.cables.name, *(cable.name for cable in cables)],
            np.concatenate([self.cables.a, a]),
            np.concatenate([self.cables.b, b]),
            [*self.cables.length_m, *(cable.length_m for cable in cables)],
            [*self.cables.label, *(cable.label for cable in cables)],
        )

    def is_bare(self, port: int) -> bool:
        """Whether a port has no cable, or one of which only this end is in."""
        return self.cable_at[port] == NOWHERE and port not in self.astray

    def half_in(self, port: int) -> str:
        """The cable on a port, or for it, that has one end in; empty where there is none."""
        return self.begun[self.plug_of[port]].name if port in self.plug_of else ""

    def far_end(self, port: int) -> int:
        """The other end of the cable on a port, or NOWHERE."""
        row = self.cable_at[port]
        if row == NOWHERE:
            return NOWHERE
        a, b = self.ends[0][row], self.ends[1][row]
        return b if a == port else a

    def on_switch(self, port: int) -> tuple[int, int, int]:
        """The switch, side (0 is A) and number of a port of a switch."""
        switch, on_switch = divmod(port - self.layout.cube_ports, self.layout.ports_per_switch)
        side, number = divmod(on_switch, self.layout.radix)
        return switch, side, number + 1

    def coming(self, port: int) -> str:
        """What a port waits for its cable as; empty where it has one, or waits for none."""
        if not self.is_bare(port):
            return ""
        at = port if port < self.layout.cube_ports else int(self.intended.mate[port])
        return self.to_come.get(at, "")

    def noted(self, *ports: int) -> Sequence[Noted]:
        """What audits found at some ports, each once: what is seen first, then errors."""
        found = dict.fromkeys(one for port in ports for one in self.findings.get(port, ()))
        return sorted(found, key=lambda one: (not one.seen, not one.is_error))

    def is_unhealthy(self, port: int) -> bool:
        """Whether a port, or the cube on its cable, is not to be used."""
        of_cube = port < self.layout.cube_ports
        return port in self.unhealthy_ports or (
            of_cube and int(self.layout.slot[port]) in self.unhealthy_slots
        )
