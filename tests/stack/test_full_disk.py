"""A disk that is full is refused in words, and what is told to other terminals stays true."""

import contextlib
import errno
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.console import Console
from fabric_twin.stack.folder import StateFolder
from fabric_twin.stack.recovery.facts import Facts
from fabric_twin.stack.recovery.space import refuse_without_space, space_refused


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A disk of 200 kB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(disk)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"only root mounts a small disk: {error}")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


@pytest.fixture
def folder(small: Path) -> StateFolder:
    made = StateFolder(small / "state")
    made.make()
    return made


def fill(folder: StateFolder) -> None:
    """Take the whole disk."""
    with (folder.path / "fill").open("wb", buffering=0) as out, contextlib.suppress(OSError):
        while out.write(bytes(4096)):
            pass


def told(folder: StateFolder) -> dict[str, Any]:
    facts = folder.run()
    assert facts
    return facts


def test_a_start_on_a_small_disk_is_refused_with_what_may_go(folder: StateFolder) -> None:
    with pytest.raises(StackRefused) as refused:
        refuse_without_space(folder)
    assert str(refused.value) == (
        f"{folder.path}: only 0 MB are free, and a start needs 600. Free some on that disk: dumps "
        "in backups/ and logs/*.log.1 may go. What is in the database stays, and the next `up` "
        "goes on."
    )
    folder.mark_done("tables")
    with pytest.raises(StackRefused, match="and a start needs 100"):
        refuse_without_space(folder)


def test_a_disk_that_fills_up_on_the_way_is_refused_in_words(folder: StateFolder) -> None:
    fill(folder)
    with pytest.raises(StackRefused, match="only 0 MB are free"), space_refused(folder):
        folder.secret("api-token", 2_000)
    assert not [file.name for file in folder.path.iterdir() if "api-token" in file.name]


def test_any_other_error_is_what_it_was(folder: StateFolder) -> None:
    with pytest.raises(PermissionError), space_refused(folder):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def test_what_is_told_stays_true_while_the_disk_is_full(
    folder: StateFolder, console: Console
) -> None:
    with folder.held(), Facts.told(folder, console) as facts:
        facts.write(state="ready", address="http://127.0.0.1:8080/")
        fill(folder)
        facts.write(state="stopping")
        assert told(folder)["state"] == "stopping"
    assert folder.run() is None
