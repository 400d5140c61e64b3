"""Carry out a ticket of the database: begin it where it has not begun, then go on from where it is.

    scheduled, in its window -- drained? records as planned? switches as planned? --> running
                                     no: it waits        no: back to its author

Any worker may go on with any ticket that runs; one at a time does (`journal.py`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.cabling.plant import Intended, Substitution, intended_plant
from fabric_twin.core.errors import NoAnswer, NotPossible
from fabric_twin.core.garbage import seldom_collected
from fabric_twin.core.moments import moment
from fabric_twin.core.pods.names import Names
from fabric_twin.core.proposals.maintenance import REPAIR_IT, SET_IT_OUT, SILENT, switches_in
from fabric_twin.core.proposals.proposal import MAINTENANCE
from fabric_twin.core.tickets.carrying import Present
from fabric_twin.core.tickets.course import Pair
from fabric_twin.core.tickets.life import Action, State, moved
from fabric_twin.models import Pod, Ticket
from fabric_twin.operations.site_limits import site_limits
from fabric_twin.operations.tickets.changes.drains import check_drained
from fabric_twin.operations.tickets.changes.effects import Effects
from fabric_twin.operations.tickets.changes.preconditions import moved as records_moved
from fabric_twin.operations.tickets.changes.to_core import Changes, changes_of, position_of
from fabric_twin.operations.tickets.drafts.revise import plan_anew
from fabric_twin.operations.tickets.history import note, record
from fabric_twin.operations.tickets.record import hold_ticket
from fabric_twin.operations.tickets.running.jobs import end_lost_jobs
from fabric_twin.operations.tickets.running.journal import REFUSALS, TicketJournal
from fabric_twin.operations.tickets.running.ticket_lease import LEASE, take_lease, wait_for_stopped
from fabric_twin.operations.tickets.running.waiting import STALLED
from fabric_twin.repositories.addresses import flow_targets, targets_of
from fabric_twin.repositories.credentials import pod_accesses, switch_accesses
from fabric_twin.repositories.light_history import baseline_of
from fabric_twin.repositories.pod_record import IN_SERVICE, PodRecord, names_of
from fabric_twin.repositories.ports_out import dead_switches
from fabric_twin.repositories.states import update_state
from fabric_twin.services.tickets.carry_out import Calm, Looker, carry_out, look
from fabric_twin.switches.driver import Patience
from fabric_twin.switches.fabric import Answers, Fabric, open_fabric
from fabric_twin.switches.states import SwitchState

#: A switch tunes for a while; after that the worker looks again.
PATIENCE = Patience(request=10.0, tries=2)
#: What a ticket waits for where a switch is silent.
WAITS_FOR_ALL = "It begins by itself when all its switches answer, as long as its window lasts"
#: How often a lease is renewed in its time while switches are waited for: all but one may be late.
BEATS = 4


@dataclass(frozen=True, kw_only=True)
class How:
    """How a ticket is carried out, beside what it says itself."""

    user: User | None = None
    job_result: Any = None
    lease: timedelta = LEASE
    calm: Calm = field(default_factory=Calm)
    patience: Patience = PATIENCE
    progress: Callable[[str, int], None] = lambda _what, _circuits: None


def carry_out_ticket(ticket: Ticket, how: How) -> Ticket:
    """Begin a ticket, or go on with it, until it ends; and return it as it ended."""
    wait_for_stopped(ticket, how.lease)
    ticket = Ticket.objects.select_related("pod", "author").get(pk=ticket.pk)
    # A plan of thousands of circuits is many small objects, and a worker has much else in memory.
    with seldom_collected(), _fabric(ticket.pod, how) as fabric:
        looker = Looker(fabric)
        if State(ticket.state) is State.SCHEDULED and not _begin(ticket, looker, how):
            ticket.refresh_from_db()
            return ticket
        ticket.refresh_from_db()
        lease = take_lease(ticket, how.lease)
        Ticket.objects.filter(pk=ticket.pk).update(job_result=how.job_result)
        Ticket.objects.filter(pk=ticket.pk, message__startswith=STALLED).update(message="")
        end_lost_jobs(ticket, how.job_result)
        changes, pod = changes_of(ticket), PodRecord(ticket.pod)
        journal = TicketJournal(ticket.pod, changes, lease)
        try:
            carry_out(
                changes.course,
                fabric,
                journal,
                **_light(pod, changes.effects),
                calm=replace(how.calm, beat=how.lease.total_seconds() / BEATS),
                progress=how.progress,
                looker=looker,
            )
        except REFUSALS as refusal:
            journal.refused(refusal)
    ticket.refresh_from_db()
    return ticket


def try_ticket(ticket: Ticket, how: How) -> str:
    """Whether a ticket could begin or go on now, in words; nothing is switched or written."""
    ticket = Ticket.objects.select_related("pod", "author").get(pk=ticket.pk)
    if State(ticket.state) is State.RUNNING:
        return f"{ticket.name}: would go on at {position_of(ticket)}"
    moved(ticket.name, State(ticket.state), Action.START)
    _check_window(ticket)
    check_drained(ticket)
    changes = changes_of(ticket)
    with _fabric(ticket.pod, how) as fabric:
        looker = Looker(fabric)
        present = look(changes.course, looker)
    silent = _silent(ticket, changes, looker, present.silent)
    if why := _moved(ticket.pod, changes, present) or (str(silent) if silent else ""):
        return f"{ticket.name}: would not begin: {why}"
    return f"{ticket.name}: would begin"


def _fabric(pod: Pod, how: How) -> Fabric:
    if pod.is_cluster:
        # Also those out of service: who brings one back sends it entries before it is back.
        return open_fabric(flow_targets(pod), (), switch_accesses(pod), how.patience)
    targets = targets_of(pod, IN_SERVICE)
    return open_fabric(targets.switches, targets.cubes, pod_accesses(pod), how.patience)


def _begin(ticket: Ticket, looker: Looker, how: How) -> bool:
    """Begin a ticket that is scheduled, if all is as it was planned; False where it goes back."""
    planned, present, answers = _before(ticket, looker)
    # What the next revision is planned from, if there has to be one.
    again = looker.fabric.read_circuits(planned.course.switches if present.moved else ())
    with transaction.atomic():
        there = hold_ticket(ticket, None, "run")
        state = moved(there.name, State(there.state), Action.START)
        changes = planned if there.plan == ticket.plan else changes_of(there)
        changes.circuits.note_shown(_configured(answers), timezone.now())
        if why := _moved(there.pod, changes, present):
            changes.circuits.note_shown(_configured(again), timezone.now())
            given = plan_anew(there, Action.OUTDATE, why)
            told = f"{why}. Planned again as {given.name}" if given else why
            how.progress(f"things have changed: {told}", 0)
            return False
        update_state(
            Ticket.objects.filter(pk=there.pk),
            state,
            started=timezone.now(),
            message="",
            dark=sorted(present.dark),
            job_result=how.job_result,
            last_updated=Now(),
        )
        note(there, str(Action.START), how.user, "", dark=len(present.dark))
        record(there, "running", how.user)
    return True


def _before(ticket: Ticket, looker: Looker) -> tuple[Changes, Present, Answers[SwitchState]]:
    """What it begins with: it is in its window, nothing runs in its way, its switches answer."""
    _check_window(ticket)
    check_drained(ticket)
    planned = changes_of(ticket)
    present = look(planned.course, looker)
    answers = looker.fabric.read_circuits(planned.effects.accepted.switches)
    missing = [error.what for error in answers.missing.values()]
    if silent := _silent(ticket, planned, looker, [*present.silent, *missing]):
        raise silent
    return planned, present, answers


def _silent(
    ticket: Ticket, changes: Changes, looker: Looker, silent: Sequence[str]
) -> NoAnswer | None:
    """Why a ticket does not begin while some switches are silent, if any are."""
    if not silent:
        return None
    mute = {name for name in changes.course.switches if name not in looker.states}
    out = switches_in(ticket.wish) if ticket.kind == MAINTENANCE else set[str]()
    what, remedy = _first(silent), WAITS_FOR_ALL
    if dead := mute & out & {*dead_switches(ticket.pod_id).values()}:
        what = SILENT.format(min(dead))
        remedy = SET_IT_OUT if ticket.pod.is_network else REPAIR_IT
    return NoAnswer(what, where=f"ticket {ticket.name}", remedy=remedy)


def check_ready(ticket: Ticket) -> None:
    """Refuse, in the words of a run, where a ticket that is scheduled would go on waiting."""
    with _fabric(ticket.pod, How()) as fabric:
        _before(ticket, Looker(fabric))


def _configured(answers: Answers[SwitchState]) -> dict[str, frozenset[Pair]]:
    return {name: state.configured for name, state in answers.given.items()}


def _moved(pod: Pod, changes: Changes, present: Present) -> str:
    """Why the plan does not fit the present; empty where it does."""
    return _first([*records_moved(pod, changes), *present.moved])


def _first(reasons: Sequence[str]) -> str:
    if not reasons:
        return ""
    more = len(reasons) - 1
    return reasons[0] + (f" ({more:,} more differ{'s' * (more == 1)})" if more else "")


def _check_window(ticket: Ticket) -> None:
    now = timezone.now()
    if ticket.window_start and now < ticket.window_start:
        raise NotPossible(
            f"its window begins {moment(ticket.window_start)}",
            where=f"ticket {ticket.name}",
            remedy="It begins by itself then; start it to begin now",
        )
    if ticket.window_end and now >= ticket.window_end:
        raise NotPossible(
            "its window is over, and it had not begun",
            where=f"ticket {ticket.name}",
            remedy="Schedule it again",
        )


def _light(pod: PodRecord, effects: Effects) -> dict[str, Any]:
    """What the light of circuits is held against; a cluster has none to look at."""
    if pod.pod.is_cluster:
        return {"intended": None}
    before, after = _intended(pod, effects)
    baseline = baseline_of(pod, datetime.now(UTC).date())
    return {"intended": after, "before": before, "baseline": baseline, "limits": site_limits()}


def _intended(pod: PodRecord, effects: Effects) -> tuple[Intended, Intended]:
    """The plant before the ticket and when it is done: a spare that it takes is in its place."""
    spares = [
        Substitution(one["switch"], one["port"], one["spare"], one["reason"])
        for one in effects.all
        if one["do"] == "substitute"
    ]
    names, by_rule = names_of(pod), Names(pod.design.layout, pod.pod.name)
    own = dict(zip(names.switches, by_rule.switches, strict=True))
    added = [replace(one, switch=own.get(one.switch, one.switch)) for one in spares]
    known = [one for one in pod.substitutions if one not in added]

    def plant(stand_in: list[Substitution]) -> Intended:
        intended = intended_plant(pod.design, pod.pod.name, pod.slots(), stand_in)
        return replace(intended, names=names, rates=pod.rates, lengths=pod.lengths)

    before = plant(known)
    return before, plant([*known, *added]) if added else before
