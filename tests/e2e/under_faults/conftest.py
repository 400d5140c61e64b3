"""A machine for the stack: its disk is small, and a file sets its clock."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.e2e.conftest import Running, running
from tests.e2e.under_faults.faults import CLOCK, SEEN

#: MB of its disk, where we may mount one.
DISK = 2500


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The table of docs/reliability.md, as far as it was tried."""
    if SEEN:
        terminalreporter.section("fault x step")
    for fault, step, how, seconds in SEEN:
        terminalreporter.line(f"{fault:24} {step:7} {how} ({seconds:.0f} s)")


class Machines:
    """One stack at a time, on a machine with a clock of its own or without: that costs every
    process that waits."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._has: bool | None = None
        self._own: frozenset[str] = frozenset()

    def with_own(self, wanted: str) -> Running:
        """The stack on a machine that has this of its own; skips where none can have it."""
        clock = wanted == "clock"
        if self._has != clock:
            self.close()
            self._running, self._own = self._open.enter_context(_machine(clock=clock))
            self._has = clock
        if wanted and wanted not in self._own:
            pytest.skip(f"the {wanted} of this machine is not ours")
        return self._running

    def close(self) -> None:
        """Stop what runs."""
        self._open.close()


@pytest.fixture(scope="module")
def machines() -> Iterator[Machines]:
    machines = Machines()
    yield machines
    machines.close()


@contextmanager
def _machine(*, clock: bool) -> Iterator[tuple[Running, frozenset[str]]]:
    """A stack, and what is ours of its machine."""
    with TemporaryDirectory(prefix="fabric-twin-faults-") as name, ExitStack() as mounted:
        folder = Path(name)
        folder.chmod(0o711)  # as root, PostgreSQL runs as a user of its own
        disk = _mounts(folder)
        if disk:
            mounted.callback(_unmount, folder)
        environment = _clock_of(folder) if clock else {}
        own = {"disk": disk, "clock": environment}
        with running(folder / "state", **environment) as stack:
            yield stack, frozenset(what for what, is_ours in own.items() if is_ours)


def _mounts(folder: Path) -> bool:
    """Whether a disk of its own could be mounted there, which takes root."""
    if os.geteuid() or not shutil.which("mount"):
        return False
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK}m,mode=0711", "tmpfs", folder]
    return not subprocess.run(command, capture_output=True, check=False).returncode


def _unmount(folder: Path) -> None:
    subprocess.run(["umount", "--lazy", folder], check=True)


def _clock_of(folder: Path) -> dict[str, str]:
    """What makes every process take the time from a file; waiting goes by the real one."""
    found = find_spec("libfaketime")
    assert found
    assert found.origin
    library = Path(found.origin).with_name("vendor") / "libfaketime" / "src" / "libfaketime.so.1"
    if not library.exists():
        return {}
    clock = folder / CLOCK
    clock.write_text("+0\n")
    clock.chmod(0o644)
    return {
        "LD_PRELOAD": str(library),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_CACHE_DURATION": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
