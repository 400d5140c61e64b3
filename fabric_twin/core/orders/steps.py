"""One step of an order: one thing that one person, or the fabric, does at one place."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from fabric_twin.core.design import Design
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.kinds import Kind

#: A device and a port on it.
End = tuple[str, str]


class Do(StrEnum):
    """What kinds of step there are."""

    GO = "go"
    #: Keep a switch's port dark while it is worked on, and release it.
    BLOCK = "block"
    RELEASE = "release"
    INSPECT = "inspect"
    CLEAN = "clean"
    #: Read the label of a cable at the port that it is meant for.
    SCAN = "scan"
    UNPLUG = "unplug"
    PLUG = "plug"
    CAP = "cap"
    #: Exchange the two strands of a plug.
    FLIP = "flip"
    #: Take out and put back.
    RESEAT = "reseat"
    REPLACE = "replace"
    #: Put a part where none was, and take it away for good.
    FIT = "fit"
    TAKE_OUT = "take-out"
    #: Look whether a bundle is as it should be, by light or by whom its ports hear.
    CHECK = "check"


#: Steps that no technician does.
BY_FABRIC = frozenset({Do.BLOCK, Do.RELEASE, Do.CHECK})
#: Steps after which a port is kept dark, or is not any more.
HOLDS = frozenset({Do.BLOCK, Do.RELEASE})
#: Steps that touch what light runs through.
TOUCHES = frozenset(
    {Do.INSPECT, Do.CLEAN, Do.UNPLUG, Do.PLUG, Do.CAP, Do.FLIP, Do.RESEAT, Do.REPLACE}
)
#: What is measured as work.
MANUAL = TOUCHES | {Do.FIT, Do.TAKE_OUT}
#: What tells whether a bundle is as it should be.
BY_LIGHT, BY_NEIGHBOURS = "light", "neighbours"
#: How a step is said, where it is more than its kind and its place.
_WORDS = {
    Do.GO: "go to {rack}",
    Do.SCAN: "scan {cable} at {there}",
    Do.UNPLUG: "unplug {cable} from {there}",
    Do.PLUG: "plug {cable} into {there}",
    Do.FLIP: "flip the two strands of {cable} at {there}",
    Do.REPLACE: "replace {part} of {there}",
    Do.FIT: "fit {part} in {there}",
    Do.TAKE_OUT: "take {part} out of {there}",
    Do.CHECK: "check {bundle} by {by}",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step. What does not matter to its kind is empty."""

    #: From 1 within its order; done in this order, each crew's own.
    number: int = 0
    do: Do
    rack: str
    device: str = ""
    #: The port, or the cage behind it.
    port: str = ""
    #: The lowest unit that the device takes in its rack; 0 where that is not known.
    unit: int = 0
    cable: str = ""
    #: The end of the cable, `a` or `b`.
    end: str = ""
    part: str = ""
    #: The bundle that the step belongs to, and that a check looks at.
    bundle: str = ""
    crew: int = 1
    #: Steps that must be done before, at other racks, by whichever crew.
    after: tuple[int, ...] = ()
    #: The need of the order that must be met before.
    need: str = ""
    #: Metres to walk there.
    metres: float = 0.0
    #: The finding that this mends.
    finding: str = ""
    #: The port is a switch's: not to be touched unless it is blocked and in no circuit.
    guarded: bool = False
    #: Where else the plug may be that comes out, in words: light does not tell.
    perhaps: str = ""
    #: Above 0: only if the light test still fails after the rung below (`planning/escalation.py`).
    rung: int = 0
    #: What tells a check that a bundle is as it should be.
    by: str = BY_LIGHT

    @property
    def at(self) -> End:
        """Where it is done."""
        return self.device, self.port

    def __str__(self) -> str:
        there = f"{self.device} port {self.port}" if self.port else self.device
        words = _WORDS.get(self.do, "{do} {there}")
        return (
            words.format(
                do=self.do.value,
                there=there,
                rack=self.rack,
                cable=self.cable or "what is there",
                part=self.part,
                bundle=self.bundle,
                by=self.by,
            )
            + self.perhaps
        )

    def as_json(self) -> dict[str, Any]:
        """The step as a program reads it; what is empty is left out."""
        facts = {name: getattr(self, name) for name in _EMPTY}
        return {
            name: _PLAIN[name](value) if name in _PLAIN else value
            for name, value in facts.items()
            if value != _EMPTY[name]
        }

    @classmethod
    def from_json(cls, facts: Mapping[str, Any], where: str = "step") -> "Step":
        """Read a step, or refuse it."""
        for name, value in facts.items():
            kind = _KINDS.get(name)
            if (
                kind is None
                or not isinstance(value, kind)
                or isinstance(value, bool) != (kind is bool)
            ):
                raise UnusableInput(
                    f"a step has no {name[:40]!r} of this kind",
                    where=where,
                    remedy="Write steps as `fabric-twin order --format json` does",
                )
        try:
            after = tuple(map(int, facts.get("after", ())))
            return cls(**{**facts, "do": Do(facts.get("do", "")), "after": after})
        except (TypeError, ValueError):
            raise UnusableInput(
                f"there is no kind of step called {str(facts.get('do'))[:40]!r}",
                where=where,
                remedy=f"Give a rack, and one of {', '.join(Do)} to do",
            ) from None


_EMPTY = {field.name: field.default for field in fields(Step)}
_KINDS: dict[str, Any] = {
    name: int if name in ("number", "unit", "crew", "rung") else str for name in _EMPTY
} | {"metres": (int, float), "guarded": bool, "after": (list, tuple)}
_PLAIN: dict[str, Any] = {"do": str, "after": list}


def end(value: Any) -> End:
    """A device and a port, of two texts in a list."""
    device, port = value
    return str(device), str(port)


def looked_at(design: Design) -> str:
    """What tells of a fabric of this design whether a bundle is as it should be."""
    return BY_NEIGHBOURS if design.kind is Kind.GROUPS else BY_LIGHT
