"""A work order: what is promised, what it takes, and every step of it."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.orders.materials import Part
from fabric_twin.core.orders.steps import Do, End, Step, end

#: No order is done by more crews at once.
MOST_CREWS = 50


def check_crews(crews: int) -> None:
    """Refuse more crews than ever go at once, or none."""
    if not 1 <= crews <= MOST_CREWS:
        raise UnusableInput(
            f"{crews} crews cannot do an order", where="crews", remedy=f"Send 1 to {MOST_CREWS}"
        )


def check_crew(crew: int, crews: int) -> None:
    """Refuse a crew that an order has not."""
    if not 1 <= crew <= crews:
        raise UnusableInput(
            f"there is no crew {crew}", where="crew", remedy=f"Name one from 1 to {crews}"
        )


class Kind(StrEnum):
    """What an order is for."""

    INSTALL = "install"
    REPAIR = "repair"
    MOVE = "move"
    DECOMMISSION = "decommission"


@dataclass(frozen=True, slots=True)
class Laid:
    """A cable that an order lays, or takes away: both ends, how long, and what is printed on it."""

    cable: str
    a: End
    b: End
    length_m: int = 0
    label: str = ""
    bundle: str = ""


@dataclass(frozen=True, slots=True)
class Bundle:
    """Cables that run together and are checked together."""

    name: str
    #: The rack where the bundle is finished, and checked.
    rack: str
    cables: tuple[str, ...]
    #: The slot of the cube that waits for it; 0 where none does.
    slot: int = 0
    finding: str = ""


@dataclass(frozen=True, slots=True)
class Need:
    """What must be so before some steps: a ticket's work, or a record's."""

    name: str
    #: `drain`: no circuit on these ports. `substitute`: the spare takes the port's place.
    #: `circuits`: circuits to make or part. `record`: what is written is corrected.
    what: str
    ports: tuple[End, ...] = ()
    owners: tuple[str, ...] = ()
    spare: str = ""
    moves: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)
    findings: tuple[str, ...] = ()
    #: Whether the switch is dead: no light passes, so it is needed only if it answers before.
    dead: bool = False


@dataclass(frozen=True, slots=True)
class Deferred:
    """A finding that the order leaves out, and why."""

    finding: str
    why: str


@dataclass(frozen=True, kw_only=True)
class WorkOrder:
    """Hands-on steps for technicians, whole."""

    name: str
    pod: str
    design: str
    kind: Kind
    title: str
    steps: tuple[Step, ...]
    bundles: tuple[Bundle, ...] = ()
    #: Cables laid, or taken away.
    cables: tuple[Laid, ...] = ()
    needs: tuple[Need, ...] = ()
    materials: tuple[Part, ...] = ()
    deferred: tuple[Deferred, ...] = ()
    slots: tuple[int, ...] = ()
    crews: int = 1
    #: The route that was chosen for a repair (`planning/routes.py`); empty where nobody chose.
    route: str = ""

    @cached_property
    def by_bundle(self) -> dict[str, Bundle]:
        """The bundles by name."""
        return {bundle.name: bundle for bundle in self.bundles}

    def visits(self, crew: int = 0) -> Iterator[list[Step]]:
        """The steps at one rack after another: of one crew, or of all in the order of numbers."""
        visit: list[Step] = []
        for step in self.steps:
            if crew and step.crew != crew:
                continue
            if step.do == Do.GO and visit:
                yield visit
                visit = []
            visit.append(step)
        if visit:
            yield visit

    def as_json(self) -> dict[str, Any]:
        """The order as a program reads it."""
        return {
            "version": 1,
            "name": self.name,
            "pod": self.pod,
            "design": self.design,
            "kind": str(self.kind),
            "title": self.title,
            "slots": list(self.slots),
            "crews": self.crews,
            **({"route": self.route} if self.route else {}),
            "needs": [_plain(asdict(need)) for need in self.needs],
            "materials": [part.as_json() for part in self.materials],
            "deferred": [asdict(left) for left in self.deferred],
            "bundles": [_plain(asdict(bundle)) for bundle in self.bundles],
            "cables": [_plain(asdict(cable)) for cable in self.cables],
            "steps": [step.as_json() for step in self.steps],
        }

    @classmethod
    def from_json(cls, facts: Mapping[str, Any], where: str = "order") -> "WorkOrder":
        """Read an order that `as_json` wrote, or refuse it."""
        try:
            return cls(
                **{key: str(facts[key]) for key in ("name", "pod", "design", "title")},
                kind=Kind(facts["kind"]),
                steps=tuple(
                    Step.from_json(step, f"{where}, step {n}")
                    for n, step in enumerate(facts["steps"], 1)
                ),
                bundles=tuple(
                    Bundle(**{**row, "cables": tuple(row["cables"])}) for row in facts["bundles"]
                ),
                cables=tuple(
                    Laid(**{**row, "a": end(row["a"]), "b": end(row["b"])})
                    for row in facts["cables"]
                ),
                needs=tuple(need_from(row) for row in facts["needs"]),
                materials=tuple(Part(row["part"], *_counts(row)) for row in facts["materials"]),
                deferred=tuple(Deferred(**row) for row in facts["deferred"]),
                slots=tuple(facts["slots"]),
                crews=int(facts["crews"]),
                route=str(facts.get("route", "")),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise UnusableInput(
                f"this is not a work order: {type(error).__name__} {str(error)[:60]}",
                where=where,
                remedy="Give what `fabric-twin order --format json` writes",
            ) from None


def _counts(part: Mapping[str, Any]) -> tuple[int, int, int, int]:
    return part["needed"], part["on_hand"], part["ordered"], part.get("perhaps", 0)


def need_from(row: Mapping[str, Any]) -> Need:
    return Need(
        **{
            **row,
            "ports": tuple(map(end, row["ports"])),
            **{key: tuple(row[key]) for key in ("owners", "moves", "findings")},
        }
    )


def _plain(value: Any) -> Any:
    """Tuples as lists, as JSON has them."""
    if isinstance(value, dict):
        return {key: _plain(held) for key, held in value.items()}
    return [_plain(held) for held in value] if isinstance(value, list | tuple) else value
