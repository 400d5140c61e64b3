"""Nautobot as a program: how its commands are run, and whether its pages are there.

Nothing here imports it: each command is a process of its own, with a log.
"""

import sys
import time
import urllib.request
from collections.abc import Callable, Mapping
from http import HTTPStatus
from pathlib import Path

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.console import last_lines
from fabric_twin.stack.kept import Kept, Program

CONFIG = Path(__file__).with_name("nautobot_config.py")


def nautobot_server(*arguments: str) -> list[str]:
    """A command of Nautobot's, with this stack's settings."""
    program = Path(sys.executable).with_name("nautobot-server")
    if not program.exists():
        raise StackRefused(
            "Nautobot is not installed beside this program",
            where=str(program.parent),
            remedy="Install fabric-twin[stack]",
        )
    return [str(program), "--config", str(CONFIG), *arguments]


def run_to_end(
    command: list[str],
    environment: Mapping[str, str],
    log: Path,
    tick: Callable[[], None] = lambda: None,
) -> None:
    """Run what ends by itself; a failure is refused with the last that it said."""
    kept = Kept(Program(command, log, environment))
    try:
        while (code := kept.ended()) is None:
            tick()
            time.sleep(0.05)
    finally:
        kept.stop()
    if code:
        what = " ".join([Path(command[0]).name, *command[3:]])
        said = last_lines(log, 1) or [f"it exited with {code}"]
        raise StackRefused(
            f"{what} failed: {said[0]}",
            where=str(log),
            remedy="Mend what its last lines name, then start again: it goes on where it was",
        )


def web_answers(address: str) -> bool:
    """Whether the web server has a page to show."""
    try:
        with urllib.request.urlopen(f"{address}login/", timeout=10) as answer:  # noqa: S310
            return bool(answer.status == HTTPStatus.OK)
    except OSError:  # refused, timed out, or any HTTP error: all of urllib's are
        return False
