"""Starts parts in order, starts again what ends, and stops all of them in the opposite order.

A part that hangs is named, and left alone: somebody may have stopped it to look at it, and to
kill it loses both its work and the reason why it hangs. `status` says how it is started again.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.console import Console, last_lines
from fabric_twin.stack.kept import Kept, Program

_TICK = 0.1
_MOST_PARTS = 16
#: Seconds before a part is started again: doubled each time it ends soon after, up to the last.
FIRST_WAIT, LAST_WAIT = 1.0, 30.0
#: A part that ran this long has recovered.
_SETTLED = 60.0
#: Seconds between two questions to a part, for its answer, and until it counts as hanging.
ASK_EVERY, ANSWER_WITHIN, HANGS_AFTER = 5.0, 5.0, 15.0


@dataclass(frozen=True)
class Part:
    """A server that belongs to the stack."""

    name: str
    program: Program
    #: Whether it is ready for work.
    answers: Callable[[], bool]
    #: Seconds to become so.
    patience: float = 120
    #: A file by which it says that it is ready, and that it leaves behind when it is killed.
    ready_file: Path | None = None
    #: Whether it still works, where that is another question; answered in ANSWER_WITHIN.
    lives: Callable[[], bool] | None = None


@dataclass
class _Running:
    part: Part
    kept: Kept
    since: float
    restarts: int = 0
    wait: float = field(default_factory=lambda: FIRST_WAIT)
    #: When to start it again, once it has ended.
    again_at: float | None = None
    #: Whether it has answered since it was last started; and whether it ever has.
    ready: bool = False
    came_up: bool = False
    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    #: What it was asked; when that was; when it last answered; since when it hangs.
    asked: "Future[bool] | None" = None
    asked_at: float = 0
    answered_at: float = 0
    silent_since: datetime | None = None

    def question(self) -> Callable[[], bool]:
        """What it is asked now."""
        return self.part.lives if self.ready and self.part.lives else self.part.answers

    def came_to_life(self) -> None:
        """It answers; from now on it is asked whether it lives."""
        self.ready, self.silent_since, self.answered_at = True, None, time.monotonic()


class Supervisor:
    """Runs parts for as long as this process lives, and no longer."""

    def __init__(self, console: Console, heed: Callable[[], None] = lambda: None) -> None:
        #: `heed` raises what somebody asked for while parts are waited for.
        self._console, self._heed = console, heed
        #: Called when a part begins, ends or answers.
        self.changed: Callable[[], None] = lambda: None
        #: Parts that were started side by side, in the order they were.
        self._rows: list[list[_Running]] = []

    @property
    def _running(self) -> list[_Running]:
        return [running for row in self._rows for running in row]

    def start(self, parts: Sequence[Part]) -> None:
        """Start parts side by side, and wait until each answers."""
        self.begin(parts)
        self.wait(parts)

    def begin(self, parts: Sequence[Part]) -> None:
        """Start parts side by side."""
        self._heed()
        self._rows.append([_Running(part, _begin(part), time.monotonic()) for part in parts])
        self.changed()

    def wait(self, parts: Sequence[Part]) -> None:
        """Wait until each of some parts has answered; one that ends before that is refused."""
        names = {part.name for part in parts}
        while waiting := names - {each.part.name for each in self._running if self._is_up(each)}:
            self._heed()
            self._console.tell(f"waiting for {', '.join(sorted(waiting))}")
            time.sleep(_TICK)
        self._console.tell("")
        self.changed()

    def _is_up(self, running: _Running) -> bool:
        if running.came_up:
            return True
        part, code = running.part, running.kept.ended()
        if code is not None:
            raise self._never_came_up(part, f"it ended with code {code}")
        if time.monotonic() - running.since > part.patience:
            raise self._never_came_up(part, f"no answer in {part.patience:.0f} s")
        if part.answers():
            running.came_to_life()
            running.came_up = True  # last: from then on others look after it
        return running.came_up

    def _never_came_up(self, part: Part, why: str) -> StackRefused:
        self._console.say()
        for line in last_lines(part.program.log):
            self._console.line(part.name, line, "red")
        return StackRefused(
            f"{part.name} did not come up: {why}",
            where=str(part.program.log),
            remedy="Mend what its last lines name, then start again",
        )

    @contextmanager
    def watched(self) -> Iterator["Future[None]"]:
        """Start again what came up and ends, in a thread beside what is done within this."""
        end = Event()
        # Who hangs keeps one thread waiting, and nobody else.
        with ThreadPoolExecutor(1) as pool, ThreadPoolExecutor(_MOST_PARTS) as asking:
            try:
                yield pool.submit(self._watch, end, asking)
            finally:
                end.set()

    def _watch(self, end: Event, asking: ThreadPoolExecutor) -> None:
        while not end.wait(_TICK):
            for running in self._running:
                if running.came_up:
                    self._look_after(running)
                    self._ask(running, asking)

    def _look_after(self, running: _Running) -> None:
        now = time.monotonic()
        if running.again_at is not None:
            if now >= running.again_at:
                running.kept, running.since = _begin(running.part), now
                running.again_at, running.started = None, datetime.now(UTC)
                running.restarts += 1
                self._note(running.part, "started again")
        elif (code := running.kept.ended()) is not None:
            if now - running.since > _SETTLED:
                running.wait = FIRST_WAIT
            running.again_at, running.ready = now + running.wait, False
            running.asked = running.silent_since = None
            self._note(running.part, f"ended with code {code}, again in {running.wait:g} s")
            running.wait = min(2 * running.wait, LAST_WAIT)

    def _ask(self, running: _Running, asking: ThreadPoolExecutor) -> None:
        """Ask it in a thread of its own, and note what it answered, or that it does not."""
        now = time.monotonic()
        if running.again_at is not None:
            return
        if running.asked is None:
            if not running.asked_at:  # nobody asked it while others came up
                running.answered_at = now
            if now - running.asked_at > (ASK_EVERY if running.ready else _TICK):
                running.asked, running.asked_at = asking.submit(running.question()), now
        elif running.asked.done():
            asked, running.asked = running.asked, None
            if asked.result():
                is_news = not running.ready or running.silent_since
                running.came_to_life()
                if is_news:
                    self._note(running.part, "answers")
        silence = now - running.answered_at
        if running.ready and running.silent_since is None and silence > HANGS_AFTER:
            running.silent_since = datetime.now(UTC) - timedelta(seconds=silence)
            how = f"`kill {running.kept.pid}` starts it again"
            self._note(running.part, f"no answer for {silence:.0f} s; {how}")

    def _note(self, part: Part, words: str) -> None:
        self._console.line("stack", f"{part.name}: {words}", "red")
        self.changed()

    def stop(self) -> None:
        """Stop every part, those that others need last; what will not stop is killed."""
        while self._rows:
            row = self._rows.pop()
            for running in row:
                running.kept.release()
            for running in row:
                running.kept.wait()

    def facts(self) -> list[dict[str, Any]]:
        """Each part, for somebody who asks from another terminal."""
        return [
            {
                "name": running.part.name,
                **running.kept.process.as_json(),
                "state": _state(running),
                "since": running.started.isoformat(timespec="seconds"),
                "restarts": running.restarts,
                **_silence(running),
                "log": str(running.part.program.log),
            }
            for running in self._running
        ]


def _state(running: _Running) -> str:
    if running.again_at is not None:
        return "ended"
    if running.silent_since is not None:
        return "hangs"
    return "ready" if running.ready else "starting"


def _silence(running: _Running) -> dict[str, str]:
    since = running.silent_since
    return {"silent_since": since.isoformat(timespec="seconds")} if since else {}


def _begin(part: Part) -> Kept:
    if part.ready_file is not None:
        part.ready_file.unlink(missing_ok=True)
    return Kept(part.program)
