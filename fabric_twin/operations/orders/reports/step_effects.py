"""What a step that was done changes in the inventory, in the transaction of its report.

plug, unplug   a cable's end is in a port, or hangs loose: Connected once both are in
flip           its strands are as the rule wants them
replace, fit   the transceiver's serial is the one that was read, or not known
take out       the device is being decommissioned
"""

from collections.abc import Sequence
from dataclasses import dataclass

from nautobot.dcim.models import Device, Module

from fabric_twin.core.orders.steps import Do, End, Step
from fabric_twin.models import OrderStep, WorkOrder
from fabric_twin.operations.orders.cable_ends import Plugging
from fabric_twin.repositories.hardware_types import modules_in, status


@dataclass(frozen=True)
class DoneStep:
    """A step that was done, or turned out not to be."""

    step: Step
    undone: bool = False
    scanned: str = ""


def take_effect(order: WorkOrder, done: Sequence[DoneStep]) -> None:
    """Write what some steps changed, set by set."""
    plugs: dict[tuple[str, str], End | None] = {}
    straight: set[str] = set()
    for one in done:
        step = one.step
        if step.do in (Do.PLUG, Do.UNPLUG):
            into = (step.do == Do.PLUG) != one.undone
            plugs[step.cable, step.end] = step.at if into else None
        elif step.do == Do.FLIP and not one.undone:
            straight.add(step.cable)
    _modules(order, done)
    _devices(order, done)
    if plugs or straight:
        Plugging(order).write(plugs, straight)


def _modules(order: WorkOrder, done: Sequence[DoneStep]) -> None:
    """A part that was put into a cage bears the serial that was read, or one that light tells."""
    for one in done:
        step = one.step
        if one.undone or step.do not in (Do.REPLACE, Do.FIT) or not step.port:
            continue
        if step.do == Do.FIT and not one.scanned:
            continue
        for module in modules_in(order.pod, step.device, step.port).distinct():
            serial = one.scanned or None
            if serial and Module.objects.filter(
                module_type=module.module_type, serial=serial
            ).exclude(pk=module.pk):
                continue  # somebody else's: the audit says where it is
            module.serial = serial
            module.save()


def _devices(order: WorkOrder, done: Sequence[DoneStep]) -> None:
    for undone, become in ((False, "Decommissioning"), (True, "Active")):
        steps = [
            one.step.number
            for one in done
            if one.step.do == Do.TAKE_OUT and not one.step.port and one.undone == undone
        ]
        if steps:
            keys = OrderStep.objects.filter(order=order, number__in=steps).values("device")
            Device.objects.filter(pk__in=keys).update(status=status(Device, become))
