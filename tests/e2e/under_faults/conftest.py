"""A machine for the stack: its disk is small, a file sets its clock."""

import os
import platform
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.e2e.conftest import Running, running
from tests.e2e.under_faults.faults import CLOCK

#: MB of its disk, where we may mount one.
DISK = 2500


@pytest.fixture(scope="module")
def machine() -> Iterator[tuple[Running, frozenset[str]]]:
    """A stack of its own, and what is ours of its machine: the disk, the clock."""
    with TemporaryDirectory(prefix="fabric-twin-faults-") as name, ExitStack() as mounted:
        folder = Path(name)
        folder.chmod(0o711)  # as root, PostgreSQL runs as a user of its own
        disk = _mounts(folder)
        if disk:
            mounted.callback(_unmount, folder)
        clock = _clock_of(folder)
        own = {"disk": disk, CLOCK: clock}
        with running(folder / "state", **clock) as stack:
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
    """What makes every process take the time of day from a file; they wait by the real clock.

    Without the last three, threads that wait keep both cores of a small machine busy.
    """
    found = find_spec("libfaketime")
    assert found
    assert found.origin
    library = Path(found.origin).with_name("vendor") / "libfaketime" / "src" / "libfaketime.so.1"
    if platform.machine() != "x86_64" or not library.exists():
        return {}
    clock = folder / CLOCK
    clock.write_text("+0\n")
    clock.chmod(0o644)
    return {
        "LD_PRELOAD": str(library),
        "FAKETIME_TIMESTAMP_FILE": str(clock),
        "FAKETIME_CACHE_DURATION": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        "NO_FAKE_STAT": "1",
        "FAKETIME_DISABLE_SHM": "1",
        "FAKETIME_FORCE_MONOTONIC_FIX": "0",
    }
