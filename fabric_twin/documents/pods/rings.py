"""The rings of cubes on a switch, and what a port map says of them beside its drawing.

A ring is the cubes in the order in which the light passes them; an open one does not come back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fabric_twin.core.slots import format_slots
from fabric_twin.documents.folding import fold
from fabric_twin.documents.pods.legend import Owner

#: How a ring begins that does not come back.
OPEN = "open: "
#: Room beside the drawing, in its units: where it begins and ends, and the height of a line.
TOP, END, LINE, OWNER = 508, 784, 12, 16
#: Characters of a line of what is wrong, of rings, and of an owner with rings beside.
ALARM_WIDE, RINGS_WIDE, OWNER_WIDE = 66, 61, 52
#: Owners in two columns: how far apart, and the characters of each.
LEFT, COLUMN, CLOSE, CLOSE_WIDE = 712, 194, 15, 27
#: Lines for what is wrong; owners have the rest.
MOST_ALARMS = 8
#: A cube and the index of its ports; the light goes on from one to the next.
Place = tuple[str, int]


@dataclass(frozen=True)
class Use:
    """What an owner has on this switch."""

    owner: Owner
    circuits: int
    #: Cubes in the order in which the light passes them.
    rings: tuple[str, ...]
    #: The same with slots in place of cubes.
    brief: str

    @property
    def is_open(self) -> bool:
        """Whether a ring does not come back."""
        return any(ring.startswith(OPEN) for ring in self.rings)


@dataclass(frozen=True)
class OwnerLines:
    """An owner and its rings, and how far down they are."""

    use: Use
    x: int
    y: int
    name: str
    #: Rings in the same line, or in lines below.
    same_line: str
    below: tuple[str, ...]


@dataclass(frozen=True)
class Beside:
    """What is said beside the drawing, and whether that is all."""

    alarms: tuple[tuple[int, str], ...]
    owners: tuple[OwnerLines, ...]
    #: Where the next line would be, and what it says.
    y: int
    rest: str
    all_alarms: bool
    all_rings: bool


def beside(wrong: Sequence[str], uses: Sequence[Use]) -> Beside:
    """What has room beside the drawing: what is wrong, then each owner with its rings."""
    lines = [line for what in wrong for line in fold(f"! {what}", ALARM_WIDE)]
    all_alarms = len(lines) <= MOST_ALARMS
    if not all_alarms:
        shown = _whole(wrong, MOST_ALARMS - 1)
        lines = [line for what in shown for line in fold(f"! {what}", ALARM_WIDE, MOST_ALARMS - 1)]
        lines.append(f"! and {len(wrong) - len(shown)} more" if wrong[len(shown) :] else "")
    alarms = tuple((TOP + LINE * number, line) for number, line in enumerate(lines))
    y = TOP + LINE * len(lines) + (8 if lines else 0)
    owners: list[OwnerLines] = _two_columns(uses, y)
    if owners:
        return Beside(alarms, tuple(owners), y, "", all_alarms, all_rings=True)
    all_rings = True
    for number, use in enumerate(uses):
        left = len(uses) - number - 1
        room = END - y - (OWNER if left else 0)
        if room < 0:
            break
        one, whole = _owner(use, y, (room - left * OWNER) // LINE)
        owners.append(one)
        all_rings &= whole
        y += OWNER + LINE * len(one.below)
    missing = len(uses) - len(owners)
    rest = f"and {missing} more owners: see the table of rings" if missing else ""
    return Beside(
        alarms,
        tuple(owners),
        y,
        rest or "no circuits" * (not uses),
        all_alarms,
        all_rings and not missing,
    )


def _two_columns(uses: Sequence[Use], y: int) -> list[OwnerLines]:
    """Many owners with short rings, in two columns; none where they do not fit so or need not."""
    down = (END - y) // CLOSE + 1
    texts = [f"{use.owner.name}: {use.circuits} {use.brief}" for use in uses]
    if len(uses) <= (END - y) // OWNER + 1 or len(uses) > 2 * down:
        return []
    if max(map(len, texts)) > CLOSE_WIDE:
        return []
    return [
        OwnerLines(use, LEFT + COLUMN * (number // down), y + CLOSE * (number % down), "", text, ())
        for number, (use, text) in enumerate(zip(uses, texts, strict=True))
    ]


def _whole(wrong: Sequence[str], most: int) -> Sequence[str]:
    """The first things that have room in so many lines, and at least one."""
    for number, what in enumerate(wrong):
        most -= len(fold(f"! {what}", ALARM_WIDE))
        if most < 0:
            return wrong[: max(number, 1)]
    return wrong


def _owner(use: Use, y: int, room: int) -> tuple[OwnerLines, bool]:
    """An owner with as many lines of rings as there is room for, and whether that is all."""
    name = f"{use.owner.name}: {use.circuits}"
    if len(name) * 1.2 + len(use.brief) <= RINGS_WIDE:
        return OwnerLines(use, LEFT, y, name, use.brief, ()), True
    first, *more = fold(name, OWNER_WIDE)
    lines, room = [*more, *fold(use.brief, RINGS_WIDE)], max(room, 1)
    whole = len(lines) <= room
    if not whole:
        end = " … see the table of rings"
        lines = [*lines[: room - 1], f"{lines[room - 1][: RINGS_WIDE - len(end)]}{end}"]
    return OwnerLines(use, LEFT, y, first, "", tuple(line for line in lines if line)), whole


def rings(onward: Mapping[Place, Place]) -> list[tuple[list[str], bool]]:
    """Cubes in the order of the light, and whether it is open: those come first."""
    left, found = dict(onward), []
    beginnings = [place for place in onward if place not in set(onward.values())]
    while left:
        start = place = beginnings.pop(0) if beginnings else next(iter(left))
        cubes = [place[0]]
        while place in left:
            place = left.pop(place)
            cubes.append(place[0])
        found.append((cubes, place != start))
    return found


def named(cubes: list[str], *, is_open: bool) -> str:
    """A ring by the names of its cubes."""
    return (OPEN if is_open else "") + " > ".join(cubes)


def brief(found: list[tuple[list[str], bool]]) -> str:
    """Slots alone: cubes joined to themselves first, then rings; the last leads to the first.

    >>> closed = [(["c001", "c001"], False), (["c002", "c003", "c009", "c002"], False)]
    >>> brief([(["c004", "c005", "c006"], True), *closed])
    'open: 4>5>6;  to themselves: 1;  2>3>9'
    """
    alone = [int(cubes[0][1:]) for cubes, is_open in found if len(cubes) == 2 and not is_open]
    more = [
        (OPEN if is_open else "")
        + ">".join(str(int(cube[1:])) for cube in (cubes if is_open else cubes[:-1]))
        for cubes, is_open in found
        if is_open or len(cubes) > 2
    ]
    opened = sum(is_open for _, is_open in found)
    said = [f"to themselves: {format_slots(alone)}"] * bool(alone)
    return ";  ".join(more[:opened] + said + more[opened:])
