"""The driver of switches that speak gNMI with SONiC's tables.

By the rules of the upstream server: one database a request, an update a row by its whole path, and
what is not there is empty (docs/switches.md).
"""

import math
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fabric_twin.core.errors import NoAnswer, TooLate
from fabric_twin.dialects import sonic
from fabric_twin.dialects.sonic import DIALECTS, Dialect
from fabric_twin.switches.changes import Applied, Change, Hold
from fabric_twin.switches.conversation import (
    Conversation,
    NotLetIn,
    NotThere,
    Refused,
    Told,
    in_words,
    wait_until,
)
from fabric_twin.switches.driver import Access, Capabilities, Patience, Target
from fabric_twin.switches.factory_rows import factory_rows
from fabric_twin.switches.own_rows import OwnRows, PortRow
from fabric_twin.switches.sonic_rows import (
    IDENTITY,
    Table,
    circuit_tables,
    factory_loss,
    odd_keys,
    path,
    rows_of,
    state_of,
    tables,
    told_of,
)
from fabric_twin.switches.states import FactoryLoss, Pair, SwitchState
from fabric_twin.switches.verdicts import Trial
from fabric_twin.switches.whom import NotTheDevice, check_device

#: Seconds before the first look at a change of a switch that is not known yet.
FIRST_LOOK = 0.02
#: A known switch is looked at a little before its usual time, and again after this part of it.
EARLIER, NEXT_LOOK = 0.99, 0.05
#: Seconds between two looks at least.
SHORTEST = 0.005
#: Why a Set was not sent, or to nobody who would do it: there is nothing to read back.
_NOT_SENT = (TooLate, NotLetIn, NotTheDevice)
_CIRCUITS = (sonic.CONFIG, sonic.CROSS_CONNECT)


