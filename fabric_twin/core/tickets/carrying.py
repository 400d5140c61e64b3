"""What to do next with a ticket that runs: decided from where it is and what switches show now.

    somebody else's circuit on its port   stop and hold: nothing is touched
    a switch that does not answer         wait; when patience is over, its circuits are bad
    not announced yet                     announce the stage
    something is missing                  announce it again, and send what is missing
    nothing is missing, or tries are over judge: pass, turn round, or hold

Nothing here remembers what was sent. A worker that begins in the middle sees the same as the one
before it, and decides the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fabric_twin.core.circuits.plans import Circuit, Key
from fabric_twin.core.tickets.called import OF_PODS, Called
from fabric_twin.core.tickets.course import Course, OnFailure, Pair, Position, by_switch
from fabric_twin.core.tickets.life import State

#: How often a stage is announced, and so sent at most; a worker that dies on the way counts too.
MOST_TRIES = 4
_NONE: frozenset[Pair] = frozenset()


@dataclass(frozen=True)
class Shown:
    """What one switch shows of its circuits."""

    configured: frozenset[Pair]
    #: What its mirrors do, configured or not.
    carried: frozenset[Pair]
    #: Configured, and light passes.
    lit: frozenset[Pair]

    @property
    def there(self) -> frozenset[Pair]:
        """All that is in the way of others."""
        return self.configured | self.carried


@dataclass(frozen=True)
class Sight:
    """What the switches of a ticket show, and who does not answer, and why."""

    shown: Mapping[str, Shown]
    silent: Mapping[str, str] = field(default_factory=dict)
    #: What switches said of circuits whose change they refused; nothing is decided by it.
    said: Mapping[str, Mapping[Pair, str]] = field(default_factory=dict)


class Missing(NamedTuple):
    """What one switch is to be told: deletes come before adds."""

    delete: frozenset[Pair]
    add: frozenset[Pair]


class Bad(NamedTuple):
    """A circuit that is not as it should be."""

    circuit: Circuit
    #: Whether it should be there, or be gone.
    wanted: bool
    why: str

    def told(self, words: Called) -> str:
        """It, and why it is bad."""
        wanted = "should be there" if self.wanted else "should be gone"
        return f"{words.told(self.circuit)} {wanted}: {self.why}"

    def __str__(self) -> str:
        return self.told(OF_PODS)


@dataclass(frozen=True)
class Announce:
    """Write the position down, then send what is missing, if anything is."""

    position: Position
    changes: Mapping[str, Missing]


@dataclass(frozen=True)
class Wait:
    """Look again in a moment: these do not answer."""

    silent: Mapping[str, str]


@dataclass(frozen=True)
class Judge:
    """No more can be sent: look at the light of what came, or came back, and give a verdict."""


@dataclass(frozen=True)
class Pass:
    """The stage is verified; some circuits may be bad all the same, and are borne."""

    bad: tuple[Bad, ...]
    following: Position


@dataclass(frozen=True)
class Turn:
    """Go back from here."""

    why: str
    bad: tuple[Bad, ...] = ()


@dataclass(frozen=True)
class End:
    """It is over, or held; what hangs then is bad."""

    state: State
    why: str = ""
    bad: tuple[Bad, ...] = ()


Step = Announce | Wait | Judge | Turn | End
Verdict = Pass | Turn | End


def next_step(
    course: Course, position: Position, sight: Sight, *, now: float, patient: bool = True
) -> Step:
    """What to do next; without patience, who does not answer is not waited for."""
    if course.is_over(position):
        return End(State.UNDONE if position.is_back else State.DONE)
    if held := _held(course, position, sight):
        return held
    begins = position.tries == 0
    if (
        begins
        and not position.is_back
        and (other := _not_begun(course, position, sight, now, patient))
    ):
        return other
    changes = missing(course, position, sight)
    if begins or (changes and position.tries < MOST_TRIES):
        return Announce(position.tried, changes)
    if patient and sight.silent:
        return Wait(sight.silent)
    return Judge()


def _held(course: Course, position: Position, sight: Sight) -> End | None:
    """Why nothing may be touched: circuits that are not the ticket's, or not of this stage."""
    if strangers := foreign_circuits(course, sight):
        return End(State.FAILED, _foreign(course, strangers), tuple(_as_bad(strangers)))
    if course.drains_links and (others := _of_other_stages(course, position, sight)):
        return End(State.FAILED, _named(course, others), tuple(others))
    return None


def _of_other_stages(course: Course, position: Position, sight: Sight) -> list[Bad]:
    """Circuits that would be removed and were not confirmed to be idle: the records are behind."""
    may = course.may_remove(position)
    return [
        Bad(course.own[switch, *pair], False, "another stage brought it, and it may be in use")
        for switch, change in missing(course, position, sight).items()
        for pair in sorted(change.delete)
        if (switch, *pair) not in may
    ]


def _not_begun(
    course: Course, position: Position, sight: Sight, now: float, patient: bool
) -> Wait | Turn | End | None:
    """Why a stage is not begun; what could not be seen to be finished is not."""
    if sight.silent and patient:
        return Wait(sight.silent)
    if sight.silent:
        bad = bad_circuits(course, position, sight)
        return _stop(course, position, _silent(sight.silent), bad)
    if course.window_end is not None and now > course.window_end:
        return _stop(course, position, f"the window is over, and {position} had not begun", ())
    return None


