"""The moves that mend a mistake, in an order that never puts two cables on a port."""

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from fabric_twin.core.audit.places import Places
from fabric_twin.core.audit.repair import Repair
from fabric_twin.core.audit.turns import Turn
from fabric_twin.core.fabric.plant import End


@dataclass(frozen=True)
class Step:
    """One thing that a hand does."""

    do: ClassVar[str]

    def as_json(self) -> dict[str, Any]:
        """The step as the contract has it."""
        return contract(self.placed())

    def placed(self) -> dict[str, Any]:
        """The same, with where a plug is that comes out: for orders."""
        facts = {name: value for name, value in asdict(self).items() if value or name not in PLACES}
        if not any(facts.get("at", ())):
            facts.pop("at", None)
        return {"do": self.do} | facts


#: What a step has beside the contract: where a plug is that comes out, and the step in words.
PLACES = ("at", "perhaps", "lost")


def contract(step: Mapping[str, Any]) -> dict[str, Any]:
    """A step that was written down, as the contract has it."""
    return {name: value for name, value in step.items() if name not in {*PLACES, "text"}}


def elsewhere_said(at: End, perhaps: Iterable[End], *, lost: bool) -> str:
    """Where else than `at` a plug may be, in words; empty where that is known."""
    said = [
        f"port {port}" if device == at[0] else f"{device} port {port}" for device, port in perhaps
    ]
    said += ["wherever it is"] * lost
    return f" or {' or '.join(said)}: read its label" if said else ""


@dataclass(frozen=True)
class Move(Step):
    """Move one end of a cable to a port."""

    do: ClassVar[str] = "move"
    cable: str
    end: str
    to: End
    #: Where the end is before, for people; empty if it is not known, or out already.
    at: End = ("", "")

    def __str__(self) -> str:
        if not any(self.at):
            return f"plug {self.cable} into {self.to[0]} port {self.to[1]}"
        if self.at[0] == self.to[0]:
            return f"move {self.cable} on {self.at[0]} from port {self.at[1]} to port {self.to[1]}"
        return f"move {self.cable} from {' port '.join(self.at)} to {' port '.join(self.to)}"


@dataclass(frozen=True)
class Unplug(Step):
    """Take one end of a cable out; a later step moves it to its place."""

    do: ClassVar[str] = "unplug"
    cable: str
    end: str
    #: Where it is, most likely; empty if nobody knows.
    at: End
    #: Where it may be instead.
    perhaps: tuple[End, ...] = ()
    #: Nothing tells where it is.
    lost: bool = False

    def __str__(self) -> str:
        if not any(self.at):
            return f"unplug {self.cable}, wherever it is"
        other = elsewhere_said(self.at, self.perhaps, lost=self.lost)
        return f"unplug {self.cable} from {' port '.join(self.at)}{other}"


@dataclass(frozen=True)
class Add(Step):
    """Lay a cable that is not there."""

    do: ClassVar[str] = "add"
    a: End
    b: End

    def __str__(self) -> str:
        return f"lay a cable from {' port '.join(self.a)} to {' port '.join(self.b)}"


@dataclass(frozen=True)
class Remove(Step):
    """Take a cable away."""

    do: ClassVar[str] = "remove"
    cable: str

    def __str__(self) -> str:
        return f"remove {self.cable}"


@dataclass(frozen=True)
class Flip(Step):
    """Exchange the two strands of a cable at one end."""

    do: ClassVar[str] = "flip"
    cable: str

    def __str__(self) -> str:
        return f"flip the two strands of {self.cable}"


def remedy(repairs: Iterable[Repair], crossed: Iterable[int], places: Places) -> list[Step]:
    """Every step that the repairs need, repair by repair."""
    steps: list[Step] = []
    for repair in sorted(repairs, key=places.order):
        steps += [Remove(places.cable(row)) for row in sorted(repair.surplus, key=places.cable)]
        steps += _turned(repair.turns, places)
        steps += [Add(*places.pair(pair)) for pair in sorted(repair.missing)]
        moved = {turn.row for turn in repair.turns}
        steps += [
            Flip(places.cable(row)) for row in sorted(crossed, key=places.cable) if row in moved
        ]
    return steps


def _turned(turns: list[Turn], places: Places) -> Iterable[Step]:
    """Move ends into ports as these fall free; where none does, unplug an end to begin with."""
    turns = sorted(turns, key=lambda turn: places.cable(turn.row))
    standing = Counter(turn.source for turn in turns)
    wanted = {turn.target: turn for turn in turns}
    ready = deque(turn for turn in turns if not standing[turn.target])
    held = deque(turns)
    done: set[int] = set()
    out: set[int] = set()
    while len(done) < len(turns):
        turn = ready.popleft() if ready else held.popleft()
        if turn.row in done:
            continue
        cable, at = places.cable(turn.row), places.end(turn.row, turn.end)
        if standing[turn.target]:
            out.add(turn.row)
            yield Unplug(cable, turn.end, at)
        else:
            done.add(turn.row)
            yield Move(
                cable, turn.end, places.port(turn.target), ("", "") if turn.row in out else at
            )
            if turn.row in out:
                continue
        standing[turn.source] -= 1
        if not standing[turn.source] and turn.source in wanted:
            ready.append(wanted[turn.source])
