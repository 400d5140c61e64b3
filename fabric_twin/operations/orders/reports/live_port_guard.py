"""Hands on live fibre: what is said to be done at a switch's port is held against what it shows.

    reported now      read again: refused, and locked, unless it is dark and in no circuit
    reported late     hands have been there whatever is shown now: taken, and said in the history

The ports that the reports of one request concern are read at once, before anything is written.
"""

from collections.abc import Collection, Mapping

from django.utils import timezone

from fabric_twin.core.orders.life import Deed, StepIs, step_after
from fabric_twin.core.orders.port_lock import locked
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.reports import Answer, Report, Told
from fabric_twin.core.orders.steps import TOUCHES, Step
from fabric_twin.models import OrderStep, WorkOrder
from fabric_twin.operations.orders.fabric.prepare_port import fabric_of
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.services.orders.keep_dark import see_ports
from fabric_twin.switches.driver import Patience

#: Where a hand may be now.
_AT_HAND = (StepIs.WAITING, StepIs.FAILED)
#: What was done longer ago than this, in seconds, a port that is read now says nothing of.
LATE = 60.0
#: Somebody waits for the answer.
_PATIENCE = Patience(request=2.0, tries=1)


def not_dark(order: WorkOrder, reports: Collection[Report]) -> Mapping[int, str]:
    """Of the steps that are said to be done: those whose port is not dark now, and why."""
    rows = OrderStep.objects.filter(
        order=order,
        number__in={report.step for report in reports if report.told == Told.DONE},
        do__in=TOUCHES,
        state__in=_AT_HAND,
        facts__guarded=True,
    )
    steps = [Step.from_json(facts) for facts in rows.values_list("facts", flat=True)]
    devices = {step.device for step in steps}
    if not devices:
        return {}
    with fabric_of(PodRecord(order.pod), devices, _PATIENCE) as fabric:
        seen = see_ports(fabric, devices)
    whys = {step.number: locked(step, seen.ports) for step in steps}
    return {number: why for number, why in whys.items() if why}


def take_guarded(
    progress: Progress, report: Report, lit: Mapping[int, str]
) -> tuple[Progress, Answer]:
    """Take a report, unless somebody is at a port that is not dark now."""
    why = lit.get(report.step, "")
    known = report.id in progress.reports or report.told != Told.DONE
    if not why or known or is_late(report):
        return progress.take(report)
    state = progress.steps[report.step - 1]
    if state not in _AT_HAND:
        return progress.take(report)
    if state == StepIs.WAITING:
        progress = progress.but(report.step, step_after(state, Deed.LOCK))
    remedy = "Hands off; ask what comes next, and report it when the port is dark"
    said = f"step {report.step}: {why}. {remedy}."
    return progress, Answer(False, progress.steps[report.step - 1], said)


def is_late(report: Report) -> bool:
    """Whether it tells what was done some time ago, by its own clock."""
    return bool(report.at) and timezone.now().timestamp() - report.at > LATE
