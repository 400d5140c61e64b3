"""A stack of its own, on a small disk where one may be mounted; and the table at the end."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.e2e.conftest import Running, running
from tests.e2e.under_faults.faults import SEEN

#: MB of its disk, where we may mount one.
DISK = 2500


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The table of docs/reliability.md, as far as it was tried."""
    if SEEN:
        terminalreporter.section("fault x step")
    for fault, step, how, seconds in SEEN:
        terminalreporter.line(f"{fault:24} {step:7} {how} ({seconds:.0f} s)")


@pytest.fixture(scope="module")
def machine() -> Iterator[tuple[Running, bool]]:
    """A stack of its own, and whether its disk is ours to fill."""
    with TemporaryDirectory(prefix="fabric-twin-faults-") as name, ExitStack() as mounted:
        folder = Path(name)
        folder.chmod(0o711)  # as root, PostgreSQL runs as a user of its own
        is_ours = _mounts(folder)
        if is_ours:
            mounted.callback(_unmount, folder)
        with running(folder / "state") as stack:
            yield stack, is_ours


def _mounts(folder: Path) -> bool:
    """Whether a disk of its own could be mounted there, which takes root."""
    if os.geteuid() or not shutil.which("mount"):
        return False
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK}m,mode=0711", "tmpfs", folder]
    return not subprocess.run(command, capture_output=True, check=False).returncode


def _unmount(folder: Path) -> None:
    subprocess.run(["umount", "--lazy", folder], check=True)
