"""What a user can do with a ticket: one list, for pages, for REST, and for who does it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.db import transaction
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError, NotPermitted, UnusableInput
from fabric_twin.core.tickets.course import Position
from fabric_twin.core.tickets.drains import none_named
from fabric_twin.core.tickets.life import NEEDS_REASON, PERMISSION, REVIEW, Action, State, allowed
from fabric_twin.core.tickets.words import some
from fabric_twin.models import Slice, Ticket
from fabric_twin.operations.acts import Deed, Deeds, Given
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.approval import check_answer, is_approver, waiting_stage
from fabric_twin.operations.tickets.changes.drains import not_drained
from fabric_twin.operations.tickets.changes.link_drains import (
    awaits_link_drain,
    confirm_links_drained,
)
from fabric_twin.operations.tickets.drafts.make import confirm_drained
from fabric_twin.operations.tickets.drafts.revise import revise_ticket
from fabric_twin.operations.tickets.drafts.terms import Terms
from fabric_twin.operations.tickets.history import (
    authors_of,
    has_asked_for_undo,
    has_ended_since_hastened,
    may_be_undone,
)
from fabric_twin.operations.tickets.running.due import call_soon

#: Of slices, before a ticket begins; and of the links of one stage in a network.
CONFIRM_DRAINED, CONFIRM_LINKS = "confirm-drained", "confirm-links-drained"
#: Tickets that are dealt with in one go; and those about which somebody decides: they are read.
MANY, MOST_DECIDED = 100, 20
_BEFORE = frozenset({State.DRAFT, State.SUBMITTED, State.APPROVED, State.SCHEDULED})


@dataclass(frozen=True, kw_only=True)
class TicketGiven(Given):
    """What is said and given with an act on a ticket."""

    #: Another window than the ticket has; what is None there is left open.
    window: Terms | None = None
    slices: tuple[str, ...] = ()
    #: The step of which links are drained, as who confirms it saw it.
    step: Position | None = None


def _drained(ticket: Ticket, user: User, given: TicketGiven) -> Ticket:
    """Confirm the slices that are named, all of them or none."""
    if not given.slices:
        left = not_drained(ticket)
        raise UnusableInput(
            none_named(left, ticket.plan),
            where=f"ticket {ticket.name}",
            remedy=f"Name each of them: {some(left) or 'none is left to confirm'}",
        )
    rows = Slice.objects.filter(pod=ticket.pod_id, name__in=given.slices)
    named = {made.name: made for made in rows}
    with transaction.atomic():
        for name in given.slices:
            if name not in named:
                raise UnusableInput(
                    f"there is no slice {name[:60]} in pod {ticket.pod.name}",
                    where=f"ticket {ticket.name}",
                    remedy="Name slices that the ticket interrupts",
                )
            confirm_drained(ticket, named[name], user, given.said)
    again: Ticket = Ticket.objects.get(pk=ticket.pk)
    return again


def _links_drained(ticket: Ticket, user: User, given: TicketGiven) -> Ticket:
    """Confirm that the links of the next stage carry nothing, and go on."""
    with transaction.atomic():
        there = confirm_links_drained(ticket, given.step, user, given.said)
        call_soon(there)
    return there


def _is_owed_a_review(ticket: Ticket, user: User) -> bool:
    is_owed = ticket.emergency and ticket.reviewed_at is None and not State(ticket.state).is_open
    is_owed = is_owed and has_ended_since_hastened(ticket)
    return is_owed and user.username not in authors_of(ticket)


def _awaits_drains(ticket: Ticket, _user: User) -> bool:
    awaits = ticket.state != State.DONE or has_asked_for_undo(ticket)
    return awaits and bool(not_drained(ticket))


def _is_newest(ticket: Ticket, _user: User) -> bool:
    return not Ticket.objects.filter(revises=ticket).exists()


def _may_go_back(ticket: Ticket, _user: User) -> bool:
    return ticket.state != State.DONE or may_be_undone(ticket)


def _undo_is_not_asked_for(ticket: Ticket, _user: User) -> bool:
    return waiting_stage(ticket) is None and not may_be_undone(ticket)


def _is_to_be_hastened(ticket: Ticket, _user: User) -> bool:
    return ticket.state != State.DONE or waiting_stage(ticket) is not None


def _plans(ticket: Ticket, user: User) -> bool:
    """Whether it is this user's, or one of somebody who plans tickets.

    Nautobot's API wants of who approves that they may change tickets: that alone withdraws none.
    """
    return _may_plan(user) or user.username in authors_of(ticket)


def _may_plan(user: User) -> bool:
    """Whether tickets of others are this user's to withdraw, where the permission is given too."""
    return bool(user.has_perm("fabric_twin.add_ticket"))


