"""What the fabric does for hands: it keeps ports dark, shows whether they are, and checks by light.

    read_steps    reads the ports of a crew's next steps again, blocks and releases what is due
    check_bundle  joins a bundle to cubes that are idle, for a moment, and tells what light says

What a switch does not answer stays locked, and is said.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from fabric_twin.models import WorkOrder


@dataclass(frozen=True)
class Ahead:
    """What a crew has before it, as switches show it now."""

    #: The number of the next step; 0 where none is left.
    step: int
    #: Why hands must stay off it; empty where they may go on.
    why: str = ""
    #: Steps that the fabric did meanwhile, by number.
    done: tuple[int, ...] = ()
    #: Ports beside the step's that carry light.
    live: tuple[str, ...] = ()


@dataclass(frozen=True)
class Checked:
    """What light, or an audit, says of a bundle."""

    bundle: str
    agrees: bool
    wrong: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    #: Why nobody could look, or what an audit found.
    why: str = ""


def read_steps(order: WorkOrder, user: Any, crew: int = 1) -> Ahead:
    """Do what the fabric does before a crew's next step, and read the step's ports again."""
    raise NotImplementedError


def check_bundles(order: WorkOrder, user: Any, bundles: Collection[str] = ()) -> list[Checked]:
    """Look by light at some bundles, or at all whose hands are done, and keep what it says."""
    raise NotImplementedError
