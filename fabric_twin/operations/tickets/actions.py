"""What a user can do with a ticket now: one list, for pages, for REST, and for who does it.

What is listed may still be refused when it is done: only then everything is looked at.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError, UnusableInput
from fabric_twin.core.tickets.life import Action, State, allowed
from fabric_twin.core.tickets.words import some
from fabric_twin.models import Slice, Ticket
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.approval import check_answer, waiting_stage
from fabric_twin.operations.tickets.changes.drains import not_drained
from fabric_twin.operations.tickets.drafts.make import confirm_drained
from fabric_twin.operations.tickets.drafts.revise import revise_ticket
from fabric_twin.operations.tickets.drafts.terms import Terms
from fabric_twin.operations.tickets.history import (
    authors_of,
    has_asked_for_undo,
    has_ended_since_hastened,
    may_be_undone,
)


@dataclass(frozen=True, kw_only=True)
class Order:
    """What is said and given with an action."""

    said: str = ""
    #: Another window than the ticket has; what is None there is left open.
    window: Terms | None = None
    slices: tuple[str, ...] = ()


#: An action on a ticket by a user; the answer is the ticket as it is then, or its revision.
Do = Callable[[Ticket, Any, Order], Ticket]


@dataclass(frozen=True)
class Deed:
    """Something that people do with tickets."""

    name: str
    #: The permission's action, asked of this very ticket.
    needs: str
    do: Do
    #: The states in which it can be done; empty where a state alone does not say.
    states: frozenset[State] = frozenset()
    must_say: bool = False
    #: Whether somebody decides about what the ticket changes, and so is shown all of it.
    decides: bool = False


def _drained(ticket: Ticket, user: User, order: Order) -> Ticket:
    """Confirm the slices that are named, all of them or none."""
    if not order.slices:
        raise UnusableInput(
            "no slice is named that runs nothing",
            where=f"ticket {ticket.name}",
            remedy=f"Name each of them: {some(not_drained(ticket)) or 'none is left to confirm'}",
        )
    rows = Slice.objects.filter(pod=ticket.pod_id, name__in=order.slices)
    named = {made.name: made for made in rows}
    with transaction.atomic():
        for name in order.slices:
            if name not in named:
                raise UnusableInput(
                    f"there is no slice {name[:60]} in pod {ticket.pod.name}",
                    where=f"ticket {ticket.name}",
                    remedy="Name slices that the ticket interrupts",
                )
            confirm_drained(ticket, named[name], user, order.said)
    again: Ticket = Ticket.objects.get(pk=ticket.pk)
    return again


def _in(action: Action) -> frozenset[State]:
    return frozenset(state for state in State if action in allowed(state))


_BEFORE = frozenset({State.DRAFT, State.SUBMITTED, State.APPROVED, State.SCHEDULED})
DEEDS: tuple[Deed, ...] = (
    Deed(
        "submit",
        "change",
        lambda t, u, o: life.submit(t, u, o.said),
        _in(Action.SUBMIT),
    ),
    Deed(
        "approve",
        "view",
        lambda t, u, o: life.approve(t, u, o.said),
        _in(Action.APPROVE),
        decides=True,
    ),
    Deed(
        "deny",
        "view",
        lambda t, u, o: life.deny(t, u, o.said),
        _in(Action.DENY),
        must_say=True,
        decides=True,
    ),
    Deed(
        "emergency",
        "emergency",
        lambda t, u, o: life.hasten(t, u, o.said),
        _in(Action.HASTEN),
        must_say=True,
        decides=True,
    ),
    Deed(
        "review",
        "change",
        lambda t, u, o: life.review(t, u, o.said),
        must_say=True,
        decides=True,
    ),
    Deed(
        "confirm-drained",
        "change",
        _drained,
        _BEFORE | {State.DONE},
    ),
    Deed(
        "schedule",
        "run",
        lambda t, u, o: life.schedule(t, u, o.window),
        _in(Action.SCHEDULE),
    ),
    Deed(
        "start",
        "run",
        lambda t, u, _: life.start(t, u),
        frozenset({State.APPROVED, State.SCHEDULED}),
    ),
    Deed(
        "stop",
        "run",
        lambda t, u, o: life.stop(t, u, o.said),
        frozenset({State.RUNNING}),
    ),
    Deed(
        "resume",
        "run",
        lambda t, u, o: life.resume(t, u, o.said),
        _in(Action.RESUME),
    ),
    Deed(
        "ask-undo",
        "run",
        lambda t, u, o: life.ask_undo(t, u, o.said),
        _in(Action.ASK_UNDO),
        must_say=True,
    ),
    Deed(
        "undo",
        "run",
        lambda t, u, o: life.undo(t, u, o.said),
        _in(Action.UNDO),
    ),
    Deed(
        "revise",
        "change",
        lambda t, u, o: revise_ticket(t, u, o.said),
        _BEFORE | {State.WITHDRAWN, State.UNDONE},
    ),
    Deed(
        "withdraw",
        "change",
        lambda t, u, o: life.withdraw(t, u, o.said),
        _in(Action.WITHDRAW),
    ),
)
BY_NAME: Mapping[str, Deed] = {deed.name: deed for deed in DEEDS}


def deed_named(name: str) -> Deed:
    """What is done under a name, or a refusal."""
    if name not in BY_NAME:
        raise UnusableInput(
            f"there is nothing called {name[:30]!r} to do with a ticket",
            where="ticket",
            remedy=f"Use one of {', '.join(BY_NAME)}",
        )
    return BY_NAME[name]


def possible(ticket: Ticket, user: User) -> list[Deed]:
    """What this user can do with the ticket as it stands, in the order of a ticket's life."""
    state = State(ticket.state)
    needs = {deed.needs for deed in DEEDS if not deed.states or state in deed.states}
    may = {action for action in needs if _may(ticket, user, action)}
    return [deed for deed in DEEDS if deed.needs in may and _is_open_to(deed, ticket, state, user)]


def _may(ticket: Ticket, user: User, action: str) -> bool:
    return bool(Ticket.objects.restrict(user, action).filter(pk=ticket.pk).exists())


def _is_open_to(deed: Deed, ticket: Ticket, state: State, user: User) -> bool:
    match deed.name:
        case "review":
            is_owed = ticket.emergency and ticket.reviewed_at is None and not state.is_open
            is_owed = is_owed and has_ended_since_hastened(ticket)
            return is_owed and user.username not in authors_of(ticket)
        case "approve" | "deny":
            return state in deed.states and _decides(ticket, user, Action(deed.name))
        case "revise":
            return state in deed.states and not Ticket.objects.filter(revises=ticket).exists()
        case "confirm-drained":
            awaits = state is not State.DONE or has_asked_for_undo(ticket)
            return state in deed.states and awaits and bool(not_drained(ticket))
    return state in deed.states and (state is not State.DONE or _is_open_of_done(deed, ticket))


def _is_open_of_done(deed: Deed, ticket: Ticket) -> bool:
    """Whether it can be done with one that is done: its undo is asked for, approved, begun."""
    asked, may = waiting_stage(ticket) is not None, may_be_undone(ticket)
    return {"ask-undo": not (asked or may), "undo": may, "emergency": asked}.get(deed.name, True)


def _decides(ticket: Ticket, user: User, action: Action) -> bool:
    """Whether the stage that Nautobot's workflow waits for is this user's to answer."""
    stage = waiting_stage(ticket)
    if stage is None:
        return False
    try:
        check_answer(stage, ticket, user, action)
    except FabricTwinError:
        return False
    return True
