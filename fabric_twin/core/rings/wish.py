"""What is asked for: a job by its form, axes and size, refused where it is none."""

from dataclasses import dataclass
from math import ceil

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.rings.job import Axis, Form
from fabric_twin.core.rings.state import State

MOST_AXES = 64


@dataclass(frozen=True)
class Wish:
    """A job that is asked for: small, a sequence or a rectangle, with its rings."""

    name: str
    form: Form
    #: Of a group where it is small, along one ring where it is a sequence.
    processors: int = 0
    #: Rows and columns of groups of a rectangle.
    rows: int = 0
    columns: int = 0
    axes: tuple[Axis, ...] = ()
    both_ways: bool = False
    #: Where it should stand; nowhere in particular if there are none.
    groups: tuple[int, ...] = ()


def groups_needed(state: State, wish: Wish) -> int:
    """How many groups a sequence takes: each has one row (or column) of processors in the ring."""
    return ceil(wish.processors / along(state, wish.axes[0].planes[0].axis))


def along(state: State, axis: int) -> int:
    """The processors of a group that one ring passes."""
    return state.wiring.cluster.group.chips[axis]


def check_wish(state: State, wish: Wish) -> None:
    """Refuse a wish that this cluster could never meet, or groups that it cannot give now."""
    check_form(state, wish)
    if wish.groups:
        check_groups(state, wish)
        _check_free(state, wish)


def check_form(state: State, wish: Wish) -> None:
    """Refuse a job that no cluster of this design could have."""
    cluster = state.wiring.cluster
    if wish.form is Form.SMALL:
        if not 1 <= wish.processors <= cluster.group.size:
            raise UnusableInput(
                f"{counted(wish.processors, 'processor')} are no small job: a group has "
                f"{cluster.group.size}",
                where="rings",
                remedy="Ask for a sequence or a shape of groups",
            )
        if wish.axes or wish.both_ways:
            raise UnusableInput(
                "a small job has no rings over switches",
                where="rings",
                remedy="Leave axes and ways out, or ask for a sequence or a shape",
            )
        return
    _check_axes(wish)
    if wish.form is Form.SEQUENCE:
        if wish.processors < 1:
            raise UnusableInput(
                f"{wish.processors} processors are no sequence",
                where="rings",
                remedy="Ask for one or more",
            )
        if len({plane.axis for axis in wish.axes for plane in axis.planes}) > 1:
            raise UnusableInput(
                "a ring that turns from rows to columns cannot be laid",
                where="rings",
                remedy="Ask for a sequence along rows, or one along columns",
            )
        axis = wish.axes[0].planes[0].axis
        if groups_needed(state, wish) > cluster.groups:
            raise NotPossible(
                f"a plane of the cluster has {cluster.groups * along(state, axis):,} processors, "
                f"fewer than {wish.processors:,}",
                where="rings",
                remedy="Ask for a shorter sequence",
            )
    elif not (1 <= wish.rows <= cluster.rows and 1 <= wish.columns <= cluster.columns):
        raise UnusableInput(
            f"{wish.rows}x{wish.columns} groups are not within {cluster.rows}x{cluster.columns}",
            where="rings",
            remedy="Ask for fewer rows or columns, at least one of each",
        )


def _check_axes(wish: Wish) -> None:
    planes = [plane for axis in wish.axes for plane in axis.planes]
    if not 1 <= len(wish.axes) <= MOST_AXES or not all(axis.planes for axis in wish.axes):
        raise UnusableInput(
            "a job of whole groups has no axes, too many, or one without a plane",
            where="rings",
            remedy=f"Name 1 to {MOST_AXES} axes and their planes",
        )
    if len({axis.name for axis in wish.axes}) < len(wish.axes):
        raise UnusableInput(
            "two axes have one name", where="rings", remedy="Give both sets of planes to one axis"
        )
    twice = next((plane for at, plane in enumerate(planes) if plane in planes[:at]), None)
    if twice:
        raise UnusableInput(
            f"two axes have plane {twice}",
            where="rings",
            remedy="Give each plane to one axis: a direction of a link is one ring's",
        )


def check_groups(state: State, wish: Wish) -> None:
    """Refuse groups that are not so many as the job takes, or no rectangle."""
    many = {
        Form.SMALL: lambda: 1,
        Form.SEQUENCE: lambda: groups_needed(state, wish),
        Form.RECTANGLE: lambda: wish.rows * wish.columns,
    }[wish.form]()
    if len(wish.groups) != many or len({*wish.groups}) != many:
        raise UnusableInput(
            f"{wish.name[:40]} takes {counted(many, 'group')}, and {len({*wish.groups})} are given",
            where="rings",
            remedy="Give each group once, or none",
        )
    if wish.form is Form.RECTANGLE and not _is_rectangle(state, wish.groups, wish.columns):
        raise UnusableInput(
            "the groups are no rectangle, row by row",
            where="rings",
            remedy="Give the same columns in each row, in the same order",
        )


def _check_free(state: State, wish: Wish) -> None:
    """Refuse groups that are lost, or somebody else's."""
    small = wish.form is Form.SMALL
    room = state.wiring.cluster.group.size - wish.processors
    for group in wish.groups:
        out = state.lost | state.held_groups
        fits = small and group not in out and state.in_groups.get(group, room + 1) <= room
        free = state.is_empty(group) if small else state.is_free(group)
        if not (free or fits):
            whys = (
                (state.lost, "lost"),
                (state.held_groups, "held by a ticket or an order"),
                (state.short, "short of a port that is out of service, or held"),
            )
            why = next((why for groups, why in whys if group in groups), "in use")
            raise NotPossible(
                f"group {state.names.short(group + 1)} is {why}",
                where="rings",
                remedy="Give groups that are free, or none",
            )


def _is_rectangle(state: State, groups: tuple[int, ...], columns: int) -> bool:
    places = [[state.wiring.serves(group, axis) for axis in (0, 1)] for group in groups]
    rows = [places[at : at + columns] for at in range(0, len(places), columns)]
    return all(row == [[row[0][0], column] for _, column in rows[0]] for row in rows) and len(
        {row[0][0] for row in rows}
    ) == len(rows)
