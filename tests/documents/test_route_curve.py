"""The lead's choice drawn: every route has a point and a row, and what is worth it is joined."""

import re

from fabric_twin.core.orders.mending import Point
from fabric_twin.core.orders.planning.routes import Route
from fabric_twin.documents import embed
from fabric_twin.documents.orders.route_curve import route_curve

POINTS = (
    Point(Route.SHORTEST_WALK, 3000, 5400, 12, 90.0, 5400),
    Point(Route.RACKS_ONCE, 2400, 5460, 12, 110.0, 5460),
    Point(Route.TWO_ROUNDS, 2100, 6000, 16, 170.0, 6000),
    Point(Route.FOUR_ROUNDS, 2100, 6000, 16, 170.0, 6000),
    Point(Route.URGENT_FIRST, 2160, 7200, 30, 260.0, 7200, is_worth=False),
)


def test_the_table_says_what_each_route_costs_and_what_is_not_worth_it() -> None:
    [table] = route_curve("iw1-w3", POINTS, "racks-once").tables
    assert [row[:1] + row[2:] for row in table.rows] == [
        ("A", "50 min", "1 h 30 min", "12", "90 m", "1 h 30 min", ""),
        ("B", "40 min", "1 h 31 min", "12", "110 m", "1 h 31 min", "chosen"),
        ("C", "35 min", "1 h 40 min", "16", "170 m", "1 h 40 min", ""),
        ("D", "35 min", "1 h 40 min", "16", "170 m", "1 h 40 min", ""),
        (
            *("E", "36 min", "2 h 00 min", "30", "260 m", "2 h 00 min"),
            "C is better on one and no worse on the other",
        ),
    ]


def test_each_point_is_reached_by_keyboard_and_says_what_it_is() -> None:
    drawn = embed.svg(route_curve("iw1-w3", POINTS, "racks-once"), "iw1", {})
    told = re.findall(r'<g tabindex="0" role="img" aria-label="([^"]+)"', drawn)
    assert [one.split(",")[0] for one in told] == ["A", "B", "C", "E"]
    assert told[1] == (
        "B, Urgent racks first: each rack once: mean time to mend 40 min, 12 rack visits, "
        "110 m on foot"
    )
    assert "; D, Four rounds" in told[2], "routes that cost the same are one point"
    assert re.findall(r">([A-E ]+)</text>", drawn) == ["A", "B", "C D", "E"]
    [line] = re.findall(r'polyline class="along" points="([^"]+)"', drawn)
    assert len(line.split()) == 3
    assert drawn.count('class="chosen"') == 1
