"""What the fabric does before a technician comes: it blocks ports, and releases them.

    crew's next step   block, release   done by the switch, and read back; why not, on the step

A worker does this; a request for the next step only reads the port (`read_next.py`). Bundles are
tested in `check_bundles.py`; ports of an order that has ended are released in `release_ports.py`.
"""

from collections.abc import Mapping, Sequence

from django.db import transaction

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.orders.life import SETTLED, OrderIs
from fabric_twin.core.orders.port_lock import may_block
from fabric_twin.core.orders.ports import simplex
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.steps import HOLDS, TOUCHES, Do, Step
from fabric_twin.models import WorkOrder
from fabric_twin.operations.orders.fabric.read_port import Ahead, fabric_of, lock_or_unlock
from fabric_twin.operations.orders.lifecycle import hold_again
from fabric_twin.operations.orders.record import held, keep_steps, progress_of
from fabric_twin.operations.orders.request_tickets import unmet
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.services.orders.keep_dark import Seen, keep_dark, see_ports


def prepare_ports(order: WorkOrder, crew: int = 1) -> Ahead:
    """Do what the fabric does before a crew's next step; what hinders it, on that step."""
    order = WorkOrder.objects.select_related("pod", "assignee").get(pk=order.pk)
    if order.state != OrderIs.UNDER_WAY:
        return Ahead(0, f"the order is {order.state}")
    record = PodRecord(order.pod)
    while True:
        progress = progress_of(order)
        step = progress.next(crew)
        if step is None:
            return Ahead(0)
        if step.do not in HOLDS:
            return Ahead(step.number)
        try:
            why = _hold(order, record, run_of(progress, step))
        except FabricTwinError as refusal:
            why = str(refusal)
            _keep(order, (), Seen({}), {step.number: why})
        if why:
            return Ahead(step.number, why)


def _hold(order: WorkOrder, record: PodRecord, run: Sequence[Step]) -> str:
    """Block or release a run of ports; why the first of them could not be."""
    dark = run[0].do == Do.BLOCK
    if dark:
        with transaction.atomic():  # a ticket may have had them meanwhile
            there = held(order)
            if there.state != OrderIs.UNDER_WAY:
                return f"the order is {there.state}"
            hold_again(there)
    devices = {one.device for one in run}
    with fabric_of(record, devices) as fabric:
        seen = see_ports(fabric, devices)
        whys = {one.number: _why_not(order, one, seen) for one in run}
        able = [one for one in run if not whys[one.number]]
        if ports := {port for one in able for port in simplex(one.at)}:
            after = keep_dark(fabric, block=ports if dark else (), release=() if dark else ports)
            seen = Seen({**seen.ports, **after.ports}, {**seen.silent, **after.silent})
    did = [one for one in able if _is_held(one, seen, dark=dark)]
    for one in able:
        if one not in did:
            whys[one.number] = _not_held(one, seen, dark=dark)
    _keep(order, did, seen, {number: why for number, why in whys.items() if why})
    return whys[run[0].number]


def _why_not(order: WorkOrder, step: Step, seen: Seen) -> str:
    """Why the port of a step must not be blocked or released now; empty where it may."""
    if silent := seen.silent.get(step.device):
        return silent.what
    if step.do == Do.RELEASE:
        return "" if simplex(step.at)[0] in seen.ports else may_block(step, seen.ports)
    return unmet(order, step.need, dead=()) or may_block(step, seen.ports)


def _keep(order: WorkOrder, did: Sequence[Step], seen: Seen, whys: Mapping[int, str]) -> None:
    """The fabric did some of a run, and said why not of others; its ports were read now."""
    with transaction.atomic():
        there = held(order)
        before = progress = progress_of(there)
        for step in did:
            progress = progress.did(step)
        ports = {step.at for step in did}
        for step in progress.order.steps:
            if step.guarded and step.do in TOUCHES and step.at in ports:
                progress, _ = lock_or_unlock(there, progress, step, seen)
        keep_steps(there, before, progress, why=whys)


def run_of(progress: Progress, first: Step) -> list[Step]:
    """Steps of one kind in a row that a crew has before it."""
    run = []
    for step in progress.order.steps[first.number - 1 :]:
        if step.crew != first.crew or progress.steps[step.number - 1] in SETTLED:
            continue
        if step.do != first.do:
            break
        run.append(step)
    return run


def _is_held(step: Step, seen: Seen, *, dark: bool) -> bool:
    shown = [seen.ports.get(port) for port in simplex(step.at)]
    return all(port is not None and port.blocked == dark for port in shown)


def _not_held(step: Step, seen: Seen, *, dark: bool) -> str:
    if silent := seen.silent.get(step.device):
        return silent.what
    return f"its switch does not {'block' if dark else 'release'} it"
