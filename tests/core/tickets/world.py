"""A fabric and a journal in memory, and workers that can be stopped between any two of their steps.

A worker is the real one, in a thread of its own that runs only when it is told to: each thing that
it asks of journal, switches and clock is a step. Between two steps anything may happen: another
worker, a fault, an hour, its death.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.errors import FabricTwinError, LeaseLost, NoAnswer, TooLate
from fabric_twin.core.tickets.carrying import MOST_TRIES, Bad, End
from fabric_twin.core.tickets.course import Course, Position
from fabric_twin.core.tickets.life import State
from fabric_twin.core.tickets.qualification import Qualified
from fabric_twin.services.tickets.carry_out import Calm, Looker, Worker
from fabric_twin.services.tickets.journal import StageReport, Turned
from fabric_twin.switches.changes import Applied, Change, CircuitReport, Outcome
from fabric_twin.switches.fabric import Answers
from fabric_twin.switches.states import CircuitState, Pair, PortStatus, SwitchState

LEASE = 30.0
CALM = Calm(silent=20.0, light=10.0, pause=1.0, longest_pause=4.0)


@dataclass
class ModelSwitch:
    """A switch that holds each port in one circuit at most, and may be ill."""

    name: str
    configured: set[Pair] = field(default_factory=set)
    up: bool = True
    #: Acknowledges, and does nothing.
    ignores: bool = False
    #: Does every other circuit of a change.
    halves: bool = False
    #: Does what it is asked, and its answer is lost.
    loses_answers: bool = False
    stuck: set[str] = field(default_factory=set)
    #: What it keeps telling, though it is long gone.
    frozen: SwitchState | None = None

    def told(self, now: float) -> SwitchState:
        """What it says of itself."""
        if not self.up:
            raise NoAnswer("it does not answer", where=self.name)
        if self.frozen:
            return self.frozen
        carried = {pair: CircuitState(*map(self._status, pair)) for pair in self.configured}
        return SwitchState(self.name, {}, frozenset(self.configured), carried, told_at=now)

    def _status(self, port: str) -> PortStatus:
        return PortStatus.FAILED if port in self.stuck else PortStatus.TUNED

    def set(self, change: Change) -> str:
        """Do a change; a word of refusal where a port would be in two circuits."""
        if self.ignores:
            return ""
        delete, add = sorted(change.delete & self.configured), sorted(change.add - self.configured)
        if self.halves:
            delete, add = delete[::2], add[::2]
        left = self.configured.difference(delete)
        for pair in add:
            for other in left:
                if set(pair) & set(other):
                    # Who does half a change may have left what is in the way.
                    if self.halves:
                        break
                    return f"a port is used by existing {'-'.join(other)}"
            else:
                left.add(pair)
        self.configured = left
        return ""


class Killed(BaseException):
    """kill -9."""


class Actor:
    """One worker in its thread."""

    def __init__(self, world: "World", token: int) -> None:
        self.world, self.token = world, token
        self.over = self.killed = False
        self.about_to = "begin"
        #: Switches that showed it somebody else's circuit on a port of the ticket.
        self.warned: set[str] = set()
        self.warned_before: set[str] = set()
        self.end: End | FabricTwinError | None = None
        self._go, self._back = threading.Semaphore(0), threading.Semaphore(0)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        world.taken(token)

    def _run(self) -> None:
        light = ModelLight(self.world, self).look
        worker = Worker(
            self.world.course,
            Looker(ModelFabric(self.world, self)),  # type: ignore[arg-type]
            ModelJournal(self.world, self),
            light,
            light,
            CALM,
            lambda: self.world.now,
            lambda _what, _many: None,
        )
        self._go.acquire()
        try:
            self.end = worker.work()
        except FabricTwinError as error:
            self.end = error
        except Killed:
            pass
        self.over = True
        self._back.release()

    def step(self) -> None:
        """Let it go on until the next thing that it asks."""
        self.world.turn = self
        self._go.release()
        self._back.acquire()

    def kill(self) -> None:
        """It never goes on."""
        self.killed = True
        if not self.over:
            self.step()

    def asks(self, what: str) -> None:
        """Where it may be stopped; what it is about to do."""
        self.about_to = what
        self._back.release()
        self._go.acquire()
        if self.killed:
            raise Killed


@dataclass
class World:
    """Everything that workers share."""

    course: Course
    switches: dict[str, ModelSwitch]
    now: float = 1000.0
    position: Position = field(default_factory=Position)
    #: The state whose circuits the inventory wants.
    wanted: int = 0
    state: State = State.RUNNING
    ended: tuple[str, Sequence[Bad]] = ("", ())
    token: int = 0
    lease_until: float = 0.0
    dim: set[str] = field(default_factory=set)
    #: What every Set that came through was, and under which position.
    sent: list[tuple[int, str, Change, Position]] = field(default_factory=list)
    #: Circuits that others set by hand.
    foreign: set[Circuit] = field(default_factory=set)
    breaches: list[str] = field(default_factory=list)
    turn: Actor | None = None

    # Time, as the worker asks for it.

    def monotonic(self) -> float:
        """The clock of every machine."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Time goes on while somebody sleeps."""
        assert self.turn
        actor = self.turn
        self.now += seconds
        actor.asks("wake up")

    def taken(self, token: int) -> None:
        """A worker has the lease from now on."""
        self.token, self.lease_until = token, self.now + LEASE

    def holds(self, token: int) -> bool:
        """Whether a worker may write and send."""
        return self.token == token and self.now < self.lease_until

    def there(self) -> set[tuple[str, str, str]]:
        """All that is really configured."""
        return {(name, *pair) for name, its in self.switches.items() for pair in its.configured}

    def own(self) -> set[tuple[str, str, str]]:
        """What of it is the ticket's."""
        return self.there() & self.course.own.keys()


