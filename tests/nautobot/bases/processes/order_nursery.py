"""A process that forks the writers of reports, each to be killed at a step.

As `ticket_nursery.py`, with other deeds: a report is taken as the web server does, and what comes
next is done as a worker does.
"""

import os
import signal
import sys
from typing import Any

from tests.nautobot.bases.processes.ticket_nursery import DO, main


def make_order() -> str:
    """An order that brings cube 3, under way."""
    from fabric_twin.core.orders.order import Kind
    from fabric_twin.models import Pod
    from fabric_twin.operations.orders.lifecycle import assign_order, make_order, start_order
    from fabric_twin.operations.orders.propose import OrderWish

    wish = OrderWish(kind=Kind.INSTALL, slots=(3,))
    order = make_order(Pod.objects.get(), wish, _ada())
    assign_order(order, _ada(), assignee=_ada())
    return str(start_order(order, _ada()).name)


def hands_come_to(kind: str) -> int:
    """Say that everything before the first step of a kind is done; its number."""
    from fabric_twin.core.orders.life import SETTLED
    from fabric_twin.operations.orders.reports.take_reports import take_reports

    order = _order()
    left = order.steps.exclude(state__in=SETTLED).order_by("number")
    first = left.filter(do=kind).first()
    said = [_report(step, f"before {step.number}") for step in left.filter(number__lt=first.number)]
    assert all(answer.taken for answer in take_reports(order, _ada(), said))
    return int(first.number)


def report(number: int, step: str = "") -> dict[str, Any]:
    """Send what a phone says of a step; die at a step of the writing."""
    from fabric_twin.operations.orders.reports import take_reports as written

    for name in ("keep_steps", "take_effect", "_tell"):
        _hear(written, name, step)
    said = _report(_order().steps.get(number=number), f"phone {number}")
    [answer] = written.take_reports(_order(), _ada(), [said])
    _die_at("answer", step)
    return {"taken": answer.taken, "again": answer.again, "state": str(answer.state)}


def advance(step: str = "") -> str:
    """Do the fabric's part, as a worker does; die at a step of it."""
    from fabric_twin.operations.orders.fabric import prepare_port as order_fabric
    from fabric_twin.operations.orders.fabric.advance import advance as go_on

    _hear(order_fabric, "keep_dark", step)
    _hear(order_fabric, "keep_steps", step)
    return go_on(_order())


def order_facts(number: int) -> dict[str, Any]:
    """What is kept of a step, of what was said of it, and of its cable."""
    from nautobot.dcim.models import Cable

    order = _order()
    step = order.steps.get(number=number)
    cables = Cable.objects.filter(label=step.cable)
    said = order.reports.filter(step=number)
    return {
        "state": step.state,
        "reports": said.count(),
        "taken": said.filter(taken=True).count(),
        "cables": [[str(one.status), one.terminations.count()] for one in cables],
    }


def dark() -> dict[str, Any]:
    """Which ports the order says are kept dark, and which the switches keep so."""
    from fabric_twin.core.orders.steps import Do
    from fabric_twin.services.orders.keep_dark import see_ports
    from tests.nautobot.bases.processes.ticket_nursery import open_switches

    steps = _order().steps.filter(do=Do.BLOCK, state="done")
    said = sorted((one.facts["device"], one.facts["port"]) for one in steps)
    with open_switches() as fabric:
        seen = see_ports(fabric, fabric.switches)
    shown = sorted(port for port, is_ in seen.ports.items() if is_.blocked)
    return {"said": said, "shown": shown}


def _order() -> Any:
    """The order; no worker is called for it but ours."""
    from fabric_twin.models import WorkOrder
    from fabric_twin.operations import dispatch

    dispatch.advance_soon = lambda _order: None
    return WorkOrder.objects.select_related("pod", "assignee").get()


def _ada() -> Any:
    from django.contrib.auth import get_user_model

    return get_user_model().objects.get(username="ada")


def _report(step: Any, name: str) -> Any:
    from fabric_twin.core.orders.reports import Report, Told

    scanned = step.cable if step.do == "scan" else ""
    return Report(id=name, step=step.number, told=Told.DONE, at=1.0, scanned=scanned)


def _hear(module: Any, name: str, step: str) -> None:
    """Die before or after a function of the module."""
    inner = getattr(module, name)

    def outer(*arguments: Any, **named: Any) -> Any:
        _die_at(f"before {name}", step)
        result = inner(*arguments, **named)
        _die_at(f"after {name}", step)
        return result

    setattr(module, name, outer)


def _die_at(here: str, step: str) -> None:
    if here == step:
        os.kill(os.getpid(), signal.SIGKILL)


DO.update(
    {one.__name__: one for one in (make_order, hands_come_to, report, advance, order_facts, dark)}
)

if __name__ == "__main__":
    main(*sys.argv[1:])
