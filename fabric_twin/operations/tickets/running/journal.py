"""A ticket's journal in the database.

    scheduled --- begin ---> running --- announce, staged, turn ... ---> end

Every write is one transaction: the pod is held, the lease is asked for, the position is compared;
then position, circuits wanted, circuits seen and stages change together, or nothing does. While the
database is away the journal waits for it, as long as the lease may hold.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import (
    DataError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    connection,
    transaction,
)
from django.db.models.functions import Now
from django.utils import timezone

from fabric_twin.core.errors import FabricTwinError, LeaseLost, NotPossible
from fabric_twin.core.tickets.carrying import Bad
from fabric_twin.core.tickets.course import Position
from fabric_twin.core.tickets.life import Action, State, moved
from fabric_twin.core.tickets.qualification import Worse
from fabric_twin.models import Pod, Ticket
from fabric_twin.models.ticket_course import StageStateChoices
from fabric_twin.operations.slices.make import refused_as_slice
from fabric_twin.operations.tickets.changes.link_drains import undrained
from fabric_twin.operations.tickets.changes.to_core import Changes, columns_of, position_of
from fabric_twin.operations.tickets.history import note, record
from fabric_twin.operations.tickets.release import free
from fabric_twin.operations.tickets.running.ticket_lease import TicketLease
from fabric_twin.operations.tickets.running.waiting import WAIT, waits_since
from fabric_twin.repositories.lease import NO_LEASE
from fabric_twin.repositories.pod_lock import lock_rows
from fabric_twin.services.tickets.journal import StageReport, Turned
from fabric_twin.switches.states import SwitchState

#: Circuits that a stage's report names, and an event.
_NAMED = 200
#: What the records refuse, however often it is tried; a database that is away is waited for.
REFUSALS = (IntegrityError, DataError, ObjectDoesNotExist, ValidationError, NotPossible)
_ENDS = {
    State.DONE: Action.FINISH,
    State.UNDONE: Action.TAKE_BACK,
    State.FAILED: Action.FAIL,
}
T = TypeVar("T")
P = ParamSpec("P")


def _patiently(
    ask: "Callable[Concatenate[TicketJournal, P], T]",
) -> "Callable[Concatenate[TicketJournal, P], T]":
    """Ask the database, and wait for it while it is away; then the lease decides."""

    @wraps(ask)
    def asked(journal: "TicketJournal", /, *given: P.args, **named: P.kwargs) -> T:
        while True:
            try:
                return ask(journal, *given, **named)
            except (OperationalError, InterfaceError, InternalError) as error:
                if connection.in_atomic_block:  # of a test; a worker is in none
                    raise
                connection.close()
                if time.monotonic() > journal.until:
                    raise LeaseLost(
                        f"the database does not answer ({str(error).splitlines()[0]})",
                        where=journal.lease.name,
                        remedy="It goes on by itself once the database is back",
                    ) from None
                time.sleep(0.5)

    return asked


class TicketJournal:
    """The journal of one ticket, for `services/tickets/carry_out.py`."""

    def __init__(self, pod: Pod, changes: Changes, lease: TicketLease) -> None:
        self._pod, self._changes, self.lease = pod, changes, lease
        #: What switches showed and is not written yet, and what was written last.
        self._shown: dict[str, frozenset[tuple[str, str]]] = {}
        self._written: dict[str, frozenset[tuple[str, str]]] = {}
        self._shown_at = timezone.now()
        self.until = time.monotonic() + lease.length.total_seconds()

    @_patiently
    def renew(self) -> float:
        """Prolong the lease: until when on this machine's clock."""
        now = time.monotonic()
        self.lease.renew()
        self.until = now + self.lease.length.total_seconds()
        return self.until

    @_patiently
    def position(self) -> Position:
        """How far the ticket is."""
        found = self.lease.mine().only("stage", "direction", "tries").first()
        if found is None:
            raise self.lease.lost()
        return position_of(found)

    @_patiently
    def wait_for_drain(self, before: Position) -> str:
        """Wait where nobody confirmed yet that the links of a stage carry nothing."""
        if not self._changes.drains_links:
            return ""
        with self._held(before) as ticket:
            if why := undrained(ticket, self._changes.course):
                self._write(before, message=why, **NO_LEASE)
                if waits_since(ticket) is None:
                    note(ticket, WAIT, None, why)
        return why

    @_patiently
    def announce(self, before: Position, position: Position) -> None:
        """A stage is about to be done, or tried again: what is wanted becomes what it leads to."""
        with self._held(before) as ticket:
            if before.tries == 0:
                self._changes.circuits.write(position.reaches)
            back = position.is_back
            state = StageStateChoices.UNDOING if back else StageStateChoices.SWITCHING
            stage = ticket.stages.filter(number=position.stage)
            stage.update(state=state, tries=position.tries, ended=None)
            if before.tries == 0:
                stage.update(started=timezone.now())
            note(ticket, "announce", None, str(position), tries=position.tries)
            self._write(position)

    def showed(self, states: Mapping[str, SwitchState]) -> None:
        """What switches showed; written with what is written next."""
        self._shown_at = timezone.now()
        for name, state in states.items():
            if self._written.get(name) != state.configured:
                self._shown[name] = state.configured
            else:
                self._shown.pop(name, None)

    @_patiently
    def write_shown(self) -> None:
        """Write now what switches showed: there is time, for cubes are waited for."""
        if self._shown:
            with self._held():
                pass

    @_patiently
    def staged(self, report: StageReport, following: Position) -> None:
        """A stage was verified."""
        with self._held(report.position) as ticket:
            back = report.position.is_back
            ticket.stages.filter(number=report.position.stage).update(
                state=StageStateChoices.UNDONE if back else StageStateChoices.DONE,
                ended=timezone.now(),
                tries=report.position.tries,
                report=_report(report.bad, report.worse),
                carries=not back,
            )
            said = f"{report.position} is verified"
            said += self._bad_in_words(report.bad, back=back) + _worse_in_words(report.worse)
            note(ticket, "staged", None, said, bad=len(report.bad))
            self._write(following)

    @_patiently
    def turn(self, before: Position, why: str) -> None:
        """It goes back from here."""
        with self._held(before) as ticket:
            ticket.stages.filter(number=before.stage).update(
                state=StageStateChoices.BAD, ended=timezone.now()
            )
            note(ticket, "turn", None, why)
            self._write(self._changes.course.turned(before), message=why)

    @_patiently
    def end(self, before: Position, state: State, why: str, hangs: Sequence[Bad]) -> None:
        """It ended so, or is held."""
        with self._held(before) as ticket:
            last = moved(ticket.name, State(ticket.state), _ENDS[state])
            facts: dict[str, Any] = {"state": last, "ended": timezone.now(), **NO_LEASE}
            if state is State.FAILED:
                ticket.stages.filter(number=before.stage).update(
                    state=StageStateChoices.BAD, ended=timezone.now(), report=_report(hangs)
                )
            else:
                with refused_as_slice(f"pod {self._pod.name}"):
                    self._settle(state)
                free(ticket, audit=True)
            said = why or ticket.message
            if state is State.UNDONE:
                said = "; ".join(filter(None, (said, _dim_again(ticket))))
            note(ticket, str(_ENDS[state]), None, said, hangs=_report(hangs)["bad"])
            self._write(before, message=said, **facts)
            record(ticket, f"{last}: {said}"[:255] if said else str(last))

    def refused(self, refusal: Exception) -> None:
        """The records cannot be written as they should be: it is held where it is, and says why."""
        self._shown = {}  # what a switch showed may be what they refuse
        why = f"the records cannot be written: {_in_words(refusal)}"
        held = False
        while not held:
            with suppress(Turned):
                self.end(self.position(), State.FAILED, why, ())
                held = True

    def _bad_in_words(self, bad: Sequence[Bad], *, back: bool) -> str:
        if not bad or not back:
            words = self._changes.course.called
            return f"; {len(bad):,} bad {words.circuits} are allowed" if bad else ""
        more = f", and {len(bad) - 1:,} more" if len(bad) > 1 else ""
        return f"; the light is not good of {bad[0].circuit}: {bad[0].why}{more}"

    def _settle(self, state: State) -> None:
        """Circuits and all else are as the ticket leaves them."""
        changes = self._changes
        if state is State.DONE:
            changes.circuits.write_at_last()
            changes.effects.finish()
        else:
            changes.circuits.write(0)
            changes.effects.drop()

    @contextmanager
    def _held(self, before: Position | None = None) -> Iterator[Ticket]:
        """One write: the pod first, as everybody who writes circuits; then ticket and lease."""
        with transaction.atomic():
            lock_rows(self._pod.pk)
            ticket = self.lease.hold()
            if before and position_of(ticket) != before:
                raise Turned
            ticket.pod = self._pod
            yield ticket
            shown = dict(self._shown)
            if shown:
                self._changes.circuits.note_shown(shown, self._shown_at)
        # On disk now.
        self._written |= shown
        self._shown = {k: v for k, v in self._shown.items() if shown.get(k) != v}

    def _write(self, position: Position, **facts: Any) -> None:
        self.lease.write(**columns_of(position), last_updated=Now(), **facts)


