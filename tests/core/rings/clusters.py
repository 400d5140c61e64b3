"""Clusters with jobs for tests, and what they tell switches, by name."""

import io
from functools import cache

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.designs import find_design
from fabric_twin.core.groups.cluster import Cluster, Joined
from fabric_twin.core.groups.design import GroupsDesign, groups_design
from fabric_twin.core.groups.group import Group
from fabric_twin.core.rings.ask import ask
from fabric_twin.core.rings.change import Change
from fabric_twin.core.rings.job import Axis, Form
from fabric_twin.core.rings.plane import parse_planes
from fabric_twin.core.rings.ring import Entry
from fabric_twin.core.rings.state import State
from fabric_twin.core.rings.wish import Wish
from fabric_twin.inventory.cutsheet import write_cut_sheet
from fabric_twin.inventory.designs.design_file import read_design
from fabric_twin.inventory.groups.state import device_numbers
from tests.core.groups.examples import EXAMPLES
from tests.core.rings.follow import End, Passed, Told, cables_of, follow


@cache
def named(design: str) -> GroupsDesign:
    """A design by its name, or that of an example file."""
    path = EXAMPLES / f"{design}.yaml"
    found = read_design(path.read_bytes(), str(path)) if path.exists() else find_design(design)
    assert isinstance(found, GroupsDesign)
    return found


@cache
def square(side: int, joined: str, *, cross_links: bool = False) -> GroupsDesign:
    """So many rows of so many groups of 4x4, with three lanes."""
    sizes = Cluster(Group.of(4, lanes=3), side, side, Joined(joined), cross_links=cross_links)
    return groups_design("square", "a square of groups", sizes)


@cache
def cables(design: GroupsDesign) -> dict[End, End]:
    """The cut sheet of a whole cluster."""
    out = io.StringIO()
    write_cut_sheet(intended_plant(design, "pg1"), out)
    return cables_of(out.getvalue())


def empty(design: str | GroupsDesign) -> State:
    return State.of(named(design) if isinstance(design, str) else design, "pg1")


def axis(state: State, name: str, planes: str) -> Axis:
    return Axis(name, parse_planes(planes, state.wiring.cluster, "test"))


def sequence(state: State, processors: int, planes: str = "row-1-1", **more: object) -> Change:
    """Ask for a sequence in some planes."""
    wish = {"name": f"job-{len(state.jobs)}", "axes": (axis(state, "layer", planes),)} | more
    return ask(state, Wish(form=Form.SEQUENCE, processors=processors, **wish))  # type: ignore[arg-type]


def rectangle(state: State, rows: int, columns: int, **more: object) -> Change:
    """Ask for a rectangle in all planes."""
    axes = axis(state, "layer", "row"), axis(state, "pipeline", "col")
    wish = {"name": f"job-{len(state.jobs)}", "axes": axes} | more
    return ask(state, Wish(form=Form.RECTANGLE, rows=rows, columns=columns, **wish))  # type: ignore[arg-type]


def small(state: State, processors: int, **more: object) -> Change:
    """Ask for a small job."""
    wish = {"name": f"job-{len(state.jobs)}"} | more
    return ask(state, Wish(form=Form.SMALL, processors=processors, **wish))  # type: ignore[arg-type]


def device(state: State, name: str) -> int:
    return device_numbers(state)[name]


def told(state: State, entries: tuple[Entry, ...] | list[Entry]) -> list[Told]:
    """Entries by the names of switches."""
    return [(state.names.device(switch), into, out) for switch, into, out in entries]


def wanted(state: State) -> list[Told]:
    return told(state, [entry for ring in state.rings for entry in ring.entries])


def followed(state: State) -> list[list[Passed]]:
    """The rings that the entries of all jobs make, port by port over the cut sheet."""
    columns, rows = (*state.wiring.cluster.group.chips, 1)[:2]
    return follow(cables(state.wiring.design), wanted(state), rows, columns)


def groups(ring: list[Passed]) -> list[str]:
    """The groups that a ring passes, within the cluster."""
    return [name.removeprefix("pg1-") for name, _ in ring]
