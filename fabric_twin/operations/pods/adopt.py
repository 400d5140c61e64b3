"""Adopting what an operator has: racks, trays, switches and ports are bound to a pod as they are.

    Interface "row4-host12 eth3"  --- CSV or pattern --->  "iw1-c007-t03 4.3.2/X+"  ->  number

Nothing is renamed or moved, and cables need no binding: they are on the ports already.
"""

from typing import Any
from uuid import UUID

from nautobot.dcim.filters import InterfaceFilterSet
from nautobot.dcim.models import Interface, Location, ModuleBay
from nautobot.users.models import User

from fabric_twin.core.cube import AXES
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.kinds import Verb
from fabric_twin.core.pods.names import Names, check_pod_name
from fabric_twin.models import Cube, Pod, Port, Switch
from fabric_twin.operations.pods.bind_ports import Binding, Found, bound_ports
from fabric_twin.operations.pods.load import Loaded, in_words_of, made_pod, pod_to_fill
from fabric_twin.repositories.bulk_insert import Progress, Writer
from fabric_twin.repositories.change_log import CREATE, UPDATE, record_change
from fabric_twin.repositories.hardware_types import status
from fabric_twin.repositories.permissions import require, require_kinds
from fabric_twin.repositories.pod_lock import PodRefused, pods_locked


def adopt_pod(
    name: str,
    design: str,
    location: Location,
    binding: Binding,
    *,
    cube_status: str = "Active",
    user: User | None = None,
    dry_run: bool = False,
    progress: Progress = lambda _what, _rows: None,
) -> Loaded:
    """Bind what stands at a location to a pod; refuse what is bound twice, or by half."""
    kind = find_design(design)
    kind.check_can(Verb.RECORD)
    check_pod_name(name, kind.kind.noun)
    require(user, "view", Location, [location.pk])
    with pods_locked(keep=not dry_run):
        pod, fresh = pod_to_fill(name, kind, location, user)
        found = _interfaces(location, binding, user)
        names = kind.names(name)
        bound = bound_ports(names, found, binding)
        adoption = _Adoption(pod, names, bound, Writer(progress), fresh=fresh)
        adoption.check()
        return adoption.write(cube_status, user, dry_run=dry_run)


def _interfaces(location: Location, binding: Binding, user: User | None) -> list[Found]:
    """The interfaces at a location that the filters pass and the user may see."""
    seen = Interface.objects.all() if user is None else Interface.objects.restrict(user, "view")
    rows = seen.filter(device__location__in=location.descendants(include_self=True))
    if binding.filters:
        chosen = InterfaceFilterSet(dict(binding.filters), rows)
        if not chosen.is_valid():
            field, said = next(iter(chosen.errors.items()))
            raise UnusableInput(
                f"{' '.join(said).rstrip('.')}",
                where=f"filter {field}",
                remedy="Filter as the list of interfaces does",
            )
        rows = chosen.qs
    columns = ("pk", "device_id", "device__rack_id", "device__name", "name", "device__rack__name")
    return [
        Found(pk, device, rack, (of or "", port), f"{rack_name or ''}/{of or ''}/{port}")
        for pk, device, rack, of, port, rack_name in rows.order_by().values_list(*columns)
    ]


