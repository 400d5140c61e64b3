"""What a ticket changes in the records beside its circuits; each is taken back by its opposite."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.pods.names import Names


class Standing(Protocol):
    """A slice, of cubes or of groups, as a plan says it."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def shape(self) -> object:
        """Its shape, as it is written."""

    @property
    def slots(self) -> tuple[int, ...]:
        """Where its cubes or groups are, in the order of their places."""

    def as_json(self, names: Names, circuits: Circuits) -> dict[str, Any]:
        """For programs."""


@dataclass(frozen=True)
class MakeSlice:
    """A slice is created; its cubes are its own from the draft on."""

    made: Standing

    def as_json(self, names: Names) -> dict[str, Any]:
        """As a plan has it."""
        return {"do": "make-slice", "slice": _slice(self.made, names)}


@dataclass(frozen=True)
class ReleaseSlice:
    """A slice goes."""

    made: Standing

    def as_json(self, names: Names) -> dict[str, Any]:
        """As a plan has it."""
        return {"do": "release-slice", "slice": _slice(self.made, names)}


@dataclass(frozen=True)
class MoveSlice:
    """A slice goes from its cubes, or chips, to others; its new ones are its own from the draft on.

    All moves of a ticket are one: each may need the chips that another leaves.
    """

    before: Standing
    after: Standing

    @property
    def made(self) -> Standing:
        """The slice as it is before."""
        return self.before

    def as_json(self, names: Names) -> dict[str, Any]:
        """As a plan has it."""
        before, after = _slice(self.before, names), _slice(self.after, names)
        return {"do": "move-slice", "from": before, "to": after}


@dataclass(frozen=True)
class Substitute:
    """A spare takes the place of a port, named as a cut sheet names ports."""

    switch: str
    port: str
    spare: str
    reason: str

    def as_json(self, _names: Names) -> dict[str, Any]:
        """As a plan has it."""
        facts = {"switch": self.switch, "port": self.port, "spare": self.spare}
        return {"do": "substitute", **facts, "reason": self.reason}


@dataclass(frozen=True)
class SetSlotStatus:
    """The cube in a slot changes its status."""

    slot: int
    before: str
    after: str

    def as_json(self, _names: Names) -> dict[str, Any]:
        """As a plan has it."""
        facts = {"slot": self.slot, "from": self.before, "to": self.after}
        return {"do": "set-slot-status", **facts}


@dataclass(frozen=True)
class SetSwitchStatus:
    """A switch changes its status."""

    switch: str
    before: str
    after: str

    def as_json(self, _names: Names) -> dict[str, Any]:
        """As a plan has it."""
        facts = {"switch": self.switch, "from": self.before, "to": self.after}
        return {"do": "set-switch-status", **facts}


@dataclass(frozen=True)
class SetPortStatus:
    """Ports of a switch, named as a cut sheet names them, change their status."""

    switch: str
    ports: tuple[str, ...]
    before: str
    after: str

    def as_json(self, _names: Names) -> dict[str, Any]:
        """As a plan has it."""
        facts = {"switch": self.switch, "ports": list(self.ports)}
        return {"do": "set-port-status", **facts, "from": self.before, "to": self.after}


@dataclass(frozen=True)
class AcceptCircuits:
    """Circuits that switches show are wanted from now on, and others that they lack are not."""

    want: tuple[Circuit, ...]
    drop: tuple[Circuit, ...] = ()

    def as_json(self, _names: Names) -> dict[str, Any]:
        """As a plan has it."""
        rows = {"want": self.want, "drop": self.drop}
        return {"do": "accept-circuits"} | {
            name: [{"switch": c.switch, "a": c.a, "b": c.b} for c in some]
            for name, some in rows.items()
        }


@dataclass(frozen=True)
class KeepRings:
    """The rings of a multislice are kept from now on, or given up."""

    multislice: str
    name: str
    keeps: bool

    def as_json(self, _names: Names) -> dict[str, Any]:
        """As a plan has it."""
        facts = {"multislice": self.multislice, "name": self.name}
        return {"do": "keep-rings", **facts, "keeps": self.keeps}


#: What is done to a slice.
OfSlice = MakeSlice | ReleaseSlice | MoveSlice
Effect = (
    OfSlice
    | Substitute
    | SetSlotStatus
    | SetSwitchStatus
    | SetPortStatus
    | AcceptCircuits
    | KeepRings
)


def effect_json(effect: Effect, names: Names, ids: Mapping[str, str]) -> dict[str, Any]:
    """An effect as a ticket's plan has it; `ids` are the records of slices, by name."""
    facts = effect.as_json(names)
    if isinstance(effect, OfSlice) and effect.made.name in ids:
        facts["id"] = ids[effect.made.name]
    return facts


def _slice(made: Standing, names: Names) -> dict[str, Any]:
    """A slice without its circuits: they follow from its cubes, and the plan has what changes."""
    return made.as_json(names, Circuits.none())
