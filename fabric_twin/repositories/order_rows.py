"""An order between its rows and the core: its steps, and where each of them stands."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone

from fabric_twin.core.errors import NotPermitted
from fabric_twin.core.orders.life import SETTLED, OrderIs, StepIs
from fabric_twin.core.orders.order import WorkOrder as CoreOrder
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.reports import Answer, Report, Told
from fabric_twin.core.orders.steps import BY_FABRIC, Do, End, Step
from fabric_twin.models import OrderEvent, OrderStep, StepReport, WorkOrder
from fabric_twin.repositories.after_commit import after_commit
from fabric_twin.repositories.needed import waits
from fabric_twin.repositories.reading import PodRecord
from fabric_twin.repositories.rows import Writer

#: Sent with `order` (its key) when one of its crews has come to what the fabric does.
fabric_is_due = Signal()
#: By bundle: when each of its steps was done and how often reported; whether its needs are met.
Hands = Mapping[str, tuple[object, ...]]
#: The lines of history that say what light said.
AGREES, WRONG = "light agrees", "light refuses"


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


def keep_steps(
    order: WorkOrder,
    before: Progress,
    after: Progress,
    *,
    who: Any = None,
    at: Mapping[int, datetime] | None = None,
    why: Mapping[int, str] | None = None,
) -> list[int]:
    """Write the steps that changed; their numbers."""
    alike: dict[tuple[StepIs, datetime | None, str], list[int]] = defaultdict(list)
    why = why or {}
    changed = []
    for number, (was, now) in enumerate(zip(before.steps, after.steps, strict=True), 1):
        if was != now:
            changed.append(number)
        if was != now or number in why:
            alike[now, (at or {}).get(number), why.get(number, "")].append(number)
    for (state, done_at, reason), numbers in alike.items():
        facts: dict[str, Any] = {"state": state, "why": reason}
        if state in (StepIs.DONE, StepIs.CANNOT):
            facts |= {"done_by": who, "done_at": done_at or timezone.now(), "verified_at": None}
        elif state == StepIs.VERIFIED:
            facts["verified_at"] = timezone.now()
        elif state in (StepIs.WAITING, StepIs.LOCKED):
            facts |= {"done_by": None, "done_at": None, "verified_at": None}
        OrderStep.objects.filter(order=order, number__in=numbers).update(**facts)
    return changed


def write_steps(order: WorkOrder, core: CoreOrder, record: PodRecord) -> None:
    """All steps of a new order at once, each with what it is about."""
    ports, devices, racks = _places(record)
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


def _places(
    record: PodRecord,
) -> tuple[Mapping[End, UUID], Mapping[str, UUID], Mapping[str, UUID]]:
    """Ports, devices and racks of a pod by name."""
    rows = record.pod.ports.order_by().values_list(
        "pk",
        "interface__name",
        "interface__device__name",
        "interface__device_id",
        "interface__device__rack__name",
        "interface__device__rack_id",
    )
    ports: dict[End, UUID] = {}
    devices: dict[str, UUID] = {}
    racks: dict[str, UUID] = {}
    for pk, port, device, device_pk, rack, rack_pk in rows:
        ports[device, port] = pk
        devices[device] = device_pk
        racks[rack] = rack_pk
    return ports, devices, racks


def say(order: WorkOrder, what: str, said: str = "", who: Any = None) -> None:
    """One more line of an order's history; whoever writes it holds the order."""
    number = OrderEvent.objects.filter(order=order).count() + 1
    OrderEvent.objects.create(
        order=order, number=number, at=timezone.now(), who=who, what=what, said=said
    )


def held(order: WorkOrder | UUID) -> WorkOrder:
    """The order as it stands, held until the transaction ends."""
    assert transaction.get_connection().in_atomic_block  # noqa: S101  # else nothing is held
    key = order.pk if isinstance(order, WorkOrder) else order
    found: WorkOrder = (
        WorkOrder.objects.select_for_update(of=("self",))
        .select_related("pod", "assignee")
        .get(pk=key)
    )
    return found


def held_by(order: WorkOrder, user: Any, action: str) -> WorkOrder:
    """The same, if the user may do this to it."""
    require_to(order, user, action)
    return held(order)


def require_to(order: WorkOrder, user: Any, action: str) -> None:
    """Refuse a user who may not do this to an order."""
    allowed = user is None or WorkOrder.objects.restrict(user, action).filter(pk=order.pk).exists()
    if not allowed:
        raise NotPermitted(
            f"{user} may not {action} the order {order}",
            where=f"work order {order}",
            remedy=f"Ask for the permission fabric_twin.{action}_workorder",
        )


def ready(progress: Progress, *, aside: bool = False) -> list[str]:
    """Bundles that hands and tickets are done with, and that light has not agreed to.

    Those that are set aside are among them where somebody looks anyway.
    """
    settled = (StepIs.VERIFIED,) if aside else (StepIs.VERIFIED, StepIs.CANNOT)
    waits = {
        step.bundle or step.finding
        for step, state in zip(progress.order.steps, progress.steps, strict=True)
        if step.do != Do.CHECK and state not in SETTLED
    }
    return [
        step.bundle
        for step, state in zip(progress.order.steps, progress.steps, strict=True)
        if step.do == Do.CHECK
        and state not in settled
        and step.bundle not in waits
        and (not step.need or step.need in progress.met)
    ]


def hands_on(order: WorkOrder, progress: Progress) -> Hands:
    """What hands and tickets have done of each bundle, so that it shows whether they went on.

    Moments alone would not tell: clocks in the aisle are wrong, and a transaction that began
    earlier may end later.
    """
    rows = OrderStep.objects.filter(order=order).order_by()
    done_at = dict(rows.values_list("number", "done_at"))
    # What was undone and done again in one message left no other trace.
    reports = StepReport.objects.filter(order=order, taken=True).order_by()
    said = Counter(reports.values_list("step", flat=True))
    found: dict[str, list[object]] = defaultdict(list)
    for step, state in zip(progress.order.steps, progress.steps, strict=True):
        for name in {step.bundle, step.finding} - {""}:
            if step.do == Do.CHECK:
                found[name].append(not step.need or step.need in progress.met)
            else:
                at = done_at[step.number] if state in SETTLED else None
                found[name].append((at, said[step.number]))
    return {name: tuple(done) for name, done in found.items()}


def call_fabric(order: WorkOrder, progress: Progress) -> None:
    """Once the transaction is over: a crew has come to what the fabric does."""
    crews = range(1, progress.order.crews + 1)
    if any((step := progress.next(crew)) and step.do in BY_FABRIC for crew in crews):
        have_fabric(order)


def have_fabric(order: WorkOrder) -> None:
    """Once the transaction is over, the fabric does its part."""
    after_commit(fabric_is_due.send, WorkOrder, order=order.pk)


def numbers(rows: Iterable[int]) -> str:
    """Numbers of steps in words."""
    found = list(rows)
    return ", ".join(map(str, found[:5])) + (" ..." if len(found) > 5 else "")
