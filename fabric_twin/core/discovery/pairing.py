"""Every round after the second: join what is not known to what is.

    known    7A ---- ?B      7A's cube port says who is in ?B; if it sees nobody, ?B is dark
    likely   8A ---- 9B      both lit, if all is as it seems: at random, so that rings close
    left     ?A ---- ?B      better than nothing
    empty    7A ---- 99B     where the rule wants nobody, while somebody is nowhere to be seen

Where a port seems to be is only a guess, by the rule and by what was seen. A wrong guess can cost
a round; it is never taken for knowledge.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.discovery.chains import Joined, sides_of
from fabric_twin.core.discovery.knowledge import Knowledge
from fabric_twin.core.discovery.rounds import Mask
from fabric_twin.core.fabric.columns import NOT_KNOWN, Column
from fabric_twin.core.pods.layout import Layout

#: How often ports are drawn anew so as not to repeat circuits of earlier rounds.
DRAWS = 4
#: After so many rounds a lone pair of ports has shown all it can: which switch it is on.
ENOUGH = 8


@dataclass(frozen=True, eq=False)
class Bench:
    """What the next round is made from."""

    layout: Layout
    #: Switch ports that circuits may be set on.
    usable: Mask
    #: Switch ports in which the rule wants a cube port that is lit.
    wanted: Mask
    known: Knowledge
    #: Known and likely.
    guess: Knowledge
    #: What was joined so far, a row a round.
    table: NDArray[np.int32]
    #: Whether a cube port is sought that was seen in no round.
    any_unseen: bool
    chance: np.random.Generator


@dataclass(eq=False)
class _Side:
    """The ports of one side of a switch that are still to be joined."""

    #: Not known; the rule wants somebody there, and nobody seems to be.
    doubtful: Column
    #: Not known, and the rule wants nobody there.
    empty: Column
    #: Not known, but somebody seems to be there.
    likely: Column
    known: Column

    @property
    def many(self) -> int:
        return sum(map(len, (self.doubtful, self.empty, self.likely, self.known)))


def next_joins(bench: Bench) -> Joined:
    """The A and B ports to join in the next round; none where nothing is left to be learned."""
    near: list[int] = []
    far: list[int] = []
    for number in range(len(bench.layout.switches)):
        sides = [_side(bench, ports) for ports in sides_of(bench.layout, number)]
        for a, b in _joins(bench, *sides):
            near += a.tolist()
            far += b.tolist()
    return near, far


def _side(bench: Bench, ports: Column) -> _Side:
    ports = bench.chance.permutation(ports[bench.usable[ports]])
    unknown, lit = bench.known.end[ports] == NOT_KNOWN, bench.guess.end[ports] >= 0
    wanted = bench.wanted[ports]
    return _Side(
        doubtful=ports[unknown & ~lit & wanted],
        # Who was seen is in a port that was joined: these are for those never seen.
        empty=ports[unknown & ~lit & ~wanted] if bench.any_unseen else ports[:0],
        likely=ports[unknown & lit],
        known=ports[bench.known.end[ports] >= 0],
    )


def _joins(bench: Bench, a: _Side, b: _Side) -> Iterator[tuple[Column, Column]]:
    # One A and one B, and nothing else to hold them against: no circuit tells which is which.
    hopeless = a.many == b.many == 1 and len(bench.table) > ENOUGH
    if hopeless or not any(side.many - len(side.known) for side in (a, b)):
        return
    proven = bool(len(a.known) and len(b.known))
    # Where nothing is proven yet, what is likely is to prove itself every other round.
    if proven or len(bench.table) % 2 == 0:
        yield from _both_ways(bench, a, b, "doubtful")
    if all(2 * len(one.empty) < len(two.known) + len(two.likely) for one, two in ((a, b), (b, a))):
        yield from _both_ways(bench, a, b, "empty")
    for one, other in _both_ways(bench, a, b, "likely"):
        # Now and then one pair less: few ports make few figures.
        less = not proven and len(one) > 0 and bool(bench.chance.integers(2))
        yield one[less:], other[less:]
    yield _take(bench, a, "doubtful", b, "doubtful")
    yield from _both_ways(bench, a, b, "empty")
    yield _take(bench, a, "empty", b, "empty")


def _both_ways(bench: Bench, a: _Side, b: _Side, which: str) -> Iterator[tuple[Column, Column]]:
    """Join ports of each side to lit ones of the other."""
    yield _take(bench, a, which, b, "lit")
    far, near = _take(bench, b, which, a, "lit")
    yield near, far


def _take(bench: Bench, one: _Side, which: str, other: _Side, whom: str) -> tuple[Column, Column]:
    """Take as many pairs of both as there are, so that few of them repeat earlier circuits."""
    near = getattr(one, which)
    known = other.known if whom == "lit" else near[:0]
    rest = other.likely if whom == "lit" else getattr(other, whom)
    many = min(len(near), len(known) + len(rest))
    near, left = near[:many], near[many:]
    setattr(one, which, left)
    if not many:
        return near, near
    # Those known stay in front: they say more than those that are only likely.
    far = np.concatenate([known, rest])
    front = max(many, len(known))
    for _ in range(DRAWS):
        if not (bench.table[:, near] == far[:many]).any():
            break
        far[:front] = bench.chance.permutation(far[:front])
    if whom == "lit":
        other.known, other.likely = far[many:front], far[front:]
    else:
        setattr(other, whom, far[many:])
    return near, far[:many]