@dataclass
class ModelFabric:
    """What `Fabric` does, switch by switch."""

    world: World
    actor: Actor

    @property
    def switches(self) -> Mapping[str, ModelSwitch]:
        return self.world.switches

    def read_circuits(self, names: Iterable[str]) -> Answers[SwitchState]:
        return self._each(names, self._told)

    def apply(self, changes: Mapping[str, Change], *, until: float) -> Answers[Applied]:
        # What a switch shows while it is told comes too late.
        self.actor.warned_before = set(self.actor.warned)
        return self._each(changes, lambda switch: self._apply(switch, changes[switch.name], until))

    def _told(self, switch: ModelSwitch) -> SwitchState:
        state = switch.told(self._later())
        ports = self.world.course.own_ports.get(switch.name, frozenset())
        strangers = state.configured - self.world.course.own_pairs.get(switch.name, frozenset())
        if any(not ports.isdisjoint(pair) for pair in strangers):
            self.actor.warned.add(switch.name)
        else:
            self.actor.warned.discard(switch.name)
        return state

    def _later(self) -> float:
        self.world.now += 0.001
        return self.world.now

    def _each(self, names: Iterable[str], ask: Callable[[ModelSwitch], Any]) -> Answers[Any]:
        given, missing = {}, {}
        for name in names:
            self.actor.asks("look")
            try:
                given[name] = ask(self.world.switches[name])
            except NoAnswer as error:
                missing[name] = error
        return Answers(given, missing)

    def _apply(self, switch: ModelSwitch, change: Change, until: float) -> Applied:
        before = switch.told(self._later())
        asked = Change(change.delete & before.configured, change.add - before.tuned)
        self.actor.asks("set")
        if self.world.monotonic() >= until:
            raise TooLate("the time in which it might be was over", where=switch.name)
        if not switch.up:
            raise NoAnswer("it does not answer", where=switch.name)
        self._note(switch, asked)
        refusal = switch.set(asked)
        if switch.loses_answers:
            raise NoAnswer("it did not answer within 5 s", where=switch.name)
        self.actor.asks("read back")
        try:
            state = self._told(switch)
        except NoAnswer as error:
            reports = [CircuitReport(p, True, Outcome.NOT_KNOWN, error.what) for p in change.add]
            gone = [CircuitReport(p, False, Outcome.NOT_KNOWN, error.what) for p in change.delete]
            return Applied(switch.name, (*reports, *gone), None)
        outcome = Outcome.REFUSED if refusal else Outcome.DONE
        return Applied(
            switch.name, tuple(CircuitReport(p, True, outcome, refusal) for p in change.add), state
        )

    def _note(self, switch: ModelSwitch, change: Change) -> None:
        """Hold a Set against all that it must keep."""
        world, name = self.world, switch.name
        world.sent.append((self.actor.token, name, change, world.position))
        state = world.course.states[world.wanted]
        if name in self.actor.warned_before:
            world.breaches.append("sent, though somebody else is on a port")
        if not world.holds(self.actor.token) or world.state is not State.RUNNING:
            world.breaches.append(f"worker {self.actor.token} sent without a lease")
        for pair in change.delete | change.add:
            if (name, *pair) not in world.course.own:
                world.breaches.append(f"touched {pair} of somebody else")
        if not {(name, *pair) for pair in change.add} <= state.keys():
            world.breaches.append("added what is not wanted")
        if not {(name, *pair) for pair in change.delete}.isdisjoint(state):
            world.breaches.append("deleted what is wanted")


@dataclass
class ModelJournal:
    """The journal of a ticket, in one transaction a method."""

    world: World
    actor: Actor

    def _mine(self, what: str) -> None:
        self.actor.asks(what)
        if not self.world.holds(self.actor.token):
            raise LeaseLost("its lease is over", where="ticket")

    def _still(self, before: Position, what: str) -> None:
        self._mine(what)
        if self.world.position != before:
            raise Turned

    def renew(self) -> float:
        self._mine("renew")
        self.world.lease_until = self.world.now + LEASE
        return self.world.lease_until

    def position(self) -> Position:
        self._mine("position")
        return self.world.position

    def wait_for_drain(self, _before: Position) -> str:
        return ""

    def announce(self, before: Position, position: Position) -> None:
        self._still(before, "announce")
        if position.tries > MOST_TRIES:
            self.world.breaches.append("tried too often")
        self.world.position, self.world.wanted = position, position.reaches

    def showed(self, _states: Mapping[str, SwitchState]) -> None:
        self._mine("note")

    def write_shown(self) -> None:
        self._mine("write what was noted")

    def staged(self, report: StageReport, following: Position) -> None:
        self._still(report.position, "pass")
        self.world.position = following

    def turn(self, before: Position, _why: str) -> None:
        self._still(before, "turn")
        self.world.position = self.world.course.turned(before)

    def end(self, before: Position, state: State, why: str, bad: Sequence[Bad]) -> None:
        self._still(before, "end")
        self.world.state, self.world.ended, self.world.token = state, (why, bad), 0


@dataclass
class ModelLight:
    """Light that does not pass some ports."""

    world: World
    actor: Actor

    def look(
        self,
        added: Sequence[Circuit],
        _known: Mapping[str, SwitchState],
        meanwhile: Callable[[], object],
    ) -> Qualified:
        self.actor.asks("look at light")
        meanwhile()
        dim, why = self.world.dim, "its path loses 9 dB"
        return Qualified(tuple(Bad(c, True, why) for c in added if dim & {c.a, c.b}))
