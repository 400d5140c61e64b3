"""A ticket on the simulated fabric, and a journal in a file that any process can go on with.

             before          after
each switch  1A-2B 2A-1B     1A-1B 2A-2B     stage 2: one gives way to the other
                             3A-4B 4A-3B     stage 1: free ports
             6A-6B                           stage 3: nobody waits for its ports
             5A-5B           5A-5B           of somebody else
"""

import contextlib
import fcntl
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fabric_twin.core.cabling.plant import Intended, intended_plant
from fabric_twin.core.circuits.plans import Circuit, make_plan
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import LeaseLost
from fabric_twin.core.pods.names import Names
from fabric_twin.core.tickets.carrying import Bad, End
from fabric_twin.core.tickets.course import Course, Direction, OnFailure, Position
from fabric_twin.core.tickets.life import State
from fabric_twin.services.tickets.carry_out import Calm, carry_out
from fabric_twin.services.tickets.journal import StageReport, Turned
from fabric_twin.switches.changes import Change
from fabric_twin.switches.driver import Access, Patience
from fabric_twin.switches.fabric import Fabric, open_fabric, shared_targets
from fabric_twin.switches.states import Pair, SwitchState

DESIGN, POD, SLOTS = "ironwood", "iw", range(1, 7)
NAMES = Names(find_design(DESIGN).layout, POD)
X, X2, Y = SWITCHES = ("iw-ocs-x-1-1", "iw-ocs-x-1-2", "iw-ocs-y-1-1")
BEFORE: frozenset[Pair] = frozenset({("1A", "2B"), ("2A", "1B"), ("6A", "6B")})
AFTER: frozenset[Pair] = frozenset({("1A", "1B"), ("2A", "2B"), ("3A", "4B"), ("4A", "3B")})
OTHERS: frozenset[Pair] = frozenset({("5A", "5B")})
#: Impatient, so that a test need not wait.
CALM = Calm(silent=1.5, light=1.0, pause=0.05, longest_pause=0.2)
PATIENCE = Patience(request=5.0, tuning=1.0, tries=2, pause=0.02)
#: Seconds; longer than anything that a worker does without asking for it.
LEASE = 60.0


def course(on_failure: OnFailure = OnFailure.UNDO) -> Course:
    """The ticket."""
    before = [Circuit(switch, a, b, "s1") for switch in SWITCHES for a, b in sorted(BEFORE)]
    after = [Circuit(switch, a, b, "s2") for switch in SWITCHES for a, b in sorted(AFTER)]
    return Course("iw-t1", make_plan(before, after).stages, on_failure)


def plant() -> Intended:
    """What light is held against."""
    return intended_plant(find_design(DESIGN), POD, SLOTS)


def open_pod(address: str) -> Fabric:
    """The switches of the ticket, and all cubes."""
    return open_fabric(
        shared_targets(address, SWITCHES),
        shared_targets(address, [NAMES.cube(slot) for slot in SLOTS]),
        Access(insecure=True),
        PATIENCE,
    )


def put_back(fabric: Fabric) -> None:
    """Have the circuits that there were before."""
    states = fabric.read_circuits(SWITCHES).all()
    wanted = BEFORE | OTHERS
    changes = {name: Change.between(state.configured, wanted) for name, state in states.items()}
    assert all(done.is_done for done in fabric.apply(changes).all().values())


def circuits(fabric: Fabric) -> dict[str, frozenset[Pair]]:
    """What the switches of the ticket have now."""
    return {name: s.configured for name, s in fabric.read_circuits(SWITCHES).all().items()}


Told = Callable[[str], None]


@dataclass
class FileJournal:
    """What the database's journal does, in a file with a lock; `told` hears of every step."""

    path: Path
    token: int
    told: Told = lambda _what: None
    of: Course = field(default_factory=course)

    @classmethod
    def taken(
        cls, path: Path, told: Told = lambda _what: None, of: Course | None = None
    ) -> "FileJournal":
        """Wait until nobody has the lease, and take it."""
        while True:
            with _locked(path) as facts:
                if time.time() >= facts.get("until", 0.0):
                    facts["token"] = facts.get("token", 0) + 1
                    facts["until"] = time.time() + LEASE
                    return cls(path, facts["token"], told, of or course())
            time.sleep(0.05)

    @contextlib.contextmanager
    def _mine(self, what: str) -> Iterator[dict[str, Any]]:
        self.told(f"before {what}")
        with _locked(self.path) as facts:
            if facts["token"] != self.token or time.time() >= facts["until"]:
                raise LeaseLost("its lease is over", where=str(self.path.name))
            yield facts
        self.told(f"after {what}")

    @contextlib.contextmanager
    def _still(self, before: Position, what: str) -> Iterator[dict[str, Any]]:
        with self._mine(what) as facts:
            if _position(facts) != before:
                raise Turned
            yield facts

    def renew(self) -> float:
        until = time.monotonic() + LEASE
        with self._mine("renewing its lease") as facts:
            facts["until"] = time.time() + LEASE
        return until

    def position(self) -> Position:
        with self._mine("reading its position") as facts:
            return _position(facts)

    def wait_for_drain(self, _before: Position) -> str:
        return ""

    def announce(self, before: Position, position: Position) -> None:
        with self._still(before, f"announcing {position}") as facts:
            _put(facts, position)
            facts["wanted"] = position.reaches

    def showed(self, states: Mapping[str, SwitchState]) -> None:
        with self._mine("noting what is seen") as facts:
            facts["seen"] = facts.get("seen", {}) | {
                name: sorted("-".join(pair) for pair in state.configured)
                for name, state in states.items()
            }

    def write_shown(self) -> None:
        """It is written at once."""

    def staged(self, report: StageReport, following: Position) -> None:
        with self._still(report.position, f"passing {report.position}") as facts:
            _put(facts, following)

    def turn(self, before: Position, why: str) -> None:
        with self._still(before, "turning back") as facts:
            _put(facts, self.of.turned(before))
            facts["turned"] = why

    def end(self, before: Position, state: State, why: str, bad: Sequence[Bad]) -> None:
        with self._still(before, f"ending {state}") as facts:
            facts |= {"state": state, "why": why, "bad": [str(one) for one in bad], "until": 0.0}


def facts_of(path: Path) -> dict[str, Any]:
    """What a journal says."""
    with _locked(path) as facts:
        return dict(facts)


def write(path: Path, **facts: Any) -> None:
    """Do what a person does to a ticket: begin it, resume it, turn it round."""
    with _locked(path) as there:
        there.update(facts)


def work(
    fabric: Fabric,
    path: Path,
    on_failure: OnFailure = OnFailure.UNDO,
    told: Told = lambda _what: None,
) -> End:
    """Be the next worker."""
    journal = FileJournal.taken(path, told)
    return carry_out(course(on_failure), fabric, journal, plant(), calm=CALM)


def _position(facts: dict[str, Any]) -> Position:
    stage, direction, tries = facts.get("position", (1, "forward", 0))
    return Position(stage, Direction(direction), tries)


def _put(facts: dict[str, Any], position: Position) -> None:
    facts["position"] = [position.stage, position.direction, position.tries]


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[dict[str, Any]]:
    """The facts of a journal; they are written whole, or not at all."""
    with Path(f"{path}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        facts = json.loads(path.read_text()) if path.exists() else {}
        yield facts
        draft = path.with_suffix(".draft")
        draft.write_text(json.dumps(facts))
        draft.replace(path)
