"""The tickets that concern a record: those that hold something of it, and those that did."""

from typing import Any

from django.db.models import Q

from fabric_twin.models import Cube, Slice, Switch, Ticket
from fabric_twin.models.ticket import ENDED


def tickets_of_slice(made: Slice) -> Any:
    """What made it, moves it, interrupts it or lets it go."""
    named = Q(pod=made.pod_id) & Q(blast__slices__contains=[made.name])
    return _in_order(Q(slice=made) | named)


def tickets_of_switch(switch: Switch) -> Any:
    """What holds a port of it, and what changed its circuits."""
    name = switch.device.name
    changed = Q(plan__contains={"add": [{"switch": name}]})
    changed |= Q(plan__contains={"remove": [{"switch": name}]})
    return _in_order(Q(pod=switch.pod_id) & changed)


def tickets_of_cube(cube: Cube) -> Any:
    """What holds it, or took it into a slice or out of one."""
    slot = {"cubes": [{"slot": cube.slot}]}
    took = Q()
    for key in ("slice", "from", "to"):
        took |= Q(plan__contains={"effects": [{key: slot}]})
    took |= Q(plan__contains={"effects": [{"do": "set-slot-status", "slot": cube.slot}]})
    holds = Ticket.objects.filter(reservations__cube=cube).values("pk")
    return _in_order(Q(pod=cube.pod_id) & took | Q(pk__in=holds))


def open_tickets(tickets: Any) -> Any:
    """Those that hold their ports."""
    return tickets.exclude(state__in=ENDED)


def _in_order(which: Q) -> Any:
    return Ticket.objects.filter(which).defer("plan").order_by("-created")
