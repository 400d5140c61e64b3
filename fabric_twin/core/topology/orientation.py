"""Which end of each link is on side A: as many of a block's links leave by A as by B, or one more.

links AB 3, BC 1, CA 1      half of each pair goes each way;  what is left over, AB BC CA, is walked
                            along: A -> B -> C -> A, so that each block is left as often as reached
"""

from collections import defaultdict
from typing import Any

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array, vstack

from fabric_twin.core.topology.links import Links


def oriented(links: Links) -> Links:
    """For each pair how many links have their A end at the first: no row is two off its column."""
    ways = links // 2
    for one, other in _walked(np.argwhere(np.triu(links % 2))):
        ways[one, other] += 1
    return np.asarray(ways)


def _walked(pairs: np.ndarray) -> list[tuple[int, int]]:
    """Odd links in the direction of closed walks; a dummy joins the ends of those that are open."""
    at: dict[int, set[int]] = defaultdict(set)
    for one, other in pairs.tolist():
        at[one].add(other)
        at[other].add(one)
    dummy = -1
    for block in [block for block, others in at.items() if len(others) % 2]:
        at[dummy].add(block)
        at[block].add(dummy)
    walked = []
    for start in sorted(at):
        while at[start]:
            here = start
            while at[here]:
                to = min(at[here])
                at[here].remove(to)
                at[to].remove(here)
                walked.append((here, to))
                here = to
    return [(one, other) for one, other in walked if dummy not in (one, other)]


def reoriented(links: Links, present: Links) -> Links:
    """The same, with the fewest links whose A end is not where one is now.

    `present` says for each pair how many have their A end at the first. What a link has more at one
    end it has less at the other: a network matrix, so the answer is whole.
    """
    pairs = np.argwhere(np.triu(links, 1))
    if not len(pairs):
        return np.zeros_like(links)
    one, other = pairs.T
    many, pair = len(pairs), np.arange(len(pairs))
    total = links[one, other]
    # Of each pair: links that leave the first, and how many of these and of the others are new.
    leaves, new_there, new_back = (_picked(3 * many, part * many + pair) for part in range(3))
    degree = links.sum(axis=1)
    by_first = np.zeros(len(links), np.int64)
    np.add.at(by_first, other, total)  # what leaves the second of a pair is the rest of it
    signs = np.repeat([1.0, -1.0], many)
    at = (np.concatenate([one, other]), np.concatenate([pair, pair]))
    out = coo_array((signs, at), shape=(len(links), 3 * many)).tocsr()
    rows = vstack([leaves - new_there, -leaves - new_back, out, -out])
    there, back = present[one, other], present[other, one]
    most = (there, back - total, (degree + 1) // 2 - by_first, by_first - degree // 2)
    bounds = [(0.0, float(n)) for n in total] + [(0.0, None)] * (2 * many)
    cost = np.repeat([0.0, 1.0, 1.0], many)
    found = linprog(cost, rows, np.concatenate(most), bounds=bounds, method="highs-ds")
    ways = np.zeros_like(links)
    ways[one, other] = np.rint(found.x[:many]).astype(np.int64)
    ways[other, one] = total - ways[one, other]
    return ways


def _picked(columns: int, at: np.ndarray) -> Any:
    """A row for each of some variables."""
    return coo_array((np.ones(len(at)), (np.arange(len(at)), at)), (len(at), columns)).tocsr()
