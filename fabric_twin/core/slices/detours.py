"""Detours of a join: by which circuit the traffic of each lost one goes.

    lost    cube 7, 4.3.2 ---- x-3-2 ---- 1.3.2, cube 9
    detour  cube 7, 4.3.2 -copper- 4.4.2 ---- x-4-2 ---- 1.4.2 -copper- 1.3.2, cube 9

The detours of a join are chosen together. No circuit bears two while another bears none; among
those choices the detours are shortest, and prefer (i+1,j), (i-1,j), (i,j+1), (i,j-1) in this order.
An index is the same at both ends of a circuit, so a detour comes back to where it left.

With two lanes a detour keeps its lane where it can. It stays at its own index, on the other lane,
only where no other index is left.
"""

from collections import deque
from collections.abc import Callable, Sequence
from functools import lru_cache

#: A place on a face: the other coordinates.
Index = tuple[int, ...]
#: A link of a join by its place: index by index, lane by lane.
Link = int

_LANE = 1 << 12
_STEP = 1 << 20
_BEARS = 1 << 40


@lru_cache(maxsize=1024)
def detours_of(
    indices: tuple[Index, ...], lanes: int, lost: frozenset[Link]
) -> tuple[tuple[Link, Link], ...]:
    """Each lost link of a join with the link that bears it; nothing where none is left."""
    links = [(index, lane) for index in indices for lane in range(lanes)]
    whole = [link for link in range(len(links)) if link not in lost]
    # Farther than any other index of the face.
    far = sum(max(side) for side in zip(*indices, strict=True))

    def cost(lost_link: Link, link: Link) -> int:
        (here, lane), (there, other) = links[lost_link], links[link]
        steps = steps_between(here, there) or far
        return steps * _STEP + (lane != other) * _LANE + _rank(here, there)

    return tuple(_match(sorted(lost), whole, cost).items()) if whole else ()


def steps_between(here: Index, there: Index) -> int:
    """How many steps of copper lie between two chips of a face.

    >>> steps_between((3, 2), (4, 2)), steps_between((1, 1), (2, 3))
    (1, 3)
    """
    return sum(abs(a - b) for a, b in zip(here, there, strict=True))


def way_between(here: Index, there: Index) -> tuple[Index, ...]:
    """The chips of a face from one to another, both included, one step of copper at a time.

    >>> way_between((3, 2), (4, 3))
    ((3, 2), (4, 2), (4, 3))
    """
    way = [here]
    for axis, end in enumerate(there):
        while (at := way[-1][axis]) != end:
            step = 1 if end > at else -1
            way.append((*way[-1][:axis], at + step, *way[-1][axis + 1 :]))
    return tuple(way)


def _rank(here: Index, there: Index) -> int:
    """Among places equally near: forward along the first coordinate, back, then the second."""
    axis = next((a for a, (x, y) in enumerate(zip(here, there, strict=True)) if x != y), 0)
    return 2 * axis + (there[axis] < here[axis])


def _match(
    lost: Sequence[Link], whole: Sequence[Link], cost: Callable[[Link, Link], int]
) -> dict[Link, Link]:
    """The cheapest choice, where each further detour on a circuit costs more than any way.

    One lost link after the other gets its place by the cheapest chain of moves: it takes a place,
    whose detour moves to another, and so on. After each the choice is the cheapest so far.
    """
    at: dict[Link, Link] = {}
    for one in lost:
        paid = {link: cost(one, link) for link in whole}
        mover = dict.fromkeys(whole, one)
        queue = deque(whole)
        while queue:
            place = queue.popleft()
            for other in (moved for moved, there in at.items() if there == place):
                for link in whole:
                    then = paid[place] - cost(other, place) + cost(other, link)
                    if then < paid[link]:
                        paid[link], mover[link] = then, other
                        queue.append(link)
        bears = list(at.values())
        link = min(whole, key=lambda link: (paid[link] + _BEARS * bears.count(link), link))
        while True:
            moved, before = mover[link], at.get(mover[link])
            at[moved] = link
            if before is None:
                break
            link = before
    return dict(sorted(at.items()))
