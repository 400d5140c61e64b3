"""How many links each pair of blocks should have.

uniform      as many for each pair as strands allow
engineered   more where demand is greater; every pair keeps the least, so that it stays direct
isolated     within owners' blocks alone

A topology is a symmetric matrix of whole numbers; no row has more than its block's strands.
"""

from collections.abc import Collection, Sequence
from heapq import heapify, heappop, heapreplace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.topology.network import Network

Links = NDArray[np.int64]
Demand = NDArray[np.float64]


def uniform(network: Network) -> Links:
    """A link to the pair with the fewest, as long as two blocks have strands left.

    Ties: most strands left, then name.
    """
    links = _none(network)
    left = _left(network, links)
    one, other = np.array(_by_name(network), np.int64).reshape(-1, 2).T
    while len(first := np.flatnonzero((left[one] > 0) & (left[other] > 0))):
        for key in (links, -np.add.outer(left, left)):
            values = key[one[first], other[first]]
            first = first[values == values.min()]
        ends = [one[first[0]], other[first[0]]]
        links[ends, ends[::-1]] += 1
        left[ends] -= 1
    return links


def engineered(network: Network, demand: Demand, least: int = 1) -> Links:
    """The least for each pair; then a link to the pair with the greatest demand a link.

    Ties: fewest links first, then name. `demand` is symmetric, in Gbit/s or relative.
    """
    links = _none(network) + least - least * np.eye(len(network.blocks), dtype=np.int64)
    _check_least(network, links, least)
    rate = rates(network)
    left = _left(network, links)

    def need(one: int, other: int) -> tuple[float, int]:
        """Which pair is first: only that which has just been given a link ranks anew."""
        asked, have = float(demand[one, other]), int(links[one, other])
        if asked <= 0:
            return 0.0, have
        return -asked / (have * float(rate[one, other])) if have else -np.inf, have

    queue = [(need(*pair), place, pair) for place, pair in enumerate(_by_name(network))]
    heapify(queue)
    while queue:
        _, place, pair = queue[0]
        if min(left[pair[0]], left[pair[1]]) <= 0:
            heappop(queue)
            continue
        links[pair] += 1
        links[pair[::-1]] += 1
        left[[*pair]] -= 1
        heapreplace(queue, (need(*pair), place, pair))
    return links


def isolated(
    network: Network, sets: Sequence[Collection[str]], demand: Demand | None = None, least: int = 1
) -> Links:
    """The same inside each set of blocks, and no link between two sets."""
    numbers = {block.name: number for number, block in enumerate(network.blocks)}
    named = [name for names in sets for name in names]
    strange = sorted({*named} - numbers.keys())
    if strange or len(named) > len({*named}):
        what = f"there is no block {strange[0]!r}" if strange else "a block is in two sets"
        raise UnusableInput(
            what, where=f"network {network.name}", remedy="Name each block of it once"
        )
    links = _none(network)
    for names in sets:
        members = sorted(numbers[name] for name in names)
        part = Network(network.name, network.switches, tuple(network.blocks[n] for n in members))
        at = np.ix_(members, members)
        links[at] = uniform(part) if demand is None else engineered(part, demand[at], least)
    return links


def rates(network: Network) -> Demand:
    """What a link of each pair carries: the lower rate of its two ends."""
    rate = np.array([block.rate_gbps for block in network.blocks], np.float64)
    return np.minimum.outer(rate, rate)


def even_share(links: Links, switches: int) -> tuple[Links, Links]:
    """How many links of a pair a switch may have: its even share, or one less or more."""
    return np.maximum(links // switches - 1, 0), np.where(links, -(-links // switches) + 1, 0)


def loads(network: Network, links: Links, demand: Demand) -> Demand:
    """By pair: demand over what its links carry; infinite where there is demand and no link."""
    carried = links * rates(network)
    with np.errstate(divide="ignore", invalid="ignore"):
        load = np.where(demand > 0, demand / carried, 0.0)
    np.fill_diagonal(load, 0.0)
    return np.asarray(load)


def _none(network: Network) -> Links:
    return np.zeros((len(network.blocks), len(network.blocks)), np.int64)


def _check_least(network: Network, links: Links, least: int) -> None:
    for block, needed in zip(network.blocks, links.sum(axis=1).tolist(), strict=True):
        if needed > block.strands:
            raise UnusableInput(
                f"{counted(least, 'link')} to each other block would take {needed} strands, and it "
                f"has {block.strands}",
                where=f"block {block.name}",
                remedy="Give it more strands, or ask for a uniform topology or an isolated one of "
                "fewer blocks together",
            )


def _left(network: Network, links: Links) -> NDArray[np.int64]:
    strands = np.array([block.strands for block in network.blocks], np.int64)
    return np.asarray(strands - links.sum(axis=1))


def _by_name(network: Network) -> list[tuple[int, int]]:
    names = [block.name for block in network.blocks]
    pairs = combinations(range(len(names)), 2)
    return sorted(pairs, key=lambda pair: (names[pair[0]], names[pair[1]]))
