"""All steps of a new order, written at once."""

from collections.abc import Mapping
from uuid import UUID

from fabric_twin.core.orders.life import StepIs
from fabric_twin.core.orders.order import WorkOrder as CoreOrder
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.steps import BY_FABRIC, End, Step
from fabric_twin.models import OrderStep, WorkOrder
from fabric_twin.repositories.bulk_insert import Writer
from fabric_twin.repositories.floor import racks_of
from fabric_twin.repositories.pod_record import PodRecord


def write_steps(order: WorkOrder, core: CoreOrder, record: PodRecord) -> None:
    """All steps of a new order at once, each with what it is about."""
    ports, devices = _places(record)
    racks = racks_of(record.pod)
    findings = dict(
        order.pod.findings.filter(
            key__in={step.finding for step in core.steps if step.finding}
        ).values_list("key", "pk")
    )
    states = Progress.of(core).steps
    steps = core.steps
    Writer(lambda _what, _rows: None).insert(
        OrderStep(order=order),
        number=[step.number for step in steps],
        do=[str(step.do) for step in steps],
        # What waits for a ticket is locked until somebody looks again.
        state=[
            str(StepIs.LOCKED if _is_locked(step, state) else state)
            for step, state in zip(steps, states, strict=True)
        ],
        rack_id=[racks.get(step.rack) for step in steps],
        device_id=[devices.get(step.device) for step in steps],
        port_id=[ports.get(step.at) for step in steps],
        finding_id=[findings.get(step.finding) for step in steps],
        crew=[step.crew for step in steps],
        bundle=[step.bundle for step in steps],
        cable=[step.cable for step in steps],
        facts=[step.as_json() for step in steps],
    )


def _is_locked(step: Step, state: StepIs) -> bool:
    return bool(step.need) and state == StepIs.WAITING and step.do not in BY_FABRIC


def _places(record: PodRecord) -> tuple[Mapping[End, UUID], Mapping[str, UUID]]:
    """Ports and devices of a pod by name."""
    rows = record.pod.ports.order_by().values_list(
        "pk", "interface__name", "interface__device__name", "interface__device_id"
    )
    ports: dict[End, UUID] = {}
    devices: dict[str, UUID] = {}
    for pk, port, device, device_pk in rows:
        ports[device, port] = pk
        devices[device] = device_pk
    return ports, devices
