"""A process that forks workers of tickets, each to be killed or stopped at a step.

It asks nobody anything itself, neither database nor switches, so that its children begin clean. A
command is a line of JSON: what to do, and the step at which to send oneself a signal that nobody
can catch. The answer is a line too: how the child ended, and what it said.
"""

import json
import os
import signal
import sys
import time
from datetime import timedelta
from typing import Any


def main(config: str) -> None:
    """Fork a child for every line."""
    import nautobot

    nautobot.setup(config)
    _call_nobody()
    _tell(ready=True)
    for line in sys.stdin:
        wish = json.loads(line)
        if wish["do"] == "continue":
            os.kill(wish["pid"], signal.SIGCONT)
            _wait(wish["pid"], _PIPES.pop(wish["pid"]))
            continue
        read, write = os.pipe()
        if (pid := os.fork()) == 0:
            os.close(read)
            _child(wish, write)
        os.close(write)
        _wait(pid, read)


def _call_nobody() -> None:
    """Let the test alone say who works, and when: here a job that is called for runs at once."""
    from fabric_twin.operations.tickets.running import due

    due.call_worker = lambda _ticket: None


def _tell(**facts: Any) -> None:
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


#: What a child that is stopped will say, by its number.
_PIPES: dict[int, int] = {}


def _wait(pid: int, pipe: int) -> None:
    """Say how a child ended, or that it stopped."""
    _, status = os.waitpid(pid, os.WUNTRACED)
    facts: dict[str, Any] = {"pid": pid}
    if os.WIFSTOPPED(status):
        _PIPES[pid] = pipe
        facts["ended"] = "stopped"
    else:
        with os.fdopen(pipe) as told:
            facts["said"] = json.loads(told.read() or "null")
        killed = os.WIFSIGNALED(status)
        facts["ended"] = signal.Signals(os.WTERMSIG(status)).name if killed else "exited"
    _tell(**facts)


def _child(wish: dict[str, Any], pipe: int) -> None:
    from fabric_twin.core.errors import FabricTwinError

    try:
        said: Any = DO[wish.pop("do")](**wish)
    except FabricTwinError as refusal:
        said = str(refusal)
    except Exception as error:  # noqa: BLE001 - the test asks which it was
        said = f"{type(error).__name__}: {error}"
    with os.fdopen(pipe, "w") as out:
        out.write(json.dumps(said))
    os._exit(0)  # nothing of the parent's is to be cleaned up here


def make_pod(address: str) -> str:
    """Pod `iw` of two cubes, with a circuit of somebody else, behind an address."""
    from django.contrib.auth import get_user_model

    from fabric_twin.operations.pods.load import load_pod
    from tests.nautobot.bases.pods.small_pod import make_location

    for name in ("ada", "otto"):
        get_user_model().objects.create_superuser(name)
    load_pod("iw", "ironwood", make_location("Hall"), slots=(1, 2), address=address)
    with open_switches() as fabric:
        from fabric_twin.switches.changes import Change

        fabric.apply({"iw-ocs-x-1-1": Change(add=frozenset({("100A", "101B")}))}).all()
    return "made"


def make_ticket() -> str:
    """A ticket for a slice of both cubes, approved and to begin now."""
    from django.contrib.auth import get_user_model

    from fabric_twin.models import Pod
    from fabric_twin.operations.tickets import lifecycle as life
    from fabric_twin.operations.tickets.create import wish_ticket

    ada, otto = (get_user_model().objects.get(username=name) for name in ("ada", "otto"))
    wish = {"shape": "4x4x8", "name": "train"}
    ticket = wish_ticket(Pod.objects.get(), "slice", wish, ada)
    ticket = life.approve(life.submit(ticket, ada), otto)
    return life.start(ticket, otto).name


def undo() -> str:
    """Have the last ticket run back; where it is done, somebody else approves that."""
    from django.contrib.auth import get_user_model

    from fabric_twin.models import Slice
    from fabric_twin.operations.tickets import lifecycle as life
    from fabric_twin.operations.tickets.changes.drains import interrupted_by
    from fabric_twin.operations.tickets.drafts.make import confirm_drained

    ada, otto = (get_user_model().objects.get(username=name) for name in ("ada", "otto"))
    ticket = _last()
    if ticket.state == "done":
        ticket = life.approve(life.ask_undo(ticket, ada, "it is killed again"), otto)
        for name in interrupted_by(ticket):
            confirm_drained(ticket, Slice.objects.get(name=name), otto)
    return str(life.undo(ticket, otto).state)


