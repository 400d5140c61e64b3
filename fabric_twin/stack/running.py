"""The stack from start to stop, and what another terminal may ask of it: up, status, down."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, NoReturn

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.console import Console, LogView
from fabric_twin.stack.demo import load_demo
from fabric_twin.stack.folder import StateFolder
from fabric_twin.stack.parts import Stack
from fabric_twin.stack.preparing import prepare
from fabric_twin.stack.processes import Process
from fabric_twin.stack.simulated_fabric import SimulatedFabric
from fabric_twin.stack.supervisor import Supervisor

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
    write = _writer(stack, supervisor)
    supervisor.changed = write
    write()
    try:
        if (postgres := stack.postgres) is not None:
            postgres.make()
        if servers := stack.servers():
            with console.step("Servers"):
                supervisor.start(servers)
        prepare(stack, console)
        with console.step("Nautobot"):
            supervisor.start(nautobot := stack.nautobot())
        if stack.fabric:
            load_demo(stack, console)
        view = LogView(console, [(part.name, part.program.log) for part in (*servers, *nautobot)])
        write(ready=True)
        _say_ready(stack, console, time.monotonic() - begun)
        supervisor.watch(view)
    finally:
        console.say()
        with console.step("Stopping"):
            supervisor.stop()


def _writer(stack: Stack, supervisor: Supervisor) -> Callable[..., None]:
    """What writes down who runs and where, for `status` and `down`."""
    me = Process.of(os.getpid())
    facts: dict[str, Any] = {
        "version": 1,
        "address": stack.address,
        "state": "starting",
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
        "supervisor": me.as_json() if me else {},
    }

    def write(*, ready: bool = False) -> None:
        if ready:
            facts["state"] = "ready"
        stack.folder.write_run({**facts, "parts": supervisor.facts()})

    return write


def _say_ready(stack: Stack, console: Console, seconds: float) -> None:
    password = stack.folder.path / "admin-password"
    state = f" --state {stack.folder.path}"
    console.say()
    console.say(f"  Ready after {seconds:.0f} s:  {stack.address}", bold=True)
    if password.exists():
        console.say(f"  User admin, password {password.read_text().strip()}  (kept in {password})")
    console.say(f"  Ctrl-C here stops it, or `fabric-twin down{state}` elsewhere. Logs follow.")
    console.say()


def _say_where_it_runs(folder: StateFolder, console: Console) -> None:
    facts = folder.run()
    if facts is None:  # between taking the lock and writing, or between stopping and letting go
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
