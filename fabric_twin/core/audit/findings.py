"""Findings: one physical cause each, with a name that lasts as long as the fault does."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from hashlib import blake2b
from typing import Any

from fabric_twin.core.audit.places import Stray, natural
from fabric_twin.core.audit.remedy import Step
from fabric_twin.core.fabric.plant import End
from fabric_twin.core.findings.proof import Look, Proof

#: Faults that take nothing away from the pod; all others do.
WARNINGS = frozenset(
    {
        *("unexpected", "record-wrong", "wrong-serial", "stale", "power-lost", "fan-lost"),
        *("circuit-unexpected", "high-reflection", "worse-than-before", "topology-odd"),
        "entry-unexpected",
    }
)


@dataclass(frozen=True)
class Finding:
    """One physical mistake, what it is called, and how to mend it."""

    id: str
    code: str
    cause: str
    strays: tuple[Stray, ...]
    remedy: tuple[Step, ...]
    #: Cables that are concerned though they are where they should be, and places beside theirs;
    #: a place without a port is the device itself.
    concerned: tuple[str, ...] = ()
    places: tuple[End, ...] = ()
    #: What was seen: numbers then and now, ready for JSON.
    evidence: Mapping[str, Any] = field(default_factory=dict, hash=False)
    #: Owners of circuits and cubes that are hit.
    owners: tuple[str, ...] = ()
    #: The fault is of a kind that mostly takes something away, and this one does not.
    harmless: bool = False
    #: Looks that would show that it is gone, where the record alone does not.
    looks: tuple[Proof, ...] = ()
    #: Set where it was there before, and the look could neither see it nor that it is gone.
    last_seen: datetime | None = None

    @cached_property
    def proof(self) -> tuple[Proof, ...]:
        """What would show that it is gone: all of it."""
        return self.looks or tuple(Proof(Look.RECORD, *port) for port in self.ports)

    @cached_property
    def cables(self) -> tuple[str, ...]:
        """Every wrong cable, and the missing ones by their default names."""
        return (*(stray.cable for stray in self.strays if stray.cable), *self.concerned)

    @cached_property
    def ports(self) -> tuple[End, ...]:
        """The ports where a hand must go, each once, in order."""
        ports: set[End | None] = set(self.places)
        for stray in self.strays:
            ports |= {stray.stands, stray.wanted}
            if stray.stands is None or stray.wanted is None:
                ports.add(stray.stays)
        return tuple(sorted((port for port in ports if port and any(port)), key=natural))

    @property
    def severity(self) -> str:
        """`error` where links of the pod are lost, else `warning`."""
        return "warning" if self.harmless or self.code in WARNINGS else "error"

    @property
    def urgency(self) -> tuple[Any, ...]:
        """What findings are sorted by: what a person should do first comes first."""
        return self.severity, -len(self.strays), self.ports, self.id

    def as_json(self) -> dict[str, Any]:
        """The finding as the contract has it; what light and circuits add is there if they do."""
        seen = {"evidence": dict(self.evidence)} if self.evidence else {}
        hit = {"owners": list(self.owners)} if self.owners else {}
        since = {"last_seen": self.last_seen.isoformat()} if self.last_seen else {}
        return {
            "id": self.id,
            "code": self.code,
            "severity": self.severity,
            "cause": self.cause,
            "cables": list(self.cables),
            "ports": [list(port) for port in self.ports],
            "remedy": [step.as_json() for step in self.remedy],
            **seen,
            **hit,
            **since,
        }


@dataclass(frozen=True)
class Report:
    """What an audit of one pod found."""

    pod: str
    design: str
    #: How many cables are recorded, and how many the rule expects.
    cables: int
    expected: int
    #: What a person should do first comes first.
    findings: tuple[Finding, ...]
    #: What the fabric is called by, before its name.
    noun: str = field(default="Pod", kw_only=True)
    #: What `cables` counts: on a chip there are parts instead.
    part: str = field(default="cable", kw_only=True)
    #: Those that are there by an earlier look, and that this one could not see.
    unseen: tuple[Finding, ...] = field(default=(), kw_only=True)
    #: Whether some are left out that the reader may not see.
    hidden: bool = field(default=False, kw_only=True)
    #: What of the pod was looked at, where it was not all of it.
    places: str = field(default="", kw_only=True)
    #: Whether serials and parts were left out.
    light_only: bool = field(default=False, kw_only=True)
    #: The devices that did not answer.
    not_answered: tuple[str, ...] = field(default=(), kw_only=True)

    @property
    def clean(self) -> bool:
        """Whether all was looked at, and there is nothing."""
        missed = self.places or self.light_only or self.not_answered
        return not (self.findings or self.unseen or self.hidden or missed)

    @property
    def summary(self) -> dict[str, int]:
        """How many findings there are of each code."""
        return dict(sorted(Counter(finding.code for finding in self.findings).items()))

    def as_json(self) -> dict[str, Any]:
        """The report as the contract has it; why it may not be all is there if it may not."""
        gaps = {
            "not_seen": [finding.as_json() for finding in self.unseen],
            "findings_hidden": self.hidden,
            "places": self.places,
            "light_only": self.light_only,
            "not_answered": list(self.not_answered),
        }
        return {
            "version": 1,
            "pod": self.pod,
            "design": self.design,
            "cables": self.cables,
            "expected": self.expected,
            "findings": [finding.as_json() for finding in self.findings],
            "summary": self.summary,
            **{name: gap for name, gap in gaps.items() if gap},
        }


def finding_id(facts: Sequence[str]) -> str:
    """Name a fault by where cables stand and what is missing, and by nothing else.

    So rows in another order, ends exchanged, a cable renamed or other faults do not change it.
    """
    return blake2b("\n".join(sorted(facts)).encode(), digest_size=6).hexdigest()
