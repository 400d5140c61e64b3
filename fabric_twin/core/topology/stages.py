"""A change of topology in stages: in each, one group of switches is drained, switched and returned.

switches 1..8   remove, add        every pair with demand keeps enough, direct or by one block
switches 9..16  remove, add        a group that would take too much is halved
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.topology.joined import Joined, spread_of, working
from fabric_twin.core.topology.links import Demand, Links, loads, rates
from fabric_twin.core.topology.load import transit_load
from fabric_twin.core.topology.network import AT_ONCE, Network, SwitchEnd


@dataclass(frozen=True)
class Stage:
    """What one group of switches does, and the links of each pair that are left meanwhile."""

    switches: tuple[int, ...]
    remove: tuple[Joined, ...]
    add: tuple[Joined, ...]
    left: Links


def in_stages(
    network: Network,
    present: Iterable[Joined],
    wanted: Iterable[Joined],
    demand: Demand,
    *,
    out: Collection[SwitchEnd] = (),
    at_once: int = AT_ONCE,
    headroom: float = 0.0,
) -> list[Stage]:
    """The stages of a change; refused where not even one switch can be changed by itself.

    Links with an end that is out are no help, and nobody misses them.
    """
    before, after = set(present), set(wanted)
    remove, add = before - after, after - before
    touched = sorted({circuit.switch for circuit in remove | add})
    links = links_of(network, working(before, out))
    asked = kept(network, demand, headroom, links)
    stages: list[Stage] = []
    for group in _groups(touched, at_once):
        for stage in _parted(network, group, remove, add, links, asked, out):
            links = stage.left + links_of(network, working(stage.add, out))
            stages.append(stage)
    return stages


@dataclass(frozen=True)
class Kept:
    """What each pair keeps in every stage, and whether that is more than it asks for."""

    gbps: Demand
    headroom: float


def kept(
    network: Network, demand: Demand, headroom: float, now: Links, before: Links | None = None
) -> Kept:
    """What stages keep: demand with headroom, or what there is now where that is less.

    Blocks without links have yet to join and ask for nothing; an undo excuses those that had none
    `before` the plan too. A block that loses all of its links is not excused.
    """
    joined = now.any(axis=1) & (now if before is None else before).any(axis=1)
    asked = np.where(np.logical_and.outer(joined, joined), demand, 0.0)
    roomy = asked * (1 + headroom)
    own = np.minimum(roomy, now * rates(network))
    # The most that fits now. Headroom is given up before demand; and pairs that have no link of
    # their own keep their way over one other block for as long as they have it.
    for gbps in (roomy, np.maximum(asked, own), asked, np.where(now > 0, own, asked)):
        if _is_met(network, now, gbps):
            return Kept(gbps, headroom)
    return Kept(own, headroom)


def _groups(touched: Sequence[int], at_once: int) -> Iterator[tuple[int, ...]]:
    for first in range(0, len(touched), at_once):
        yield tuple(touched[first : first + at_once])


def _parted(
    network: Network,
    group: tuple[int, ...],
    remove: set[Joined],
    add: set[Joined],
    links: Links,
    asked: Kept,
    out: Collection[SwitchEnd],
) -> Iterator[Stage]:
    """The group as one stage, or as the halves of it that keep demand."""
    gone, new = (
        tuple(sorted(circuit for circuit in some if circuit.switch in group))
        for some in (remove, add)
    )
    left = links - links_of(network, working(gone, out))
    if _is_met(network, left, asked.gbps):
        yield Stage(group, gone, new, left)
        return
    if len(group) == 1:
        check_left(network, left, asked, f"switch {network.switch_name(group[0])}")
    middle = len(group) // 2
    for half in (group[:middle], group[middle:]):
        for stage in _parted(network, half, remove, add, links, asked, out):
            links = stage.left + links_of(network, working(stage.add, out))
            yield stage


def check_left(network: Network, left: Links, asked: Kept, where: str) -> None:
    """Refuse to take circuits away where what is left does not carry what is asked."""
    if not _is_met(network, left, asked.gbps):
        raise NotPossible(
            f"without the circuits that go, {_worst(network, left, asked.gbps)}",
            where=where,
            remedy=f"{'Ask for less headroom, or wait' if asked.headroom else 'Wait'} until demand "
            "is lower",
        )


def _is_met(network: Network, links: Links, asked: Demand) -> bool:
    if loads(network, links, asked).max(initial=0.0) <= 1:
        return True
    return transit_load(network, links, asked) <= 1 + 1e-9


def _worst(network: Network, links: Links, asked: Demand) -> str:
    load = loads(network, links, asked)
    one, other = np.unravel_index(int(load.argmax()), load.shape)
    names = [network.blocks[int(number)].name for number in (one, other)]
    many = int(links[one, other])
    have = counted(many, "link") if many else "no link"
    return f"{' and '.join(names)} would have {have} for {asked[one, other]:,.10g} Gbit/s"


def links_of(network: Network, circuits: Iterable[Joined]) -> Links:
    """How many links of each pair some circuits are."""
    found = spread_of(network, circuits).sum(axis=0)
    return np.asarray(found + found.T)
