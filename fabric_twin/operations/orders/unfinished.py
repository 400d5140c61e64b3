"""What an order leaves: steps that cannot be done, and the findings that nobody mended with it.

An order is done without them. Its findings are released, for another order; or somebody opens it
again, and what could not be done is given again.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from django.db.models import Q
from nautobot.users.models import User

from fabric_twin.core.orders.life import StepIs
from fabric_twin.core.orders.materials import used
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.steps import Do, Step
from fabric_twin.models import Finding, OrderStep, Stock, WorkOrder
from fabric_twin.operations.audits.finding_life import release_findings, take
from fabric_twin.operations.orders.record import keep_steps, progress_of
from fabric_twin.operations.tickets.finding_holders import without_tickets

#: Steps that a sentence names.
_MOST = 3


def left_of(order: WorkOrder) -> list[OrderStep]:
    """The steps that cannot be done, with their reasons."""
    rows = OrderStep.objects.filter(order=order, state=StepIs.CANNOT).exclude(do=Do.CHECK)
    return list(rows.select_related("done_by").order_by("number"))


def left_in_words(order: WorkOrder) -> str:
    """What is left, in a sentence; empty where nothing is."""
    rows = left_of(order)
    if not rows:
        return ""
    said = [f"step {row.number} ({Step.from_json(row.facts)}): {row.why}" for row in rows[:_MOST]]
    more = f"; and {len(rows) - _MOST} more" if len(rows) > _MOST else ""
    return f"done, but for {'; '.join(said)}{more}"


def release_order_findings(order: WorkOrder, user: User | None = None) -> None:
    """What the order does not mend is as it was before."""
    release_findings(Finding.objects.filter(pod=order.pod), order.name, user)


def take_findings_again(order: WorkOrder, user: User | None = None) -> None:
    """What nobody works on meanwhile is being worked on by the order again."""
    take(without_tickets(order.findings.all()), order.name, user)


def give_again(order: WorkOrder) -> None:
    """Everything that could not be done is tried once more; the caller holds the order."""
    before = progress_of(order)
    keep_steps(order, before, before.again(before.undone))


def without_aside(order: WorkOrder, progress: Progress, found: Any) -> Any:
    """Findings but for those that the order is done without."""
    for bundle in progress.set_aside:
        places = progress.aside(bundle)
        at = Q(pk__in=[])
        for device, port in sorted(places):
            at |= Q(places__device_name=device, places__port_name=port)
        found = found.exclude(pk__in=Finding.objects.filter(at, pod=order.pod_id).values("pk"))
        found = found.exclude(key=progress.order.by_bundle[bundle].finding or None)
    return found


def use_up(order: WorkOrder) -> None:
    """What the order took lies on no shelf any more; what it took before is counted once.

    Rungs of a remedy that were not due took nothing: their parts are available again.
    """
    progress = progress_of(order)
    put_in = (StepIs.DONE, StepIs.VERIFIED, StepIs.FAILED)
    pairs = zip(progress.order.steps, progress.steps, strict=True)
    tried = Counter(s.part for s, is_ in pairs if s.rung and s.part and is_ in put_in)
    taken = used(progress.order.materials, tried)
    taken.subtract(_spared(left_of(order)))
    before = Counter(order.facts.get("used", {}))
    for row in Stock.objects.filter(location=order.pod.location_id, part__in=taken):
        row.on_hand = max(0, row.on_hand - (taken[row.part] - before[row.part]))
        row.validated_save()
    order.facts = {**order.facts, "used": dict(taken)}
    WorkOrder.objects.filter(pk=order.pk).update(facts=order.facts)


def _spared(rows: Sequence[OrderStep]) -> Counter[str]:
    """Parts that were not put in."""
    sure = [row.facts for row in rows if not row.facts.get("rung")]
    return Counter(facts["part"] for facts in sure if facts.get("part"))
