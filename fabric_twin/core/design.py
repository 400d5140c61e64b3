"""What kind of pod it is: sizes, parts and a wiring rule, as data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from fabric_twin.core.cube import STANDARD_CUBE, Cube
from fabric_twin.core.errors import DesignRefused, FabricTwinError, UnusableInput
from fabric_twin.core.fabric.medium import Medium
from fabric_twin.core.kinds import Kind, Verb, check_can
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.pods.layout_digest import digest_of
from fabric_twin.core.pods.names import Names
from fabric_twin.core.pods.own_names import OwnNames, PortNames
from fabric_twin.core.rule import Plant, Rule


@dataclass(frozen=True, kw_only=True)
class Design:
    """A kind of pod. What no pod could be built from is refused when it is made."""

    name: str
    #: One line for a person.
    title: str
    slots: int
    rule: Rule = field(repr=False, compare=False)
    cube: Cube = STANDARD_CUBE
    plant: Plant = Plant.SPLIT
    #: Ports a side of one switch (0 in a static plant), and which of them are spare.
    radix: int = 0
    spares: tuple[int, ...] = ()
    #: Cables per optical port.
    lanes: int = 1
    transceiver: str = ""
    #: Whether cables that close a ring between cubes are optical, and all others copper.
    optical_wraps: bool = False
    #: The most chips of a slice that is offered today; larger ones warn. 0 is no such limit.
    largest_offer: int = 0
    #: What the sources do not say and this design takes for granted.
    assumptions: tuple[str, ...] = ()
    #: Every port of the pod and what the rule joins, made from all of the above.
    layout: Layout = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Lay the pod out at once: a design that cannot be is refused here and nowhere else."""
        try:
            layout = self._lay_out()
        except DesignRefused as refusal:
            where = ", ".join(filter(None, (f"design {self.name}", refusal.where)))
            raise DesignRefused(refusal.what, where=where, remedy=refusal.remedy) from None
        object.__setattr__(self, "layout", layout)

    def _lay_out(self) -> Layout:
        return Layout.build(
            cube=self.cube,
            slots=self.slots,
            lanes=self.lanes,
            plant=self.plant,
            radix=self.radix,
            spares=self.spares,
            rule=self.rule,
        )

    def names(self, pod: str) -> Names:
        """What the parts of a pod of this name are called."""
        return Names(self.layout, pod)

    def own_names(
        self, pod: str, racks: Mapping[int, str], switches: Mapping[int, str], ports: PortNames
    ) -> OwnNames:
        """The same where an inventory may name them otherwise."""
        return OwnNames(self.layout, pod, racks, switches, ports)

    @cached_property
    def digest(self) -> str:
        """What tells its layout from every other."""
        return digest_of(self.layout)

    @property
    def medium(self) -> Medium:
        """What joins its cables."""
        return self.layout.medium

    @property
    def kind(self) -> Kind:
        """What it is made of; that decides what it can do."""
        return Kind.POD if self.medium.is_switched else Kind.STATIC

    def check_can(self, verb: Verb, refusal: type[FabricTwinError] = UnusableInput) -> None:
        """Refuse what a design of this kind cannot do."""
        check_can(self.kind, verb, f"design {self.name}", refusal)

    @property
    def chips(self) -> int:
        """How many chips a full pod has."""
        return self.slots * self.cube.size

    @property
    def cables(self) -> int:
        """How many cables a full pod has."""
        return len(self.layout.cable_a)

    def as_json(self) -> dict[str, Any]:
        """The design's facts, for people and programs that choose one."""
        return {
            "name": self.name,
            "title": self.title,
            "kind": self.kind.value,
            "slots": self.slots,
            "cube": list(self.cube.chips),
            "tray": list(self.cube.tray),
            "chips": self.chips,
            "plant": self.plant.value,
            "cables": self.cables,
            "switches": len(self.layout.switches),
            "layout": self.digest,
            "radix": self.radix,
            "spares": list(self.spares),
            "transceiver": self.transceiver,
            "assumptions": list(self.assumptions),
        }
