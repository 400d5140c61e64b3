"""What `status` and `down` are told in run.json: who runs the stack, where, and which parts.

The file is touched every few seconds: who runs the stack may itself be stopped. On a full disk it
cannot be written, but touched; it is written once there is space.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Self

from fabric_twin.stack.console import Console
from fabric_twin.stack.folder import StateFolder
from fabric_twin.stack.processes import Process
from fabric_twin.stack.recovery.space import few_bytes

#: Seconds between two touches, and until one that does not touch it counts as hanging.
BEAT, SILENT = 2.0, 15.0


def is_silent(folder: StateFolder) -> bool:
    """Whether who runs the stack hangs, or was stopped."""
    return folder.silent() > SILENT


class Facts:
    """The facts of a stack that this process runs."""

    def __init__(self, folder: StateFolder, console: Console) -> None:
        self._folder, self._console, self._lock = folder, console, threading.Lock()
        #: What is known of each part.
        self.parts: Callable[[], list[dict[str, Any]]] = list
        me = Process.of(os.getpid())
        self._facts: dict[str, Any] = {
            "version": 1,
            "address": "",
            "state": "starting",
            "demo": "none",
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
            "supervisor": me.as_json() if me else {},
        }
        self._is_late, self._said = False, ""

    @classmethod
    @contextmanager
    def told(cls, folder: StateFolder, console: Console) -> Iterator[Self]:
        """Tell them for as long as this lasts."""
        facts, over = cls(folder, console), threading.Event()
        facts.write()
        beating = threading.Thread(target=facts._beat_until, args=(over,), daemon=True)
        beating.start()
        try:
            yield facts
        finally:
            over.set()
            beating.join()

    def write(self, **changed: str) -> None:
        """Write them down, with what has changed."""
        with self._lock:
            self._facts |= changed
            try:
                self._folder.write_run({**self._facts, "parts": self.parts()})
                self._is_late = False
            except OSError:
                self._is_late = True

    def _beat_until(self, over: threading.Event) -> None:
        while not over.wait(BEAT):
            self._folder.say_alive()
            if self._is_late:
                self.write()
            self._say_what_is_free()

    def _say_what_is_free(self) -> None:
        """Once when little is left, and once when there is enough again."""
        few = few_bytes(self._folder)
        if bool(few) != bool(self._said):
            self._console.line("stack", few or "there is space again", "red")
        self._said = few
