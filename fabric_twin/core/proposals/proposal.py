"""A change as it is proposed: what a person reads before deciding, and what is then carried out.

Proposal -- plan       circuits, in stages             (core.plans)
         -- notes      of each stage: whom it interrupts, how it is checked and undone
         -- effects    what changes in the records     (effects.py)
         -- blast      whom it concerns                (blast_radius.py)
         -- bears      slices that do without what goes (bears.py)
         -- stranded   slices it would move and cannot, and why

A planner says what it would change and what is in use then; what that means for people is said
here, the same for all of them. `ProposedChange` is what pods and networks (`topology.py`) share.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from fabric_twin.core.circuits.plans import Circuit, Key, Plan, Stage
from fabric_twin.core.diagnosis.limits import Limits
from fabric_twin.core.pods.names import Names
from fabric_twin.core.proposals.bears import Bears
from fabric_twin.core.proposals.blast_radius import Blast, capacity_of
from fabric_twin.core.proposals.effects import Effect, MoveSlice, ReleaseSlice, effect_json
from fabric_twin.core.proposals.in_use import InUse
from fabric_twin.core.rule import Plant
from fabric_twin.core.slices.occupancy import Occupancy

#: What a proposal is for; a ticket is of the same kind.
HAND, SLICE, RELEASE, SPARE = "hand", "slice", "release", "spare"
DEFRAGMENT, MAINTENANCE, DRIFT, RETURN = "defragment", "maintenance", "drift", "return"
TOPOLOGY = "topology"

#: What cubes say of a circuit that is made.
_HEARD = "over each, both cubes hear the neighbour that the plan joins, "
#: How much could go wrong.
LOW, MEDIUM, HIGH = "low", "medium", "high"

#: What a run does when too much is bad.
UNDO, HOLD = "undo", "hold"


@dataclass(frozen=True)
class Risk:
    """How much could go wrong, and why that much."""

    level: str
    reason: str


@dataclass(frozen=True)
class Stranded:
    """A slice that would have to move and cannot."""

    name: str
    shape: str
    #: Why it cannot, in words.
    why: str
    #: Links of its torus that go dark when what it stands on is touched.
    links: int

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {"name": self.name, "shape": self.shape, "why": self.why, "links": self.links}


@dataclass(frozen=True)
class StageNote:
    """What a stage means for people."""

    #: Links that each slice loses when the stage is begun, most first; empty is nobody.
    interrupts: Mapping[str, int]
    check: str
    undo: str

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {"interrupts": dict(self.interrupts), "check": self.check, "undo": self.undo}


class Weighed(Protocol):
    """Anything that goes into a record as JSON."""

    def as_json(self) -> dict[str, Any]:
        """For programs, and for a ticket's record."""


