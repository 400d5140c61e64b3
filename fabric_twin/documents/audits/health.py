"""A pod's health over time: a bar for each run, as high as it found findings.

   |          |            errors below, warnings above
|  |  |       |  |
'--'--'--'----'--'--
"""

from collections.abc import Sequence
from dataclasses import dataclass

from fabric_twin.documents.sheet import Document

#: Runs that are drawn, the newest to the right.
MOST = 60
#: As wide as half a page, where it is shown: wider, and the newest would be out of sight.
WIDTH, HEIGHT, LEFT = 480, 120, 44


@dataclass(frozen=True)
class Past:
    """What one run found."""

    name: str
    #: When it was, for people.
    at: str
    errors: int
    warnings: int
    new: int
    gone: int


@dataclass(frozen=True)
class Bar:
    """A run as drawn: heights upwards from the ground."""

    x: float
    width: float
    errors: float
    warnings: float
    run: str
    told: str


@dataclass(frozen=True)
class Health:
    """Bars, and how many findings the top of the scale is."""

    bars: tuple[Bar, ...]
    most: int
    first: str
    last: str


def health(pod: str, runs: Sequence[Past]) -> Document:
    """The last runs of a pod, oldest first."""
    shown = list(runs)[-MOST:]
    most = max([run.errors + run.warnings for run in shown] + [1])
    step = (WIDTH - LEFT - 8) / MOST
    first = MOST - len(shown)
    bars = tuple(
        Bar(
            x=round(LEFT + step * (first + place), 1),
            width=round(step - 1.5, 1),
            errors=round(HEIGHT * run.errors / most, 1),
            warnings=round(HEIGHT * run.warnings / most, 1),
            run=run.name,
            told=f"{run.name}, {run.at}: {run.errors:,} error{'s' * (run.errors != 1)}, "
            f"{run.warnings:,} warning{'s' * (run.warnings != 1)}, "
            f"{run.new:,} new, {run.gone:,} gone",
        )
        for place, run in enumerate(shown)
    )
    ends = (shown[0].at, shown[-1].at) if shown else ("", "")
    title = f"Findings of {pod} in its last {len(shown)} runs"
    return Document("health", pod, title, (), (), Health(bars, most, *ends))
