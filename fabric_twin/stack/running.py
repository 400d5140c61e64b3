"""The stack from start to stop, and what another terminal may ask of it: up, status, down."""

import contextlib
import signal
import time
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from typing import Any

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.console import Console, LogView
from fabric_twin.stack.demo.network import NETWORK
from fabric_twin.stack.demo.stages import answered, client, load_demo, state_of_demo
from fabric_twin.stack.folder import StateFolder
from fabric_twin.stack.parts import Stack
from fabric_twin.stack.preparing import make_tables, needed_by_web
from fabric_twin.stack.processes import Process, end
from fabric_twin.stack.recovery.database_lock import DatabaseLock, held_alone
from fabric_twin.stack.recovery.facts import Facts, is_silent
from fabric_twin.stack.recovery.left_over import end_left_over, left_over
from fabric_twin.stack.recovery.moved_fabric import move_records
from fabric_twin.stack.recovery.ports import kept_port
from fabric_twin.stack.recovery.space import free_bytes, refuse_without_space, space_refused
from fabric_twin.stack.simulated_fabric import POD, SimulatedFabric
from fabric_twin.stack.stop_signals import StopAsked, StopSignals
from fabric_twin.stack.supervisor import Supervisor

#: Seconds after which new lines of logs are shown.
_LOGS = 0.1
#: Seconds `down` waits before it kills: the supervisor gives its parts less.
_STOP_SECONDS = 90


def up(folder: StateFolder, console: Console, *, port: int = 0, demo: bool = True) -> None:
    """Start everything, say where it is, and stay until asked to stop."""
    stop = StopSignals()
    with space_refused(folder):
        folder.make()
        with folder.held() as ours, contextlib.suppress(StopAsked):
            if not ours:
                _say_where_it_runs(folder, console)
                return
            with stop.heard(), Facts.told(folder, console) as facts:
                end_left_over(folder, console.say)
                refuse_without_space(folder)
                fabric = SimulatedFabric.of(folder, console.say) if demo else None
                web = kept_port(folder, "port", console.say, port)
                stack = Stack(folder, web, fabric)
                alone = nullcontext() if stack.postgres else held_alone(stack.database)
                with alone as lock:
                    _run(stack, console, facts, lock, stop)


def _run(
    stack: Stack, console: Console, facts: Facts, lock: DatabaseLock | None, stop: StopSignals
) -> None:
    begun = time.monotonic()
    console.say(f"fabric-twin: everything is kept in {stack.folder.path}")
    supervisor = Supervisor(console, stop.heed)
    facts.parts, supervisor.changed, write = supervisor.facts, facts.write, facts.write
    write(address=stack.address, demo=state_of_demo(stack))
    try:
        with console.step("Servers"):
            if (postgres := stack.postgres) is not None:
                postgres.make()
            supervisor.start(servers := stack.servers())
        stop.heed()
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
            if stack.fabric:
                _follow_fabric(stack, stack.fabric, console)
            with console.step("Workers"):
                supervisor.begin(others)
                supervisor.wait([worker, *others])
            if state_of_demo(stack) == "loading":
                write(demo=_load_demo(stack, console, stop, begun))
            console.say("  Logs follow.")
            view = LogView(console, [(p.name, p.program.log) for p in (*servers, *nautobot)])
            while not watching.done():
                stop.heed()
                view.show()
                if lock and lock.lost:
                    raise lock.lost
                time.sleep(_LOGS)
            watching.result()
    finally:
        stop.hear_no_more()
        write(state="stopping")
        console.say()
        with console.step("Stopping"):
            supervisor.stop()


def _follow_fabric(stack: Stack, fabric: SimulatedFabric, console: Console) -> None:
    """Have records follow the fabric to another port; where they cannot, the next start does."""
    try:
        with answered(stack):
            move_records(stack.folder, client(stack), (POD, NETWORK), fabric.address, console)
    except StackRefused as refused:
        console.say(f"  Records still say where the fabric was. {refused}", fg="red")


def _load_demo(stack: Stack, console: Console, stop: StopSignals, begun: float) -> str:
    """Load the demo, or say why it is not whole: what was loaded stays, and so do the pages."""
    try:
        load_demo(stack, console, stop.heed)
    except StackRefused as refused:
        console.say(f"  The demo is not complete. {refused}", fg="red")
        return "failed"
    console.say(f"  The demo is there after {time.monotonic() - begun:.0f} s.")
    return "there"


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
    pid = facts["supervisor"]["pid"]
    if is_silent(folder):
        raise StackRefused(
            f"process {pid} runs it, and has said nothing for {folder.silent():.0f} s",
            where=str(folder.path),
            remedy=f"If somebody stopped it, `kill -CONT {pid}` lets it go on; "
            "`fabric-twin down` ends it",
        )
    if facts["state"] == "stopping":
        raise StackRefused(
            f"process {pid} is stopping it",
            where=str(folder.path),
            remedy="Start it again once that has ended",
        )
    doing = "runs already" if facts["state"] == "ready" else "is being started already"
    where = f" at {facts['address']}" if facts["address"] else ""
    console.say(f"fabric-twin {doing}{where} (process {pid}).")


def status(folder: StateFolder) -> dict[str, Any]:
    """What runs, where, and since when; what hangs; how much the disk has left."""
    about = {"folder": str(folder.path), "free_bytes": free_bytes(folder.path)}
    if facts := folder.run():
        if is_silent(folder):
            since = datetime.now(UTC) - timedelta(seconds=folder.silent())
            facts |= {"state": "hangs", "silent_since": since.isoformat(timespec="seconds")}
        return {**facts, **about}
    left = [
        {"name": name, "state": "left over", "pids": [process.pid for process in processes]}
        for name, processes in left_over(folder).items()
    ]
    return {"version": 1, "state": "left over" if left else "down", "parts": left, **about}


def down(folder: StateFolder, say: Callable[[str], None]) -> int | None:
    """Stop what runs and end what is left over; which process ran it, or None where none did."""
    facts, pid = folder.run(), None
    if facts:
        supervisor = Process.from_json(facts["supervisor"])
        pid = supervisor.pid
        end(lambda: filter(Process.runs, [supervisor]), signal.SIGTERM, _STOP_SECONDS)
        if supervisor.runs():
            say(f"Process {pid} did not stop in {_STOP_SECONDS} s and is killed.")
            end(lambda: filter(Process.runs, [supervisor]), signal.SIGKILL)
    if left_over(folder):
        with folder.held() as ours:  # nobody starts new ones meanwhile
            if ours:
                end_left_over(folder, say)
    return pid
