"""The stack from start to stop, and what another terminal may ask of it: up, status, down."""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, NoReturn

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.console import Console, LogView
from fabric_twin.stack.demo import load_demo, state_of_demo
from fabric_twin.stack.folder import StateFolder
from fabric_twin.stack.parts import Stack
from fabric_twin.stack.preparing import make_tables, needed_by_web
from fabric_twin.stack.processes import Process
from fabric_twin.stack.simulated_fabric import SimulatedFabric
from fabric_twin.stack.supervisor import Supervisor

#: Seconds after which new lines of logs are shown.
_LOGS = 0.1
#: Seconds `down` waits before it kills: the supervisor gives its parts less.
_STOP_SECONDS = 60


class _Asked(BaseException):
    """Somebody asked the stack to stop."""


def up(folder: StateFolder, console: Console, *, port: int = 0, demo: bool = True) -> None:
    """Start everything, say where it is, and stay until asked to stop."""
    folder.make()
    with folder.held() as ours:
        if not ours:
            _say_where_it_runs(folder, console)
            return
        _wait_for_the_last(folder)
        with contextlib.suppress(_Asked), _asked_by_signals():
            fabric = SimulatedFabric.of(folder) if demo else None
            _run(Stack(folder, folder.port(port), fabric), console)


def _run(stack: Stack, console: Console) -> None:
    begun = time.monotonic()
    console.say(f"fabric-twin: everything is kept in {stack.folder.path}")
    supervisor = Supervisor(console)
    write = supervisor.changed = _writer(stack, supervisor)
    write()
    try:
        with console.step("Servers"):
            if (postgres := stack.postgres) is not None:
                postgres.make()
            supervisor.start(servers := stack.servers())
        make_tables(stack, console)
        first = needed_by_web(stack)
        # Two start at once, on two cores: all at once, pages would come when the last part does.
        web, worker, *others = nautobot = stack.nautobot(first)
        with console.step("Pages"):
            supervisor.begin([web, worker])
            supervisor.wait([web])
        for what, made_of in first.items():
            stack.folder.mark_done(what, made_of)
        write(state="ready")
        _say_ready(stack, console, time.monotonic() - begun)
        with supervisor.watched() as watching:
            with console.step("Workers"):
                supervisor.begin(others)
                supervisor.wait([worker, *others])
            if state_of_demo(stack) == "loading":
                write(demo=_load_demo(stack, console, begun))
            console.say("  Logs follow.")
            view = LogView(console, [(p.name, p.program.log) for p in (*servers, *nautobot)])
            while not watching.done():
                view.show()
                time.sleep(_LOGS)
            watching.result()
    finally:
        console.say()
        with console.step("Stopping"):
            supervisor.stop()


def _load_demo(stack: Stack, console: Console, begun: float) -> str:
    """Load the demo, or say why it is not whole: what was loaded stays, and so do the pages."""
    try:
        load_demo(stack, console)
    except StackRefused as refused:
        console.say(f"  The demo is not whole. {refused}", fg="red")
        return "failed"
    console.say(f"  The demo is there after {time.monotonic() - begun:.0f} s.")
    return "there"


def _writer(stack: Stack, supervisor: Supervisor) -> Callable[..., None]:
    """What writes down who runs and where, for `status` and `down`."""
    me, lock = Process.of(os.getpid()), threading.Lock()
    facts: dict[str, Any] = {
        "version": 1,
        "address": stack.address,
        "state": "starting",
        "demo": state_of_demo(stack),
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
        "supervisor": me.as_json() if me else {},
    }

    def write(**changed: str) -> None:
        with lock:
            facts.update(changed)
            stack.folder.write_run({**facts, "parts": supervisor.facts()})

    return write


def _say_ready(stack: Stack, console: Console, seconds: float) -> None:
    password = stack.folder.path / "admin-password"
    state = f" --state {stack.folder.path}"
    console.say()
    console.say(f"  Ready after {seconds:.0f} s:  {stack.address}", bold=True)
    if password.exists():
        console.say(f"  User admin, password {password.read_text().strip()}  (kept in {password})")
    console.say(f"  Ctrl-C here stops it, or `fabric-twin down{state}` elsewhere.")
    console.say()


def _say_where_it_runs(folder: StateFolder, console: Console) -> None:
    facts = folder.run()
    if facts is None:  # between taking the lock and writing, or between stopping and releasing it
        console.say("fabric-twin: it is being started or stopped by another process.")
        return
    doing = "runs already" if facts["state"] == "ready" else "is being started already"
    pid = facts["supervisor"]["pid"]
    console.say(f"fabric-twin {doing} at {facts['address']} (process {pid}).")


@contextlib.contextmanager
def _asked_by_signals() -> Iterator[None]:
    """Ctrl-C, `down` and a closed terminal all ask the same."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def ask(_number: int, _frame: object) -> NoReturn:
        for number in numbers:  # once is enough: what follows is stopping in order
            signal.signal(number, signal.SIG_IGN)
        raise _Asked

    before = {number: signal.signal(number, ask) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _wait_for_the_last(folder: StateFolder) -> None:
    """Wait for the parts of a supervisor that was killed: their keepers end them."""
    for part in folder.left():
        Process.from_json(part).wait(_STOP_SECONDS)


def status(folder: StateFolder) -> dict[str, Any]:
    """What runs, where, and since when."""
    facts = folder.run()
    if facts is None:
        left = [{**part, "state": "ending"} for part in folder.left()]
        state = "ending" if left else "down"
        return {"version": 1, "state": state, "parts": left, "folder": str(folder.path)}
    return {**facts, "folder": str(folder.path)}


def down(folder: StateFolder) -> int | None:
    """Stop what runs, and say which process ran it; None where none did."""
    facts = folder.run()
    if facts is None:
        _wait_for_the_last(folder)
        return None
    supervisor = Process.from_json(facts["supervisor"])
    supervisor.send(signal.SIGTERM)
    if not supervisor.wait(_STOP_SECONDS):
        supervisor.send(signal.SIGKILL)  # its parts see that and end
        raise StackRefused(
            f"process {supervisor.pid} did not stop in {_STOP_SECONDS} s and was killed",
            where=str(folder.path),
            remedy="Its parts end by themselves; see the logs for why it hung",
        )
    return supervisor.pid
