"""The rings of one plane: a line for each tier-0 switch, its groups, and how each ring closes.

row-01-1-1  [A 1]-[A 2]-[A 3]----+      the letter is the job, the number the place in its ring
            +--------------------|--+
row-02-1-1  [A 4]-[A 5]  [  ]    |  |
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fabric_twin.core.counted import counted
from fabric_twin.core.rings.job import Form, Job
from fabric_twin.core.rings.place import words
from fabric_twin.core.rings.plane import Plane, Way
from fabric_twin.core.rings.ring import Ring
from fabric_twin.core.rings.state import State
from fabric_twin.core.rings.written import short
from fabric_twin.documents.pods.legend import Owner, owners
from fabric_twin.documents.sheet import Document, table

#: Where the first group is, how far apart they are, and how wide and high: all in pixels.
LEFT, TOP, ACROSS, DOWN, WIDE, HIGH = 112, 44, 38, 42, 30, 24
COLUMNS = "job,axis,way,on,groups,processors,entries"


@dataclass(frozen=True)
class GroupCell:
    """A group on a switch: whose it is, and which place of the ring it has."""

    x: int
    look: str
    text: str
    summary: str


@dataclass(frozen=True)
class SwitchLine:
    """A switch of the plane with its groups."""

    name: str
    y: int
    lost: bool
    cells: tuple[GroupCell, ...]


@dataclass(frozen=True)
class PlaneMap:
    """The drawing's facts."""

    lines: tuple[SwitchLine, ...]
    #: The numbers of the groups across.
    columns: range
    #: The way of each ring, as the path of a drawing.
    paths: tuple[str, ...]
    #: Switches that are lost and have no line.
    lost: tuple[str, ...]
    #: Whose the letters are, and what rings they have.
    key: tuple[tuple[Owner, str], ...]
    width: int
    foot: int


def plane_map(
    state: State,
    plane: Plane,
    recorded: Mapping[str, str] | None = None,
    absent: Collection[int] = (),
) -> Document:
    """Draw the rings of a plane; `recorded` are the letters that jobs have already.

    Places of `absent` groups are left out, and so are lines below the last that has a group.
    """
    rings = [(job, ring) for job in state.jobs for ring in job.rings if ring.plane == plane]
    large = [job for job in state.jobs if job.form is not Form.SMALL]
    letters = owners((job.name for job in large), recorded)
    wiring, name = state.wiring, state.names.pod
    across = wiring.cluster.tier_0(1 - plane.axis)
    lines = tuple(_lines(state, plane, large, letters, absent))
    in_plane = dict.fromkeys(job.name for job, _ in rings)
    return Document(
        kind="plane-map",
        name=f"{name}-{plane}",
        title=f"Rings of plane {plane} of {name}",
        lines=(f"{counted(len(rings), 'ring')} of {counted(len(in_plane), 'job')}",),
        tables=(table("Rings", COLUMNS, (_row(state, *pair) for pair in rings)),),
        drawing=PlaneMap(
            lines=lines,
            columns=range(1, across + 1),
            paths=tuple(
                _path(state, ring, number) for number, ring in enumerate(_once_each(rings))
            ),
            lost=tuple(_lost_above(state)),
            key=tuple(
                (letters[of], _words(of, [r for job, r in rings if job.name == of]))
                for of in letters
                if of
            ),
            width=LEFT + ACROSS * across + 120,
            foot=(lines[-1].y if lines else TOP) + DOWN + 16,
        ),
    )