class _Adoption:
    """One adoption: what is bound already stays, the rest is checked and written."""

    def __init__(
        self, pod: Pod, names: Names, bound: dict[int, Found], writer: Writer, *, fresh: bool
    ) -> None:
        self.pod, self.fresh, self.names, self.writer = pod, fresh, names, writer
        self.kind = pod.to_core().kind
        there = {} if fresh else dict(pod.ports.values_list("number", "interface_id"))
        for number, interface in bound.items():
            if number in there and there[number] != interface.pk:
                raise PodRefused(
                    f"{' '.join(names.port(number))} is bound to another interface already",
                    where=f"{names.noun} {names.pod}",
                    remedy="Leave it out, or remove the pod's records first",
                )
        self.there = there
        self.new = {n: interface for n, interface in sorted(bound.items()) if n not in there}

    def check(self) -> None:
        """Refuse what another port is, and a cube or switch of which only a part is bound."""
        keys = [interface.pk for interface in self.new.values()]
        taken = Port.objects.filter(interface__in=keys).select_related("pod", "interface").first()
        if taken:
            raise PodRefused(
                f"{taken} is a port of pod {taken.pod} already",
                where=f"{self.names.noun} {self.names.pod}",
                remedy="Leave it out",
            )
        layout = self.names.layout
        whole = self.there.keys() | self.new.keys()
        slots = {int(layout.slot[n]) for n in whole if n < layout.cube_ports}
        missing = [
            number
            for slot in sorted(slots)
            for number in range((slot - 1) * layout.ports_per_cube, slot * layout.ports_per_cube)
            if number not in whole
        ]
        ends = [int(layout.mate[n]) for n in sorted(whole) if n < layout.cube_ports]
        missing += [end for end in ends if end >= layout.cube_ports and end not in whole]
        if missing:
            raise PodRefused(
                f"{len(missing):,} ports are not bound, "
                f"{' '.join(self.names.port(missing[0]))} among them",
                where=f"{self.names.noun} {self.names.pod}",
                remedy=f"Bind all ports of a {self.names.part}, and those that its cables go to",
            )
        self._check_parents()

    def _check_parents(self) -> None:
        """A cube is one rack, a switch one device, and neither is another's."""
        layout = self.names.layout
        self.racks: dict[int, UUID | None] = {}
        self.devices: dict[int, UUID] = {}
        for number, interface in self.new.items():
            of_cube = number < layout.cube_ports
            at = (
                int(layout.slot[number])
                if of_cube
                else (number - layout.cube_ports) // layout.ports_per_switch
            )
            kept: dict[int, Any] = self.racks if of_cube else self.devices
            parent = interface.rack if of_cube else interface.device
            if parent is None or kept.setdefault(at, parent) != parent:
                of = f"the {self.names.part} in slot {at}"
                what = of if of_cube else self.names.switches[at]
                raise PodRefused(
                    f"{what} is not in one {'rack' if of_cube else 'device'}: see {interface.path}",
                    where=f"{self.names.noun} {self.names.pod}",
                    remedy="Mend its racks or the binding",
                )
        self._check_alone()

    def _check_alone(self) -> None:
        """A rack is one cube's or one group's."""
        slots: dict[UUID | None, int] = {}
        for slot, rack in self.racks.items():
            if slots.setdefault(rack, slot) != slot:
                raise PodRefused(
                    f"the {self.names.part}s in slots {slots[rack]} and {slot} are in one rack",
                    where=f"{self.names.noun} {self.names.pod}",
                    remedy=f"Give each {self.names.part} a rack of its own",
                )

    def write(self, cube_status: str, user: User | None, *, dry_run: bool) -> Loaded:
        """Write the pod's records; the operator's own are left as they are."""
        pod, fresh = self.pod, self.fresh
        slots: tuple[int, ...] = ()
        if self.new:
            coming = {Pod: fresh, Cube: bool(self.racks), Switch: bool(self.devices)}
            require_kinds(user, "add", [model for model, comes in coming.items() if comes])
            if fresh:
                pod = made_pod(pod, self.writer)
            slots = self._write_rows(pod, cube_status)
        added = in_words_of(self.kind, self.writer.counts)
        for model in (Pod, Cube, Switch):
            require(user, "add", model, self.writer.added.get(model, ()))
        adopted = Loaded(self.names, added, slots, len(self.there), 0, dry_run)
        if added:
            record_change(pod, CREATE if fresh else UPDATE, f"Adopted. {adopted}", user)
            self.writer.analyze()
        return adopted

    def _write_rows(self, pod: Pod, cube_status: str) -> tuple[int, ...]:
        layout = self.names.layout
        cubes = dict(pod.cubes.values_list("slot", "pk"))
        switches = dict(pod.switches.values_list("number", "pk"))
        slots = tuple(slot for slot in self.racks if slot not in cubes)
        keys = self.writer.insert(
            Cube(pod=pod, status=status(Cube, cube_status)),
            slot=slots,
            rack_id=[self.racks[slot] for slot in slots],
        )
        cubes |= dict(zip(slots, keys, strict=True))
        numbers = [number for number in self.devices if number not in switches]
        places = [layout.switches[number] for number in numbers]
        keys = self.writer.insert(
            Switch(pod=pod, status=status(Switch, "Active")),
            number=numbers,
            device_id=[self.devices[number] for number in numbers],
            axis=[AXES[axis].lower() for axis, _ in places],
            index=["-".join(map(str, index)) for _, index in places],
        )
        switches |= dict(zip(numbers, keys, strict=True))
        on_cubes = [n for n in self.new if n < layout.cube_ports]
        on_switches = [n for n in self.new if n >= layout.cube_ports]
        bays = self._bays()
        self.writer.insert(
            Port(pod=pod),
            number=on_cubes,
            interface_id=[self.new[n].pk for n in on_cubes],
            cube_id=[cubes[int(layout.slot[n])] for n in on_cubes],
            module_bay_id=[bays.get((self.new[n].device, self.new[n].names[1])) for n in on_cubes],
        )
        per_switch = layout.ports_per_switch
        self.writer.insert(
            Port(pod=pod),
            number=on_switches,
            interface_id=[self.new[n].pk for n in on_switches],
            switch_id=[switches[(n - layout.cube_ports) // per_switch] for n in on_switches],
        )
        return slots

    def _bays(self) -> dict[tuple[UUID, str], UUID]:
        """The bays of the trays: one of a port's name holds its transceiver."""
        devices = {interface.device for interface in self.new.values()}
        rows = ModuleBay.objects.filter(parent_device__in=devices).order_by()
        return {
            (device, name): pk
            for pk, device, name in rows.values_list("pk", "parent_device_id", "name")
        }
