"""Driver boards of a switch: each drives the mirrors of a run of ports, on both sides [A].

    radix 136, 8 boards     board 0 drives 1..17, board 1 18..34, ..., board 7 120..136
    radix 144               board 0 drives 1..18, ...

A board can be swapped while the switch runs, but the mirrors it drives lose their state.
"""

#: Boards of a switch, numbered from 0 as switches name them.
BOARDS = 8


def ports_of_board(radix: int, board: int) -> range:
    """The port numbers, from 1, that a board drives on each side.

    >>> ports_of_board(136, 0), ports_of_board(144, 7)
    (range(1, 18), range(127, 145))
    """
    first, end = (-(-number * radix // BOARDS) for number in (board, board + 1))
    return range(first + 1, end + 1)
