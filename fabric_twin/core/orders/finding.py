"""A finding as an order reads it: from the contract's JSON, or straight from an audit."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fabric_twin.core.audit.findings import Finding
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.findings.dead_switch import is_dead
from fabric_twin.core.orders.steps import End, end

#: Faults of switches: everything depends on them, so they are mended first.
OF_SWITCHES = frozenset(
    {
        *("switch-down", "board-out", "port-failed", "power-lost", "fan-lost"),
        *("identity-exchanged", "odd-sibling", "circuit-missing", "circuit-unexpected"),
    }
)
_SHAPE = 'what `fabric-twin audit --json` writes: {"findings": [{"id", "code", "remedy", ..}]}'


@dataclass(frozen=True)
class Found:
    """One finding."""

    id: str
    code: str
    severity: str = "error"
    cause: str = ""
    cables: tuple[str, ...] = ()
    ports: tuple[End, ...] = ()
    remedy: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)
    owners: tuple[str, ...] = ()
    #: A spare that can take the place of the port.
    spare: str = ""
    #: Whether it is of a switch that is dead.
    dead: bool = False

    @property
    def rank(self) -> int:
        """What is mended first: switches, then what is lost, then the rest."""
        return 0 if self.code in OF_SWITCHES else 1 if self.severity == "error" else 2

    @classmethod
    def of(cls, finding: Finding) -> "Found":
        """A finding of an audit in this process, with where each plug is now."""
        remedy = [step.placed() for step in finding.remedy]
        return cls.from_json({**finding.as_json(), "remedy": remedy})

    @classmethod
    def from_json(cls, facts: Mapping[str, Any], where: str = "findings") -> "Found":
        """Read a finding of the contract, or refuse it."""
        try:
            remedy = tuple(dict(move) for move in facts["remedy"])
            for move in remedy:
                _check(move)
            evidence = facts.get("evidence") or {}
            return cls(
                id=str(facts["id"]),
                code=str(facts["code"]),
                severity=str(facts.get("severity", "error")),
                cause=str(facts.get("cause", "")),
                cables=tuple(map(str, facts.get("cables", ()))),
                ports=tuple(end(port) for port in facts.get("ports", ())),
                remedy=remedy,
                owners=tuple(map(str, facts.get("owners", ()))),
                spare=str(evidence.get("spare", "")),
                dead=is_dead(str(facts["code"]), evidence),
            )
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            raise UnusableInput(
                "this is not a finding", where=where, remedy=f"Give {_SHAPE}"
            ) from None


#: What a move must say, by what it does; ends are a device and a port in a list.
_TEXTS: Mapping[str, tuple[str, ...]] = {
    "move": ("cable", "end"),
    "unplug": ("cable", "end"),
    "remove": ("cable",),
    "flip": ("cable",),
    "clean": ("device", "port"),
    "reseat": ("device", "port"),
    "replace": ("device", "port", "part"),
}
_ENDS: Mapping[str, tuple[str, ...]] = {"move": ("to",), "add": ("a", "b")}


def _check(move: Mapping[str, Any]) -> None:
    """Raise what `from_json` refuses, where a move does not say enough."""
    do = move["do"]
    texts = [move[key] for key in _TEXTS.get(do, ())]
    if not isinstance(do, str) or not all(isinstance(text, str) for text in texts):
        raise TypeError(do)
    if do in ("move", "unplug") and move["end"] not in ("a", "b"):
        raise ValueError(move["end"])
    for key in (*_ENDS.get(do, ()), *(("at",) if "at" in move else ())):
        end(move[key])
    for place in move.get("perhaps", ()):
        end(place)
