"""Adopting what an operator has: racks, trays, switches and ports are bound to a pod as they are.

    Interface "row4-host12 eth3"  --- CSV or pattern --->  "iw1-c007-t03 4.3.2/X+"  ->  number

Nothing is renamed or moved, and cables need no binding: they are on the ports already.
"""

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from nautobot.dcim.filters import InterfaceFilterSet
from nautobot.dcim.models import Interface, Location, ModuleBay
from nautobot.users.models import User

from fabric_twin.core.csv_cells import unescape
from fabric_twin.core.cube import AXES
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.kinds import Verb
from fabric_twin.core.pods.names import Names, check_pod_name
from fabric_twin.core.pods.patterns import Pattern, cube_port, switch_port
from fabric_twin.inventory.text import decoded
from fabric_twin.models import Cube, Pod, Port, Switch
from fabric_twin.operations.pods.load import Loaded, in_words_of, made_pod, pod_to_fill
from fabric_twin.repositories.bulk_insert import Progress, Writer
from fabric_twin.repositories.change_log import CREATE, UPDATE, record_change
from fabric_twin.repositories.hardware_types import status
from fabric_twin.repositories.permissions import require, require_kinds
from fabric_twin.repositories.pod_lock import PodRefused, pods_locked

HEADER = ("device", "port", "is_device", "is_port")
LARGEST = 16 * 2**20
#: How many names are told that no pattern reads.
_NAMED = 3


@dataclass(frozen=True)
class Binding:
    """How an operator's names become ports of the design: a list of them, or patterns."""

    #: CSV: device and port as they are called, device and port as the rule calls them.
    rows: bytes | None = None
    #: Patterns of `rack/device/port`.
    cube_ports: str = ""
    switch_ports: str = ""
    #: Nautobot's filters of interfaces, to look at fewer.
    filters: Mapping[str, list[str]] | None = None


@dataclass(frozen=True)
class _Found:
    """An interface that may be a port of the pod."""

    pk: UUID
    device: UUID
    rack: UUID | None
    names: tuple[str, str]
    path: str


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
        bound = _bound(names, found, binding)
        adoption = _Adoption(pod, names, bound, Writer(progress), fresh=fresh)
        adoption.check()
        return adoption.write(cube_status, user, dry_run=dry_run)


def _interfaces(location: Location, binding: Binding, user: User | None) -> list[_Found]:
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
        _Found(pk, device, rack, (of or "", port), f"{rack_name or ''}/{of or ''}/{port}")
        for pk, device, rack, of, port, rack_name in rows.order_by().values_list(*columns)
    ]


def _bound(names: Names, found: list[_Found], binding: Binding) -> dict[int, _Found]:
    """By number: the interface that is this port."""
    pairs = (
        _by_list(names, found, binding.rows)
        if binding.rows is not None
        else _by_patterns(names, found, binding)
    )
    bound: dict[int, _Found] = {}
    of_interface: dict[UUID, int] = {}
    for number, interface in pairs:
        for there, what, value in (
            (bound.get(number), " ".join(names.port(number)), interface),
            (of_interface.get(interface.pk), interface.path, number),
        ):
            if there is not None and there != value:
                other = there.path if isinstance(there, _Found) else " ".join(names.port(there))
                raise PodRefused(
                    f"{what} is bound twice, also to {other}",
                    where="binding",
                    remedy="Bind every port to one interface",
                )
        bound[number] = interface
        of_interface[interface.pk] = number
    if not bound:
        raise PodRefused(
            f"none of {len(found):,} interfaces is bound to a port",
            where="binding",
            remedy="Compare the patterns with rack/device/port of an interface",
        )
    return bound


def _by_list(names: Names, found: list[_Found], data: bytes) -> Iterable[tuple[int, _Found]]:
    rows = _read(data)
    numbers = names.find([row[2] for row in rows], [row[3] for row in rows]).tolist()
    by_name: dict[tuple[str, str], list[_Found]] = defaultdict(list)
    for interface in found:
        by_name[interface.names].append(interface)
    for line, (row, number) in enumerate(zip(rows, numbers, strict=True), 2):
        where = f"binding, line {line}"
        if number < 0:
            raise UnusableInput(
                f"the design has no port {row[3][:60]!r} of {row[2][:60]!r}",
                where=where,
                remedy="Write is_device and is_port as `fabric-twin cutsheet` does",
            )
        matches = by_name[row[0], row[1]]
        if len(matches) != 1:
            raise UnusableInput(
                f"{'no' if not matches else len(matches)} interface is {row[1][:60]!r} of "
                f"{row[0][:60]!r} at this location",
                where=where,
                remedy="Name one that you may see",
            )
        yield number, matches[0]


def _read(data: bytes) -> list[tuple[str, ...]]:
    text = decoded(data, "binding", LARGEST, "Bind some slots at a time")
    reader = csv.DictReader(io.StringIO(text))
    if not set(HEADER) <= set(reader.fieldnames or ()):
        raise UnusableInput(
            "the header lacks a column", where="binding", remedy=f"Begin with {','.join(HEADER)}"
        )
    return [tuple(unescape((row[name] or "").strip()) for name in HEADER) for row in reader]


def _by_patterns(
    names: Names, found: list[_Found], binding: Binding
) -> Iterable[tuple[int, _Found]]:
    layout = names.layout
    cube = Pattern(binding.cube_ports, "pattern of cube ports")
    switch = Pattern(binding.switch_ports, "pattern of switch ports")
    labels = {label: number for number, label in enumerate(layout.port_names)}
    local = layout.ports_per_cube
    switches = {
        "-".join([AXES[axis].lower(), *map(str, index)]): number
        for number, (axis, index) in enumerate(layout.switches)
    }
    unread: list[str] = []
    bound = {cube: 0, switch: 0}
    for interface in found:
        if (parts := cube.read(interface.path)) and (at := cube_port(parts)):
            slot, label = at
            port = labels.get(label, local)
            if 1 <= slot <= layout.slots and port < local:
                bound[cube] += 1
                yield (slot - 1) * local + port, interface
        elif (parts := switch.read(interface.path)) and (on := switch_port(parts)):
            number, port = switches.get(on[0]), labels.get(on[1], -1)
            if number is not None and port >= local:
                bound[switch] += 1
                yield layout.cube_ports + number * layout.ports_per_switch + port - local, interface
        elif len(unread) < _NAMED:
            unread.append(interface.path)
    for pattern, many in bound.items():
        if pattern.text and not many:
            raise PodRefused(
                f"it binds none of {len(found):,} interfaces"
                + (f", such as {', '.join(unread)}" if unread else ""),
                where=pattern.where,
                remedy="Compare it with rack/device/port of these, and with what braces may mean",
            )


class _Adoption:
    """One adoption: what is bound already stays, the rest is checked and written."""

    def __init__(
        self, pod: Pod, names: Names, bound: dict[int, _Found], writer: Writer, *, fresh: bool
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
                remedy="Bind all ports of a cube, and those that its cables go to",
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
                what = f"the cube in slot {at}" if of_cube else self.names.switches[at]
                raise PodRefused(
                    f"{what} is not in one {'rack' if of_cube else 'device'}: see {interface.path}",
                    where=f"{self.names.noun} {self.names.pod}",
                    remedy="Mend its racks or the binding",
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
