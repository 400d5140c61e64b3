"""The driver of switches that speak gNMI with SONiC's tables."""

import json
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from fabric_twin.core.errors import NoAnswer
from fabric_twin.dialects import sonic
from fabric_twin.dialects.sonic import DIALECTS, UPSTREAM, Dialect
from fabric_twin.switches.changes import Applied, Change, Hold
from fabric_twin.switches.conversation import (
    Conversation,
    NotLetIn,
    NotThere,
    Refused,
    in_words,
    wait_until,
)
from fabric_twin.switches.driver import Access, Capabilities, Patience, Target
from fabric_twin.switches.sonic_rows import (
    Table,
    circuit_tables,
    factory_loss,
    path,
    state_of,
    tables,
    updated,
)
from fabric_twin.switches.states import FactoryLoss, Pair, SwitchState
from fabric_twin.switches.verdicts import Trial

#: Seconds before the first look at a change of a switch that is not known yet.
FIRST_LOOK = 0.02
#: A known switch is looked at a little before its usual time, and again after this part of it.
EARLIER, NEXT_LOOK = 0.99, 0.05
#: Seconds between two looks at least.
SHORTEST = 0.005


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
        self._last: tuple[list[bytes], SwitchState] | None = None

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
        """Read everything in one request."""
        with in_words(self._talk):
            return self._read(tables)

    def apply(self, change: Change, *, until: float = math.inf) -> Applied:
        """Make a change in one transaction, wait for the mirrors, and read back what came of it."""
        with in_words(self._talk):
            before = self._circuits()
        trial = Trial.of(self.target.name, change, before)
        if not trial.open:
            return trial.verdict(before)
        try:
            self._set(trial.delete, trial.add, until)
        except Refused as refusal:
            with in_words(self._talk):
                return trial.refused(str(refusal), self._circuits())
        return trial.watch(self._looks())

    def hold(self, hold: Hold, *, until: float = math.inf) -> SwitchState:
        """Block some ports and release others, in one transaction; read it back."""
        with in_words(self._talk):
            if self._dialect is None:
                self._circuits()
            assert self._dialect  # noqa: S101  # an answer teaches it
            words = dict.fromkeys(hold.release, sonic.NORMAL)
            words |= dict.fromkeys(hold.block, sonic.FORCE_BLOCKED)
            if words:
                rows = {port: {self._dialect.forced: word} for port, word in sorted(words.items())}
                table = path((sonic.CONFIG, sonic.PORT))
                self._talk.set(sonic.ORIGIN, table, (), json.dumps(rows).encode(), until)
            return self._read(tables)

    def factory_losses(self, pairs: Sequence[Pair]) -> Mapping[Pair, FactoryLoss]:
        """What some pairs lost in the factory: their rows by key, never the table of all pairs."""
        with in_words(self._talk):
            for at in self._measured_at:
                keys = [sonic.factory_key(*pair, at) for pair in pairs]
                table = path((sonic.STATE, sonic.FACTORY_LOSS))
                try:
                    texts, _ = self._talk.get(sonic.ORIGIN, [(*table, key) for key in keys])
                except Refused:
                    continue  # an older one, or measured under other conditions
                self._measured_at = (at,)
                rows = ((pair, factory_loss(text)) for pair, text in zip(pairs, texts, strict=True))
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
            lost += 1
            with in_words(self._talk):
                if self._dialect is None and not self._learn_patiently():
                    continue
                for state in self._changes():
                    lost = 0
                    yield state

    def close(self) -> None:
        """Hang up; a watch ends."""
        self._talk.close()

    def _learn_patiently(self) -> bool:
        try:
            self._circuits()
        except NotLetIn:
            raise
        except NoAnswer:
            return False
        return True

    def _changes(self) -> Iterator[SwitchState]:
        """States of one subscription; the first is whole."""
        rows: dict[Table, dict[str, Any]] = {}
        assert self._dialect  # noqa: S101  # learnt before
        watched = tables(self._dialect)
        for table in watched:
            rows[table] = {}
        synced, told_at = False, 0.0
        for answer in self._talk.subscribe(sonic.ORIGIN, [path(table) for table in watched]):
            if answer.sync_response:
                synced = True
            else:
                note = answer.update
                told_at = note.timestamp / 1e9
                for gone in note.delete:
                    updated(rows, tuple(elem.name for elem in gone.elem), None)
                for update in note.update:
                    value = json.loads(update.val.json_ietf_val or update.val.json_val)
                    updated(rows, tuple(elem.name for elem in update.path.elem), value)
            if synced:
                yield state_of(self.target.name, rows, self._dialect, told_at)

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

    def _read(self, wanted: Any) -> SwitchState:
        """Read tables; a dialect that is not known yet is tried."""
        dialects = [self._dialect] if self._dialect else list(DIALECTS.values())
        for dialect in dialects:
            asked: Sequence[Table] = wanted(dialect)
            try:
                texts, told_at = self._talk.get(sonic.ORIGIN, [path(table) for table in asked])
            except NotThere:
                if dialect is dialects[-1]:
                    raise
                continue
            self._dialect = dialect
            if self._last and texts == self._last[0]:
                # Nothing changed since; to read the same text again would only cost time.
                return replace(self._last[1], told_at=told_at)
            rows = {table: json.loads(text) for table, text in zip(asked, texts, strict=True)}
            state = state_of(self.target.name, rows, dialect, told_at)
            self._last = texts, state
            return state
        raise NotThere(UPSTREAM.circuits)

    def _set(self, delete: Sequence[Pair], add: Sequence[Pair], until: float) -> None:
        table = path((sonic.CONFIG, sonic.CROSS_CONNECT))
        rows = {sonic.circuit_key(a, b): {sonic.A_SIDE: a, sonic.B_SIDE: b} for a, b in add}
        self._talk.set(
            sonic.ORIGIN,
            table,
            [sonic.circuit_key(*pair) for pair in delete],
            json.dumps(rows).encode() if rows else None,
            until,
        )
