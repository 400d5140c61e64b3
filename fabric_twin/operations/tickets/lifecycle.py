"""What people do with a ticket: by the table of `core/tickets/life.py`, and with permission.

    submit withdraw                 a user who may change it
    approve deny                    an approver of Nautobot's workflow, and not its author
    hasten                          a user who may `emergency_ticket`; another one reviews it later
    schedule start stop resume undo a user who may `run_ticket`

Each holds the ticket for one transaction, writes a line of its history, and answers with the ticket
as it is then. Refusals are `FabricTwinError`: NotNow, NotPermitted, NotPossible.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from nautobot.extras.models import ApprovalWorkflow
from nautobot.users.models import User

from fabric_twin.core.errors import NotPermitted, NotPossible
from fabric_twin.core.reasons import check_reason
from fabric_twin.core.tickets.life import NEEDS_REASON, PERMISSION, REVIEW, Action, State, moved
from fabric_twin.core.tickets.words import between
from fabric_twin.models import Ticket
from fabric_twin.operations.calls.heartbeat import is_watching
from fabric_twin.operations.networks.alone import check_alone
from fabric_twin.operations.slices.make import refused_as_slice
from fabric_twin.operations.tickets import approval as ticket_approval
from fabric_twin.operations.tickets.changes.drains import check_drained
from fabric_twin.operations.tickets.changes.effects import slots_of
from fabric_twin.operations.tickets.changes.link_drains import forget_drains
from fabric_twin.operations.tickets.changes.to_core import (
    Changes,
    changes_of,
    columns_of,
    course_of,
    position_of,
)
from fabric_twin.operations.tickets.changes.undo_conflicts import refuse_taken
from fabric_twin.operations.tickets.drafts.revise import plan_anew, withdraw_held
from fabric_twin.operations.tickets.drafts.terms import Terms, check_ahead, set_terms
from fabric_twin.operations.tickets.history import (
    HASTEN_UNDO,
    authors_of,
    has_asked_for_undo,
    has_ended_since_hastened,
    may_be_undone,
    note,
)
from fabric_twin.operations.tickets.record import hold_ticket
from fabric_twin.operations.tickets.running.due import call_soon
from fabric_twin.operations.tickets.running.ticket_lease import WAITS
from fabric_twin.operations.tickets.running.waiting import NO_WATCH
from fabric_twin.repositories.change_log import record_alone
from fabric_twin.repositories.reservations import Places, cubes_at, reserve
from fabric_twin.repositories.states import save_state

#: What a ticket says that is done, and that somebody else approved to be undone.
MAY_BE_UNDONE = "its undo is approved: confirm that what it interrupts is drained, and undo it"


@contextmanager
def _moving(
    ticket: Ticket,
    user: User | None,
    action: Action,
    said: str | Callable[[Ticket], str] = "",
    what: str = "",
) -> Iterator[Ticket]:
    """Hold a ticket, do what is done with it, and write it in the state that this leads to.

    What is said may be of the ticket as it is then.
    """
    with transaction.atomic():
        there = hold_ticket(ticket, user, PERMISSION[action])
        state = moved(there.name, State(there.state), action)
        if isinstance(said, str):
            _check_reason(there, action, said)
        yield there
        save_state(there, state)
        words = said if isinstance(said, str) else said(there)
        note(there, what or str(action), user, words)
        record_alone(there, f"{what or action}: {words}".strip(": "), user)


def submit(ticket: Ticket, user: User | None, said: str = "") -> Ticket:
    """Ask for approval: Nautobot's workflow begins, and the ticket changes no more."""
    with _moving(ticket, user, Action.SUBMIT, said) as there:
        ticket_approval.begin_workflow(there)
        there.submitted_at = timezone.now()
    return there


def withdraw(ticket: Ticket, user: User | None, said: str = "") -> Ticket:
    """Withdraw it before it runs: all that it reserved is free."""
    with transaction.atomic():
        there = hold_ticket(ticket, user, PERMISSION[Action.WITHDRAW])
        _check_reason(there, Action.WITHDRAW, said)
        withdraw_held(there, Action.WITHDRAW, user, said)
    return there


def approve(ticket: Ticket, user: User, said: str = "") -> Ticket:
    """Answer the active stage of its workflow with yes; approved once all stages are."""
    return _answer(ticket, user, Action.APPROVE, said)


