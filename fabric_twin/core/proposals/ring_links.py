"""What a change of links leaves to the rings of jobs that run.

Rings run over the links of two blocks, and over no third one: demand may go that way, rings end.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.proposals.links import NetworkInUse
from fabric_twin.core.topology.links import Demand, Links, rates


@dataclass(frozen=True)
class RingLinks:
    """Two blocks between which the rings of a job lose links that they ask for."""

    job: str
    one: str
    other: str
    before: int
    after: int
    gbps: float

    def __str__(self) -> str:
        """The whole in words."""
        left = counted(self.after, "link") if self.after else "no link"
        return (
            f"{self.one} and {self.other} keep {left} of {self.before} for the rings of "
            f"multislice {self.job}, which ask for {self.gbps:,.10g} Gbit/s"
        )


def ring_links_lost(now: NetworkInUse, after: Links) -> Iterator[RingLinks]:
    """By job and pair of blocks, where fewer links are left than there are and are asked for."""
    rate = rates(now.network)
    for job, asked in now.rings.items():
        for one, other in _short(asked, now.links * rate, after * rate):
            yield RingLinks(
                job,
                now.network.blocks[one].name,
                now.network.blocks[other].name,
                int(now.links[one, other]),
                int(after[one, other]),
                float(asked[one, other]),
            )


def check_rings_close(now: NetworkInUse, meanwhile: Links, after: Links) -> list[str]:
    """Refuse a change in which rings end, and one that does not close those that it is made for.

    What rings lose otherwise, in words.
    """
    where = f"network {now.network.name}"
    for links, when in ((meanwhile, "Meanwhile "), (after, "")):
        if opened := next((one for one in ring_links_lost(now, links) if not one.after), None):
            raise NotPossible(
                f"{when}{opened}",
                where=where,
                remedy="Change fewer switches at once, ask for an engineered topology, or release "
                "the multislice first",
            )
    if now.coming is not None:
        for one, other in np.argwhere(np.triu((now.coming > 0) & (after == 0), 1)):
            raise NotPossible(
                f"{now.network.blocks[one].name} and {now.network.blocks[other].name} would get no "
                "link for the rings that it is to make",
                where=where,
                remedy="Ask for an engineered topology, once their ports are in service",
            )
    return [str(one) for one in ring_links_lost(now, after)]


def _short(asked: Demand, before: Demand, after: Demand) -> Iterator[tuple[int, int]]:
    """Each two blocks once; links that were missing before are missed by nobody."""
    short = np.triu(after < np.minimum(asked, before), 1)
    yield from ((int(one), int(other)) for one, other in np.argwhere(short))
