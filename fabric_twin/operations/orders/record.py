"""An order between its rows and the core: held, read, and its steps written back.

held, held_by     until the transaction ends, for a user who may
core_of           what it is about, which never changes
progress_of       how far it is
keep_steps        the steps that changed
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.errors import NotPermitted
from fabric_twin.core.orders.life import OrderIs, StepIs
from fabric_twin.core.orders.order import WorkOrder as CoreOrder
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.reports import Answer, Report, Told
from fabric_twin.models import OrderStep, StepReport, WorkOrder
from fabric_twin.operations.orders.unmet_needs import waits
from fabric_twin.repositories.states import update_state


def held(order: WorkOrder | UUID) -> WorkOrder:
    """The order as it is now, locked until the transaction ends."""
    assert transaction.get_connection().in_atomic_block  # noqa: S101  # else nothing is held
    key = order.pk if isinstance(order, WorkOrder) else order
    found: WorkOrder = (
        WorkOrder.objects.select_for_update(of=("self",))
        .select_related("pod", "assignee")
        .get(pk=key)
    )
    return found


def held_by(order: WorkOrder, user: User | None, action: str) -> WorkOrder:
    """The same, if the user may do this to it."""
    require_to(order, user, action)
    return held(order)


def require_to(order: WorkOrder, user: User | None, action: str) -> None:
    """Refuse a user who may not do this to an order."""
    allowed = user is None or WorkOrder.objects.restrict(user, action).filter(pk=order.pk).exists()
    if not allowed:
        raise NotPermitted(
            f"{user} may not {action} the order {order}",
            where=f"work order {order}",
            remedy=f"Ask for the permission fabric_twin.{action}_workorder",
        )


def core_of(order: WorkOrder) -> CoreOrder:
    """An order as the core knows it, read once in a process.

    What it is about never changes: the database refuses that (`twin_facts_are_kept`).
    """
    return _core(order.pk)


@lru_cache(32)
def _core(key: UUID) -> CoreOrder:
    facts = WorkOrder.objects.values_list("facts", flat=True).get(pk=key)
    steps = OrderStep.objects.filter(order=key).order_by("number")
    return CoreOrder.from_json({**facts, "steps": list(steps.values_list("facts", flat=True))})


def progress_of(order: WorkOrder, ids: Collection[str] = ()) -> Progress:
    """How far an order is, with the reports of these ids that were taken."""
    steps = OrderStep.objects.filter(order=order).order_by("number")
    core, reports = core_of(order), _reports(order, ids) if ids else {}
    left = waits(order, core.needs) if core.needs else {}
    return Progress(
        core,
        OrderIs(order.state),
        order.assignee.username if order.assignee else "",
        tuple(map(StepIs, steps.values_list("state", flat=True))),
        reports,
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


def keep_steps(
    order: WorkOrder,
    before: Progress,
    after: Progress,
    *,
    who: User | None = None,
    at: Mapping[int, datetime] | None = None,
    why: Mapping[int, str] | None = None,
) -> list[int]:
    """Write the steps that changed; their numbers."""
    alike: dict[tuple[StepIs, datetime | None, str, bool], list[int]] = defaultdict(list)
    why = why or {}
    changed = []
    for number, (was, now) in enumerate(zip(before.steps, after.steps, strict=True), 1):
        if was != now:
            changed.append(number)
        if was != now or number in why:
            # What light refused was done before, unless it is reported again.
            is_old = (was, now) == (StepIs.FAILED, StepIs.DONE) and number not in (at or {})
            alike[now, (at or {}).get(number), why.get(number, ""), is_old].append(number)
    for (state, done_at, reason, is_old), numbers in alike.items():
        facts: dict[str, Any] = {"why": reason}
        if is_old:
            facts["verified_at"] = None
        elif state in (StepIs.DONE, StepIs.CANNOT):
            facts |= {"done_by": who, "done_at": done_at or timezone.now(), "verified_at": None}
        elif state == StepIs.VERIFIED:
            facts["verified_at"] = timezone.now()
        elif state in (StepIs.WAITING, StepIs.LOCKED):
            facts |= {"done_by": None, "done_at": None, "verified_at": None}
        rows = OrderStep.objects.filter(order=order, number__in=numbers)
        update_state(rows, state, **facts)
    return changed
