"""Whether the port of a step may be touched: its switch is read, and the step locked or unlocked.

A technician waits for it: within two seconds. What was not read in them is named, and stays locked.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from uuid import UUID

from django.db import transaction
from nautobot.dcim.models import Device

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.orders.life import Deed, StepIs, step_after
from fabric_twin.core.orders.port_lock import live_neighbours
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.steps import TOUCHES, Step
from fabric_twin.models import WorkOrder
from fabric_twin.operations.orders.fabric.see_dead import see_dead
from fabric_twin.operations.orders.record import core_of, held, keep_steps, progress_of
from fabric_twin.operations.orders.request_tickets import unmet
from fabric_twin.operations.orders.unmet_needs import still_dead
from fabric_twin.operations.pods.poll import PATIENCE
from fabric_twin.repositories.addresses import switch_targets, targets_of
from fabric_twin.repositories.credentials import device_accesses, some_accesses
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.services.orders.keep_dark import Seen, see_ports
from fabric_twin.switches.driver import Patience
from fabric_twin.switches.fabric import Fabric, open_fabric

#: Cubes of an order answer before they are in service.
ANSWERING = ("Planned", "Installing", "Active", "Draining")
#: Seconds for which somebody stands there and waits for what a port shows.
AT_ONCE = 2.0


@dataclass(frozen=True)
class Ahead:
    """What a crew has before it, as switches show it now."""

    #: The number of the next step; 0 where none is left.
    step: int
    #: Why it must not be touched; empty where it may be.
    why: str = ""
    #: Ports beside the step's that carry light.
    live: tuple[str, ...] = ()
    #: Whether a worker was called, and the fabric does its part now.
    called: bool = False


def fabric_of(record: PodRecord, devices: Collection[str]) -> Fabric:
    """Conversations with some switches and cubes of a pod, as far as they have addresses."""
    targets = targets_of(record.pod, ANSWERING, devices)
    accesses = some_accesses(record.pod, devices)
    return open_fabric(targets.switches, targets.cubes, accesses, PATIENCE)


def see_at_once(devices: Collection[UUID]) -> Seen:
    """What the ports of some switches show, as far as they answer while somebody waits.

    What hinders a conversation, such as a secret that cannot be read, is why they were not read.
    """
    here = Device.objects.filter(pk__in=devices).select_related("secrets_group")
    try:
        targets, patience = switch_targets(devices), Patience(request=AT_ONCE, tries=1)
        with open_fabric(targets, (), device_accesses(here), patience) as fabric:
            return see_ports(fabric, fabric.switches, AT_ONCE)
    except FabricTwinError as refusal:
        return Seen({}, {str(device.name): refusal for device in here})


def read_port(order: WorkOrder, record: PodRecord, step: Step) -> Ahead:
    """Read the port of the step that a technician does next, and lock or unlock it."""
    if not (step.guarded or step.need):
        return Ahead(step.number)
    seen, doubt = Seen({}), ""
    if _found_dead(order, step):
        seen, doubt = see_dead(record, step.device, AT_ONCE)
    elif step.guarded:
        device = order.steps.filter(number=step.number).values_list("device_id", flat=True)
        seen = see_at_once(set(device))
    with transaction.atomic():
        there = held(order)
        before = after = progress_of(there)
        same, why = _same_port(before, step), ""
        for one in same:
            after, said = lock_or_unlock(there, after, one, seen)
            said = f"{said}; {doubt}" if said and doubt else said
            why = said if one.number == step.number else why
        whys = dict.fromkeys((one.number for one in same), why)
        keep_steps(there, before, after, why=whys if before.steps != after.steps else {})
    return Ahead(step.number, why, _live(order, record, step, seen))


def lock_or_unlock(
    order: WorkOrder, progress: Progress, step: Step, seen: Seen
) -> tuple[Progress, str]:
    """A step after its port was read; why it is locked, if it is."""
    if why := unmet(order, step.need, seen.dead):
        state = progress.steps[step.number - 1]
        if state == StepIs.WAITING:
            steps = list(progress.steps)
            steps[step.number - 1] = step_after(state, Deed.LOCK)
            progress = replace(progress, steps=tuple(steps))
        return progress, why
    progress, why = progress.read(step.number, seen.ports)
    silent = seen.silent.get(step.device)
    return progress, (silent.what if silent and why else why)


def _found_dead(order: WorkOrder, step: Step) -> bool:
    """Whether an audit found the switch of a step dead: it is needed dark, and may run again."""
    needs = [need for need in core_of(order).needs if need.name == step.need]
    return bool(still_dead(order.pod_id, needs))


def _same_port(progress: Progress, step: Step) -> list[Step]:
    """The manual steps at a port that are not done."""
    return [
        one
        for one in progress.order.steps
        if one.at == step.at
        and one.do in TOUCHES
        and progress.steps[one.number - 1] in (StepIs.LOCKED, StepIs.WAITING)
    ] or [step]


def _live(order: WorkOrder, record: PodRecord, step: Step, seen: Seen) -> tuple[str, ...]:
    """Ports in reach of the step's that carry light, by name."""
    if not seen.live:
        return ()
    of = order.pod.ports.filter(interface__device__name=step.device)
    numbers = dict(of.order_by().values_list("interface__name", "number"))
    # Of a duplex port a switch names both halves.
    shown = {port for _, port in seen.live}
    live = {numbers[name] for port in shown for name in {port, port[:-1]} & numbers.keys()}
    near = live_neighbours(record.design.layout, numbers.get(step.port, -1), live)
    names = {number: name for name, number in numbers.items()}
    return tuple(names[port] for port in near)