def deny(ticket: Ticket, user: User, said: str = "") -> Ticket:
    """Answer with no, and why: it is withdrawn, and a new draft goes back to its author."""
    return _answer(ticket, user, Action.DENY, said)


def _answer(ticket: Ticket, user: User, action: Action, said: str) -> Ticket:
    with transaction.atomic():
        there = hold_ticket(ticket, user, PERMISSION[action])
        _check_reason(there, action, said)
        ticket_approval.answer(there, user, action, said)
    there.refresh_from_db()
    return there


def workflow_ended(ticket: Ticket, workflow: ApprovalWorkflow) -> None:
    """Nautobot's workflow came to an end; who answered last was asked for before."""
    action, who, said = ticket_approval.outcome_of(workflow)
    with transaction.atomic():
        there = hold_ticket(ticket, None, "change")
        if State(there.state) is State.DONE:
            _undo_decided(there, action, who, said)
            return
        if action is Action.APPROVE and who is None:
            raise PermissionDenied("a ticket is approved by the answers of its approvers")
        if action is Action.APPROVE:
            state = moved(there.name, State(there.state), action)
            there.approved_by, there.approved_at = who, timezone.now()
            save_state(there, state)
            note(there, str(action), who, said)
            record_alone(there, f"{action}: {said}".strip(": "), who)
        elif action is Action.DENY:
            plan_anew(there, action, said or "denied", who)
        elif State(there.state) is State.SUBMITTED:  # canceled on Nautobot's pages
            withdraw_held(there, action, who, said or "its approval was canceled")


def hasten(ticket: Ticket, user: User, said: str = "") -> Ticket:
    """Approve a draft at once in an emergency; somebody else reviews it afterwards."""
    if ticket.state == State.DONE:
        return _hasten_undo(ticket, user, said)
    with _moving(ticket, user, Action.HASTEN, said) as there:
        there.emergency, there.submitted_at = True, timezone.now()
        there.approved_by, there.approved_at = user, timezone.now()
    return there


def _hasten_undo(ticket: Ticket, user: User, said: str) -> Ticket:
    """Let one that is done be undone at once; that is reviewed afterwards."""
    with _moving(ticket, user, Action.HASTEN, said, what=HASTEN_UNDO) as there:
        if not has_asked_for_undo(there):
            raise NotPossible(
                "nobody asked for its undo",
                where=f"ticket {there.name}",
                remedy="Ask for it first",
            )
        ticket_approval.cancel_workflow(there, None, "")
        there.emergency, there.reviewed_by, there.reviewed_at, there.review = True, None, None, ""
        there.message = MAY_BE_UNDONE
    return there


def ask_undo(ticket: Ticket, user: User, said: str = "") -> Ticket:
    """Ask that one that is done be undone: a change of its own, which somebody else approves."""
    with _moving(ticket, user, Action.ASK_UNDO, said) as there:
        if ticket_approval.waiting_stage(there) or may_be_undone(there):
            raise NotPossible(
                "that is asked for already, or approved",
                where=f"ticket {there.name}",
                remedy="Ask who may approve it, or undo it",
            )
        _check_way_back(there)
        ticket_approval.begin_again(there, user)
        there.message = f"{user} asks that it be undone: somebody else decides. {said}".strip()
    return there


def _undo_decided(ticket: Ticket, action: Action, who: User | None, said: str) -> None:
    """It stays done, and may be undone or not."""
    if action is Action.APPROVE and who is None:
        raise PermissionDenied("a ticket is undone by the answers of its approvers")
    what = "cancel" if action is Action.WITHDRAW else str(action)
    ticket.message = MAY_BE_UNDONE if action is Action.APPROVE else f"it is not undone. {said}"
    ticket.message = ticket.message.strip()
    ticket.validated_save()
    note(ticket, f"{what}-undo", who, said)
    record_alone(ticket, f"{what}-undo: {said}".strip(": "), who)


