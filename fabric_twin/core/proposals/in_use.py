"""A pod as it is used now: what every proposal begins with."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.circuits.plans import Circuit, Key, Plan, Port, make_plan_beside
from fabric_twin.core.diagnosis.limits import Limits
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.pods.names import Names
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.slice import Slice, slice_circuits


@dataclass(frozen=True, eq=False)
class InUse:
    """The plant, the slices that stand on it, and the circuits there are.

    Who owns a circuit is its slice. One without an owner was made by hand, or is left over from a
    slice that is gone: switches still show it, and nobody wants it.

    A plan begins with what switches show: what is wanted and missing holds its ports, and is not
    taken away from where it is not.
    """

    intended: Intended
    occupancy: Occupancy
    circuits: tuple[Circuit, ...]
    #: Circuits that nobody wants any more: these give way.
    left_over: frozenset[Key] = field(default_factory=frozenset)
    #: Circuits that are wanted, and that no switch shows.
    missing: frozenset[Key] = field(default_factory=frozenset)
    #: Slices that an open ticket makes, releases or moves.
    on_the_way: frozenset[str] = field(default_factory=frozenset)
    #: Switches that are dead: nobody answers there, and no light passes.
    dead: frozenset[str] = frozenset()
    #: Ports and slots that somebody holds, and who in words: `ticket iw1-t3`, `work order iw1-w2`.
    held_ports: Mapping[Port, str] = field(default_factory=dict)
    held_slots: Mapping[int, str] = field(default_factory=dict)
    #: What light is held to when circuits are made.
    limits: Limits = field(default_factory=Limits)

    @property
    def names(self) -> Names:
        """What everything is called."""
        return self.intended.names

    @property
    def there(self) -> list[Circuit]:
        """The circuits that switches show."""
        return [circuit for circuit in self.circuits if circuit.key not in self.missing]

    def lacking(self) -> list[Circuit]:
        """The circuits that slices of whole cubes want and that no switch shows: also those that
        they were made without.
        """
        known = {circuit.key for circuit in self.there}
        return [
            circuit
            for made in self.occupancy.slices.values()
            if not made.chips
            for circuit in self.circuits_of(replace(made, without=()))
            if circuit.key not in known
        ]

    def holder(self, made: Slice) -> str | None:
        """The open ticket or work order that has a slice in hand, or a cube or a port of it."""
        slots = (self.held_slots.get(slot) for slot in made.slots)
        ports = (
            self.held_ports.get(port)
            for circuit in (self.circuits if self.held_ports else ())
            if circuit.owner == made.name
            for port in circuit.ports
        )
        return next((holder for holder in (*slots, *ports) if holder), None)

    def circuits_of(self, made: Slice, mate: Column | None = None) -> list[Circuit]:
        """The circuits that a slice needs where it stands, by name."""
        columns = slice_circuits(
            self.intended.design, made, self.intended.mate if mate is None else mate
        )
        return named(columns, self.names, made.name)

    def plan(
        self,
        owners: Collection[str],
        wanted: Sequence[Circuit],
        going: Collection[Key] = (),
    ) -> Plan:
        """The plan by which these owners' circuits become those wanted, and some go besides.

        Left-over circuits that are in the way go, and those that are wanted stay as they are. A
        port that is in anybody else's circuit is refused.
        """
        mine = frozenset(owners)
        ports: set[Port] = {port for circuit in wanted for port in circuit.ports}

        def changes(circuit: Circuit) -> bool:
            if circuit.owner:
                return circuit.owner in mine
            if circuit.key in going:
                return True
            return circuit.key in self.left_over and not ports.isdisjoint(circuit.ports)

        ours = [circuit for circuit in self.there if changes(circuit)]
        others = [circuit for circuit in self.circuits if not changes(circuit)]
        return make_plan_beside(others, ours, wanted)


def named(columns: Circuits, names: Names, owner: str) -> list[Circuit]:
    """Circuits by name, and whose they are."""
    return [Circuit(*row, owner) for row in columns.named(names)]
