"""What tickets are switching now: an audit says nothing of it until that is over."""

from datetime import datetime

from django.db.models import Q

from fabric_twin.core.rule import Column
from fabric_twin.core.tickets.life import State
from fabric_twin.operations.tickets.changes.to_core import course_of, position_of
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.ports_out import simplex_ports


def ports_under_way(record: PodRecord) -> Column:
    """Simplex ports of the stages that running tickets are at, as `core/diagnosis` counts them.

    All other ports of a ticket are judged: what is wanted of them follows its stages.
    """
    numbers = {name: number for number, (_, name, _) in record.switches.items()}
    found: set[tuple[int, str]] = set()
    for ticket in record.pod.tickets.filter(state=State.RUNNING).select_related("pod"):
        course, stage = course_of(ticket), position_of(ticket).stage
        if not 1 <= stage <= len(course.stages):
            continue
        of = course.stages[stage - 1]
        for circuit in (*of.remove, *of.add):
            if circuit.switch in numbers:
                found |= {(numbers[circuit.switch], port) for port in (circuit.a, circuit.b)}
    return simplex_ports(record, found)


def switches_under_way(record: PodRecord, since: datetime) -> frozenset[str]:
    """Switches that a ticket changes now, or has changed since a moment: it saw them later."""
    later = Q(state=State.RUNNING) | Q(ended__gt=since)
    tickets = record.pod.tickets.filter(later).select_related("pod")
    return frozenset(name for ticket in tickets for name in course_of(ticket).switches)
