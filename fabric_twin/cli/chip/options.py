"""Options of all commands of a chip."""

from collections.abc import Callable, Sequence
from typing import Any, cast

import click

from fabric_twin.cli.options import complete_design, which_design
from fabric_twin.core.chips.chip import Chip
from fabric_twin.core.chips.design import ChipDesign
from fabric_twin.core.chips.ring import Ring
from fabric_twin.core.kinds import Verb


def design_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--design`: a chip."""
    return click.option(
        "--design",
        required=True,
        metavar="NAME",
        shell_complete=complete_design,
        help="The chip's design, as `fabric-twin designs` lists it, or a design file.",
    )(command)


def ring_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--ring`: one of its rings."""
    return click.option(
        "--ring", metavar="NAME", help="One ring, like a0-07 or a1; all of them by default."
    )(command)


def chip_design_of(asked: str) -> ChipDesign:
    """The design of a chip, or a refusal."""
    return cast("ChipDesign", which_design(asked, Verb.CHIP))


def rings_of(chip: Chip, ring: str | None) -> Sequence[Ring]:
    """The one ring that is asked for, or all."""
    return chip.rings if ring is None else [chip.ring(ring)]
