"""Release every port that an order blocked, once the order has ended, however that came.

    ended, withdrawn --> what the fabric blocked for it and did not release --> released
                         but for what another ticket or order has reserved since

That a release is settled says nothing: only what the fabric did is believed. Asked for at the end,
and by every audit, so that no port is forgotten when a worker dies between the two.
"""

from typing import Any

from django.db import transaction
from django.utils import timezone

from fabric_twin.core.orders.life import StepIs
from fabric_twin.core.orders.ports import simplex
from fabric_twin.core.orders.steps import Do, End
from fabric_twin.models import OrderStep, Reservation, WorkOrder
from fabric_twin.models.work_order import ENDED
from fabric_twin.operations.orders.fabric.prepare_port import run_of
from fabric_twin.operations.orders.fabric.read_port import fabric_of
from fabric_twin.operations.orders.record import core_of, held, progress_of
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.reservations import port_names
from fabric_twin.repositories.states import update_state
from fabric_twin.services.orders.keep_dark import keep_dark

#: A release that the fabric did itself.
_RELEASED = {"do": Do.RELEASE, "state": StepIs.DONE, "done_by": None}


def release_all(order: WorkOrder) -> int:
    """Release every port that an ended order still blocks.

    Also of those that a worker may have blocked and was killed before it said so. What another
    ticket or order has reserved meanwhile is left to it. How many ports it were.
    """
    record = PodRecord(order.pod)
    blocked = _kept_dark(order)
    mine = blocked - port_names(Reservation.objects.filter(switch__pod=order.pod_id))
    if mine:
        with fabric_of(record, {device for device, _ in mine}) as fabric:
            answers = keep_dark(fabric, release=mine)
        answers.check_released(mine)
    released = [
        step.number
        for step in core_of(order).steps
        if step.do == Do.RELEASE and blocked.issuperset(simplex(step.at))
    ]
    with transaction.atomic():
        rows = held(order).steps.filter(number__in=released)
        update_state(rows, StepIs.DONE, done_by=None, done_at=timezone.now())
    return len(mine)


def _kept_dark(order: WorkOrder) -> set[End]:
    """Simplex ports that are blocked by steps that were done, or that a crew has come to."""
    progress, found = progress_of(order), set[End]()
    released = set(order.steps.filter(**_RELEASED).values_list("number", flat=True))
    for step in progress.order.steps:
        if step.do == Do.BLOCK and progress.steps[step.number - 1] == StepIs.DONE:
            found.update(simplex(step.at))
        elif step.number in released:
            found.difference_update(simplex(step.at))
    for crew in range(1, progress.order.crews + 1):
        first = progress.next(crew)
        if first is not None and first.do == Do.BLOCK:
            found.update(port for one in run_of(progress, first) for port in simplex(one.at))
    return found


def still_dark(pod: Any) -> list[WorkOrder]:
    """Ended orders with ports that the fabric still blocks for them."""
    rows = OrderStep.objects.filter(order__pod=pod, order__state__in=ENDED)
    blocked = rows.filter(do=Do.BLOCK, state=StepIs.DONE).values_list("order", "facts__device")
    kept = rows.filter(do=Do.RELEASE).exclude(**_RELEASED).values_list("order", "facts__device")
    keys = {order for order, _ in {*blocked.order_by()} & {*kept.order_by()}}
    found = WorkOrder.objects.filter(pk__in=keys).select_related("pod", "assignee")
    return [order for order in found if _kept_dark(order)]
