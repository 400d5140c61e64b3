"""Carry out a ticket: stage by stage on all its switches at once, and back where it must.

    look       what do the ticket's switches show?          nobody else on its ports?
    drain      in a network: its links carry nothing, says who routes over them
    announce   the stage is written down, and then
    change     what is missing is sent, to all switches at once, and read back
    qualify    light on what came, or came back: neighbours, loss, errors
    staged     the stage is written down as done, and the next begins

Each step follows from what switches show now, never from what was sent: so a worker that begins in
the middle does what is left, and nothing twice. What is done next is decided in
`core/tickets/carrying.py`; here it is done.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.diagnosis.limits import Limits
from fabric_twin.core.diagnosis.pictures import Baseline
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.tickets.carrying import (
    Announce,
    End,
    Judge,
    Pass,
    Present,
    Shown,
    Sight,
    Turn,
    Wait,
    judged,
    next_step,
    present,
)
from fabric_twin.core.tickets.course import Course, Position
from fabric_twin.core.tickets.life import State
from fabric_twin.core.tickets.qualification import Qualified, Worse
from fabric_twin.services.tickets.journal import Journal, StageReport, Turned
from fabric_twin.services.tickets.light import Light
from fabric_twin.switches.changes import Applied, Change, Outcome
from fabric_twin.switches.fabric import Fabric
from fabric_twin.switches.states import Pair, SwitchState

#: What light says of some new circuits; given what switches have just shown, and what is done
#: until the cubes have answered.
LookAtLight = Callable[
    [Sequence[Circuit], Mapping[str, SwitchState], Callable[[], object]], Qualified
]
#: Told what is being done, and how many circuits it concerns.
Progress = Callable[[str, int], None]


@dataclass(frozen=True)
class Calm:
    """How long is waited for what may still come right; in seconds."""

    #: For switches that do not answer: some restart, which takes minutes.
    silent: float = 240.0
    #: For light: neighbours announce themselves now and then.
    light: float = 30.0
    #: Until the lease is renewed while switches and cubes are waited for; well within a lease.
    beat: float = 15.0
    #: Between two looks, and before something is tried again; longer each time.
    pause: float = 0.25
    longest_pause: float = 5.0


def carry_out(
    course: Course,
    fabric: Fabric,
    journal: Journal,
    intended: Intended | None,
    *,
    before: Intended | None = None,
    baseline: Baseline | None = None,
    limits: Limits | None = None,
    calm: Calm | None = None,
    clock: Callable[[], float] = time.time,
    progress: Progress = lambda _what, _circuits: None,
    looker: "Looker | None" = None,
) -> End:
    """Do what is left of a ticket, and say how it ended.

    `intended` is the plant once it is done, `before` as it was, where that is another one. None is
    a cluster, whose packets nobody sees: a stage is judged by what is read back, and no more.
    `looker` is who looked at the switches before, if somebody did.

    `baseline` is how the light was on a good day. Cubes of which the fabric has no address are not
    asked. What the journal cannot write ends it at once: `LeaseLost` where another has its turn.
    """
    looks: tuple[LookAtLight, LookAtLight] = _no_light, _no_light
    if intended:
        light = Light(intended, fabric, baseline or Baseline(), limits or Limits(), clock)
        looks = light.look, replace(light, intended=before or intended).look
    calm = calm or Calm()
    with fabric.meanwhile(journal.renew, calm.beat):
        looker = looker or Looker(fabric)
        return Worker(course, looker, journal, *looks, calm, clock, progress).work()


def _no_light(
    _circuits: Sequence[Circuit],
    _known: Mapping[str, SwitchState],
    _meanwhile: Callable[[], object],
) -> Qualified:
    """What is not of light has none to look at."""
    return Qualified()


def look(course: Course, looker: "Looker") -> Present:
    """Hold what the switches show now against what a ticket begins with."""
    return present(course, looker.begins(course.switches))


class Looker:
    """What switches show; who tells of the same moment twice tells nothing new.

    Whom nobody heard yet is asked twice, so that old news are known for what they are.
    """

    def __init__(self, fabric: Fabric) -> None:
        self.fabric = fabric
        self._told_at: dict[str, float] = {}
        self.states: dict[str, SwitchState] = {}
        self._begun_with: Sight | None = None

    def begins(self, switches: Sequence[str]) -> Sight:
        """Look before a ticket begins: it goes on from there, and who is sent anything is asked
        again before that."""
        self._begun_with = self.look(switches)
        return self._begun_with

    def goes_on(self, switches: Sequence[str]) -> Sight:
        """What was seen before it began, the first time; else what there is now."""
        seen, self._begun_with = self._begun_with, None
        return seen if seen and seen.shown.keys() == {*switches} else self.look(switches)

    def look(self, switches: Sequence[str]) -> Sight:
        """Ask some switches what circuits they have."""
        there = [name for name in switches if name in self.fabric.switches]
        silent = {name: "it has no address" for name in switches if name not in there}
        if strangers := [name for name in there if name not in self._told_at]:
            first = self.fabric.read_circuits(strangers)
            self.take(first.given, first.missing)
        answers = self.fabric.read_circuits(there)
        found = self.take(answers.given, answers.missing)
        return Sight(found.shown, {**silent, **found.silent})

    def take(
        self, given: Mapping[str, SwitchState], missing: Mapping[str, FabricTwinError]
    ) -> Sight:
        """Note what some switches said."""
        silent = {name: error.what for name, error in missing.items()}
        self.states = {}
        for name, state in given.items():
            # Not "or before": a switch that restarted may have lost its clock.
            if state.told_at == self._told_at.get(name):
                silent[name] = "it sends data that is too old"
            else:
                self.states[name] = state
                self._told_at[name] = state.told_at
        return Sight({name: shown(state) for name, state in self.states.items()}, silent)


def shown(state: SwitchState) -> Shown:
    """What one switch shows of its circuits."""
    return Shown(state.configured, frozenset(state.carried), state.tuned)


def _refusals(given: Mapping[str, Applied]) -> dict[str, dict[Pair, str]]:
    """What each switch that was asked says of what it refuses."""
    return {
        name: {one.pair: one.why for one in done.bad if one.outcome is Outcome.REFUSED}
        for name, done in given.items()
    }


@dataclass(eq=False)
class Worker:
    """One who carries out a ticket, from where it is to where it ends."""

    course: Course
    looker: Looker
    journal: Journal
    look_at_light: LookAtLight
    #: The same on the way back: what stands in for a port by then is gone.
    look_back: LookAtLight
    calm: Calm
    clock: Callable[[], float]
    progress: Progress
    #: What is seen, as long as nothing happened since.
    _sight: Sight | None = None
    #: Circuits of the stage that is judged that pass, worse than before.
    _worse: tuple[Worse, ...] = ()
    #: Switches that do not answer: since when, as far as this worker knows.
    _silent_since: dict[str, float] = field(default_factory=dict)
    #: What switches said of changes that they refused when they were last asked for them.
    _said: dict[str, dict[Pair, str]] = field(default_factory=dict)

    def work(self) -> End:
        """Step after step until it ends."""
        while True:
            try:
                if end := self._step():
                    return end
            except Turned:
                self._sight = None

    def _step(self) -> End | None:
        position = self.journal.position()
        sight = self._sight or self._look(position)
        step = next_step(
            self.course, position, sight, now=self.clock(), patient=self._is_patient(sight)
        )
        verdict = self._judge(position, sight) if isinstance(step, Judge) else step
        if isinstance(verdict, End):
            self.journal.end(position, verdict.state, verdict.why, verdict.bad)
            self.progress(verdict.why or str(verdict.state), len(verdict.bad))
            return verdict
        if isinstance(verdict, Announce):
            if why := self.journal.wait_for_drain(position):
                self.progress(why, 0)
                return End(State.RUNNING, why)
            self._send(position, sight, verdict)
            return None
        self._sight = None
        if isinstance(verdict, Wait):
            self.progress(f"{position}: waiting for {', '.join(verdict.silent)}", 0)
            self._pause(1)
        elif isinstance(verdict, Turn):
            self.journal.turn(position, verdict.why)
            self.progress(f"{position} is taken back: {verdict.why}", len(verdict.bad))
        elif isinstance(verdict, Pass):
            report = StageReport(position, verdict.bad, self._worse)
            self.journal.staged(report, verdict.following)
            self.progress(f"{position} is verified", len(verdict.bad))
            for worse in self._worse:
                self.progress(str(worse), 1)
        return None

    def _look(self, position: Position) -> Sight:
        """What the ticket's switches show now."""
        if self.course.is_over(position):
            return Sight({})
        self.journal.renew()
        sight = self.looker.goes_on(self.course.switches)
        self.journal.showed(self.looker.states)
        return replace(sight, said=self._said)

    def _is_patient(self, sight: Sight) -> bool:
        """Whether somebody who does not answer may still be waited for."""
        now = time.monotonic()
        self._silent_since = {name: self._silent_since.get(name, now) for name in sight.silent}
        return any(now - since < self.calm.silent for since in self._silent_since.values())

    def _send(self, before: Position, sight: Sight, step: Announce) -> None:
        """Announce a stage, tell the switches what is missing, and see what came of it."""
        if step.changes and before.tries:
            self._pause(before.tries)
        self.journal.announce(before, step.position)
        self._sight = sight
        if not step.changes:
            return
        many = sum(len(change.delete) + len(change.add) for change in step.changes.values())
        self.progress(f"{step.position}: {self.course.called.circuits} sent", many)
        answers = self.looker.fabric.apply(
            {name: Change(*change) for name, change in step.changes.items()},
            until=self.journal.renew(),
        )
        states = {name: done.state for name, done in answers.given.items() if done.state}
        silent = {
            name: done.bad[0].why for name, done in answers.given.items() if done.state is None
        }
        self._said = {**self._said, **_refusals(answers.given)}
        read = self.looker.take(states, answers.missing)
        self.journal.showed(self.looker.states)
        gone = {**silent, **read.silent}
        kept = {name: seen for name, seen in sight.shown.items() if name not in gone}
        self._sight = Sight({**kept, **read.shown}, {**sight.silent, **gone}, self._said)

    def _judge(self, position: Position, sight: Sight) -> Pass | Turn | End:
        """Look at the light of what a stage brought, until it is good or the time for it over."""
        self._worse = ()
        verdict = judged(self.course, position, sight)
        lit = [circuit for circuit in self.course.brings(position) if circuit.switch in sight.shown]
        if not lit or not isinstance(verdict, Pass):
            return verdict
        look = self.look_back if position.is_back else self.look_at_light
        until, tried = time.monotonic() + self.calm.light, 0
        known: Mapping[str, SwitchState] = self.looker.states
        while True:
            self.journal.renew()
            light = look(lit, known, self.journal.write_shown)
            verdict = judged(self.course, position, sight, light.bad)
            # On the way back all passes in the end: so all of it is waited for.
            is_good = isinstance(verdict, Pass) and not (position.is_back and verdict.bad)
            if is_good or time.monotonic() > until:
                if isinstance(verdict, Pass):
                    self._worse = self._worse_again(light.worse, look)
                return verdict
            self.progress(f"{position}: waiting for light", len(verdict.bad))
            tried, known = tried + 1, {}
            self._pause(tried)

    def _worse_again(self, worse: Sequence[Worse], look: LookAtLight) -> tuple[Worse, ...]:
        """Those that a second look calls worse too: errors come in bursts."""
        if not worse:
            return ()
        self._pause(1)
        self.journal.renew()
        return look([one.circuit for one in worse], {}, self.journal.write_shown).worse

    def _pause(self, tried: int) -> None:
        time.sleep(min(self.calm.longest_pause, self.calm.pause * 2 ** (tried - 1)))
