"""Every fault of the simulator that concerns circuits, struck in the middle of a ticket.

`python -m tests.tickets.matrix` runs every cell and prints the table of `docs/carrying-out.md`.
"""

import contextlib
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fabric_twin.core.tickets.course import OnFailure
from fabric_twin.core.tickets.life import State
from fabric_twin.switches.fabric import Fabric

from .bench import (
    AFTER,
    BEFORE,
    NAMES,
    OTHERS,
    X2,
    X,
    circuits,
    facts_of,
    open_pod,
    put_back,
    work,
    write,
)
from .worker import begin, watched_sets

#: The moment at which faults strike: stage 2 is announced, and nothing of it is sent.
STRIKES = "after announcing stage 2"


@dataclass(frozen=True)
class Cell:
    """A fault, what it is to people, and how a ticket ends that is undone when it fails."""

    words: str
    kind: str
    wish: dict[str, Any]
    ends: State
    #: How it ends when hands have mended the fault and it was resumed.
    later: State | None = None
    #: Whether the fault is gone when the worker looks again.
    passes: bool = False
    #: Whether it takes long to see that it does not pass.
    slow: bool = False

    def __str__(self) -> str:
        return self.words


_D, _U, _F = State.DONE, State.UNDONE, State.FAILED
_X, _C = {"device": X}, {"device": NAMES.cube(2)}
_PORT = {**_X, "port": "2B"}
CELLS = (
    Cell("a switch acknowledges a change and leaves it", "ignores-changes", _X, _F, _U),
    Cell("the same, once", "ignores-changes", _X, _D, passes=True),
    Cell("a switch does every other circuit of a change", "halves-changes", _X, _U),
    Cell("the same, once", "halves-changes", _X, _D, passes=True),
    Cell("a switch moves no mirror", "idle-mirrors", _X, _F, _U, slow=True),
    Cell("a switch answers late", "answers-late", {**_X, "seconds": 0.2}, _D),
    Cell("a switch answers too late", "answers-late", {**_X, "seconds": 9}, _F, _U, slow=True),
    Cell("a switch's answers to changes are lost", "loses-answers", _X, _D),
    Cell("a switch does not answer", "silent", _X, _F, _U),
    Cell("a switch has no power", "switch-down", _X, _F, _U),
    Cell("a switch restarts", "switch-rebooting", _X, _D, passes=True),
    Cell("a switch sends data that is too old", "stale", _X, _F, _U),
    Cell("a mirror does not move", "stuck-mirror", _PORT, _U),
    Cell("a mirror loses light", "lossy-mirror", {**_PORT, "loss_db": 7}, _U),
    Cell("a driver board is pulled", "board-out", {**_X, "unit": 1}, _F, _U, slow=True),
    Cell("a driver board is swapped", "board-out", {**_X, "unit": 1}, _D, passes=True),
    Cell("one of two power feeds is lost", "feed-lost", {**_X, "unit": 1}, _D),
    Cell("two switches change addresses", "addresses-exchanged", {**_X, "other": X2}, _D),
    Cell("a connector is dirty", "dirty", {**_PORT, "loss_db": 9}, _U),
    Cell("a cable is out", "missing", {"cable": f"{NAMES.cube(2)}:1.1.1/X-"}, _U),
    Cell("a cube does not answer", "silent", _C, _U),
    Cell("a cube has no power", "cube-down", _C, _U),
)


@dataclass
class Ran:
    """What came of one cell."""

    ended: State
    why: str
    hangs: list[str]
    seconds: float
    breaches: list[str] = field(default_factory=list)
    later: State | None = None


class Faults:
    """The control port of a simulator."""

    def __init__(self, control: Callable[..., Any]) -> None:
        self._control = control

    def make(self, kind: str, wish: dict[str, Any]) -> None:
        """Break something."""
        self._control("/faults", kind=kind, **wish)

    def mend_all(self) -> None:
        """Mend everything."""
        for fault in self._control("/faults")["faults"]:
            with contextlib.suppress(OSError):
                self._control("/mend", number=fault["number"])