class GnmiSwitch:
    """A conversation with one SONiC switch."""

    def __init__(self, target: Target, access: Access, patience: Patience) -> None:
        self._talk, self._patience = Conversation(target, access, patience), patience
        #: Learnt from the first answer.
        self._dialect: Dialect | None = None
        #: Seconds until the mirrors were seen at rest last time: they will take as long again.
        self._usual = 0.0
        #: Conditions that its factory may have measured under; one, once it is known.
        self._measured_at: Sequence[tuple[str, str]] = sonic.MEASURED_AT
        #: What tables said last, as text, and what it meant.
        self._last: tuple[list[Told], SwitchState] | None = None
        #: Tables that had no rows, which some switches refuse to tell: these are asked alone.
        self._empty: set[Table] = set()
        self._rows: dict[Table, dict[str, Any]] = {}

    @property
    def target(self) -> Target:
        """Whom it speaks to."""
        return self._talk.target

    def capabilities(self) -> Capabilities:
        """What the switch can do, and which dialect it speaks."""
        with in_words(self._talk):
            told = self._talk.capabilities()
            self._circuits()
            assert self._dialect  # noqa: S101  # an answer teaches it
            return Capabilities(told.version, told.models, told.encodings, self._dialect.name)

    def read(self) -> SwitchState:
        """Read everything, in one request a database."""
        with in_words(self._talk):
            return self._read(tables)

    def apply(self, change: Change, *, until: float = math.inf) -> Applied:
        """Make a change in one transaction, wait for the mirrors, and read back what came of it."""
        with in_words(self._talk):
            before = self._circuits()
        trial = Trial.of(self.target.name, change, before)
        if not trial.open:
            return trial.verdict(before)
        rows = OwnRows(trial.delete, trial.add, odd=odd_keys(self._rows))
        if why := trial.conflict(before) or rows.conflict:
            return trial.refused(why, before)
        try:
            if rows:
                self._set(rows, until)
        except _NOT_SENT:
            raise
        except (Refused, NoAnswer) as error:
            state = self._read_back(circuit_tables, error)
            if not trial.has_moved(before, state):
                if isinstance(error, NoAnswer):
                    raise
                return trial.refused(str(error), state)
            # Some change the configuration, and then cannot save it.
            trial.was_refused = isinstance(error, Refused)
            trial.unacknowledged = error.what if isinstance(error, NoAnswer) else str(error)
        return trial.watch(self._looks())

    def hold(self, hold: Hold, *, until: float = math.inf) -> SwitchState:
        """Block some ports and release others, in one transaction; read it back."""
        with in_words(self._talk):
            before = self._read(tables)
            assert self._dialect  # noqa: S101  # an answer teaches it
            words = dict.fromkeys(hold.release, sonic.NORMAL)
            words |= dict.fromkeys(hold.block, sonic.FORCE_BLOCKED)
            if words:
                there = self._rows.get((sonic.CONFIG, sonic.PORT), {})
                ports = [
                    PortRow(p, self._dialect.forced, word) for p, word in sorted(words.items())
                ]
                rows = OwnRows(ports=ports, known=frozenset(there))
                try:
                    self._set(rows, until)
                except _NOT_SENT:
                    raise
                except (Refused, NoAnswer) as error:
                    state = self._read_back(tables, error)
                    if not hold.has_moved(before, state):
                        raise
                    return state
            return self._read(tables)

    def factory_losses(self, pairs: Sequence[Pair]) -> Mapping[Pair, FactoryLoss]:
        """What some pairs lost in the factory: their rows by key, never the table of all pairs."""
        with in_words(self._talk):
            if self.target.known:
                told = [one for table in IDENTITY for one in self._tables([table])[0]]
                self._check(rows_of(told))
            for at in self._measured_at:
                keys = {sonic.factory_key(*pair, at): pair for pair in pairs}
                lost = factory_rows(self._talk, list(keys))
                if lost:
                    self._measured_at = (at,)
                    rows = ((pair, factory_loss(lost.get(key))) for key, pair in keys.items())
                    return {pair: loss for pair, loss in rows if loss}
        return {}

    def watch(self) -> Iterator[SwitchState]:
        """Yield the state now, and whenever it changed; ends when the driver is closed.

        It waits for a switch that is away for as long as it takes; who is not let in is told.
        """
        lost = 0
        while not self._talk.closed.is_set():
            if lost:
                self._talk.pause(min(lost, 6) - 1)
                self._talk.look_up_again()
            lost += 1
            with in_words(self._talk):
                for state in self._changes():
                    lost = 0
                    yield state

    def close(self) -> None:
        """Hang up; a watch ends."""
        self._talk.close()

    def _looked(self) -> SwitchState | None:
        """Everything; or nothing where the switch is away, or we have hung up."""
        try:
            return self._read(tables)
        except (NotLetIn, NotTheDevice):
            raise
        except NoAnswer:
            return None

    def _changes(self) -> Iterator[SwitchState]:
        """The state now, and again whenever one database told some news and it is another one.

        News say that something changed, and are not put together: some servers tell a row as its
        table, and that it is gone as if the table were.
        """
        state = self._looked()
        if state is None:
            return
        assert self._dialect  # noqa: S101  # an answer teaches it
        if not self._rows.get((sonic.STATE, self._dialect.ports)):
            return  # it starts, and has filled no table yet: it is asked again
        # Nobody can subscribe to a table without rows: that it has some is seen by other changes.
        left_out = [table for table in tables(self._dialect) if not self._rows.get(table)]
        watched = [table for table in tables(self._dialect) if table not in left_out]
        shown = None
        for _ in self._news(watched):
            state = self._looked()
            if state is None:
                return
            if self._last is not shown:
                shown = self._last
                yield state
            if any(self._rows.get(table) for table in left_out):
                return  # and begin again, with that table

    def _news(self, watched: Sequence[Table]) -> Iterator[None]:
        """Whenever there are news, once all that was there is told."""
        synced: set[str] = set()
        databases = {database for database, _ in watched}
        for news in self._answers(watched):
            synced |= {database for database, answer in news if answer.sync_response}
            if synced == databases:
                yield

    def _answers(self, watched: Sequence[Table]) -> Iterator[list[tuple[str, Any]]]:
        """What databases tell, as much as there is, until one of them ends."""
        told: queue.SimpleQueue[Any] = queue.SimpleQueue()
        streams = [
            threading.Thread(target=self._hear, args=(told, [t for t in watched if t[0] == one]))
            for one in sorted({database for database, _ in watched})
        ]
        for stream in streams:
            stream.start()
        try:
            while not self._talk.closed.is_set():
                news = [told.get(), *(told.get() for _ in range(told.qsize()))]
                for _, answer in news:
                    if isinstance(answer, Exception):
                        raise answer
                    if answer is None:
                        return
                yield news
        finally:
            self._talk.hang_up()
            for stream in streams:
                stream.join()

    def _hear(self, told: "queue.SimpleQueue[Any]", watched: Sequence[Table]) -> None:
        """Hand on what one database tells, and its end."""
        database = watched[0][0]
        try:
            for answer in self._talk.subscribe(sonic.ORIGIN, [path(table) for table in watched]):
                told.put((database, answer))
            told.put((database, None))
        except Exception as error:  # noqa: BLE001  # who waits for news is told, whatever it is
            told.put((database, error))

    def _looks(self) -> Iterator[SwitchState]:
        """Circuits again and again, until patience ends."""
        begun = time.monotonic()
        deadline, part = begun + self._patience.tuning, NEXT_LOOK if self._usual else 0.25
        # What is kept is when a look was planned: a busy machine must not pass for slow mirrors.
        self._usual = EARLIER * self._usual or FIRST_LOOK
        while True:
            more = wait_until(deadline, begun + self._usual - time.monotonic())
            with in_words(self._talk):
                yield self._circuits()
            if not more:
                self._usual = 0.0
                return
            late = time.monotonic() - begun
            self._usual = max(self._usual, late) + max(SHORTEST, part * self._usual)

    def _circuits(self) -> SwitchState:
        return self._read(circuit_tables)

    def _read(self, wanted: Callable[[Dialect], Sequence[Table]]) -> SwitchState:
        """Read tables; a dialect that is not known yet is tried."""
        dialect = self._dialect
        for one in [dialect] if dialect else DIALECTS.values():
            asked = wanted(one)
            # A switch has ports, whatever else it has.
            ports = None if dialect else (sonic.STATE, one.ports)
            wish = [table for table in asked if table[0] == sonic.STATE]
            state, told_at = self._tables(wish, ports)
            if not ports or rows_of(state).get(ports):
                self._dialect = one
                break
        else:
            named = ", ".join(one.ports for one in DIALECTS.values())
            raise NotThere(f"it has no port in any of the tables {named}")
        config, then = self._tables([table for table in asked if table[0] == sonic.CONFIG])
        told, told_at = [*state, *config], _earliest(told_at, then)
        if self._last and told == self._last[0]:
            # Nothing changed since; to read the same text again would only cost time.
            return replace(self._last[1], told_at=told_at)
        rows = rows_of(told)
        self._check(rows)
        self._rows = rows
        made = state_of(self.target.name, self._rows, self._dialect, told_at)
        self._last = told, made
        return made

    def _check(self, rows: Mapping[Table, Mapping[str, Any]]) -> None:
        """Refuse another device than the recorded one; what was learnt is of the one before."""
        try:
            check_device(self.target, told_of(rows))
        except NotTheDevice:
            self._dialect = self._last = None
            self._usual, self._measured_at = 0.0, sonic.MEASURED_AT
            self._empty, self._rows = set(), {}
            raise

    def _tables(
        self, asked: Sequence[Table], needed: Table | None = None
    ) -> tuple[list[Told], float]:
        """Tables of one database in one request; those without rows may be refused for it.

        Without the one that is needed nothing else is asked.
        """
        told: list[Told] = []
        told_at = math.nan
        if needed:
            asked = list(dict.fromkeys([needed, *asked]))
        alone = [table for table in asked if table in self._empty]
        together = [table for table in asked if table not in self._empty]
        if together:
            try:
                told, told_at = self._talk.get(sonic.ORIGIN, [path(table) for table in together])
            except NotThere:
                alone = [*asked]
        for table in alone:
            try:
                more, then = self._talk.get(sonic.ORIGIN, [path(table)])
            except NotThere:
                if table == needed:
                    return [], math.nan
                self._empty.add(table)
                continue
            self._empty.discard(table)
            told, told_at = [*told, *more], _earliest(told_at, then)
        return told, told_at

    def _set(self, rows: OwnRows, until: float) -> None:
        try:
            self._talk.set(sonic.ORIGIN, rows.deletes, rows.updates, until, self._again)
        except Refused:
            # SONiC has no table without rows: the first row may be refused for want of a table, and
            # to take the last one away. Then the table is made, or goes, with just these rows. It
            # is read again first: who made another row meanwhile must not lose it.
            self._again()
            tables = [(sonic.CONFIG, steps[2]) for steps, _ in rows.first] or [_CIRCUITS]
            there = rows_of(self._tables(tables)[0])
            keys = {key for table in there.values() for key in table}
            if rows.updates and not keys:  # nor is anything there that is to be deleted
                self._talk.set(sonic.ORIGIN, (), rows.first, until, self._again)
            elif rows.tables and keys == set(rows.deleted):
                self._talk.set(sonic.ORIGIN, rows.tables, (), until, self._again)
            else:
                raise

    def _read_back(
        self, wanted: Callable[[Dialect], Sequence[Table]], error: Exception
    ) -> SwitchState:
        """What there is after a Set that was not acknowledged; else why it was not."""
        try:
            with in_words(self._talk):
                return self._read(wanted)
        except NotTheDevice:
            raise
        except NoAnswer as silence:
            raise (error if isinstance(error, NoAnswer) else silence) from None

    def _again(self) -> None:
        """Before a Set is sent another time: who answers now may be somebody else."""
        with in_words(self._talk):
            self._circuits()


def _earliest(one: float, other: float) -> float:
    """The earlier of two moments; of one that is not told, the other."""
    return one if math.isnan(other) or one < other else other