def work(step: str = "", at: int = 1, how: str = "", lease: float = 60.0) -> str:
    """Carry the last ticket out, once nobody else has it; and do this to oneself at a step."""
    from django.db import close_old_connections

    from fabric_twin.operations.tickets.running.carry_out import How, carry_out_ticket
    from fabric_twin.services.tickets.carry_out import Calm

    left = at

    def told(what: str) -> None:
        nonlocal left
        left -= what == step
        if what == step and left == 0:
            if how == "restart":
                _end_connections()
            else:
                os.kill(os.getpid(), getattr(signal, how))

    _hear(told)
    calm = Calm(silent=20.0, light=10.0, pause=0.05, longest_pause=0.5)
    given = How(lease=timedelta(seconds=lease), calm=calm)
    ended = carry_out_ticket(_last(), given)
    close_old_connections()
    return f"{ended.state} {ended.message}".strip()


def _hear(told: Any) -> None:
    """Hear of every write of the journal, before, within and after, and of every Set."""
    from fabric_twin.operations.tickets.running.journal import TicketJournal
    from fabric_twin.operations.tickets.running.ticket_lease import TicketLease
    from fabric_twin.switches.conversation import Conversation

    def heard(kind: Any, method: str, name: str) -> None:
        inner = getattr(kind, method)

        def outer(*arguments: Any, **named: Any) -> Any:
            told(f"before {name}")
            result = inner(*arguments, **named)
            told(f"after {name}")
            return result

        setattr(kind, method, outer)

    for name in ("announce", "staged", "turn", "end"):
        heard(TicketJournal, name, name)
    heard(TicketLease, "write", "write")
    heard(Conversation, "set", "set")


def let_lease_end() -> str:
    """The time of a lease goes by; whoever had it is dead, and does not mind."""
    from django.db.models.functions import Now

    from fabric_twin.models import Ticket

    Ticket.objects.update(lease_until=Now())
    return "over"


def wait_for_lease() -> str:
    """Until the lease of one who may still live is over by the database's clock."""
    from fabric_twin.operations.tickets.running.due import due_tickets

    while not due_tickets():
        time.sleep(0.1)
    return "over"


def facts() -> dict[str, Any]:
    """What switches show, what is recorded, and what the ticket says of itself."""
    from fabric_twin.models import OpticalCircuit, Reservation, Slice

    with open_switches() as fabric:
        states = fabric.read_circuits(list(fabric.switches)).all()
    shown = {(n, int(a[:-1]), int(b[:-1])) for n, s in states.items() for a, b in s.configured}
    other = ("iw-ocs-x-1-1", 100, 101)

    def recorded(**which: Any) -> set[Any]:
        rows = OpticalCircuit.objects.filter(**which)
        return set(rows.values_list("switch__device__name", "a", "b")) - {other}

    ticket = _last()
    wanted, seen = recorded(wanted=True), recorded(seen=True)
    events = list(ticket.events.order_by("number").values_list("what", flat=True))
    return {
        "state": ticket.state,
        "others_circuit": other in shown,
        "circuits": len(shown - {other}),
        "agree": shown - {other} == wanted == seen,
        "reserved": Reservation.objects.count(),
        "slices": [str(one.status) for one in Slice.objects.all()],
        "ends": [what for what in events if what in {"finish", "take-back", "fail"}],
    }


def _last() -> Any:
    from fabric_twin.models import Ticket

    return Ticket.objects.order_by("-number").first()


def open_switches() -> Any:
    from fabric_twin.models import Pod
    from fabric_twin.repositories.addresses import targets_of
    from fabric_twin.repositories.credentials import pod_accesses
    from fabric_twin.switches.fabric import open_fabric

    pod = Pod.objects.get()
    return open_fabric(targets_of(pod, ()).switches, (), pod_accesses(pod))


def _end_connections() -> None:
    """As a restart of the database does."""
    from contextlib import closing

    import psycopg2

    server = {"host": os.environ["NAUTOBOT_DB_HOST"], "user": os.environ["NAUTOBOT_DB_USER"]}
    named = os.environ["NAUTOBOT_DB_NAME"]
    with closing(psycopg2.connect(dbname=named, **server)) as other:
        other.autocommit = True
        with other.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


DO: dict[str, Any] = {
    one.__name__: one
    for one in (make_pod, make_ticket, undo, work, let_lease_end, wait_for_lease, facts)
}

if __name__ == "__main__":
    main(*sys.argv[1:])