def review(ticket: Ticket, user: User, said: str = "") -> Ticket:
    """Look at a hastened ticket afterwards, as somebody else than who wrote or hastened it."""
    with transaction.atomic():
        there = hold_ticket(ticket, user, PERMISSION[REVIEW])
        _check_reason(there, REVIEW, said)
        if not there.emergency or there.reviewed_at:
            raise NotPossible(
                "it is reviewed already" if there.emergency else "it was approved as others are",
                where=f"ticket {there.name}",
                remedy="Nothing is left to do",
            )
        if State(there.state).is_open or not has_ended_since_hastened(there):
            raise NotPossible(
                "it has not come to its end, and is reviewed after that",
                where=f"ticket {there.name}",
                remedy="Wait until it is done, undone or withdrawn",
            )
        if user.username in authors_of(there):
            raise NotPermitted(
                f"it is of {user}, and nobody reviews their own ticket",
                where=f"ticket {there.name}",
                remedy="Ask somebody else who may change it",
            )
        there.reviewed_by, there.reviewed_at, there.review = user, timezone.now(), said
        there.validated_save()
        note(there, REVIEW, user, said)
        record_alone(there, f"{REVIEW}: {said}", user)
    return there


def _check_reason(ticket: Ticket, action: str, said: str) -> None:
    check_reason(said, f"ticket {ticket.name}", needed=action in NEEDS_REASON)


def schedule(ticket: Ticket, user: User, window: Terms | None = None) -> Ticket:
    """Let it begin in its window, or in this one; without a start it begins soon."""
    with _moving(ticket, user, Action.SCHEDULE, _window_of) as there:
        set_terms(there, (window or Terms()).columns)
        check_ahead(there)
        there.message = "" if is_watching() else NO_WATCH
    return there


def _window_of(ticket: Ticket) -> str:
    """The window in which it is to run, which may be another than was approved."""
    return between(ticket.window_start, ticket.window_end) or "as soon as possible"


def start(ticket: Ticket, user: User) -> Ticket:
    """Begin now, also before its window: schedule it where it is not."""
    with transaction.atomic():
        there = schedule(ticket, user, Terms(window_start=timezone.now()))
        call_soon(there)
    return there


def stop(ticket: Ticket, user: User, said: str = "") -> Ticket:
    """Stop a run and hold it as it is; it can be resumed or undone.

    Its worker loses the lease, and sends nothing after the end that it knows of; nobody goes on
    before that.
    """
    with _moving(ticket, user, Action.STOP, said) as there:
        there.lease_token, there.message = None, f"stopped by {user}. {said}".strip()
    return there


def resume(ticket: Ticket, user: User, said: str = "") -> Ticket:
    """Go on where it was held."""
    with _moving(ticket, user, Action.RESUME, said) as there:
        forget_drains(there)
        _go_to(there, columns_of(position_of(there).again))
        call_soon(there)
    return there


def undo(ticket: Ticket, user: User, said: str = "") -> Ticket:
    """Go back: a run turns round, one that is held runs back; so does one that is done, once
    somebody else approved that, and its slices run nothing.
    """
    with _moving(ticket, user, Action.UNDO, said) as there:
        forget_drains(there)
        course = course_of(there)
        if State(there.state) is State.DONE:
            if not may_be_undone(there):
                raise NotPossible(
                    "it is done, and to undo it is a change that somebody else approves",
                    where=f"ticket {there.name}",
                    remedy="Ask for its undo first",
                )
            check_drained(there)
            if there.plan.get("drains_links"):
                check_alone(there.pod, but=there)
            _take_again(there)
        _go_to(there, columns_of(course.turned(position_of(there))))
        call_soon(there)
    return there


def _go_to(ticket: Ticket, columns: dict[str, Any]) -> None:
    for name, value in columns.items():
        setattr(ticket, name, value)
    is_held = Ticket.objects.filter(pk=ticket.pk, lease_until__gt=Now()).exists()
    # Turned round while it runs, its worker sees that with the next write.
    ticket.message = WAITS if is_held and ticket.lease_token is None else ""
    ticket.ended = None


def _take_again(ticket: Ticket) -> None:
    """A ticket that is done holds nothing: take all of it again, or say why it cannot be."""
    changes = _check_way_back(ticket)
    with refused_as_slice(f"pod {ticket.pod.name}"):
        changes.effects.reopen()
    ports = changes.circuits.places | changes.effects.accepted.places
    reserve(ticket, Places(ports, cubes_at(ticket.pod, slots_of(changes.effects.all))))


def _check_way_back(ticket: Ticket) -> Changes:
    """Refuse where the world has moved, or somebody else is where it would go back to."""
    changes = changes_of(ticket)
    if difference := changes.circuits.is_at(len(changes.course.stages)):
        raise NotPossible(
            f"it cannot be undone any more: {difference}",
            where=f"ticket {ticket.name}",
            remedy="Make a new ticket",
        )
    refuse_taken(ticket, changes)
    return changes
