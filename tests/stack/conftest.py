"""Parts that are small programs: what is tested is who starts, restarts and stops them."""

import io
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fabric_twin.stack.console import Console
from fabric_twin.stack.kept import Program
from fabric_twin.stack.supervisor import Part

#: Far longer than anything here takes; only a defect waits for it.
PATIENCE = 30


def wait_until(happened: Callable[[], object]) -> None:
    """Wait for what must come."""
    patience = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < patience
        time.sleep(0.01)


@pytest.fixture
def shown() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def console(shown: io.StringIO) -> Console:
    return Console(shown)


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., Program]:
    """A program of a few lines of Python."""

    def make(name: str, script: str, **options: object) -> Program:
        command = [sys.executable, "-I", "-S", "-c", script]
        return Program(command, tmp_path / f"{name}.log", **options)

    return make


@pytest.fixture
def part(tmp_path: Path, program: Callable[..., Program]) -> Callable[..., Part]:
    """A part that says when it is up, and what becomes of it, by files in the test's folder."""

    def make(name: str, script: str = "", *, up: bool = True, **options: object) -> Part:
        came_up = tmp_path / f"{name}.up"
        lines = [
            "import os, pathlib, signal, sys, time",
            f"folder, name = pathlib.Path({str(tmp_path)!r}), {name!r}",
            script,
            f"pathlib.Path({str(came_up)!r}).touch()" if up else "",
            "time.sleep(600)",
        ]
        run = program(name, "\n".join(lines), **options)
        return Part(name, run, came_up.exists, PATIENCE, came_up)

    return make