def _lines(
    state: State,
    plane: Plane,
    large: list[Job],
    letters: dict[str, Owner],
    absent: Collection[int],
) -> Iterator[SwitchLine]:
    wiring = state.wiring
    place = {
        group: (job, number)
        for job in large
        for ring in job.rings
        if ring.plane == plane
        for number, group in enumerate(ring.groups, 1)
    }
    whose = {group: job for job in large for group in job.groups}
    lines: dict[int, list[GroupCell]] = {}
    for group in range(wiring.cluster.groups):
        if group in absent:
            continue
        x, _ = _at(state, plane, group)
        name, small = state.names.short(group + 1), state.in_groups.get(group)
        if group in state.lost:
            look, text, said = "unhealthy", "", "lost"
        elif group in place:
            job, number = place[group]
            owner = letters[job.name]
            look, text = f"owner-{owner.colour}", f"{owner.letter}{number}"
            said = f"{job.name}, place {number} of its ring"
        elif group in whose:
            owner = letters[whose[group].name]
            look, text = f"owner-{owner.colour}", owner.letter
            said = f"{whose[group].name}, without a ring in this plane"
        elif small:
            look, text = "spare", str(small)
            said = f"small jobs, {small} of {wiring.cluster.group.size} processors"
        else:
            look, text, said = "free", "", "free"
        cell = GroupCell(x, look, text, f"{name}: {said}")
        lines.setdefault(wiring.serves(group, plane.axis), []).append(cell)
    for serves, cells in lines.items():
        switch = wiring.tier_0(plane, serves)
        y = TOP + DOWN * (serves - 1)
        yield SwitchLine(short(state, switch), y, switch in state.lost, tuple(cells))


def _at(state: State, plane: Plane, group: int) -> tuple[int, int]:
    """The left top of a group: across by its place on the switch, down by the switch."""
    serves = state.wiring.serves
    return (
        LEFT + ACROSS * (serves(group, 1 - plane.axis) - 1),
        TOP + DOWN * (serves(group, plane.axis) - 1),
    )


def _once_each(rings: Sequence[tuple[Job, Ring]]) -> list[Ring]:
    """Of two that go both ways through the same groups, one."""
    order = sorted(rings, key=lambda pair: pair[1].way is not Way.FORWARD)
    once: dict[tuple[str, str, frozenset[int]], Ring] = {}
    for job, ring in order:
        once.setdefault((job.name, ring.axis, frozenset(ring.groups)), ring)
    return list(once.values())


def _lost_above(state: State) -> Iterator[str]:
    """Switches that no group is on: the others have lines."""
    cluster = state.wiring.cluster
    first = cluster.groups + (cluster.rows + cluster.columns) * cluster.planes
    return (short(state, device) for device in sorted(state.lost) if device >= first)


def _path(state: State, ring: Ring, number: int) -> str:
    """From group to group: straight to the right, else round below the line of the next.

    Rings that lie side by side come back at different heights.
    """
    across = state.wiring.cluster.tier_0(1 - ring.plane.axis)
    bus = LEFT + ACROSS * across + 8
    parts = []
    for start, end in ring.hops:
        x, y = _at(state, ring.plane, start)
        to_x, to_y = _at(state, ring.plane, end)
        middle = HIGH // 2
        if y == to_y and to_x > x:
            parts.append(f"M{x + WIDE} {y + middle}H{to_x}")
            continue
        right = x + WIDE + 3 if y == to_y else bus + 4 * (y // DOWN % 8)
        below = to_y + HIGH + 5 + 4 * (number % 3)
        parts.append(f"M{x + WIDE} {y + middle}H{right}V{below}H{to_x - 3}V{to_y + middle}H{to_x}")
    return "".join(parts)


def _row(state: State, job: Job, ring: Ring) -> tuple[str | int, ...]:
    along = state.wiring.cluster.group.chips[ring.plane.axis]
    groups = len(ring.groups)
    return (
        *(job.name, ring.axis, ring.way, words(state, ring.groups)),
        *(groups, along * groups, len(ring.entries)),
    )


def _words(name: str, rings: list[Ring]) -> str:
    if not rings:
        return f"{name}: no ring in this plane"
    ways = "both ways" if len({ring.way for ring in rings}) > 1 else "one way"
    entries = sum(len(ring.entries) for ring in rings)
    axes = ", ".join(dict.fromkeys(ring.axis for ring in rings))
    return f"{name}, {axes}: {counted(len(rings), 'ring')}, {ways}, {counted(entries, 'entry')}"
