"""The cubes that an order brings or takes away, or the block, and what becomes of them.

install        made with the order as Planned, Installing once work begins, Active when qualified
decommission   Draining once work begins, Out when the order is done

Withdrawn before anyone worked on a cube, it is what it was before. A block goes the same way; it
is found by the first of its places, which stand to it as its slot to a cube.
"""

from collections.abc import Collection
from typing import Any

from nautobot.dcim.models import Device, Rack
from nautobot.users.models import User

from fabric_twin.core.orders.life import StepIs
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.ports import simplex
from fabric_twin.core.orders.steps import MANUAL
from fabric_twin.core.slots import format_slots
from fabric_twin.models import Cube, Pod, WorkOrder
from fabric_twin.operations.orders.record import core_of
from fabric_twin.operations.pods.write_hardware import write_cubes
from fabric_twin.repositories.bulk_insert import Writer
from fabric_twin.repositories.hardware_types import find_parts, status
from fabric_twin.repositories.permissions import require, require_kinds
from fabric_twin.repositories.pod_lock import PodRefused
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.reservations import Places, cubes_at, place, release_places

_MADE = (Cube, Rack, Device)
#: What a cube becomes when work begins, and from what.
_BEGUN = {
    Kind.INSTALL: ("Installing", ("Planned",)),
    Kind.DECOMMISSION: ("Draining", ("Active", "Installing", "Planned")),
}


def plan_cubes(pod: Pod, slots: Collection[int], user: User) -> None:
    """Racks, trays, ports and transceivers of cubes that the inventory does not have yet."""
    record = PodRecord(pod)
    new = tuple(slot for slot in slots if slot not in record.cubes)
    if not new:
        return
    require_kinds(user, "add", _MADE)
    racks = [record.names.cube(slot) for slot in new]
    if there := Rack.objects.filter(location=pod.location, name__in=racks).first():
        raise PodRefused(
            f"a rack is called {there.name} already",
            where=f"pod {pod.name}",
            remedy="Adopt it if it is the pod's, or give it another name",
        )
    writer = Writer(lambda _what, _rows: None)
    parts = find_parts(record.design, writer)
    address = _address(pod)
    write_cubes(pod, record.names, new, "Planned", parts, writer, address)
    for model in _MADE:
        require(user, "add", model, writer.added.get(model, ()))


def _address(pod: Pod) -> str:
    """Where new cubes answer: at the gateway, where all others are behind one."""
    behind = set(pod.cubes.exclude(target="").values_list("address", flat=True))
    return str(behind.pop()) if len(behind) == 1 else ""


def begin_cubes(order: WorkOrder) -> None:
    """Work begins: audits look at cubes from now on, or slices take them no more."""
    become, of = _BEGUN.get(Kind(order.kind), ("", ()))
    if become:
        _remember(order)
        _become(order, order.facts["slots"], become, of)


def _remember(order: WorkOrder) -> None:
    """Keep what its cubes were, when work first began."""
    rows, at = _at(order, order.facts["slots"])
    rows = rows.values_list(at, "status__name")
    order.facts["before"] = {str(slot): was for slot, was in rows} | order.facts.get("before", {})
    order.save(update_fields=["facts"])


def leave_cubes(order: WorkOrder) -> str:
    """An order is withdrawn: untouched cubes are what they were; the others, in words."""
    become, _ = _BEGUN.get(Kind(order.kind), ("", ()))
    begun = _slots_in_hand(order)
    for slot, was in order.facts.get("before", {}).items():
        if int(slot) not in begun:
            _become(order, [int(slot)], was, (become,))
    rows, at = _at(order, begun)
    half = sorted(rows.filter(status__name=become).values_list(at, flat=True))
    if not half:
        return ""
    if order.pod.is_network:
        block = PodRecord(order.pod).names.in_words(half)
        instead = "Take it out by an order, or set its status by hand"
        return f"{block} is {become}: work was done there. {instead}"
    slots = format_slots(tuple(half))
    part = "group" if order.pod.is_cluster else "cube"
    return f"{part}s in slots {slots} are {become}: work was done there. Set them as they stand"


def _slots_in_hand(order: WorkOrder) -> set[int]:
    """Slots with a manual step done; all, where a step does not name its slot."""
    core = core_of(order)
    done = order.steps.filter(
        do__in=MANUAL, state__in=(StepIs.DONE, StepIs.VERIFIED, StepIs.FAILED)
    )
    of = {name: bundle.slot for name, bundle in core.by_bundle.items()}
    slots = {of.get(name, 0) for name in done.order_by().values_list("bundle", flat=True)}
    return set(core.slots) if 0 in slots else slots


def qualify_cubes(order: WorkOrder, slots: Collection[int]) -> None:
    """Light has agreed to every bundle of these: they join the pod, and may be taken by slices."""
    _become(order, slots, "Active", ("Planned", "Installing"))
    core = core_of(order)
    done = {bundle.name for bundle in core.bundles if bundle.slot in slots}
    ends = {one for laid in core.cables if laid.bundle in done for one in simplex(laid.b)}
    switches = dict(order.pod.switches.values_list("device__name", "pk"))
    places = frozenset(place(switches[name], port) for name, port in ends if name in switches)
    release_places(order, Places(places, cubes_at(order.pod, slots)))


def take_out_cubes(order: WorkOrder) -> None:
    """A decommissioning is done."""
    if order.kind == Kind.DECOMMISSION:
        _become(order, order.facts["slots"], "Out", ("Active", "Installing", "Planned", "Draining"))


def _become(order: WorkOrder, slots: Collection[int], become: str, of: Collection[str]) -> None:
    rows, at = _at(order, slots)
    for one in rows.filter(status__name__in=of).order_by(at):
        one.status = status(type(one), become)
        one.save()  # not validated: that refuses what the order itself has reserved


def _at(order: WorkOrder, slots: Collection[int]) -> tuple[Any, str]:
    """The cubes in some slots, or the blocks that begin at some places; and what numbers them."""
    if order.pod.is_network:
        return order.pod.blocks.filter(first_port__in=list(slots)), "first_port"
    return order.pod.cubes.filter(slot__in=list(slots)), "slot"
