"""Tickets as tests need them: written as records, before anybody plans or decides."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from fabric_twin.models import Pod, Ticket, TicketEvent, TicketStage

OWNER = "train-1"


def plan_of(pod: Pod, circuits: int = 2) -> dict[str, Any]:
    """A plan that joins so many pairs of ports of the pod's first switches."""
    switches = [switch.device.name for switch in pod.switches.order_by("number")[:12]]
    add = [
        {"switch": switches[n % len(switches)], "a": a, "b": b, "owner": OWNER}
        for n in range(circuits)
        for a, b in [(f"{n // len(switches) + 1}A", f"{n // len(switches) + 2}B")]
    ]
    note = {"interrupts": {}, "check": "all are tuned at both ends", "undo": "remove all"}
    return {
        "version": 1,
        "keep": 0,
        "remove": [],
        "add": add,
        "stages": [{"remove": [], "add": add}],
        "untouched_owners": [],
        "lower_bound": circuits,
        "effects": [],
        "notes": [note],
        "stranded": [],
    }


def write_ticket(pod: Pod, author: Any, number: int = 1, circuits: int = 2, **facts: Any) -> Ticket:
    """A ticket as a record, with its stage and a line of its history."""
    plan = plan_of(pod, circuits)
    ticket = Ticket.objects.create(
        pod=pod,
        number=number,
        author=author,
        **{
            "kind": "slice",
            "title": f"Slice {OWNER}",
            "plan": plan,
            "blast": {"slices": [OWNER], "owners": [OWNER], "links": 0},
            "window_start": timezone.now() + timedelta(days=1),
            **facts,
        },
    )
    TicketStage.objects.create(ticket=ticket, number=1, adds=circuits, switches=2)
    TicketEvent.objects.create(
        ticket=ticket, number=1, at=timezone.now(), who=author, what="make", said="wished for"
    )
    return ticket
