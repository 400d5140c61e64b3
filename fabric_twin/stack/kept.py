"""A process that ends with this one, whatever ends it: see keeper.py.

    logs/web.log    what the part web prints
    logs/web.held   locked and held open by web, its keeper, its workers and theirs

Each gets the open file from who started it, and lets go of it only by its end. So what is left over
where a supervisor and keepers were killed can be found, and cannot be taken for anybody else.
"""

import contextlib
import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fabric_twin.stack.processes import HELD, Process, end, holders, members_of

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
        self._grace, self._log = program.grace, program.log
        options = (program.stop.name, str(program.grace), program.user)
        with program.log.open("ab") as log, program.log.with_suffix(HELD).open("ab") as held:
            fcntl.flock(held, fcntl.LOCK_SH)
            self._keeper = subprocess.Popen(  # noqa: S603
                [sys.executable, "-I", "-S", str(KEEPER), *options, *program.command],
                env={**os.environ, **program.environment},
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                pass_fds=[held.fileno()],
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
        for process in self._processes():  # who was stopped could not do what it is asked
            process.send(signal.SIGCONT)

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
        end(self._processes, signal.SIGKILL)

    def _processes(self) -> set[Process]:
        """Keeper, program and all that came of it, whatever became of the first two."""
        held = holders(self._log.parent).get(self._log.stem, set())
        return held.union(members_of(self.pid))

    def stop(self) -> None:
        """Ask it to stop, and wait until it has."""
        self.release()
        self.wait()
