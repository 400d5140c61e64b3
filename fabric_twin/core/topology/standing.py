"""How a network stands: the links that its circuits make, what is left of them, and their load."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np

from fabric_twin.core.topology.joined import Joined, Spread, spread_of
from fabric_twin.core.topology.links import Demand, Links, even_share, loads
from fabric_twin.core.topology.network import Network, SwitchEnd


class PairStands(NamedTuple):
    """Two blocks: how many links are wanted, how many of them are left, and what they carry."""

    one: str
    other: str
    links: int
    left: int
    #: Gbit/s: what is asked, and what the links that are left carry.
    asked: float
    carried: float

    @property
    def load(self) -> float:
        """What is asked over what is carried; infinite where no link is left."""
        if not self.asked:
            return 0.0
        return self.asked / self.carried if self.carried else np.inf


class OddPair(NamedTuple):
    """Links of a pair on one switch that are off the pair's share by more than one."""

    one: str
    other: str
    switch: int
    here: int
    links: int
    #: How many may be there.
    least: int
    most: int


@dataclass(frozen=True, eq=False)
class NetworkStands:
    """Blocks, the circuits that are wanted between them, and what is out.

    A spare is taken for the port whose place it takes, so ports are those of the rule.
    """

    network: Network
    circuits: Sequence[Joined]
    #: Ends that carry nothing: their port is bad, their strand is or has no cable, or their switch
    #: is out.
    out: Collection[SwitchEnd]
    demand: Demand
    #: Switches that are out of service, by number from 1.
    switches_out: Collection[int] = ()
    #: Blocks of which some strands are out of service, by number from 0.
    partly_out: Collection[int] = ()

    @cached_property
    def _there(self) -> Spread:
        return spread_of(self.network, self.circuits)

    @cached_property
    def working(self) -> Sequence[Joined]:
        """The circuits of which neither end is out."""
        return [
            one
            for one in self.circuits
            if SwitchEnd(one.switch, one.a, 0) not in self.out
            and SwitchEnd(one.switch, one.b, 1) not in self.out
        ]

    @cached_property
    def links(self) -> Links:
        """By pair, how many links are wanted."""
        return _both_ways(self._there)

    @cached_property
    def left(self) -> Links:
        """By pair, how many of them work."""
        return _both_ways(spread_of(self.network, self.working))

    @cached_property
    def load(self) -> Demand:
        """By pair, what is asked over what the links that are left carry."""
        return loads(self.network, self.left, self.demand)

    def pairs(self) -> Iterator[PairStands]:
        """Every pair that has links or asks for some, in the order of the blocks."""
        blocks = self.network.blocks
        for one, other in combinations(range(len(blocks)), 2):
            links, asked = int(self.links[one, other]), float(self.demand[one, other])
            if links or asked:
                left = int(self.left[one, other])
                rate = min(blocks[one].rate_gbps, blocks[other].rate_gbps)
                names = blocks[one].name, blocks[other].name
                yield PairStands(*names, links, left, asked, left * rate)

    def odd(self) -> Iterator[OddPair]:
        """Pairs that have more links on a switch, or fewer, than their share and one; by pair.

        A switch that is out has no share once its links were taken away. A block that is partly out
        is not judged: what is left of its links is as even as it can be.
        """
        both = self._there + self._there.transpose(0, 2, 1)
        numbers = np.arange(1, self.network.switches + 1)
        shares = both.any(axis=(1, 2)) | ~np.isin(numbers, [*self.switches_out])
        least, most = even_share(self.links, max(int(shares.sum()), 1))
        whole = ~np.isin(np.arange(len(self.network.blocks)), [*self.partly_out])
        off = np.triu((both < least) | (both > most), 1) & shares[:, None, None]
        off &= np.logical_and.outer(whole, whole)
        for one, other, switch in np.argwhere(off.transpose(1, 2, 0)).tolist():
            names = self.network.blocks[one].name, self.network.blocks[other].name
            pair = (int(what[one, other]) for what in (self.links, least, most))
            yield OddPair(*names, switch + 1, int(both[switch, one, other]), *pair)


def _both_ways(there: Spread) -> Links:
    """By pair, whichever of the two has the A end."""
    one_way = there.sum(axis=0)
    return np.asarray(one_way + one_way.T, np.int64)
