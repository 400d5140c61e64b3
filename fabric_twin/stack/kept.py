"""A process that ends with this one, whatever ends it: see keeper.py."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fabric_twin.stack.processes import Process, end_session

KEEPER = Path(__file__).with_name("keeper.py")


@dataclass(frozen=True)
class Program:
    """What to run, and how to ask it to stop."""

    command: Sequence[str]
    #: Everything it prints, appended.
    log: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    #: The user to become, when this process is root's.
    user: str = ""
    stop: signal.Signals = signal.SIGTERM
    #: Seconds between asking and killing.
    grace: float = 10


class Kept:
    """A running program, with the line that keeps it running."""

    def __init__(self, program: Program) -> None:
        self._grace = program.grace
        options = (program.stop.name, str(program.grace), program.user)
        with program.log.open("ab") as log:
            self._keeper = subprocess.Popen(  # noqa: S603
                [sys.executable, "-I", "-S", str(KEEPER), *options, *program.command],
                env={**os.environ, **program.environment},
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for us, who stop things in order
            )

    @property
    def pid(self) -> int:
        """The keeper's process id, which is also the session of all it keeps."""
        return self._keeper.pid

    @property
    def process(self) -> Process:
        """The keeper, told from a later process of its number."""
        return Process.of(self.pid) or Process(self.pid, "")

    def ended(self) -> int | None:
        """What the program exited with, or None while it runs."""
        code = self._keeper.poll()
        if code is not None:
            self._clear_up()
        return code

    def release(self) -> None:
        """Ask it to stop; `wait` for it then."""
        if self._keeper.stdin is not None:
            with contextlib.suppress(OSError):
                self._keeper.stdin.close()

    def wait(self) -> None:
        """Wait for its end, which its keeper enforces; a keeper that hangs is killed."""
        try:
            self._keeper.wait(self._grace + 5)
        except subprocess.TimeoutExpired:
            self._keeper.kill()
            self._keeper.wait()
        self._clear_up()

    def _clear_up(self) -> None:
        self.release()
        end_session(self.pid)

    def stop(self) -> None:
        """Ask it to stop, and wait until it has."""
        self.release()
        self.wait()
