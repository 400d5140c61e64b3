"""The lead's choice drawn: mean time to mend against metres on foot, a point a route.

mean time to mend
|  B           letters as in the table beside it; those worth choosing are joined
|     C
|        A D
'------------- metres on foot
"""

from collections.abc import Sequence
from dataclasses import dataclass

from fabric_twin.core.orders.mending import Point, is_better
from fabric_twin.core.orders.planning.routes import IN_WORDS, Route
from fabric_twin.documents.orders.work_order import hours
from fabric_twin.documents.sheet import Document, Table, table

WIDTH, HEIGHT = 420, 220
LEFT, RIGHT, TOP, BOTTOM = 72, 400, 34, 186
#: Between the axes and the first and the last point; and how near two letters may come.
ROOM, NEAR_X, NEAR_Y = 24, 34, 16
_LETTERS = {route: letter for letter, route in zip("ABCDE", Route, strict=True)}


@dataclass(frozen=True)
class Dot:
    """Routes that cost the same, as drawn."""

    x: float
    y: float
    #: Where its letters stand: above it, or below where others are near.
    text_y: float
    letters: str
    told: str
    is_worth: bool
    is_chosen: bool


@dataclass(frozen=True)
class Curve:
    """Dots, the line through those that are worth choosing, and what the ends of the axes are."""

    dots: tuple[Dot, ...]
    line: str
    #: Of the lowest and the highest point, and of the nearest and the farthest.
    times: tuple[str, str]
    metres: tuple[str, str]
    low: float = BOTTOM - ROOM
    high: float = TOP + ROOM
    near: float = LEFT + ROOM
    far: float = RIGHT - ROOM
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT
    top: int = TOP
    bottom: int = BOTTOM


def route_curve(name: str, points: Sequence[Point], chosen: str) -> Document:
    """The routes of an order, or of one to be."""
    times = sorted(point.mean for point in points)
    metres = sorted(point.metres for point in points)
    alike: dict[tuple[float, float], list[Point]] = {}
    for point in points:
        along = _share(point.metres, metres[0], metres[-1])
        up = _share(point.mean, times[0], times[-1])
        alike.setdefault(_at(along, up), []).append(point)
    dots: list[Dot] = []
    for (x, y), here in sorted(alike.items()):
        crowded = dots and abs(dots[-1].x - x) < NEAR_X and abs(dots[-1].text_y - y + 13) < NEAR_Y
        dots.append(
            Dot(
                *(x, y, y + 24 if crowded else y - 13),
                letters=" ".join(_LETTERS[point.route] for point in here),
                told="; ".join(_told(point) for point in here),
                is_worth=any(point.is_worth for point in here),
                is_chosen=any(point.route == chosen for point in here),
            )
        )
    line = " ".join(f"{dot.x},{dot.y}" for dot in dots if dot.is_worth)
    title = f"Mean time to mend against metres on foot, by route, of {name}"
    drawn = Curve(
        tuple(dots),
        line if " " in line else "",
        (hours(times[0]), hours(times[-1])),
        (f"{metres[0]:,.0f} m", f"{metres[-1]:,.0f} m"),
    )
    return Document("route-curve", name, title, (), (route_table(points, chosen),), drawn)


def route_table(points: Sequence[Point], chosen: str) -> Table:
    """The same as a table."""
    columns = "point,route,mean time to mend,last mended,rack visits,on foot,work,choice"
    rows = [
        (
            *(_LETTERS[point.route], IN_WORDS[point.route]),
            *(hours(point.mean), hours(point.last)),
            *(point.visits, f"{point.metres:,.0f} m", hours(point.seconds)),
            _choice(point, points, chosen),
        )
        for point in points
    ]
    return table("Time to mend or fewer metres", columns, rows)


def _choice(point: Point, points: Sequence[Point], chosen: str) -> str:
    """Whether it was chosen, and which one mends sooner for no more walking, or the same."""
    said = ["chosen"] if point.route == chosen else []
    if better := next((other for other in points if is_better(other, point)), None):
        said.append(f"{_LETTERS[better.route]} is better on one and no worse on the other")
    return "; ".join(said)


def _told(point: Point) -> str:
    return (
        f"{_LETTERS[point.route]}, {IN_WORDS[point.route]}: mean time to mend "
        f"{hours(point.mean)}, {point.visits:,} rack visits, {point.metres:,.0f} m on foot"
    )


def _share(value: float, least: float, most: float) -> float:
    """How far between the least and the most; in the middle where these are one."""
    return (value - least) / (most - least) if most > least else 0.5


def _at(along: float, up: float) -> tuple[float, float]:
    """Where a point is drawn."""
    x = LEFT + ROOM + along * (RIGHT - LEFT - 2 * ROOM)
    return round(x, 1), round(BOTTOM - ROOM - up * (BOTTOM - TOP - 2 * ROOM), 1)
