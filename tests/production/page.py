"""What docs/production.md tells people to type, and the units that it brings."""

import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "production.md"
UNITS = ROOT / "docs" / "systemd"
_FENCE = re.compile(r"^( *)```(\w+)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Fence:
    """A block of the page: its language, and its text."""

    language: str
    text: str


def fences(begin: str, end: str) -> list[Fence]:
    """The blocks between two places of the page, each named by its words."""
    page = PAGE.read_text()
    part = page[page.index(begin) :]
    part = part[: part.index(end, len(begin))]
    return [Fence(m[2], textwrap.dedent(m[3])) for m in _FENCE.finditer(part)]


def started_by(unit: str) -> str:
    """What systemd would start for a unit."""
    return command_of((UNITS / f"{unit}.service").read_text())


def command_of(unit: str) -> str:
    """The line of a unit, or of a drop-in, that says what to start."""
    found = re.search(r"^ExecStart=(.+)$", unit, re.MULTILINE)
    assert found
    return found[1]


def environment_of(unit: str) -> str:
    """What a unit tells its service itself, a variable a line."""
    text = (UNITS / f"{unit}.service").read_text()
    return "\n".join(re.findall(r"^Environment=(.+)$", text, re.MULTILINE))
