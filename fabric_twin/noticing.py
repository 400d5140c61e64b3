"""What is saved or deleted in Nautobot touches the pod it is of: an audit looks there soon.

    Cable, its ends, Interface, Module, Device  ->  ports
    OpticalCircuit, Switch                      ->  all ports of the switch
    Slice, Cube                                 ->  all ports of the cubes

Sets that are written without signals (loading, slices, steps of orders) say themselves what they
touch.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Model, Q
from django.db.models.signals import post_save, pre_delete
from nautobot.dcim.models import Cable, CableToCableTermination, Device, Interface, Module

from fabric_twin.models import Cube, OpticalCircuit, Port, Slice, SlicePart, Switch
from fabric_twin.repositories.order_rows import fabric_is_due
from fabric_twin.repositories.touching import ports_changed, touch
from fabric_twin.tasks.advance_order import call_fabric
from fabric_twin.tasks.audit_touched import call_audit


def notice() -> None:
    """Begin to notice; each kind of record once, whoever asks again."""
    for model, ports in _PORTS.items():
        for signal in (post_save, pre_delete):
            uid = f"fabric_twin.noticing.{model.__name__}"
            signal.connect(_noticer(ports), sender=model, dispatch_uid=uid, weak=False)
    for signal in (post_save, pre_delete):
        signal.connect(
            _of_circuit, sender=OpticalCircuit, dispatch_uid="fabric_twin.noticing.circuit"
        )
        signal.connect(_of_slice, sender=Slice, dispatch_uid="fabric_twin.slice")
    fabric_is_due.connect(_of_order, dispatch_uid="fabric_twin.noticing.order")
    ports_changed.connect(_of_set, dispatch_uid="fabric_twin.noticing.set")
    post_save.connect(_of_cube, sender=Cube, dispatch_uid="fabric_twin.noticing.Cube")
    post_save.connect(_of_switch, sender=Switch, dispatch_uid="fabric_twin.noticing.Switch")


def _noticer(ports: Any) -> Any:
    def noticed(instance: Model, raw: bool = False, **_: Any) -> None:
        if not raw:
            touch_ports(Port.objects.filter(ports(instance)).order_by().values_list("pod_id", "pk"))

    return noticed


def touch_ports(rows: Iterable[tuple[UUID, UUID]]) -> None:
    """Ports changed, by pod."""
    by_pod: dict[UUID, list[UUID]] = defaultdict(list)
    for pod, port in rows:
        by_pod[pod].append(port)
    for pod, keys in by_pod.items():
        touch([pod], call_audit, port=keys)


def _of_order(order: UUID, **_: Any) -> None:
    call_fabric(order)


def _of_set(pod: UUID, ports: Iterable[UUID], **_: Any) -> None:
    touch([pod], call_audit, port=list(ports))


def _of_cube(instance: Cube, raw: bool = False, **_: Any) -> None:
    if not raw:
        touch([instance.pod_id], call_audit, cube=[instance.pk])


def _of_switch(instance: Switch, raw: bool = False, **_: Any) -> None:
    if not raw:
        touch([instance.pod_id], call_audit, switch=[instance.pk])


def _of_circuit(instance: OpticalCircuit, raw: bool = False, **_: Any) -> None:
    if not raw:
        touch([instance.switch.pod_id], call_audit, switch=[instance.switch_id])


def _of_slice(instance: Slice, raw: bool = False, **_: Any) -> None:
    # Its cubes follow it into the database, so they are asked for at the end; and go before it.
    later = SlicePart.objects.filter(slice=instance).order_by().values("cube")
    now = later.values_list("cube", flat=True)
    if not raw:
        touch([instance.pod_id], call_audit, cube=later)
        if now:
            touch([instance.pod_id], call_audit, cube=list(now))


#: Which ports a record is about.
_PORTS: dict[type[Model], Any] = {
    Cable: lambda cable: Q(interface__cable_termination__cable=cable),
    CableToCableTermination: lambda end: Q(interface=end.interface_id),
    Interface: lambda interface: Q(interface=interface),
    Module: lambda module: Q(module_bay=module.parent_module_bay_id),
    Device: lambda device: Q(interface__device=device),
}
