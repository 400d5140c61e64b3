"""Every round after the second: join what is not known to what is.

    known    7A ---- ?B      7A's cube port says who is in ?B; if it sees nobody, ?B is dark
    likely   8A ---- 9B      both lit, if all is as it seems: at random, so that rings close
    left     ?A ---- ?B      better than nothing

Where a port seems to be is only a guess, by the rule and by what was seen. A wrong guess can cost
a round; it is never taken for knowledge.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from fabric_twin.core.discovery.chains import Joined, sides_of
from fabric_twin.core.discovery.knowledge import Knowledge
from fabric_twin.core.discovery.rounds import Mask
from fabric_twin.core.layout import NOT_KNOWN, Layout
from fabric_twin.core.rule import Column

#: How often ports are drawn anew so as not to repeat circuits of earlier rounds.
DRAWS = 4


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
    rounds: list[Column]
    chance: np.random.Generator


@dataclass(eq=False)
class _Side:
    """The ports of one side of a switch that are still to be joined."""

    #: Not known, and nobody seems to be there; the likeliest first.
    doubtful: Column
    #: Not known, but somebody seems to be there.
    likely: Column
    known: Column

    @property
    def lit(self) -> Column:
        return np.concatenate([self.known, self.likely])


def next_joins(bench: Bench) -> Joined:
    """The A and B ports to join in the next round; none where nothing is left to be learned."""
    near: list[int] = []
    far: list[int] = []
    for number in range(len(bench.layout.switches)):
        for a, b in _joins(bench, *(_side(bench, ports) for ports in sides_of(bench.layout, number))):
            near += a.tolist()
            far += b.tolist()
    return near, far


def _side(bench: Bench, ports: Column) -> _Side:
    ports = ports[bench.usable[ports]]
    known, guess = bench.known.end[ports], bench.guess.end[ports]
    shuffled = [
        bench.chance.permutation(ports[which])
        for which in ((known == NOT_KNOWN) & (guess < 0), (known == NOT_KNOWN) & (guess >= 0))
    ]
    doubtful = shuffled[0][np.argsort(~bench.wanted[shuffled[0]], kind="stable")]
    return _Side(doubtful, shuffled[1], bench.chance.permutation(ports[known >= 0]))


def _joins(bench: Bench, a: _Side, b: _Side) -> Iterable[tuple[Column, Column]]:
    if not any(len(side.doubtful) + len(side.likely) for side in (a, b)):
        return
    if _is_hopeless(a, b):
        return
    proven = len(a.known) and len(b.known)
    doubted = len(a.doubtful) and len(b.lit), len(b.doubtful) and len(a.lit)
    # Where nothing is proven yet, what is likely is to prove itself every other round.
    if proven or len(bench.rounds) % 2 == 0:
        if doubted[0]:
            yield _take(bench, a, "doubtful", b, "lit")
        if doubted[1]:
            one, other = _take(bench, b, "doubtful", a, "lit")
            yield other, one
    yield from _likely(bench, a, b, keep_all=bool(proven))
    yield _take(bench, a, "doubtful", b, "doubtful")


def _is_hopeless(a: _Side, b: _Side) -> bool:
    """One A and one B, and nothing else to hold them against: no circuit tells which is which."""
    return all(len(side.doubtful) + len(side.lit) == 1 for side in (a, b))


def _likely(
    bench: Bench, a: _Side, b: _Side, *, keep_all: bool
) -> Iterable[tuple[Column, Column]]:
    """Join likely ports to lit ones; now and then one pair less, for few ports make few figures."""
    if len(a.likely):
        one, other = _take(bench, a, "likely", b, "lit")
        drop = not keep_all and len(one) > 0 and bool(bench.chance.integers(2))
        yield one[drop:], other[drop:]
    if len(b.likely):
        other, one = _take(bench, b, "likely", a, "lit")
        yield one, other


def _take(bench: Bench, one: _Side, which: str, other: _Side, whom: str) -> tuple[Column, Column]:
    """Take as many pairs of both as there are, so that few of them repeat earlier circuits."""
    near, far = getattr(one, which), getattr(other, whom)
    many = min(len(near), len(far))
    near = near[:many]
    best = far[:many]
    repeats = _repeats(bench, near, best)
    for _ in range(DRAWS):
        if not repeats:
            break
        # Those known stay in front: they say more than those that are only likely.
        drawn = bench.chance.permutation(far[: max(many, len(other.known))])[:many]
        if (again := _repeats(bench, near, drawn)) < repeats:
            best, repeats = drawn, again
    for side, taken in ((one, near), (other, best)):
        for name in ("doubtful", "likely", "known"):
            ports = getattr(side, name)
            setattr(side, name, ports[~np.isin(ports, taken)])
    return near, best


def _repeats(bench: Bench, near: Column, far: Column) -> int:
    return sum(int((meets[near] == far).sum()) for meets in bench.rounds)
