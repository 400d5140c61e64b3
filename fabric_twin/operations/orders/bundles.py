"""Bundles of an order: which are ready for a light test, and how far work on each is."""

from collections import Counter, defaultdict
from collections.abc import Mapping

from fabric_twin.core.orders.life import SETTLED, StepIs
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.steps import Do
from fabric_twin.models import OrderStep, StepReport, WorkOrder

#: By bundle: when each of its steps was done and how often reported; whether its needs are met.
WorkDone = Mapping[str, tuple[object, ...]]


def ready(progress: Progress, *, aside: bool = False) -> list[str]:
    """Bundles whose manual steps and tickets are done, and that light has not verified.

    Those that are set aside are among them where somebody looks anyway.
    """
    settled = {StepIs.VERIFIED, StepIs.NOT_DUE} | (set() if aside else {StepIs.CANNOT})
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


def work_done(order: WorkOrder, progress: Progress) -> WorkDone:
    """How far work on each bundle is: it differs where work went on during a light test.

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
