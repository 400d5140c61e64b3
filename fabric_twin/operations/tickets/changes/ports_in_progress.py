"""What tickets are switching now: an audit leaves it out until that is over."""

from datetime import datetime

from django.db.models import Q

from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.tickets.life import State
from fabric_twin.operations.tickets.changes.to_core import course_of, position_of
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.ports_out import simplex_ports


def ports_under_way(record: PodRecord, since: datetime) -> Column:
    """Simplex ports of the stages that tickets are at, or were since a moment.

    They are numbered as `core/diagnosis` does. All other ports of a ticket are judged: what is
    wanted of them follows its stages.
    """
    numbers = {name: number for number, (_, name, _) in record.switches.items()}
    found: set[tuple[int, str]] = set()
    at_work = Q(state=State.RUNNING) | Q(stages__ended__gt=since)
    for ticket in record.pod.tickets.filter(at_work).distinct().select_related("pod"):
        course = course_of(ticket)
        stages = set(ticket.stages.filter(ended__gt=since).values_list("number", flat=True))
        if ticket.state == State.RUNNING:
            stages.add(position_of(ticket).stage)
        for number in stages & set(range(1, len(course.stages) + 1)):
            of = course.stages[number - 1]
            for circuit in (*of.remove, *of.add):
                if circuit.switch in numbers:
                    found |= {(numbers[circuit.switch], port) for port in (circuit.a, circuit.b)}
    return simplex_ports(record, found)


def switches_under_way(record: PodRecord, since: datetime) -> frozenset[str]:
    """Switches that a ticket changes now, or has changed since a moment: it saw them later."""
    later = Q(state=State.RUNNING) | Q(ended__gt=since)
    tickets = record.pod.tickets.filter(later).select_related("pod")
    return frozenset(name for ticket in tickets for name in course_of(ticket).switches)
