"""What goes wrong beneath a step while it is in the middle, and how it is whole again.

    killed      kill -9 of all processes of a part at once; its keeper starts it again
    stopped     SIGSTOP, and SIGCONT after some seconds; a worker past its lease
    restarted   in order, as `kill` does with the number that `status` shows

and what the machine, the network or a person does.
"""

import os
import signal
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from fabric_twin.stack.processes import Process
from tests.e2e.conftest import wait_until
from tests.e2e.servers import Servers
from tests.e2e.ticket_bench import SWITCHES
from tests.e2e.under_faults.steps import Job, Step, Sync

#: Seconds for which something is stopped, full, read-only or cut.
AWAY = 12.0
#: Seconds by which the clock jumps.
JUMP = 2 * 3600
#: Of the machine on which the stack runs: see conftest.py.
CLOCK, FILLER = "clock", "filler"


def _nothing(_step: Step) -> None:
    """It is whole by itself."""


@dataclass(frozen=True)
class Fault:
    """How something breaks while a step is held, and how it is mended once the step goes on."""

    strike: Callable[[Step], None]
    #: After the step is let go on.
    mend: Callable[[Step], None] = _nothing
    #: Seconds for which it lasts while the step goes on.
    lasts: float = 0
    #: Whether it breaks before the step is asked for, as nothing of it is left in the middle.
    is_first: bool = False
    #: Switches that do not answer meanwhile.
    hides: Collection[str] = ()
    #: What must be ours of the machine: its disk, its clock.
    needs: str = ""
    #: Steps that have nothing that could go wrong so.
    leaves_out: Collection[str] = ()


def killed(part: str) -> Fault:
    """kill -9 of all of it."""
    return _begun_again(part, lambda servers: servers.kill(part))


def restarted(part: str) -> Fault:
    """Its keeper is asked to end it, in order."""
    return _begun_again(part, lambda servers: os.kill(servers.part(part)["pid"], signal.SIGTERM))


def _begun_again(part: str, end: Callable[[Servers], None]) -> Fault:
    """It ends, and the supervisor starts it again."""
    before: list[int] = []

    def strike(step: Step) -> None:
        before[:] = [step.servers.part(part)["pid"]]
        end(step.servers)

    def mend(step: Step) -> None:
        wait_until(lambda: step.servers.part(part)["pid"] not in before)
        if part == "worker":
            let_time_pass(step.servers)

    return Fault(strike, mend)


def stopped(part: str) -> Fault:
    """It stands still, and notices nothing."""
    held: list[Process] = []

    def strike(step: Step) -> None:
        held[:] = step.servers.processes(part)
        _send(held, signal.SIGSTOP)

    def mend(step: Step) -> None:
        if part == "worker":
            let_time_pass(step.servers)
            time.sleep(AWAY)  # the watch ends what it had, or calls for somebody else
        _send(held, signal.SIGCONT)

    return Fault(strike, mend, AWAY)


def let_time_pass(servers: Servers) -> None:
    """The minute goes by that a worker has who is known to be dead or stopped, and after which what
    it should have looked at is queued again."""
    for table in ("joblease", "ticket", "auditrun"):
        over = "SET lease_until = now() WHERE lease_until > now()"
        servers.ask(f"UPDATE fabric_twin_{table} {over}")
    servers.ask(
        "UPDATE fabric_twin_touch SET since = since - interval '1 minute', "
        "last = last - interval '1 minute'"
    )
    with closing(servers.redis(1)) as there:
        for kind in ("due", "touched"):
            for key in there.scan_iter(f"*fabric_twin:{kind}*"):
                there.delete(key)


def _send(processes: Collection[Process], what: signal.Signals) -> None:
    for process in processes:
        process.send(what)


def _flush(step: Step) -> None:
    """Redis forgets all it has: the queue, the cache, who waits."""
    with closing(step.servers.redis()) as there:
        there.flushall()


def _fill(step: Step) -> None:
    """The disk of the stack is full to the last byte."""
    with suppress(OSError), Path(step.stack.folder.parent, FILLER).open("wb") as filler:
        while True:
            filler.write(b"\0" * (1 << 20))


def _make_space(step: Step) -> None:
    Path(step.stack.folder.parent, FILLER).unlink()


def _read_only(step: Step) -> None:
    """New transactions of the database only read."""
    step.servers.ask("ALTER SYSTEM SET default_transaction_read_only = on")
    step.servers.ask("SELECT pg_reload_conf()")


def _writable(step: Step) -> None:
    with closing(step.servers.connect()) as connection, connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = off")
        cursor.execute("ALTER SYSTEM RESET default_transaction_read_only")
        cursor.execute("SELECT pg_reload_conf()")


def _cancel(step: Step) -> None:
    """Somebody presses *Cancel* on Nautobot's page of the job."""
    assert isinstance(step, Job)
    step.bench.post(f"extras/job-results/{step.result}/cancel/", 200)


def _cut(step: Step) -> None:
    """No switch and no cube answers: the kernel takes what is sent, and nobody reads it."""
    _send(step.servers.processes("fabric"), signal.SIGSTOP)


def _joined(step: Step) -> None:
    _send(step.servers.processes("fabric"), signal.SIGCONT)


def _jump(seconds: int) -> Callable[[Step], None]:
    """The clock of the machine, for every part of the stack."""

    def jump(step: Step) -> None:
        draft = Path(step.stack.folder.parent, f"{CLOCK}.draft")
        draft.write_text(f"{seconds:+d}\n")
        draft.chmod(0o644)
        draft.rename(draft.with_name(CLOCK))

    return jump


FAULTS: Mapping[str, Fault] = {
    **{
        f"{part} {how.__name__}": how(part)
        for part in ("worker", "watch", "web", "postgres", "redis")
        for how in (killed, stopped, restarted)
    },
    "disk full": Fault(_fill, _make_space, AWAY, needs="disk"),
    "database read-only": Fault(_read_only, _writable, AWAY),
    "Redis flushed": Fault(_flush),
    "clock two hours forward": Fault(_jump(JUMP), _jump(0), AWAY, needs=CLOCK),
    "clock two hours back": Fault(_jump(-JUMP), _jump(0), AWAY, needs=CLOCK),
    "cancelled on its page": Fault(_cancel, leaves_out=("ticket", "order")),
    "network cut": Fault(
        _cut,
        _joined,
        AWAY,
        is_first=True,
        hides={*SWITCHES, Sync.SWITCH},
        leaves_out=("load", "render"),
    ),
}
