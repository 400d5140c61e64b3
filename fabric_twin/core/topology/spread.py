"""Directed links spread evenly over switches: each gets its share of every pair, row and column.

Switch k of those that are left takes no less than the floor and no more than the ceiling of rest /
left, of every entry and every sum. Such whole numbers exist always (a transportation polytope);
among them those that a switch holds already are taken.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import coo_array, hstack, vstack

from fabric_twin.core.topology.joined import Spread


def spread(ways: NDArray[np.int64], switches: int, held: Spread | None = None) -> Spread:
    """Directed links by switch; `held` is what each switch has now."""
    rest = ways.copy()
    taken = np.zeros((switches, *ways.shape), np.int64)
    for switch in range(switches):
        now = None if held is None else held[switch]
        taken[switch] = _share(rest, switches - switch, now)
        rest -= taken[switch]
    return taken


def _share(rest: NDArray[np.int64], left: int, held: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """What one switch takes of the rest, as much as it can of what it holds."""
    if left == 1 or not rest.any():
        return rest.copy()
    one, other = np.nonzero(rest)
    many, blocks = len(one), len(rest)
    least, most = rest[one, other] // left, -(-rest[one, other] // left)
    kept = np.zeros(many, np.int64) if held is None else np.minimum(held[one, other], most)
    # Two parallel ways for each pair: what is held, and what is new.
    rows = _sums(one, blocks)
    columns = _sums(other, blocks)
    both = hstack([_ones(many), _ones(many)])
    sums = vstack([hstack([rows, rows]), hstack([columns, columns]), both]).tocsr()
    whole = np.concatenate([rest.sum(axis=1), rest.sum(axis=0)])
    upper = np.concatenate([-(-whole // left), most])
    lower = np.concatenate([whole // left, least])
    new = np.ones(many)
    if held is None:
        # Lots, the same each time: every switch gets some of the pairs that have one link more
        # than others, and these are what a new block takes links from.
        new += np.random.default_rng(left).random(many)
    cost = np.concatenate([np.zeros(many), new])
    found = linprog(
        cost,
        vstack([sums, -sums]),
        np.concatenate([upper, -lower]),
        bounds=[*((0.0, float(n)) for n in kept), *[(0.0, None)] * many],
        method="highs-ds",
    )
    share = np.zeros_like(rest)
    share[one, other] = np.rint(found.x[:many] + found.x[many:]).astype(np.int64)
    return share


def _ones(many: int) -> Any:
    at = np.arange(many)
    return coo_array((np.ones(many), (at, at)), (many, many))


def _sums(of: NDArray[np.int64], blocks: int) -> Any:
    return coo_array((np.ones(len(of)), (of, np.arange(len(of)))), (blocks, len(of)))
