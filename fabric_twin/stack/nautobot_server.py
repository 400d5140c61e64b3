"""Nautobot as a program: how its commands are run, and whether its pages are there.

Nothing here imports it: each command is a process of its own, with a log.
"""

import sys
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.console import last_lines
from fabric_twin.stack.kept import Kept, Program

#: Called with what is being done, and again as it goes on.
Say = Callable[[str], None]

_TRACEBACK = "Traceback (most recent call last):"
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
    look: Callable[[], None] = lambda: None,
) -> None:
    """Run what ends by itself, looking at it meanwhile; a failure is refused with its reason."""
    kept = Kept(Program(command, log, environment))
    try:
        while (code := kept.ended()) is None:
            look()
            time.sleep(0.05)
    finally:
        kept.stop()
    if code:
        what = " ".join([Path(command[0]).name, *command[3:]])
        raise StackRefused(
            f"{what} failed: {reason(last_lines(log, 200)) or f'it exited with {code}'}",
            where=str(log),
            remedy="Mend what it names, then start again: it goes on where it was",
        )


def reason(lines: Sequence[str]) -> str:
    """Why a program of Python's failed: what its last traceback ends with, or its last line."""
    said = [line for line in lines if line.strip()]
    if _TRACEBACK in said:
        after = said[len(said) - said[::-1].index(_TRACEBACK) :]
        raised = [line for line in after if not line.startswith(" ")]
        return raised[0] if raised else ""
    return said[-1] if said else ""


def web_answers(address: str) -> bool:
    """Whether the web server has a page to show."""
    try:
        with urllib.request.urlopen(f"{address}login/", timeout=5) as answer:  # noqa: S310
            return bool(answer.status == HTTPStatus.OK)
    except OSError:  # refused, timed out, or any HTTP error: all of urllib's are
        return False
