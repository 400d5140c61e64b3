"""A new revision of a ticket: planned again from its wish, as a draft of its own."""

from django.db import transaction
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError, NotPossible
from fabric_twin.core.tickets.life import Action, State, allowed, moved
from fabric_twin.models import Ticket
from fabric_twin.operations.tickets.approval import cancel_workflow
from fabric_twin.operations.tickets.changes.effects import Effects
from fabric_twin.operations.tickets.drafts.make import make_ticket
from fabric_twin.operations.tickets.drafts.propose import propose_ticket
from fabric_twin.operations.tickets.drafts.terms import Terms
from fabric_twin.operations.tickets.history import note, record
from fabric_twin.operations.tickets.record import hold_ticket
from fabric_twin.operations.tickets.release import free
from fabric_twin.repositories.states import update_state


def revise_ticket(ticket: Ticket, user: User, said: str = "") -> Ticket:
    """Plan a ticket again from its wish, as a new draft of the same number.

    One that has not run is withdrawn with it. The new draft is the user's.
    """
    with transaction.atomic():
        there = hold_ticket(ticket, user, "change")
        state = State(there.state)
        if Action.WITHDRAW in allowed(state):
            withdraw_held(there, Action.WITHDRAW, user, said or "it is revised")
        elif state.is_open or state is State.DONE:
            moved(there.name, state, Action.WITHDRAW)  # refuses, and says what is possible
        if Ticket.objects.filter(revises=there).exists():
            raise NotPossible(
                f"it is revised already: {there.revised_by.name}",
                where=f"ticket {there.name}",
                remedy="Revise the newest revision",
            )
        return _plan_again(there, user)


def plan_anew(ticket: Ticket, action: Action, why: str, who: User | None = None) -> Ticket | None:
    """Withdraw a ticket that the caller holds, and make a new draft of it for its author.

    None where it cannot be planned now: the history says why.
    """
    withdraw_held(ticket, action, who, why)
    try:
        with transaction.atomic():
            return _plan_again(ticket, ticket.author)
    except FabricTwinError as refusal:
        note(ticket, "not planned again", None, str(refusal))
        return None


def withdraw_held(ticket: Ticket, action: Action, who: User | None, said: str) -> None:
    """Withdraw a ticket that the caller holds, before it ran: only its history stays."""
    state, now = moved(ticket.name, State(ticket.state), action), timezone.now()
    rows = Ticket.objects.filter(pk=ticket.pk)
    update_state(rows, state, ended=now, message=said, last_updated=now)
    cancel_workflow(ticket, who, said)
    Effects(ticket.pod, ticket.plan.get("effects", ())).drop()
    free(ticket, who)
    note(ticket, str(action), who, said)
    record(ticket, f"{action}: {said}"[:255], who)


def _plan_again(ticket: Ticket, author: User) -> Ticket:
    proposal = propose_ticket(ticket.pod, ticket.kind, ticket.wish, user=author)
    terms = Terms(
        title=ticket.title,
        reason=ticket.reason,
        window_start=ticket.window_start,
        window_end=ticket.window_end,
        on_failure=ticket.on_failure,
        most_bad=ticket.most_bad,
        custom_fields=dict(ticket._custom_field_data),  # noqa: SLF001 - as the record has it
    )
    return make_ticket(ticket.pod, proposal, author, terms, finding=ticket.finding, revises=ticket)
