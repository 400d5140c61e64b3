"""A job over several pods, and its two rings over the blocks of these pods.

    red     a -> b -> c -> d -> a          a pair of neighbours carries red one way and
    blue    a <- b <- c <- d <- a          blue the other, over the same links

Two pods are neighbours on both sides: both rings use all links between them.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.pods.names import check_pod_name
from fabric_twin.core.topology.links import Demand, Links, rates
from fabric_twin.core.topology.network import Network

#: Gbit/s that one pod may send to one neighbour: what no network carries.
MOST_GBPS = 1e12
#: Links that blocks may keep which are of no neighbours: no block has more strands to each.
MOST_LEAST = 1000


@dataclass(frozen=True)
class PodBlocks:
    """A pod of cubes, and the blocks of the network that are its own: all of them alike."""

    pod: str
    blocks: tuple[str, ...]


@dataclass(frozen=True)
class Multislice:
    """A job with a slice in each of several pods, in the order of its rings."""

    name: str
    pods: tuple[PodBlocks, ...]
    #: Gbit/s that a pod sends to each neighbour; None asks for all that strands give.
    gbps: float | None = None

    def __post_init__(self) -> None:
        """Refuse what is no ring."""
        where = f"multislice {check_pod_name(self.name, 'multislice')}"
        check_ring(self.name, [check_pod_name(pod.pod) for pod in self.pods])
        if bare := [pod.pod for pod in self.pods if not pod.blocks]:
            raise UnusableInput(
                f"pod {bare[0]} has no block",
                where=where,
                remedy="Name the blocks that are its own",
            )
        if twice := _twice(block for pod in self.pods for block in pod.blocks):
            raise UnusableInput(
                f"block {twice[:40]} is there twice",
                where=where,
                remedy="Name it once: a block is of one pod",
            )
        if self.gbps is not None and not 0 < self.gbps <= MOST_GBPS:
            raise UnusableInput(
                f"{self.gbps:g} Gbit/s cannot be asked of a neighbour",
                where=where,
                remedy="Give chips and a rate that they have",
            )

    @cached_property
    def neighbours(self) -> tuple[tuple[PodBlocks, PodBlocks], ...]:
        """Each two pods that follow each other on the red ring; two pods are one pair."""
        if len(self.pods) == 2:
            return ((self.pods[0], self.pods[1]),)
        return tuple(zip(self.pods, (*self.pods[1:], self.pods[0]), strict=True))

    @property
    def red(self) -> tuple[tuple[str, str], ...]:
        """The red ring: who sends to whom."""
        names = [pod.pod for pod in self.pods]
        return tuple(zip(names, (*names[1:], names[0]), strict=True))

    @property
    def blue(self) -> tuple[tuple[str, str], ...]:
        """The blue ring: the other way round."""
        return tuple((to, sends) for sends, to in self.red)

    @property
    def rings_a_pair(self) -> int:
        """How many of the rings a direction of a pair carries."""
        return 2 if len(self.pods) == 2 else 1


def check_ring(name: str, pods: Sequence[str]) -> None:
    """Refuse pods that make no ring."""
    where = f"multislice {name[:60]}"
    if len(pods) < 2:
        raise UnusableInput("a ring needs two pods", where=where, remedy="Name two or more")
    if twice := _twice(pods):
        raise UnusableInput(f"pod {twice} is there twice", where=where, remedy="Name each pod once")


def _twice(names: Iterable[str]) -> str:
    return next((name for name, many in Counter(names).items() if many > 1), "")


def check_blocks(
    network: Network, multislice: Multislice, takes: Collection[str] | None = None
) -> None:
    """Refuse blocks that the network does not have, and those that take no links, if told."""
    for pod in multislice.pods:
        for name in pod.blocks:
            if name not in network.by_name or (takes is not None and name not in takes):
                why = "takes no links: it drains" if name in network.by_name else "is not there"
                raise UnusableInput(
                    f"block {name[:40]!r} of pod {pod.pod} {why}",
                    where=f"network {network.name}, multislice {multislice.name}",
                    remedy="Name blocks of the network that take links",
                )


def check_rings(
    network: Network, multislice: Multislice, least: int, takes: Collection[str]
) -> None:
    """Refuse rings over blocks that take no links, and those that no link is left for."""
    where = f"network {network.name}, multislice {multislice.name}"
    check_blocks(network, multislice, takes)
    wished = wished_links(network, multislice, least, takes)
    for (one, other), many in zip(multislice.neighbours, wished, strict=True):
        if many < 1:
            raise UnusableInput(
                f"no link is left for {one.pod} and {other.pod}: {counted(least, 'link')} to each "
                "block that is in no neighbour take their strands",
                where=where,
                remedy="Ask for a smaller least, or give their blocks more strands",
            )


def wished_links(
    network: Network, multislice: Multislice, least: int, takes: Collection[str]
) -> list[int]:
    """By pair of neighbours: how many links each block of the one should have to each of the other.

    Of its strands a block keeps `least` for each block that is in no neighbour, its own pod's too.
    Half of the others go to each neighbour, all of them where there is one; equal parts to its
    blocks. The block that can give fewest decides. Blocks that take no links are passed over.
    """
    sides = 2 if len(multislice.pods) > 2 else 1
    there = {pod: [name for name in pod.blocks if name in takes] for pod in multislice.pods}
    near: Counter[PodBlocks] = Counter()
    for one, other in multislice.neighbours:
        near[one] += len(there[other])
        near[other] += len(there[one])

    def share(pod: PodBlocks, to: PodBlocks) -> int:
        kept = least * (len(takes) - 1 - near[pod])
        fewest = min(network.by_name[name].strands for name in there[pod])
        return max((fewest - kept) // sides // len(there[to]), 0)

    return [
        min(share(one, other), share(other, one)) if there[one] and there[other] else 0
        for one, other in multislice.neighbours
    ]


def asked_of(
    network: Network, multislices: Sequence[Multislice], least: int, takes: Collection[str]
) -> Demand:
    """What rings ask of each pair of blocks in each direction, in Gbit/s."""
    asked = np.zeros((len(network.blocks), len(network.blocks)))
    rate = rates(network)
    for multislice in multislices:
        wished = wished_links(network, multislice, least, takes)
        for (one, other), many in zip(multislice.neighbours, wished, strict=True):
            pairs = pairs_of(network, one, other, takes)
            for first, second in pairs:
                gbps = many * rate[first, second]
                if multislice.gbps is not None:
                    gbps = multislice.gbps * multislice.rings_a_pair / len(pairs)
                asked[first, second] += gbps
                asked[second, first] += gbps
    return asked


def between(network: Network, one: PodBlocks, other: PodBlocks, links: Links | Demand) -> float:
    """What a matrix of blocks says of two pods: the sum over their blocks."""
    return float(sum(links[pair] for pair in pairs_of(network, one, other)))


def pairs_of(
    network: Network, one: PodBlocks, other: PodBlocks, takes: Collection[str] | None = None
) -> list[tuple[int, int]]:
    """Each block of the one with each of the other, by number; of those that take links."""
    numbers = {
        block.name: number
        for number, block in enumerate(network.blocks)
        if takes is None or block.name in takes
    }
    ends = ([numbers[name] for name in pod.blocks if name in numbers] for pod in (one, other))
    mine, theirs = ends
    return [(one, other) for one in mine for other in theirs]