@dataclass(frozen=True, kw_only=True)
class ProposedChange(ABC):
    """A change of circuits and records, planned and weighed, not started."""

    kind: str
    title: str
    plan: Plan
    risk: Risk
    effects: tuple[Effect, ...] = ()
    warnings: tuple[str, ...] = ()
    #: What was asked for, so that it can be planned again when the world has moved.
    wish: Mapping[str, Any] = field(default_factory=dict)
    #: What to do when a stage goes wrong, where nothing else is said.
    on_failure: str = UNDO

    @property
    @abstractmethod
    def design(self) -> str:
        """The name of the design."""

    @property
    @abstractmethod
    def names(self) -> Names:
        """What everything is called."""

    @property
    @abstractmethod
    def blast(self) -> Weighed:
        """Whom it concerns."""

    @property
    @abstractmethod
    def notes(self) -> Sequence[Weighed]:
        """What each stage means for people, in the order of the plan."""

    @property
    def interrupted(self) -> tuple[str, ...]:
        """Slices that are drained before it begins."""
        return ()

    @property
    def not_wanted(self) -> frozenset[Key]:
        """Circuits that nobody wants any more, and of which no switch is told."""
        return frozenset()

    def plan_json(self, ids: Mapping[str, str] | None = None) -> dict[str, Any]:
        """What is carried out: the contract's plan, owners that change, effects, a note a stage."""
        return self.plan.as_json() | {
            # Lit all the time; with the last stage the record says whose they are.
            "passed_on": [new.as_json() | {"from": old.owner} for old, new in self.plan.passed_on],
            "effects": [effect_json(effect, self.names, ids or {}) for effect in self.effects],
            "notes": [note.as_json() for note in self.notes],
        }

    def as_json(self, ids: Mapping[str, str] | None = None) -> dict[str, Any]:
        """All of it, for programs."""
        return {
            "version": 1,
            "pod": self.names.pod,
            "design": self.design,
            "kind": self.kind,
            "title": self.title,
            "wish": dict(self.wish),
            "risk": {"level": self.risk.level, "reason": self.risk.reason},
            "blast": self.blast.as_json(),
            "plan": self.plan_json(ids),
            "on_failure": self.on_failure,
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True, kw_only=True)
class Proposal(ProposedChange):
    """A change of a pod of cubes."""

    #: The pod as it is used now, and as it is when all is done; none is as now.
    now: InUse
    after: Occupancy | None = None
    #: Slices that lose a cube or a link, be it that they move or that they cannot.
    slices: tuple[str, ...] = ()
    #: Owners of circuits that change; empty is nobody.
    owners: tuple[str, ...] = ()
    #: Circuits that somebody loses, for a while or for good.
    lost: int = 0
    #: Slices that stay and do without some circuits, and how many switches a join may lack.
    bears: tuple[Bears, ...] = ()
    bear: int = 0
    stranded: tuple[Stranded, ...] = ()

    @property
    def design(self) -> str:
        """The name of the pod's design."""
        return self.now.intended.design.name

    @property
    def names(self) -> Names:
        """What everything is called."""
        return self.now.names

    @cached_property
    def blast(self) -> Blast:
        """Whom it concerns."""
        return Blast(
            slices=self.slices,
            bearing=tuple(sorted(bears.made.name for bears in self.bears)),
            owners=self.owners,
            links=links_of(self.now.intended.design.plant, self.lost),
            before=capacity_of(self.now.occupancy, self.bear),
            after=capacity_of(self.after or self.now.occupancy, self.bear),
        )

    @cached_property
    def notes(self) -> tuple[StageNote, ...]:
        """What each stage means for people, in the order of the plan."""
        plant, limits = self.now.intended.design.plant, self.now.limits
        return tuple(_note(stage, plant, limits) for stage in self.plan.stages)

    @property
    def possible(self) -> bool:
        """Whether all that has to move can."""
        return not self.stranded

    @property
    def interrupted(self) -> tuple[str, ...]:
        """Slices that lose links in some stage, go, or move, and so are drained first."""
        found = [name for note in self.notes for name in note.interrupts if name]
        gone = [e.made.name for e in self.effects if isinstance(e, ReleaseSlice | MoveSlice)]
        return tuple(dict.fromkeys((*found, *gone)))

    def plan_json(self, ids: Mapping[str, str] | None = None) -> dict[str, Any]:
        """What is carried out, who bears it, and who cannot move."""
        return super().plan_json(ids) | {
            "bears": [bears.as_json() for bears in self.bears],
            "stranded": [stranded.as_json() for stranded in self.stranded],
        }

    def as_json(self, ids: Mapping[str, str] | None = None) -> dict[str, Any]:
        """All of it, for programs."""
        return super().as_json(ids) | {
            "bears": [bears.as_json() | {"slice": bears.slice_json()} for bears in self.bears],
            "stranded": [stranded.as_json() for stranded in self.stranded],
        }


def links_of(plant: Plant, circuits: int) -> int:
    """How many links so many circuits are; in a paired plant a link is two."""
    return -(-circuits // 2) if plant is Plant.PAIRED else circuits


def _note(stage: Stage, plant: Plant, limits: Limits) -> StageNote:
    lost = Counter(circuit.owner for circuit in stage.remove)
    interrupts = {owner: links_of(plant, many) for owner, many in lost.most_common()}
    return StageNote(
        interrupts,
        checked(stage, limits, _HEARD),
        undone(stage),
    )


def checked(stage: Stage, limits: Limits, heard: str = "") -> str:
    """How it is known that a stage did what it should; `heard` is what both ends say, if asked."""
    said = []
    if stage.remove:
        said.append(f"the switches no longer report {_many(stage.remove)}")
    if stage.add:
        last = f"{-limits.reflection:g} dB"
        last += f", and errors before correction are at most {limits.ber:g}" if heard else ""
        said.append(
            f"{_many(stage.add)} are tuned at both ends; {heard}the switch loses at most "
            f"{limits.switch_loss:g} dB and {limits.switch_rise:g} dB more than on a good day, or "
            f"in the factory where it had none and the switch tells, {'' if heard else 'and '}"
            f"the return loss is at least {last}"
        )
    return "; ".join(said)


def undone(stage: Stage) -> str:
    """How a stage is taken back."""
    if not stage.remove:
        return f"remove {_many(stage.add)}"
    if not stage.add:
        return f"add back {_many(stage.remove)}"
    return f"remove {_many(stage.add)} and add back {_many(stage.remove)}, in one Set a switch"


def _many(circuits: tuple[Circuit, ...]) -> str:
    count = len(circuits)
    return f"{count:,} circuit{'s' * (count != 1)}"
