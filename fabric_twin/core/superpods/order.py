"""The order of pods on the rings that changes the fewest links.

Rings that differ in where they begin or which way they turn have the same neighbours, so P pods
have (P-1)!/2 orders. Each is tried: its links beside those of all other demand, against the links
that are there. Of equal orders the first counts, in the order of the names as they were given.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import permutations
from typing import NamedTuple

from fabric_twin.core.superpods.rings import Multislice, PodBlocks
from fabric_twin.core.topology.joined import Spread
from fabric_twin.core.topology.links import Links
from fabric_twin.core.topology.rewiring import least_added

#: Pods whose order is looked for: 360 orders. More are joined in the order that is given.
MOST_PODS = 7


class Ordered(NamedTuple):
    """A job in its order, and how many orders were tried: 0 where it is the one given."""

    multislice: Multislice
    tried: int


def in_best_order(
    multislice: Multislice, present: Spread, links_with: Callable[[Multislice], Links]
) -> Ordered:
    """The job with its pods in the order of which the links add least to those that are there."""
    if len(multislice.pods) > MOST_PODS:
        return Ordered(multislice, 0)
    tried = [replace(multislice, pods=pods) for pods in orders(multislice.pods)]
    added = [least_added(links_with(one), present) for one in tried]
    return Ordered(tried[added.index(min(added))], len(tried))


def orders(pods: tuple[PodBlocks, ...]) -> Iterator[tuple[PodBlocks, ...]]:
    """Every ring of some pods, once.

    >>> len(list(orders(tuple(PodBlocks(name, ("x",)) for name in "abcd"))))
    3
    """
    numbers = range(1, len(pods))
    for rest in permutations(numbers):
        if len(rest) < 2 or rest[0] < rest[-1]:
            yield (pods[0], *(pods[number] for number in rest))
