"""An order as the core knows it, read from its rows."""

from collections.abc import Collection, Mapping
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from fabric_twin.core.orders.life import OrderIs, StepIs
from fabric_twin.core.orders.order import WorkOrder as CoreOrder
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.reports import Answer, Report, Told
from fabric_twin.models import OrderStep, StepReport, WorkOrder
from fabric_twin.operations.orders.unmet_needs import waits


def core_of(order: WorkOrder) -> CoreOrder:
    """An order as the core knows it. Its steps never change, so it is read once in a process."""
    return _core(order.pk)


@lru_cache(32)
def _core(key: UUID) -> CoreOrder:
    facts = WorkOrder.objects.values_list("facts", flat=True).get(pk=key)
    steps = OrderStep.objects.filter(order=key).order_by("number")
    return CoreOrder.from_json({**facts, "steps": list(steps.values_list("facts", flat=True))})


def progress_of(order: WorkOrder, ids: Collection[str] = ()) -> Progress:
    """How far an order is, with the reports of these ids that were taken."""
    steps = OrderStep.objects.filter(order=order).order_by("number")
    core = core_of(order)
    left = waits(order, core.needs) if core.needs else {}
    return Progress(
        core,
        OrderIs(order.state),
        order.assignee.username if order.assignee else "",
        tuple(map(StepIs, steps.values_list("state", flat=True))),
        _reports(order, ids) if ids else {},
        frozenset(need.name for need in core.needs if need.name not in left),
    )


def _reports(order: WorkOrder, ids: Collection[str]) -> Mapping[str, tuple[Report, Answer]]:
    """What was taken before; what was refused may be said again."""
    rows = StepReport.objects.filter(order=order, said_id__in=list(ids), taken=True)
    return {
        row.said_id: (
            Report(
                id=row.said_id,
                step=row.step,
                told=Told(row.told),
                by=row.by.username if row.by else "",
                at=stamp(row.at),
                scanned=row.scanned,
                reason=row.reason,
            ),
            Answer(True, StepIs(row.answer["state"])),
        )
        for row in rows.select_related("by")
    }


def stamp(at: datetime) -> float:
    """A moment in seconds since 1970, to the millisecond: so a report equals what is kept of it."""
    return round(at.timestamp(), 3)
