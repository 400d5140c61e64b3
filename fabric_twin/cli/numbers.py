"""Numbers of options: `nan` is within every range and is no number."""

import math
from typing import Any

import click


class Number(click.FloatRange):
    """A number in a range, called by what it counts."""

    def __init__(self, least: float, most: float, what: str) -> None:
        super().__init__(least, most)
        self.what = what

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read it, or refuse it."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value!r} is not a {self.what}.", param, ctx)
        return number
