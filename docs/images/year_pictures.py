"""The pictures of a simulated year, beside what is published."""

# ruff: noqa: INP001 - a script, not a package

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

YEAR = Path(__file__).with_name("year.json")
FIGURES: dict[str, Any] = json.loads(YEAR.read_text(encoding="utf-8"))

LEFT, WIDTH, FLOOR, HEIGHT = 70, 600, 250, 190


def pictures(new: Callable[..., Any]) -> Iterator[Any]:
    """All of them; `new` makes an empty one."""
    yield _failures(new)
    yield _links_down(new)
    yield _errors(new)
    yield _losses(new)


def _failures(new: Callable[..., Any]) -> Any:
    """A bar a kind, and a mark where the published rate is."""
    year = FIGURES["ironwood"]
    kinds = sorted(year["expected"], key=lambda kind: -year["expected"][kind])
    p = new("year-failures", 720, 70 + 22 * len(kinds), "Failures of a year by kind")
    p.text(20, 28, "Ironwood, a simulated year: failures by kind", "big")
    p.text(20, 48, "bar: simulated; upright mark: the published daily rates over a year", "quiet")
    scale = 440 / max(*year["expected"].values(), *year["came"].values())
    for row, kind in enumerate(kinds):
        y = 62 + 22 * row
        p.text(20, y + 13, kind)
        p.box(160, y, max(1, year["came"][kind] * scale), 16, "tint", 2)
        at = 160 + year["expected"][kind] * scale
        p.line(at, y - 2, at, y + 18, "one")
        said = f"{year['came'][kind]} ({year['expected'][kind]:g})"
        p.text(max(at, 160 + year["came"][kind] * scale) + 10, y + 13, said, "quiet")
    return p


def _links_down(new: Callable[..., Any]) -> Any:
    year = FIGURES["ironwood"]
    p = new("year-links-down", 720, 300, "Ports whose link is down, week by week")
    p.text(20, 28, f"Ironwood: ports of {year['ports']:,} whose link is down, by week", "big")
    p.text(20, 48, "dashed: the median of the week; thick: the most at one look", "quiet")
    weeks = year["down_by_week"]
    most = max(weeks["most"])
    _frame(p, [(n / 51, f"week {n + 1}") for n in (0, 12, 25, 38, 51)])
    for value in (0, most // 2, most):
        p.text(LEFT - 8, FLOOR - HEIGHT * value / most + 4, str(value), "quiet", "end")
    for name, kind in (("most", "one"), ("median", "two")):
        points = [
            f"{LEFT + WIDTH * n / 51:.1f} {FLOOR - HEIGHT * value / most:.1f}"
            for n, value in enumerate(weeks[name])
        ]
        p.path_("M" + "L".join(points), kind)
    return p


def _errors(new: Callable[..., Any]) -> Any:
    p = new("year-errors", 720, 300, "Bit errors of links against the limit")
    p.text(20, 28, "Bit error ratio of links that are up, before correction", "big")
    p.text(20, 48, "TPU v4, sampled over the year; the thick mark is the KP4 limit", "quiet")
    found = FIGURES["tpu-v4"]["errors"]
    low, high = found["edges"][0], found["edges"][-1]
    _frame(p, [((at - low) / (high - low), f"1e{at}") for at in (-6, -5, -4, -3)])
    _bars(p, found["many"])
    limit = LEFT + WIDTH * (-3.699 - low) / (high - low)
    middle = LEFT + WIDTH * (found["median"] - low) / (high - low)
    p.line(limit, FLOOR, limit, FLOOR - HEIGHT, "one")
    p.text(limit + 8, FLOOR - HEIGHT + 12, "2e-4")
    p.line(middle, FLOOR - HEIGHT - 4, limit, FLOOR - HEIGHT - 4, "two")
    p.text((limit + middle) / 2, FLOOR - HEIGHT + 14, _margin(found["median"]), "quiet", "middle")
    return p


def _margin(median: float) -> str:
    return f"{-3.699 - median:.1f} orders of magnitude (published: about two)"


def _losses(new: Callable[..., Any]) -> Any:
    year = FIGURES["tpu-v4"]["losses"]
    p = new("year-losses", 720, 300, "Insertion loss of every pair of a switch")
    p.text(20, 28, "Insertion loss of all 136×136 pairs of one switch, in dB", "big")
    share = f"{year['under_2']:.1%} are under 2 dB (published: typically), the most"
    p.text(20, 48, f"{share} {year['most']:g} dB (budget: 3 dB, the thick mark)", "quiet")
    low, high = year["edges"][0], year["edges"][-1]
    _frame(p, [((at - low) / (high - low), f"{at:g}") for at in (1, 1.5, 2, 2.5, 3)])
    _bars(p, year["many"])
    for at, kind in ((2.0, "two"), (3.0, "one")):
        x = LEFT + WIDTH * (at - low) / (high - low)
        p.line(x, FLOOR, x, FLOOR - HEIGHT, kind)
    return p


def _frame(p: Any, marks: Sequence[tuple[float, str]]) -> None:
    p.line(LEFT, FLOOR, LEFT + WIDTH, FLOOR)
    for at, said in marks:
        x = LEFT + WIDTH * at
        p.line(x, FLOOR, x, FLOOR + 5)
        p.text(x, FLOOR + 22, said, "quiet", "middle")


def _bars(p: Any, many: Sequence[int]) -> None:
    step = WIDTH / len(many)
    for n, value in enumerate(many):
        if value:
            height = max(1.0, (HEIGHT - 24) * value / max(many))
            p.box(LEFT + n * step + 1, FLOOR - height, step - 2, height, "tint", 1)