def run(
    fabric: Fabric,
    faults: Faults,
    folder: Path,
    cell: Cell,
    on_failure: OnFailure = OnFailure.UNDO,
) -> Ran:
    """Carry the ticket out, and let a fault strike in the middle of stage 2."""
    path = folder / "journal.json"
    steps: list[str] = []
    _begin(fabric, path)

    def told(what: str) -> None:
        if what == STRIKES and what not in steps:
            faults.make(cell.kind, cell.wish)
        elif cell.passes and STRIKES in steps and what.endswith("noting what is seen"):
            faults.mend_all()
        steps.append(what)

    began = time.monotonic()
    end = work(fabric, path, on_failure, told)
    ran = Ran(end.state, end.why, [str(bad) for bad in end.bad], time.monotonic() - began)
    faults.mend_all()
    ran.breaches = breaches(fabric, end.state)
    if end.state is State.FAILED:
        stage, direction, _ = facts_of(path)["position"]
        write(path, state="running", position=(stage, direction, 0))
        ran.later = work(fabric, path, on_failure).state
        ran.breaches += breaches(fabric, ran.later)
    return ran


def killed(address: str, fabric: Fabric, path: Path, step: str, time: int) -> list[str]:
    """Kill a worker at a step, let another go on, and say what is not as it must be."""
    worker = begin(address, path, step, time, "SIGKILL")
    said = worker.communicate(timeout=60)[1]
    if worker.returncode != -signal.SIGKILL:
        return [f"it was not killed: {said}"]
    if facts_of(path)["state"] == "running":
        # It is known to be dead: nobody has to wait until its lease is over.
        write(path, until=0.0)
        work(fabric, path)
    ended = State(facts_of(path)["state"])
    return [*([] if ended is State.DONE else [f"it is {ended}"]), *breaches(fabric, ended)]


def breaches(fabric: Fabric, state: State) -> list[str]:
    """What is not as it must be when a ticket ended so."""
    wrong = []
    for name, there in circuits(fabric).items():
        ports = [port for pair in there for port in pair]
        if len(ports) != len(set(ports)):
            wrong.append(f"{name} has a port in two circuits")
        if not there >= OTHERS or not there <= OTHERS | BEFORE | AFTER:
            wrong.append(f"{name} lost or got a circuit of somebody else")
        if state is not State.FAILED and there - OTHERS != (
            AFTER if state is State.DONE else BEFORE
        ):
            wrong.append(f"{name} has not the circuits of a ticket that is {state}")
    return wrong


@contextlib.contextmanager
def _simulator() -> Iterator[Any]:
    from tests.conftest import Simulator

    with tempfile.TemporaryDirectory() as folder:
        simulator = Simulator(
            Path(folder), "--tuning-ms", "20", design="ironwood", pod="iw", slots="1-6"
        )
        yield simulator
        simulator.stop()


def main() -> None:
    """Run every cell, print the tables, and fail where anything is not as it must be."""
    with _simulator() as simulator, open_pod(simulator.said["gnmi"]) as fabric:
        broken = _strike_all(fabric, Faults(simulator.control))
        broken += _kill_all(simulator.said["gnmi"], fabric)
    if broken:
        sys.exit("\n".join(broken))


def _strike_all(fabric: Fabric, faults: Faults) -> list[str]:
    say("| what strikes when stage 2 is announced | fault | undo | hold |")
    say("|---|---|---|---|")
    broken: list[str] = []
    for cell in CELLS:
        told = []
        for on_failure in OnFailure:
            with tempfile.TemporaryDirectory() as folder:
                ran = run(fabric, faults, Path(folder), cell, on_failure)
            later = f"; mended and resumed: {ran.later}" if ran.later else ""
            told.append(f"{ran.ended}{later}")
            broken += [f"{cell.words}: {breach}" for breach in ran.breaches]
            if on_failure is OnFailure.UNDO and (ran.ended, ran.later) != (cell.ends, cell.later):
                broken.append(f"{cell.words}: {told[-1]}")
        say(f"| {cell.words} | `{cell.kind}` | {told[0]} | {told[1]} |")
    return broken


def _kill_all(address: str, fabric: Fabric) -> list[str]:
    """Kill a worker before and after every step that one takes when nobody disturbs it."""
    steps: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        _begin(fabric, Path(folder) / "trace.json")
        with watched_sets(lambda what: steps.update([what])):
            work(fabric, Path(folder) / "trace.json", told=lambda what: steps.update([what]))
    say("\n| killed | times | done by another |")
    say("|---|---|---|")
    broken: list[str] = []
    for step, times in steps.items():
        wrong: list[str] = []
        for nth in range(1, times + 1):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "journal.json"
                _begin(fabric, path)
                wrong += killed(address, fabric, path, step, nth)
        say(f"| {step} | {times} | {times if not wrong else 'no'} |")
        broken += [f"killed {step}: {breach}" for breach in wrong]
    return broken


def _begin(fabric: Fabric, path: Path) -> None:
    put_back(fabric)
    write(path, state="running", position=(1, "forward", 0), until=0.0)


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
