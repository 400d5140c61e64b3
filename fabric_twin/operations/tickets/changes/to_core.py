"""What is carried out of a ticket, as the core knows it: read from its plan."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fabric_twin.core.circuits.plans import Circuit, Stage
from fabric_twin.core.tickets.called import called
from fabric_twin.core.tickets.course import Course, Direction, OnFailure, Position
from fabric_twin.models import Ticket
from fabric_twin.operations.tickets.changes.circuits import TicketCircuits
from fabric_twin.operations.tickets.changes.effects import Effects


@dataclass(frozen=True)
class Changes:
    """All that a ticket changes, read once from its plan."""

    course: Course
    #: Which circuits the inventory wants while it is carried out.
    circuits: TicketCircuits
    #: What else it changes in the records.
    effects: Effects
    #: What its plan took for granted of the records.
    present: Mapping[str, Any]
    #: Whether somebody confirms of each stage that its links carry nothing.
    drains_links: bool = False
    #: The day whose demand it follows (`demand`; none is the last), if it follows any.
    follows: Mapping[str, Any] = field(default_factory=dict)


def changes_of(ticket: Ticket) -> Changes:
    """All that it changes."""
    course, plan = course_of(ticket), ticket.plan
    circuits = TicketCircuits(ticket.pod, course, plan.get("records", {}))
    effects = Effects(ticket.pod, plan.get("effects", ()))
    present, drains_links = plan.get("present", {}), plan.get("drains_links", False)
    follows = {"demand": plan["demand"]} if "demand" in plan else {}
    return Changes(course, circuits, effects, present, drains_links, follows)


def course_of(ticket: Ticket) -> Course:
    """Its stages, and how they are to be done."""
    end = ticket.window_end
    return Course(
        ticket.name,
        tuple(_stage(stage) for stage in ticket.plan.get("stages", ())),
        OnFailure(ticket.on_failure),
        ticket.most_bad,
        end.timestamp() if end else None,
        frozenset((switch, a, b) for switch, a, b in ticket.dark),
        ticket.plan.get("drains_links", False),
        called(ticket.plan),
    )


def position_of(ticket: Ticket) -> Position:
    """How far it is."""
    return Position(ticket.stage, Direction(ticket.direction), ticket.tries)


def columns_of(position: Position) -> dict[str, Any]:
    """The same for the database."""
    return {
        "stage": position.stage,
        "direction": str(position.direction),
        "tries": position.tries,
    }


def _stage(facts: Mapping[str, Any]) -> Stage:
    return Stage(*(tuple(_circuit(row) for row in facts[name]) for name in ("remove", "add")))


def _circuit(row: Mapping[str, str]) -> Circuit:
    return Circuit(row["switch"], row["a"], row["b"], row.get("owner", ""))
