"""How the rings of a job stand: the links of each pair of neighbours, and what they carry."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from fabric_twin.core.superpods.collective import Collective
from fabric_twin.core.superpods.rings import Multislice, between, pairs_of, wished_links
from fabric_twin.core.topology.links import Links, rates
from fabric_twin.core.topology.network import Network


class RingPair(NamedTuple):
    """Two neighbours: links that were wished for, that are made, and that work; Gbit/s each way."""

    one: str
    other: str
    wished: int
    links: int
    left: int
    asked: float
    carried: float

    @property
    def is_open(self) -> bool:
        """Whether the rings end here: no link works."""
        return self.left == 0

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "a": self.one,
            "b": self.other,
            "wished": self.wished,
            "links": self.links,
            "left": self.left,
            "asked_gbps": self.asked,
            "carried_gbps": self.carried,
        }


@dataclass(frozen=True)
class RingsStand:
    """The rings of a job, pair by pair."""

    multislice: Multislice
    pairs: Sequence[RingPair]
    collective: Collective | None = None

    @property
    def ring_gbps(self) -> float:
        """What each ring carries: as much as its weakest pair gives it."""
        return min(pair.carried for pair in self.pairs) / self.multislice.rings_a_pair

    @property
    def between_s(self) -> float | None:
        """Seconds of the collective between pods, over the links that work."""
        if self.collective is None:
            return None
        return self.collective.between_s(len(self.multislice.pods), self.ring_gbps)

    def as_json(self) -> dict[str, Any]:
        """For programs; a time that never ends is null."""
        told: dict[str, Any] = {
            "name": self.multislice.name,
            "pods": [{"pod": pod.pod, "blocks": list(pod.blocks)} for pod in self.multislice.pods],
            "red": [list(hop) for hop in self.multislice.red],
            "blue": [list(hop) for hop in self.multislice.blue],
            "pairs": [pair.as_json() for pair in self.pairs],
            "ring_gbps": self.ring_gbps,
        }
        if self.collective is not None:
            within, between_s = self.collective.within_s, self.between_s
            told["collective"] = {
                **self.collective.as_json(),
                "within_s": round(within, 6),
                "between_s": None if not self.ring_gbps else round(between_s or 0.0, 6),
            }
        return told


def rings_stand(
    network: Network,
    multislice: Multislice,
    least: int,
    takes: Collection[str],
    links: Links,
    left: Links,
    collective: Collective | None = None,
) -> RingsStand:
    """How many links each pair of neighbours has and keeps, and what these carry."""
    found = []
    rate = rates(network)
    wished = wished_links(network, multislice, least, takes)
    for (one, other), many in zip(multislice.neighbours, wished, strict=True):
        pairs = pairs_of(network, one, other)
        asked = sum(many * float(rate[pair]) for pair in pairs)
        if multislice.gbps is not None:
            asked = multislice.gbps * multislice.rings_a_pair
        made, works = (int(between(network, one, other, matrix)) for matrix in (links, left))
        # Blocks of a pod are used alike, so a pair of blocks with few links holds the others back.
        weakest = min((float(left[pair] * rate[pair]) for pair in pairs), default=0.0)
        carried = len(pairs) * weakest
        wished_here = many * len(pairs)
        found.append(RingPair(one.pod, other.pod, wished_here, made, works, asked, carried))
    return RingsStand(multislice, found, collective)
