"""Where the devices of a pod answer, by the names that the inventory gives them.

Behind an address that several share, a device is asked for by its target; with none it has the
address to itself. What has no address is not asked, and nothing is made of its silence. A packet
switch takes flow entries at an address of its own, and only with the datapath id that is recorded.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Value

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.identity import ConfirmedBy, Known, serial_of
from fabric_twin.models import Block, Cube, Pod, Switch
from fabric_twin.switches.driver import Target

#: The driver of packet switches.
OPENFLOW = "openflow"
#: What is recorded of who should answer, and where. Cubes and blocks tell no serial of their own.
_OF_SWITCH = ("device__name", "address", "target", "called", "confirmed_by", "device__serial")
_OF_CUBE = ("rack__name", "address", "target", "called", "confirmed_by", Value(""))
_OF_BLOCK = ("device__name", "address", "target", "called", "confirmed_by", Value(""))


@dataclass(frozen=True)
class Targets:
    """Whom to ask."""

    switches: tuple[Target, ...]
    #: Cubes, or the blocks of a network.
    cubes: tuple[Target, ...]

    @property
    def names(self) -> frozenset[str]:
        """Of all who are asked."""
        return frozenset(target.name for target in (*self.switches, *self.cubes))

    def __bool__(self) -> bool:
        """Whether there is anybody to ask."""
        return bool(self.switches or self.cubes)


def targets_of(
    pod: Pod, statuses: Collection[str], devices: Collection[str] | None = None
) -> Targets:
    """Switches, and cubes or blocks of some statuses, that have an address; or some by name."""
    switches = pod.switches.exclude(address="").order_by("number")
    held = pod.members.exclude(address="").filter(status__name__in=statuses)
    found = Targets(
        _targets(switches.values_list(*_OF_SWITCH), devices),
        _targets(held.values_list(*(_OF_BLOCK if pod.is_network else _OF_CUBE)), devices),
    )
    _refuse_doubles((*found.switches, *found.cubes), f"pod {pod.name}")
    return found


def flow_targets(
    pod: Pod, but: Collection[str] = (), devices: Collection[str] | None = None
) -> tuple[Target, ...]:
    """The packet switches of a cluster that take flow entries; `but` those of some statuses."""
    rows = pod.switches.exclude(flow_address="").exclude(status__name__in=but).order_by("number")
    found = tuple(
        Target(name, address, driver=OPENFLOW, known=Known(name, datapath))
        for name, address, datapath in rows.values_list("device__name", "flow_address", "datapath")
        if devices is None or name in devices
    )
    _refuse_doubles(found, f"cluster {pod.name}")
    return found


def switch_targets(devices: Collection[UUID]) -> tuple[Target, ...]:
    """The switches among some devices, as far as they have addresses."""
    rows = Switch.objects.filter(device__in=devices).exclude(address="").order_by("number")
    found = _targets(rows.values_list(*_OF_SWITCH), None)
    _refuse_doubles(found, "work order")
    return found


def devices_of_one_serial() -> frozenset[UUID]:
    """Devices of switches with an address that have the serial of another one, in any pod.

    One device would answer as both. Records are checked when they are saved; not all that is
    written is saved so.
    """
    rows = Switch.objects.exclude(address="").order_by().values_list("device", "device__serial")
    serials = {device: serial_of(serial or "") for device, serial in rows}
    many = Counter(filter(None, serials.values()))
    return frozenset(device for device, serial in serials.items() if many[serial] > 1)


def _refuse_doubles(targets: Collection[Target], where: str) -> None:
    """What one says would be believed of the other."""
    if len({target.name for target in targets}) < len(targets):
        raise NotPossible(
            "two of its devices that have an address have one name",
            where=where,
            remedy="Give racks and switches of a pod names of their own",
        )


def still_there(pod: Pod, targets: Targets) -> frozenset[str]:
    """Those of some targets that are reached as they were when they were asked."""
    its_name = "device__name" if pod.is_network else "rack__name"
    now = {
        *pod.switches.order_by().values_list("device__name", "address", "target"),
        *pod.members.order_by().values_list(its_name, "address", "target"),
    }
    asked = (*targets.switches, *targets.cubes)
    return frozenset(t.name for t in asked if (t.name, t.address, t.called) in now)


def flows_still_there(pod: Pod, targets: Iterable[Target]) -> frozenset[str]:
    """The same of packet switches that were asked for their entries."""
    rows = pod.switches.order_by().values_list("device__name", "flow_address", "datapath")
    now = {*rows}
    return frozenset(
        t.name for t in targets if t.known and (t.name, t.address, t.known.serial) in now
    )


def known_of(record: Switch | Cube | Block) -> Known:
    """The device that should answer for a record."""
    name, serial = (
        (record.device.name, record.device.serial)
        if isinstance(record, Switch)
        else (record.rack.name if isinstance(record, Cube) else record.device.name, "")
    )
    return Known(record.called or str(name), serial or "", ConfirmedBy(record.confirmed_by))


def _targets(
    rows: Iterable[tuple[str, ...]], devices: Collection[str] | None
) -> tuple[Target, ...]:
    return tuple(
        Target(
            name,
            address,
            called=target,
            known=Known(called or name, serial or "", ConfirmedBy(confirmed)),
        )
        for name, address, target, called, confirmed, serial in rows
        if devices is None or name in devices
    )
