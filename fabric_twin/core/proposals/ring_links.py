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


def check_no_ring_opened(now: NetworkInUse, after: Links) -> list[str]:
    """Refuse a change after which rings end; what they lose otherwise, in words."""
    lost = list(ring_links_lost(now, after))
    if opened := next((one for one in lost if not one.after), None):
        raise NotPossible(
            str(opened),
            where=f"network {now.network.name}",
            remedy="Ask for an engineered topology, or release the multislice first",
        )
    return [str(one) for one in lost]


def _short(asked: Demand, before: Demand, after: Demand) -> Iterator[tuple[int, int]]:
    """Each two blocks once; links that were missing before are missed by nobody."""
    short = np.triu(after < np.minimum(asked, before), 1)
    yield from ((int(one), int(other)) for one, other in np.argwhere(short))
