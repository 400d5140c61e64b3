"""What groups and switches are called within their cluster, and what a switch serves."""

from fabric_twin.core.pods.wiring import SwitchName

DIMENSIONS = ("row", "col")


def group_label(number: int, columns: int) -> str:
    """Name a group, counted from 0 row by row.

    >>> group_label(26, 24)
    'r02c03'
    """
    row, column = divmod(number, columns)
    return f"r{row + 1:02d}c{column + 1:02d}"


def serves(name: SwitchName) -> str:
    """What a switch is for, in words.

    >>> serves((0, (0, 2, 1, 3)))
    'row 2 of groups: row 1 of processors, lane 3'
    >>> serves((1, (1, 1, 2, 8)))
    'tier 1 of columns: column 1 of processors, lane 2'
    """
    axis, (tier, *numbers) = name
    what = ("row", "column")[axis]
    index, lane = numbers[:2] if tier else numbers[1:3]
    begins = f"tier 1 of {what}s" if tier else f"{what} {numbers[0]} of groups"
    return f"{begins}: {what} {index} of processors, lane {lane}"


def switch_label(name: SwitchName) -> str:
    """Name a switch within its cluster.

    >>> switch_label((0, (0, 2, 1, 3))), switch_label((1, (1, 1, 2, 8)))
    ('row-02-1-3', 'col-t1-1-2-8')
    """
    axis, (tier, *numbers) = name
    if tier:
        return "-".join([DIMENSIONS[axis], "t1", *map(str, numbers)])
    serves, *plane = numbers
    return "-".join([DIMENSIONS[axis], f"{serves:02d}", *map(str, plane)])
