"""Draw rings over four rows of eight groups: a job in three rows, one in a row, and what is lost.

Run `make refresh-docs` after a change of the drawing.
"""

# ruff: noqa: INP001 - a script, not a package

from pathlib import Path

from fabric_twin.core.groups.cluster import Cluster, Joined
from fabric_twin.core.groups.design import groups_design
from fabric_twin.core.groups.group import Group
from fabric_twin.core.rings.ask import ask
from fabric_twin.core.rings.failure import fail
from fabric_twin.core.rings.job import Axis, Form
from fabric_twin.core.rings.plane import Plane
from fabric_twin.core.rings.state import State
from fabric_twin.core.rings.wish import Wish
from fabric_twin.documents.groups.plane_map import plane_map
from fabric_twin.services.pods.render import render_one

HERE = Path(__file__).parent / "groups"
PLANE = Plane(0, 1, 1)


def some_state() -> State:
    """Jobs of each form, and a group that is lost."""
    sizes = Cluster(Group.of(4, lanes=3), 4, 8, Joined.TWO)
    state = State.of(groups_design("four-rows", "four rows of eight groups", sizes), "pg1")
    axes = (Axis("layer", (PLANE,)),)
    for wish in (
        Wish("long", Form.SEQUENCE, 76, axes=axes),
        Wish("square", Form.RECTANGLE, rows=2, columns=3, axes=axes, both_ways=True),
        Wish("small", Form.SMALL, 6),
    ):
        state = ask(state, wish).after
    return fail(state, 2).after


def files() -> dict[Path, str]:
    """The drawing."""
    [(_, drawn)] = render_one(plane_map(some_state(), PLANE), "svg", "pg1").files
    return {HERE / "plane-map.svg": drawn.decode()}
