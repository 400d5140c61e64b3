"""Resolve the parts to take out of service, and their new statuses."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.pods.names import Names
from fabric_twin.core.proposals.effects import (
    Effect,
    SetPortStatus,
    SetSlotStatus,
    SetSwitchStatus,
)
from fabric_twin.core.proposals.proposal import MAINTENANCE
from fabric_twin.core.proposals.targets import Out, Reach
from fabric_twin.core.tickets.life import State
from fabric_twin.models import Ticket
from fabric_twin.repositories.pod_record import BAD_PORT, DOWN, PodRecord
from fabric_twin.repositories.ports_out import MAINTAINED

#: What a part out of service is: no slice is put on it, and no audit misses it.
OUT = "Out"
#: What a port in service is, where nobody knows what it was.
IN_USE = "Active"


def without_racks(record: PodRecord, wish: Mapping[str, Any]) -> dict[str, Any]:
    """A wish whose racks are the cubes and the switches that stand in them."""
    racks = [str(rack) for rack in wish.get("racks", ())]
    cubes = {} if record.is_network else record.cubes
    slots = {rack: slot for slot, (_, rack, _) in cubes.items()}
    rows = record.pod.switches.filter(device__rack__name__in=racks).order_by("number")
    standing: dict[str, list[str]] = defaultdict(list)
    for rack, device in rows.values_list("device__rack__name", "device__name"):
        standing[rack].append(device)
    what = "no switch" if record.is_network else "neither a cube nor a switch"
    for rack in racks:
        if rack not in slots and rack not in standing:
            raise UnusableInput(
                f"{what} of {record.names.noun} {record.pod.name} stands in it",
                where=f"rack {rack[:60]}",
                remedy="Name a rack that has one",
            )
    return {
        **{key: value for key, value in wish.items() if key != "racks"},
        "slots": [*wish.get("slots", ()), *(slots[rack] for rack in racks if rack in slots)],
        "switches": [
            *wish.get("switches", ()),
            *(device for rack in racks for device in standing[rack]),
        ],
    }


def out_of_service(record: PodRecord, intended: Intended, out: Out) -> Iterator[Effect]:
    """How the records say that something is out of service."""
    # Ports beside whole switches; what the pod does not have is refused.
    Reach(intended, out)
    ports = Reach(intended, Out(boards=out.boards, ports=out.ports)).ports
    for slot in sorted(out.slots):
        _, _, status = record.cubes.get(slot, (None, "", ""))
        if status and status != OUT:
            yield SetSlotStatus(slot, status, OUT)
    for number in sorted(out.switches):
        _, device, status = record.switches.get(number, (None, "", ""))
        if status and status != MAINTAINED:
            yield SetSwitchStatus(device, status, MAINTAINED)
    yield from _ports_out(record, intended.names, ports)


def back_in_service(
    record: PodRecord, intended: Intended, out: Out, ports: Collection[int] | None = None
) -> Iterator[Effect]:
    """How the records say that switches and ports are in service again.

    A port has the status that it had. By default all ports come back that are in maintenance.
    """
    for number in sorted(out.switches):
        _, device, status = record.switches.get(number, (None, "", ""))
        if status in DOWN:
            yield SetSwitchStatus(device, status, IN_USE)
    numbers = sorted(Reach(intended, out).ports if ports is None else ports)
    rows = record.pod.ports.filter(number__in=numbers, interface__status__name=MAINTAINED)
    alike: Mapping[tuple[str, str], list[str]] = defaultdict(list)
    before = _before(record)
    for number in rows.order_by("number").values_list("number", flat=True):
        device, port = intended.names.port(number)
        alike[device, before.get((device, port), IN_USE)].append(port)
    for (device, status), found in alike.items():
        yield SetPortStatus(device, tuple(found), MAINTAINED, status)


def _before(record: PodRecord) -> dict[tuple[str, str], str]:
    """What ports were before tickets took them out, the last ticket's word the last."""
    done = Ticket.objects.filter(pod=record.pod, kind=MAINTENANCE, state=State.DONE)
    plans = done.order_by("ended").values_list("plan__effects", flat=True)
    return {
        (one["switch"], port): one["from"]
        for effects in plans
        for one in effects or ()
        if one["do"] == "set-port-status" and one["to"] == MAINTAINED
        for port in one["ports"]
    }


def _ports_out(record: PodRecord, names: Names, ports: Iterable[int]) -> Iterator[Effect]:
    """The interfaces of some ports, by switch and by the status that they have."""
    rows = record.pod.ports.filter(number__in=list(ports)).order_by("number")
    alike: Mapping[tuple[str, str], list[str]] = defaultdict(list)
    for number, status in rows.values_list("number", "interface__status__name"):
        device, port = names.port(number)
        if status not in BAD_PORT:
            alike[device, status].append(port)
    for (device, status), found in alike.items():
        yield SetPortStatus(device, tuple(found), status, MAINTAINED)
