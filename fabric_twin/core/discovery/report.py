"""What a discovery tells in the end: cables, and what it could not look at."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fabric_twin.core.discovery.cables import ObservedCable, Port


@dataclass(frozen=True)
class Level:
    """How strong the light of a cable is; nothing where nobody says."""

    #: The best that its cube port received, in dBm, on its weakest lane.
    received: float | None
    #: What the switch lost on the last path through it, in dB.
    loss: float | None


@dataclass(frozen=True, eq=False)
class Report:
    """The observed plant by name."""

    pod: str
    design: str
    rounds: int
    cables: Sequence[ObservedCable]
    levels: Sequence[Level]
    #: Ports of switches by how they were heard: dark, untouched, untold.
    ports: Mapping[str, Sequence[Port]]
    #: Circuits that were there and were not touched.
    in_use: int
    #: Circuits that switches did not make, by their reason.
    not_made: Mapping[str, int]
    #: Devices that did not answer, and why.
    unanswered: Mapping[str, str]
    #: Pairs of switches that seem to answer to each other's address.
    exchanged: Sequence[tuple[str, str]]
    #: A port, the one that it hears, and whom that one hears instead; empty where it hears nobody.
    contradictions: Sequence[tuple[Port, Port, Port]] = ()
    #: What a fabric of its kind is called.
    noun: str = "Pod"

    @property
    def summary(self) -> Counter[str]:
        """How many cables are known how; strands that went different ways count each."""
        return Counter(cable.seen for cable in self.cables)

    @property
    def is_complete(self) -> bool:
        """Whether it is known of every cable where it is."""
        return all(cable.b[0] for cable in self.cables)

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "version": 1,
            "pod": self.pod,
            "design": self.design,
            "rounds": self.rounds,
            "cables": [
                {
                    "cable": cable.cable,
                    "a": list(cable.a),
                    "b": list(cable.b) if cable.b[0] else None,
                    "seen": cable.seen,
                    "rx_dbm": level.received,
                    "switch_loss_db": level.loss,
                }
                for cable, level in zip(self.cables, self.levels, strict=True)
            ],
            "summary": dict(sorted(self.summary.items())),
            "ports": {name: [list(port) for port in ports] for name, ports in self.ports.items()},
            "circuits_in_use": self.in_use,
            "not_made": dict(self.not_made),
            "unanswered": dict(self.unanswered),
            "exchanged": [list(pair) for pair in self.exchanged],
            "contradictions": [
                {
                    "port": list(port),
                    "hears": list(heard),
                    "which_hears": list(other) if other[0] else None,
                }
                for port, heard, other in self.contradictions
            ],
        }