def _in_words(refusal: Exception) -> str:
    if isinstance(refusal, FabricTwinError):
        return str(refusal)
    if isinstance(refusal, ValidationError):
        return "; ".join(refusal.messages)
    return str(refusal).splitlines()[0]


def _report(bad: Sequence[Bad], worse: Sequence[Worse] = ()) -> dict[str, Any]:
    """Circuits for the record: the first that are bad, or worse than before; and how many."""
    rows = [{**one.circuit.as_json(), "wanted": one.wanted, "why": one.why} for one in bad[:_NAMED]]
    report: dict[str, Any] = {"bad": rows, "many": len(bad)}
    if worse:
        named = [{**one.circuit.as_json(), "why": one.why} for one in worse[:_NAMED]]
        report |= {"worse": named, "many_worse": len(worse)}
    return report


def _dim_again(ticket: Ticket) -> str:
    """That circuits came back whose light is not good, or was better before; empty: none did."""
    reports = list(ticket.stages.values_list("report", flat=True))
    counts = (
        (sum(report.get(what, 0) for report in reports), said)
        for what, said in (
            ("many", "with light that is not good"),
            ("many_worse", "worse than before"),
        )
    )
    told = [
        f"{many:,} circuit{'s' * (many != 1)} came back {said}" for many, said in counts if many
    ]
    return f"{'; '.join(told)}: see its stages" if told else ""


def _worse_in_words(worse: Sequence[Worse]) -> str:
    if not worse:
        return ""
    more = f", and {len(worse) - 1:,} more" if len(worse) > 1 else ""
    return f"; {worse[0]}{more}"
