"""The part of a pod that one drawing shows: some ports, and what light reaches from them.

    ports --- cables --- far ends --- circuits --- other ends --- cables --- their far ends

Each step is a query, however many ports there are; the rest of the pod is never read.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from uuid import UUID

import numpy as np
from django.contrib.contenttypes.models import ContentType
from django.db.models import Q
from django.urls import reverse
from nautobot.dcim.models import Cable as CableRow
from nautobot.dcim.models import CablePath, Interface

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.pods.own_names import OwnNames
from fabric_twin.core.rule import Plant
from fabric_twin.core.topology.wiring import BlockNames
from fabric_twin.documents.pods.detours import PortDetour
from fabric_twin.documents.pods.fabric import Cable, Cables, Fabric
from fabric_twin.models import OpticalCircuit, Port
from fabric_twin.presenters.conditions import (
    CircuitRow,
    conditions,
    drawn_circuits,
    read_circuits,
)
from fabric_twin.presenters.visible_pod import Sight, page
from fabric_twin.repositories.cable_lengths import metres
from fabric_twin.repositories.cable_reading import CONNECTED, BegunCable, begun_cables
from fabric_twin.repositories.pod_record import IN_SERVICE, PodRecord, substitutions_of


@dataclass(frozen=True)
class PortRow:
    """A port and the cable on it."""

    pk: UUID
    number: int
    interface: UUID
    device: str
    name: str
    cable: UUID | None
    cable_status: str | None


_COLUMNS = (
    "pk",
    "number",
    "interface_id",
    "interface__device__name",
    "interface__name",
    "interface__cable_termination__cable_id",
    "interface__cable_termination__cable__status__name",
)


class Neighbourhood:
    """Some ports of a pod and all that they are joined to, as a user may see it."""

    def __init__(
        self,
        sight: Sight,
        numbers: Iterable[int],
        detours: Mapping[int, PortDetour] = MappingProxyType({}),
    ) -> None:
        self.sight, self.detours = sight, detours
        self.layout = sight.pod.to_core().layout
        self.rows: dict[int, PortRow] = {}
        #: The port at the other end of the cable on a port.
        self.far: dict[int, int] = {}
        ends = self._reach(Q(number__in=list(numbers)))
        self.circuits = self._read_circuits(ends)
        self._reach(Q(number__in=self._ends_of_circuits() - self.rows.keys()))
        begun = begun_cables(sight.pod)
        self.intended = intended_plant(
            sight.pod.to_core(),
            sight.pod.name,
            self._standing_slots(begun),
            substitutions_of(sight.pod),
        )
        self.begun = self._near_begun(begun)
        self.cables = self._read_cables()

    def _reach(self, chosen: Q) -> set[int]:
        """Read some ports and the far ends of their cables."""
        near = self._read_ports(chosen)
        lit = [row for row in near if row.cable]
        interface = ContentType.objects.get_for_model(Interface)
        paths = dict(
            CablePath.objects.filter(
                origin_type=interface,
                origin_id__in=[row.interface for row in lit],
                destination_type=interface,
            ).values_list("origin_id", "destination_id")
        )
        beyond = self._read_ports(Q(interface__in=list(paths.values())))
        by_interface = {row.interface: row.number for row in (*near, *beyond)}
        for row in lit:
            end = by_interface.get(paths.get(row.interface, row.pk))
            if end is not None:
                self.far[row.number], self.far[end] = end, row.number
        return {row.number for row in (*near, *beyond)}

    def _read_ports(self, chosen: Q) -> list[PortRow]:
        rows = Port.objects.filter(chosen, pod=self.sight.pod).order_by("number")
        found = [PortRow(*row) for row in rows.values_list(*_COLUMNS)]
        self.rows |= {row.number: row for row in found}
        return found

    def _read_circuits(self, ends: set[int]) -> list[CircuitRow]:
        """Circuits on these ports, wanted or seen."""
        layout, on = self.layout, Q(pk__in=[])
        sides: dict[tuple[int, int], list[int]] = {}
        for port in ends:
            if port >= layout.cube_ports:
                switch, at = divmod(port - layout.cube_ports, layout.ports_per_switch)
                sides.setdefault((switch, at // layout.radix), []).append(at % layout.radix + 1)
        alike: dict[tuple[int, tuple[int, ...]], list[int]] = {}
        for (switch, side), ports in sides.items():
            alike.setdefault((side, tuple(sorted(ports))), []).append(switch)
        for (side, alike_ports), switches in alike.items():
            fields = ("a", "b") if layout.plant is Plant.PAIRED else ("ab"[side],)
            for field in fields:
                on |= Q(**{f"{field}__in": alike_ports}, switch__number__in=switches)
        return read_circuits(OpticalCircuit.objects.filter(on, switch__pod=self.sight.pod))

    def _ends_of_circuits(self) -> set[int]:
        return {end for switch, a, b, *_ in self.circuits for end in self._ends(switch, a, b)}

    def _ends(self, switch: int, a: int, b: int) -> tuple[int, int]:
        """The ports that a circuit joins."""
        layout = self.layout
        first = layout.cube_ports + switch * layout.ports_per_switch - 1
        return first + a, first + (layout.plant.sides - 1) * layout.radix + b

    def _near_begun(self, begun: Sequence[BegunCable]) -> list[int]:
        """Ports with the plug of a cable that has one end in, here or at its other port."""
        mate = self.intended.mate
        plugs = [one.port for one in begun]
        found = [port for port in plugs if not self.rows.keys().isdisjoint((port, int(mate[port])))]
        self._reach(Q(number__in=set(found) - self.rows.keys()))
        return found

    def _read_cables(self) -> dict[UUID | None, tuple[str, str]]:
        """The name and the length of every cable that the user may see."""
        seen = CableRow.objects.restrict(self.sight.user, "view").filter(
            pk__in=[row.cable for row in self.rows.values() if row.cable]
        )
        rows = seen.order_by().values_list("pk", "label", "length", "length_unit")
        return {pk: (label, metres(length, unit)) for pk, label, length, unit in rows}

    @cached_property
    def visible(self) -> dict[int, PortRow]:
        """The ports that the user may see."""
        seen = set(
            self.sight.ports.filter(number__in=list(self.rows))
            .order_by()
            .values_list("number", flat=True)
        )
        return {number: row for number, row in self.rows.items() if number in seen}

    @cached_property
    def names(self) -> OwnNames:
        """The names that the user may see; what is hidden has its name by the rule."""
        sight, layout, pod = self.sight, self.layout, self.sight.pod.name
        switches = {number: name for number, (_, name, _) in sight.switches.items()}
        ports = {number: (row.device or "", row.name) for number, row in self.visible.items()}
        if sight.pod.is_network:
            blocks = [(device, places) for device, places, _ in sight.blocks]
            return BlockNames(layout, pod, blocks, switches, ports)
        racks = {slot: stand.rack for slot, (_, stand) in sight.cubes.items()}
        return sight.pod.to_core().own_names(pod, racks, switches, ports)

    @cached_property
    def fabric(self) -> Fabric:
        """This part of the pod as drawings show it."""
        sight = self.sight
        record = PodRecord(sight.pod)
        return Fabric(
            intended=replace(self.intended, names=self.names),
            cables=self._as_columns(),
            recorded=True,
            begun={port: Cable(self._begun_name(port)) for port in self.begun},
            astray=self._astray(),
            letters=sight.letters,
            detours=self.detours,
            **drawn_circuits(sight.pod, self.circuits, sight.slice_name),
            **conditions(record, self.intended, sight.user),
        )

    def _standing_slots(self, begun: Sequence[BegunCable]) -> set[int]:
        """Slots whose cables are drawn, as of the whole pod: see `PodRecord.standing`."""
        in_service = [status.lower() for status in IN_SERVICE]
        standing = self.sight.standing.items()
        slots = {slot for slot, status in standing if status in in_service}
        planned = {slot for slot, status in standing if status == "planned"}
        slot_of, first_plugs = self.layout.slot, (one.cube_port(self.layout) for one in begun)
        slots |= planned & {int(slot_of[port]) for port in first_plugs if port >= 0}
        lit = (n for n in self.far if n < self.layout.cube_ports and self._connected(n))
        cabled = {int(slot_of[number]) for number in lit}
        return slots | cabled | self.sight.hidden_slots

    def _connected(self, number: int) -> bool:
        row = self.rows[number]
        return row.cable is not None and row.cable_status == CONNECTED

    def _as_columns(self) -> Cables:
        pairs = sorted(self.far.items())
        lit = [(port, end) for port, end in pairs if port < end and self._connected(port)]
        a, b = zip(*lit, strict=True) if lit else ((), ())
        lengths = [self.cables.get(self.rows[port].cable, ("", ""))[1] for port in a]
        names = [self._cable_name(port) for port in a]
        ends = np.array([a, b], dtype=np.int32)
        return Cables(names, ends[0], ends[1], lengths, [""] * len(a))

    def _astray(self) -> dict[int, str]:
        """Ports of the drawing whose cable leads out of the pod."""
        return {
            number: self._cable_name(number)
            for number, row in self.rows.items()
            if number not in self.far and self._connected(number)
        }

    def links(self) -> dict[str, str]:
        """Where the pages of the ports, cables, circuits and slices are that it shows."""
        found = dict(self.sight.links)
        seen = set(
            self.sight.circuits.filter(pk__in=[row.pk for row in self.circuits]).values_list(
                "pk", flat=True
            )
        )
        for switch, a, b, _, pk, *_ in self.circuits:
            if pk in seen:
                there, back = (self.names.port(end)[1] for end in self._ends(switch, a, b))
                found[f"{there} to {back}"] = page("opticalcircuit", pk)
                # In a paired plant another circuit goes back, and has the name first.
                found.setdefault(f"{back} to {there}", page("opticalcircuit", pk))
        for row in self.visible.values():
            found[f"{row.device or ''} {row.name}"] = page("port", row.pk)
            if row.cable in self.cables:
                found[self._cable_name(row.number)] = reverse("dcim:cable", args=[row.cable])
        return found

    def _begun_name(self, number: int) -> str:
        """What a cable with one end in is called, also where that end is at the switch."""
        at = number if number < self.layout.cube_ports else int(self.layout.mate[number])
        label = self.cables.get(self.rows[number].cable, ("", ""))[0]
        return label or (self.names.cable(at) if at >= 0 else self._cable_name(number))

    def _cable_name(self, number: int) -> str:
        """What a cable is called: its label, or its name by the rule."""
        row = self.rows[number]
        label = self.cables.get(row.cable, ("", ""))[0] if row.cable else ""
        cube = min(number, self.far.get(number, number))
        named = cube < self.layout.cube_ports or self.layout.joins_switches
        return label or (self.names.cable(cube) if named else f"#{row.cable}")
