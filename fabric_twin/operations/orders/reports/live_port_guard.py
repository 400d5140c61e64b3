"""Guard against work on live fibre: a step that is reported is compared with its port.

    reported now      read again: refused, and locked, unless it is dark and in no circuit
    reported late     the port was touched whatever is shown now: taken, and noted in the history

The ports that the reports of one request concern are read at once, before anything is written.
"""

from collections.abc import Collection, Mapping

from fabric_twin.core.orders.life import StepIs
from fabric_twin.core.orders.port_lock import locked
from fabric_twin.core.orders.reports import Report, Told
from fabric_twin.core.orders.steps import TOUCHES, Step
from fabric_twin.models import OrderStep, WorkOrder
from fabric_twin.operations.orders.fabric.read_port import see_at_once
from fabric_twin.services.orders.keep_dark import Seen

#: Steps at which a technician may be now.
AT_HAND = (StepIs.WAITING, StepIs.FAILED)


def not_dark(order: WorkOrder, reports: Collection[Report]) -> Mapping[int, str]:
    """Of the steps that are said to be done: those whose port is not dark now, and why."""
    rows = OrderStep.objects.filter(
        order=order,
        number__in={report.step for report in reports if report.told == Told.DONE},
        do__in=TOUCHES,
        state__in=AT_HAND,
        facts__guarded=True,
    )
    here = list(rows.values_list("facts", "device_id"))
    if not here:
        return {}
    seen = see_at_once({device for _, device in here})
    whys = {step.number: _why(step, seen) for step in (Step.from_json(facts) for facts, _ in here)}
    return {number: why for number, why in whys.items() if why}


def _why(step: Step, seen: Seen) -> str:
    why, silent = locked(step, seen.ports), seen.silent.get(step.device)
    return f"{why}: {silent.what}" if why and silent else why
