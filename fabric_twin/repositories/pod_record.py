"""A pod as columns, straight from the database: a handful of queries and no instances.

No permission is checked here: the caller has restricted the pod to its user first, and checks
the records behind it where names are shown.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import Any
from uuid import UUID

import numpy as np
from django.db.models import QuerySet
from nautobot.dcim.models import Device, Rack

from fabric_twin.core.cabling.lengths import Lengths, unknown
from fabric_twin.core.cabling.plant import Intended, Substitution, intended_plant, without_slots
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.design import Design
from fabric_twin.core.fabric.plant import Recorded
from fabric_twin.core.kinds import Kind
from fabric_twin.core.pods.own_names import OwnNames
from fabric_twin.core.topology.network import ports_of
from fabric_twin.core.topology.wiring import BlockNames
from fabric_twin.models import OpticalCircuit, Pod, SlicePart
from fabric_twin.models import Substitution as SubstitutionRow
from fabric_twin.repositories.cable_lengths import lengths_of_blocks
from fabric_twin.repositories.cable_reading import (
    BegunCable,
    CableRecord,
    begun_cables,
    behind_cables,
    read_cables,
    recorded,
)
from fabric_twin.repositories.ports import transceivers, with_status
from fabric_twin.repositories.transactions import one_moment

#: Statuses of a cube whose cables should be there, of one that takes slices, of a bad switch.
IN_SERVICE = ("Installing", "Active", "Draining")
USABLE = ("Active",)
DOWN = ("Out", "Maintenance")
#: Status of a cube whose cables are still to come.
PLANNED = ("Planned",)
#: Statuses of a block that has no links yet.
TO_COME = ("Planned", "Installing")
#: Status of a cube whose cables nobody misses, and nobody minds.
OUT_OF_SERVICE = ("Out",)
#: Statuses of an interface that no circuit should be put on.
BAD_PORT = ("Failed", "Maintenance", "Decommissioning")


class PodRecord:
    """What the inventory says of a pod; each part is read once, when it is asked for."""

    def __init__(self, pod: Pod, coming: Mapping[str, range] = MappingProxyType({})) -> None:
        """`coming` has the places of blocks that are not recorded yet, by the device of each."""
        self.pod, self.coming = pod, coming

    def read(self) -> None:
        """Read all that an audit looks at, at one moment."""
        with one_moment():
            _ = (self.names, self.plant, self.substitutions, self.circuits, self.taken)
            _ = (self.transceivers, self.switch_serials)

    @cached_property
    def design(self) -> Design:
        """The design that the pod follows."""
        return self.pod.to_core()

    @cached_property
    def cubes(self) -> Mapping[int, tuple[UUID, str, str]]:
        """By slot: the cube, the name of its rack, the name of its status.

        In a network by place: the block, the name of its device, the name of its status.
        """
        if self.is_network:
            return {place: held for held, places in self.blocks for place in places}
        rows = self.pod.cubes.order_by("slot").values_list(
            "slot", "pk", "rack__name", "status__name"
        )
        return {slot: (pk, rack, status) for slot, pk, rack, status in rows}

    @property
    def is_network(self) -> bool:
        """Whether blocks hold its slots, and not cubes."""
        return self.design.kind is Kind.NETWORK

    @cached_property
    def blocks(self) -> Sequence[tuple[tuple[UUID, str, str], range]]:
        """The block, the name of its device and of its status; and its places."""
        switches = len(self.design.layout.switches)
        rows = self.pod.blocks.order_by("first_port").values_list(
            "first_port", "strands", "pk", "device__name", "status__name"
        )
        return [
            ((pk, device or str(pk), status), range(first, first + ports_of(strands, switches)))
            for first, strands, pk, device, status in rows
        ]

    @cached_property
    def rates(self) -> Mapping[str, float]:
        """In a network by the device of each block: Gbit/s that each of its links can carry."""
        if not self.is_network:
            return {}
        return dict(self.pod.blocks.order_by().values_list("device__name", "rate_gbps"))

    @cached_property
    def lengths(self) -> Lengths:
        """In a network by strand: metres of its cables, which may lead to other buildings."""
        return lengths_of_blocks(self.pod) if self.is_network else unknown()

    @property
    def member_kind(self) -> str:
        """What they are."""
        return self.pod.member_kind

    @property
    def members(self) -> Sequence[tuple[tuple[UUID, str, str], range]]:
        """What answers for slots: a cube for its own, a block for its places."""
        if self.is_network:
            return self.blocks
        return [(cube, range(slot, slot + 1)) for slot, cube in self.cubes.items()]

    @cached_property
    def switches(self) -> Mapping[int, tuple[UUID, str, str]]:
        """By number: the switch, the name of its device, the name of its status."""
        rows = self.pod.switches.order_by("number").values_list(
            "number", "pk", "device__name", "status__name"
        )
        return {number: (pk, device or str(pk), status) for number, pk, device, status in rows}

    def slots(self, statuses: Collection[str] = IN_SERVICE) -> tuple[int, ...]:
        """The slots whose cube has one of these statuses."""
        return tuple(slot for slot, (_, _, status) in self.cubes.items() if status in statuses)

    @property
    def standing(self) -> tuple[int, ...]:
        """The slots whose cables are drawn: of cubes in service, of any that is cabled, and of one
        that is planned and has its first plugs in."""
        layout = self.design.layout
        ports = np.concatenate((self.plant.a, self.plant.b))
        cabled = set(layout.slot[ports[(ports >= 0) & (ports < layout.cube_ports)]].tolist())
        begun = {int(layout.slot[p]) for cable in self.begun if (p := cable.cube_port(layout)) >= 0}
        return tuple(sorted(cabled.union(self.slots(), begun.intersection(self.slots(PLANNED)))))

    @cached_property
    def taken(self) -> Mapping[int, Sequence[str]]:
        """By slot: the slices that have the cube, or chips of it."""
        found: dict[int, list[str]] = defaultdict(list)
        parts = SlicePart.objects.filter(slice__pod=self.pod).order_by("slice__name")
        for slot, name in parts.values_list("cube__slot", "slice__name"):
            found[slot].append(name)
        return found

    @cached_property
    def idle(self) -> tuple[int, ...]:
        """The slots whose cube is active and in no slice."""
        return tuple(slot for slot in self.slots(USABLE) if slot not in self.taken)

    @cached_property
    def unhealthy_ports(self) -> frozenset[int]:
        """The numbers of ports that are out of service, alone or with their switch."""
        layout = self.design.layout
        down = (n for n, (_, _, status) in self.switches.items() if status in DOWN)
        return self.bad_ports.union(*(layout.ports_of_switch(number) for number in down))

    @cached_property
    def bad_ports(self) -> frozenset[int]:
        """The numbers of ports that are out of service by their own status."""
        rows = with_status(self.pod.ports, BAD_PORT).order_by()
        return frozenset(rows.values_list("number", flat=True))

    @cached_property
    def names(self) -> OwnNames:
        """The operator's own names of everything that is bound to the pod."""
        layout, pod = self.design.layout, self.pod.name
        switches = {number: device for number, (_, device, _) in self.switches.items()}
        ports = {number: row[:2] for number, row in self.ports.items()}
        if self.is_network:
            blocks = [(device, places) for (_, device, _), places in self.blocks]
            return BlockNames(layout, pod, [*blocks, *self.coming.items()], switches, ports)
        racks = {slot: rack for slot, (_, rack, _) in self.cubes.items()}
        return self.design.own_names(pod, racks, switches, ports)

    @cached_property
    def ports(self) -> Mapping[int, tuple[str, str, str]]:
        """By number: device, name and status of the interface."""
        rows = self.pod.ports.order_by().values_list(
            "number", "interface__device__name", "interface__name", "interface__status__name"
        )
        return {number: (device or "", name, status) for number, device, name, status in rows}

    @cached_property
    def cables(self) -> list[CableRecord]:
        """Every cable with an end in the pod, also those that are planned or being taken out."""
        return read_cables(self.pod, self.names)

    @cached_property
    def begun(self) -> list[BegunCable]:
        """The cables of which one end is in a port, and the other hangs loose."""
        return begun_cables(self.pod)

    @property
    def behind_cables(self) -> Iterator[QuerySet[Any]]:
        """The records whose names are in a cut sheet."""
        yield from behind_cables(self.pod)
        yield self.pod.written_ends.all()

    @property
    def behind_documents(self) -> Iterator[QuerySet[Any]]:
        """The records whose names are in documents, those of a cut sheet before the others."""
        yield from self.behind_cables
        yield from (
            self.pod.cubes.all(),
            self.pod.blocks.all(),
            self.pod.demands.all(),
            Rack.objects.filter(fabric_cube__pod=self.pod),
            self.pod.switches.all(),
            Device.objects.filter(fabric_switch__pod=self.pod),
            OpticalCircuit.objects.filter(switch__pod=self.pod, wanted=True),
            self.pod.slices.all(),
        )

    @cached_property
    def plant(self) -> Recorded:
        """The connected cables, by the numbers of their ports."""
        return recorded(self.names, self.cables)

    @cached_property
    def judged(self) -> Recorded:
        """The same as an audit takes it: cubes that are out may keep the cables of the rule."""
        out = self.slots(OUT_OF_SERVICE)
        return without_slots(self.plant, self.intended(), out) if out else self.plant

    @cached_property
    def circuits(self) -> tuple[Circuits, list[str]]:
        """The circuits that are wanted, and the slice of each (none is empty)."""
        rows = (
            OpticalCircuit.objects.filter(switch__pod=self.pod, wanted=True)
            .order_by("switch__number", "a")
            .values_list("switch__number", "a", "b", "slice__name")
        )
        switch, a, b, owner = zip(*rows, strict=True) if rows else ((), (), (), ())
        columns = (np.array(column, dtype=np.int32) for column in (switch, a, b))
        return Circuits(*columns), [name or "" for name in owner]

    @cached_property
    def transceivers(self) -> tuple[list[str], list[str]]:
        """By cube port: the serial and the part number of the transceiver that is recorded."""
        ports = self.design.layout.cube_ports
        serials, parts = [""] * ports, [""] * ports
        for number, serial, part in transceivers(self.pod):
            serials[number], parts[number] = serial or "", part
        return serials, parts

    @cached_property
    def switch_serials(self) -> list[str]:
        """By number: the serial of the switch that is recorded."""
        serials = [""] * len(self.design.layout.switches)
        for number, serial in self.pod.switches.values_list("number", "device__serial"):
            serials[number] = serial
        return serials

    @cached_property
    def substitutions(self) -> list[Substitution]:
        """The spares that stand in for other ports, by the names of the rule."""
        return substitutions_of(self.pod)

    def intended(self, slots: Collection[int] | None = None) -> Intended:
        """What the rule and substitutions want of cubes in service, under the operator's names."""
        chosen = self.slots() if slots is None else slots
        intended = intended_plant(self.design, self.pod.name, chosen, self.substitutions)
        return replace(intended, names=self.names, rates=self.rates, lengths=self.lengths)


def names_of(record: PodRecord) -> OwnNames:
    """Racks and switches by their own names, ports by the rule's, as circuits have them."""
    if record.is_network:
        blocks = [(device, places) for (_, device, _), places in record.blocks]
        switches = {number: device for number, (_, device, _) in record.switches.items()}
        return BlockNames(record.design.layout, record.pod.name, blocks, switches, {})
    return record.design.own_names(
        record.pod.name,
        {slot: rack for slot, (_, rack, _) in record.cubes.items()},
        {number: device for number, (_, device, _) in record.switches.items()},
        {},
    )


def substitutions_of(pod: Pod) -> list[Substitution]:
    """Every substitution of a pod, by the names of the rule; one query."""
    names = pod.to_core().names(pod.name)
    rows = SubstitutionRow.objects.filter(port__pod=pod).order_by("port__number")
    return [
        Substitution(*names.port(port), names.port(spare)[1], reason)
        for port, spare, reason in rows.values_list("port__number", "spare__number", "reason")
    ]