def _planned_by(ticket: Ticket, user: User) -> Ticket:
    """The ticket, for a user who may revise and withdraw it."""
    may = Ticket.objects.restrict(user, "change").filter(pk=ticket.pk).exists()
    if may and not _plans(ticket, user):
        raise NotPermitted(
            f"it is not of {user}, who may add no tickets",
            where=f"ticket {ticket.name}",
            remedy="Deny it, or ask its author or somebody who may add tickets",
        )
    return ticket


def _decides(action: Action, ticket: Ticket, user: User) -> bool:
    """Whether the stage that Nautobot's workflow waits for is this user's to answer."""
    stage = waiting_stage(ticket)
    if stage is None:
        return False
    try:
        check_answer(stage, ticket, user, action)
    except FabricTwinError:
        return False
    return True


def _in(action: Action) -> frozenset[State]:
    return frozenset(state for state in State if action in allowed(state))


def _deed(
    action: Action,
    do: Callable[[Ticket, User, str], Ticket],
    if_also: Callable[[Ticket, User], bool] | None = None,
    *,
    name: str = "",
    decides: bool = False,
    most: int = 1,
    if_user: Callable[[User], bool] | None = None,
) -> Deed[Ticket, TicketGiven]:
    """An action of the table, which takes a word and nothing else."""
    return Deed(
        name or action,
        PERMISSION[action],
        lambda ticket, user, given: do(ticket, user, given.said),
        _in(action),
        if_also,
        needs_reason=action in NEEDS_REASON,
        decides=decides,
        most=most,
        if_user=if_user,
    )


TICKET_DEEDS: Deeds[Ticket, TicketGiven] = Deeds(
    Ticket,
    TicketGiven,
    _deed(Action.SUBMIT, life.submit, most=MANY),
    _deed(
        Action.APPROVE,
        life.approve,
        partial(_decides, Action.APPROVE),
        decides=True,
        most=MOST_DECIDED,
        if_user=is_approver,
    ),
    _deed(
        Action.DENY,
        life.deny,
        partial(_decides, Action.DENY),
        decides=True,
        most=MOST_DECIDED,
        if_user=is_approver,
    ),
    _deed(
        Action.HASTEN,
        life.hasten,
        _is_to_be_hastened,
        name="emergency",
        decides=True,
    ),
    Deed(
        REVIEW,
        PERMISSION[REVIEW],
        lambda ticket, user, given: life.review(ticket, user, given.said),
        if_also=_is_owed_a_review,
        needs_reason=REVIEW in NEEDS_REASON,
        decides=True,
    ),
    Deed(CONFIRM_DRAINED, "change", _drained, _BEFORE | {State.DONE}, _awaits_drains),
    Deed(
        CONFIRM_LINKS,
        "drain",
        _links_drained,
        frozenset({State.RUNNING}),
        lambda ticket, _user: bool(awaits_link_drain(ticket)),
    ),
    Deed(
        Action.SCHEDULE,
        PERMISSION[Action.SCHEDULE],
        lambda ticket, user, given: life.schedule(ticket, user, given.window),
        _in(Action.SCHEDULE),
        most=MANY,
    ),
    Deed(
        Action.START,
        PERMISSION[Action.SCHEDULE],
        lambda ticket, user, _given: life.start(ticket, user),
        frozenset({State.APPROVED, State.SCHEDULED}),
    ),
    _deed(Action.STOP, life.stop, most=MANY),
    _deed(Action.RESUME, life.resume),
    _deed(Action.ASK_UNDO, life.ask_undo, _undo_is_not_asked_for),
    _deed(Action.UNDO, life.undo, _may_go_back),
    Deed(
        "revise",
        "change",
        lambda ticket, user, given: revise_ticket(_planned_by(ticket, user), user, given.said),
        _BEFORE | {State.WITHDRAWN, State.UNDONE},
        lambda ticket, user: _is_newest(ticket, user) and _plans(ticket, user),
    ),
    _deed(
        Action.WITHDRAW,
        lambda ticket, user, said: life.withdraw(_planned_by(ticket, user), user, said),
        _plans,
        most=MANY,
        if_user=_may_plan,
    ),
)