def judged(course: Course, position: Position, sight: Sight, dim: Iterable[Bad] = ()) -> Verdict:
    """What becomes of a stage; `dim` are circuits that light shows to be bad."""
    found = bad_circuits(course, position, sight)
    known = {bad.circuit.key for bad in found}
    bad = (*found, *(one for one in dim if one.circuit.key not in known))
    # Back is where it was before: bad light there is named, and holds nothing up.
    is_borne = not found if position.is_back else len(bad) <= course.most_bad
    if is_borne:
        return Pass(bad, position.passed)
    return _stop(course, position, _named(course, bad), bad)


def missing(course: Course, position: Position, sight: Sight) -> dict[str, Missing]:
    """What lies between what is shown and what should be, by switch; only the ticket's circuits."""
    wanted, unwanted = course.wanted(position), course.unwanted(position)
    dark = by_switch(course.dark) if position.is_back else {}
    found = {}
    for switch in course.switches:
        shown = sight.shown.get(switch)
        if shown is None:
            continue
        good = shown.lit | (dark.get(switch, _NONE) & shown.configured)
        change = Missing(
            unwanted.get(switch, _NONE) & shown.there, wanted.get(switch, _NONE) - good
        )
        if change.delete or change.add:
            found[switch] = change
    return found


def bad_circuits(course: Course, position: Position, sight: Sight) -> tuple[Bad, ...]:
    """Circuits that are not as they should be when the stage is verified; refused ones first."""
    bad = []
    for switch, change in missing(course, position, sight).items():
        shown, said = sight.shown[switch], sight.said.get(switch, {})
        for pairs, is_wanted in ((change.delete, False), (change.add, True)):
            bad += [
                Bad(
                    course.own[switch, *pair],
                    is_wanted,
                    "; ".join(filter(None, (_why(pair, is_wanted, shown), said.get(pair)))),
                )
                for pair in sorted(pairs)
            ]
    bad.sort(key=lambda one: one.circuit.key[1:] not in sight.said.get(one.circuit.switch, {}))
    for switch, why in sight.silent.items():
        for pairs, is_wanted in (
            (course.unwanted(position).get(switch, _NONE), False),
            (course.wanted(position).get(switch, _NONE), True),
        ):
            bad += [Bad(course.own[switch, *pair], is_wanted, why) for pair in sorted(pairs)]
    return tuple(bad)


def foreign_circuits(course: Course, sight: Sight) -> list[Circuit]:
    """Circuits on the ticket's ports that are not the ticket's."""
    return [
        Circuit(switch, *pair)
        for switch, ports in course.own_ports.items()
        if switch in sight.shown
        for pair in sorted(sight.shown[switch].there - course.own_pairs[switch])
        if not ports.isdisjoint(pair)
    ]


@dataclass(frozen=True)
class Present:
    """How the fabric stands to the plan of a ticket that has not begun."""

    #: Why it cannot begin: the world is not as the plan took it; empty where it is.
    moved: tuple[str, ...]
    #: Who does not answer, and why: nobody can say how it is there.
    silent: tuple[str, ...]
    #: Circuits that are there and not lit: to be kept as `Course.dark`.
    dark: frozenset[Key]


def present(course: Course, sight: Sight) -> Present:
    """Hold what switches show against what the ticket begins with."""
    silent = tuple(f"{switch} does not answer: {why}" for switch, why in sight.silent.items())
    words = course.called
    moved = [
        f"{_ports(course, circuit)} on {circuit.switch} is in "
        f"{words.joined(circuit.a, circuit.b)}, which is not of this ticket"
        for circuit in foreign_circuits(course, sight)
    ]
    dark = set()
    for key, circuit in course.own.items():
        switch, pair = circuit.switch, (circuit.a, circuit.b)
        shown = sight.shown.get(switch)
        if shown is None:
            continue
        if key not in course.states[0]:
            if pair in shown.there:
                moved.append(f"{words.told(circuit)} is there already")
        elif pair not in shown.configured:
            moved.append(f"{words.told(circuit)} is not there")
        elif pair not in shown.lit:
            dark.add(key)
    return Present(tuple(moved), silent, frozenset(dark))


def _stop(course: Course, position: Position, why: str, bad: Sequence[Bad]) -> Turn | End:
    if position.is_back or course.on_failure is OnFailure.HOLD:
        return End(State.FAILED, why, tuple(bad))
    return Turn(why, tuple(bad))


def _why(pair: Pair, is_wanted: bool, shown: Shown) -> str:
    if not is_wanted:
        return (
            "it is still configured"
            if pair in shown.configured
            else "it is no longer configured, and still carried"
        )
    if pair not in shown.configured:
        return "the switch does not have it"
    return "no light passes" if pair in shown.carried else "the switch does not carry it"


def _named(course: Course, bad: Sequence[Bad]) -> str:
    words = course.called
    more = _more(len(bad) - 1, f"{words.circuit} is bad", f"{words.circuits} are bad")
    return f"{bad[0].told(words)}{more}"


def _silent(silent: Mapping[str, str]) -> str:
    (switch, why), *others = silent.items()
    return f"{switch} does not answer: {why}{_more(len(others), 'does not', 'do not')}"


def _more(many: int, one: str, others: str) -> str:
    return f" ({many:,} more {one if many == 1 else others})" if many else ""


def _ports(course: Course, circuit: Circuit) -> str:
    ours, words = course.own_ports[circuit.switch], course.called
    return " and ".join(
        f"{words.before_port}{words.port(port)}" for port in (circuit.a, circuit.b) if port in ours
    )


def _foreign(course: Course, strangers: Sequence[Circuit]) -> str:
    more = _more(len(strangers) - 1, "is in the way", "are in the way")
    return f"{course.called.told(strangers[0])} is on a port of the ticket, and is not of it{more}"


def _as_bad(strangers: Iterable[Circuit]) -> Iterable[Bad]:
    return (Bad(circuit, False, "it is not of this ticket") for circuit in strangers)
