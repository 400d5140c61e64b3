"""What is carried out, and where it is: the stages of a ticket, and the circuits after each.

    state 0 --stage 1--> state 1 --stage 2--> state 2 ... state n
            <--undone---         <--undone---

A ticket knows its own circuits and no others: all that its stages name. Every port of them is its
own as long as it is open.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from fabric_twin.core.circuits.plans import Circuit, Key, Port, Stage, shared_ports
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.tickets.called import OF_PODS, Called

#: An A port and a B port of one switch.
Pair = tuple[str, str]
#: Circuits by switch.
Pairs = Mapping[str, frozenset[Pair]]


class OnFailure(StrEnum):
    """What is done when more circuits are bad than the ticket allows."""

    #: Stop, and go back stage by stage.
    UNDO = "undo"
    #: Stop, and hold everything as it is.
    HOLD = "hold"


class Direction(StrEnum):
    """Which way a ticket runs."""

    FORWARD = "forward"
    BACK = "back"


@dataclass(frozen=True)
class Position:
    """How far a ticket is; kept before anything is sent.

    Forward it is about to do stage k, from 1; behind the last stage it is done. Back it is about to
    undo stage k; at 0 it is undone.
    """

    stage: int = 1
    direction: Direction = Direction.FORWARD
    #: How often this stage's change was announced, and so may have been sent.
    tries: int = 0

    @property
    def is_back(self) -> bool:
        """Whether it goes back."""
        return self.direction is Direction.BACK

    @property
    def reaches(self) -> int:
        """The state that this stage leads to."""
        return self.stage - self.is_back

    @property
    def passed(self) -> "Position":
        """Where it goes on when this stage is verified."""
        return Position(self.stage + (-1 if self.is_back else 1), self.direction)

    @property
    def tried(self) -> "Position":
        """The same, with one try more."""
        return Position(self.stage, self.direction, self.tries + 1)

    @property
    def again(self) -> "Position":
        """Where a ticket that was held goes on."""
        return Position(self.stage, self.direction)

    def __str__(self) -> str:
        return f"stage {self.stage}" + (", going back" if self.is_back else "")


@dataclass(frozen=True)
class Course:
    """What a ticket does to circuits, and how it is to be done."""

    ticket: str
    stages: tuple[Stage, ...]
    on_failure: OnFailure = OnFailure.UNDO
    #: How many circuits may be bad before it stops.
    most_bad: int = 0
    #: No stage begins after this, in seconds since 1970; going back is not bound to it.
    window_end: float | None = None
    #: Circuits that were there when it began and not lit: put back, they need not be lit either.
    dark: frozenset[Key] = frozenset()
    #: Whether a stage removes nothing but its own: what others brought may carry traffic.
    drains_links: bool = False
    #: What people call what it changes.
    called: Called = OF_PODS

    def __post_init__(self) -> None:
        """Refuse stages that do not follow from each other: the plan that made them is wrong."""
        there = {circuit.key: circuit for circuit in self._at_first}
        self._check(0, shared_ports(there.values()))
        for number, stage in enumerate(self.stages, 1):
            self._check(number, [(c, c) for c in stage.remove if c.key not in there])
            for circuit in stage.remove:
                del there[circuit.key]
            self._check(number, [(there[c.key], c) for c in stage.add if c.key in there])
            there |= {circuit.key: circuit for circuit in stage.add}
            self._check(number, shared_ports(there.values()))

    def _check(self, stage: int, wrong: Sequence[tuple[Circuit, Circuit]]) -> None:
        for other, circuit in wrong:
            raise UnusableInput(
                f"{circuit} is to be removed, and is not there"
                if other is circuit
                else f"{circuit} shares a port with {other}",
                where=f"ticket {self.ticket}, stage {stage}",
                remedy="Plan it again",
            )

    @property
    def _at_first(self) -> Iterable[Circuit]:
        """Circuits whose first mention is that they go: they were there."""
        first: dict[Key, Circuit | None] = {}
        for stage in self.stages:
            for circuit in stage.remove:
                first.setdefault(circuit.key, circuit)
            for circuit in stage.add:
                first.setdefault(circuit.key, None)
        return [circuit for circuit in first.values() if circuit]

    @cached_property
    def own(self) -> Mapping[Key, Circuit]:
        """All circuits that are the ticket's to change, with their owners."""
        return {c.key: c for stage in self.stages for c in (*stage.remove, *stage.add)}

    @cached_property
    def states(self) -> tuple[Mapping[Key, Circuit], ...]:
        """The ticket's circuits that should be there before the first stage, and after each.

        A circuit that changes its owner on the way is of whom the stage says.
        """
        there = {circuit.key: circuit for circuit in self._at_first}
        states = [dict(there)]
        for stage in self.stages:
            for circuit in stage.remove:
                del there[circuit.key]
            there |= {circuit.key: circuit for circuit in stage.add}
            states.append(dict(there))
        return tuple(states)

    @cached_property
    def ports(self) -> frozenset[Port]:
        """Every port that the ticket uses: nobody else may, while it is open."""
        return frozenset(port for circuit in self.own.values() for port in circuit.ports)

    @cached_property
    def switches(self) -> tuple[str, ...]:
        """Every switch that it changes."""
        return tuple(sorted({switch for switch, _, _ in self.own}))

    @cached_property
    def own_pairs(self) -> Pairs:
        """The ticket's circuits by switch."""
        return by_switch(self.own)

    @cached_property
    def own_ports(self) -> Mapping[str, frozenset[str]]:
        """The ticket's ports by switch."""
        return {
            switch: frozenset(port for pair in pairs for port in pair)
            for switch, pairs in self.own_pairs.items()
        }

    def wanted(self, position: Position) -> Pairs:
        """Circuits that must be there when the stage is verified, by switch.

        Forward these are those that a stage brought so far; back, those that were there at first.
        What is to go in a later stage anyway is left as it is.
        """
        return self._aims(position.stage, position.direction)[0]

    def unwanted(self, position: Position) -> Pairs:
        """Circuits of the ticket that must be gone when the stage is verified, by switch."""
        return self._aims(position.stage, position.direction)[1]

    def _aims(self, stage: int, direction: Direction) -> tuple[Pairs, Pairs]:
        """Both, made once: each stage is looked at again and again."""
        if (stage, direction) not in self._known:
            position = Position(stage, direction)
            state = self.states[position.reaches].keys()
            matters = self.states[0].keys() if position.is_back else self._brought(stage)
            aims = by_switch(state & matters), by_switch(self.own.keys() - state)
            self._known[stage, direction] = aims
        return self._known[stage, direction]

    def brings(self, position: Position) -> tuple[Circuit, ...]:
        """Circuits that come with a stage, or come back, and should be lit."""
        stage = self.stages[position.stage - 1]
        back = (circuit for circuit in stage.remove if circuit.key not in self.dark)
        return tuple(back) if position.is_back else stage.add

    def may_remove(self, position: Position) -> frozenset[Key]:
        """What may be removed where links are drained: what this stage or one before it takes."""
        at = position.stage - 1
        some = (
            (circuit for stage in self.stages[at:] for circuit in stage.add)
            if position.is_back
            else (circuit for stage in self.stages[: at + 1] for circuit in stage.remove)
        )
        return frozenset(circuit.key for circuit in some)

    @cached_property
    def _known(self) -> dict[tuple[int, Direction], tuple[Pairs, Pairs]]:
        return {}

    def _brought(self, stage: int) -> set[Key]:
        return {circuit.key for one in self.stages[:stage] for circuit in one.add}

    def is_over(self, position: Position) -> bool:
        """Whether nothing is left to do."""
        return position.stage < 1 if position.is_back else position.stage > len(self.stages)

    def turned(self, position: Position) -> Position:
        """Where a ticket goes on that is to go back: one that runs, is held, or is done."""
        return Position(min(position.stage, len(self.stages)), Direction.BACK)


def by_switch(keys: Iterable[Key]) -> dict[str, frozenset[Pair]]:
    """Circuits by switch."""
    pairs: dict[str, set[Pair]] = {}
    for switch, a, b in keys:
        pairs.setdefault(switch, set()).add((a, b))
    return {switch: frozenset(some) for switch, some in pairs.items()}
