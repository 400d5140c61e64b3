"""A ticket on the running stack, and all that can be broken beneath it: worker, servers, switches.

             before          after
each switch  1A-2B 2A-1B     1A-1B 2A-2B     stage 2: one gives way to the other
                             4A-5B 5A-4B     stage 1: free ports
             3A-3B                           stage 3: nobody waits for its ports
             and those of slices, which stay as they are

The next ticket leads back from `after` to `before`, and so does undoing one. Ports are counted from
the first slot of the bench.
"""

import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Any

import requests

from fabric_twin.switches.changes import Pair
from fabric_twin.switches.fabric import open_fabric, shared_targets
from tests.e2e.conftest import Running, wait_until
from tests.e2e.demo_fabric import Fabric
from tests.e2e.servers import Servers

#: What people do with a ticket, as its history says it.
PEOPLE = ["make", "hasten", "schedule"]
SWITCHES = ("iw1-ocs-x-1-1", "iw1-ocs-x-1-2", "iw1-ocs-y-1-1")
#: Cubes that are in no slice.
SLOTS = range(53, 58)
Pairs = frozenset[Pair]
#: What one Set did to a switch: what went, and what came.
Move = tuple[Pairs, Pairs]
NONE: Pairs = frozenset()


def pairs(*joined: tuple[int, int]) -> Pairs:
    """Circuits by the numbers of the bench's cubes, from 1."""
    return frozenset((f"{SLOTS[a - 1]}A", f"{SLOTS[b - 1]}B") for a, b in joined)


BEFORE, AFTER = pairs((1, 2), (2, 1), (3, 3)), pairs((1, 1), (2, 2), (4, 5), (5, 4))
OWN = BEFORE | AFTER
#: One move of each switch for each stage.
FORTH: tuple[Move, ...] = (
    (NONE, pairs((4, 5), (5, 4))),
    (pairs((1, 2), (2, 1)), pairs((1, 1), (2, 2))),
    (pairs((3, 3)), NONE),
)


def back(moves: Sequence[Move]) -> tuple[Move, ...]:
    """The way back of some moves."""
    return tuple((came, gone) for gone, came in reversed(moves))


def states(first: Pairs, moves: Sequence[Move]) -> Iterator[Pairs]:
    """The circuits after each move, from the first state on."""
    return accumulate(moves, lambda now, move: (now - move[0]) | move[1], initial=first)


class Ledger:
    """Every state of circuits that switches tell of, from the first on, heard over gNMI."""

    def __init__(self, fabric: Fabric) -> None:
        self.told: dict[str, list[Pairs]] = {name: [] for name in SWITCHES}
        self._open = ExitStack()
        targets = shared_targets(fabric.address, SWITCHES)
        self._heard = self._open.enter_context(open_fabric(targets, (), fabric.access))
        self._asked = self._open.enter_context(open_fabric(targets, (), fabric.access))
        for name, switch in self._heard.switches.items():
            threading.Thread(target=self._listen, args=(name, switch), daemon=True).start()
        wait_until(lambda: all(self.told.values()))

    def _listen(self, name: str, switch: Any) -> None:
        for state in switch.watch():
            told = self.told[name]
            if not told or told[-1] != state.configured:
                told.append(state.configured)

    def close(self) -> None:
        """Hear no more."""
        self._open.close()

    def shown(self) -> dict[str, Pairs]:
        """What the switches have now, by Get, once all that they told was heard."""
        states = self._asked.read_circuits(SWITCHES).all()
        now = {name: state.configured for name, state in states.items()}
        wait_until(lambda: {name: told[-1] for name, told in self.told.items()} == now)
        assert all(state.configured == frozenset(state.tuned) for state in states.values())
        return now

    def moves(self) -> dict[str, list[Move]]:
        """What each switch did since the first state."""
        return {
            name: [(old - new, new - old) for old, new in pairwise(told)]
            for name, told in self.told.items()
        }


@dataclass
class Trial:
    """One ticket, and what is known of it."""

    servers: Servers
    fabric: Fabric
    ledger: Ledger
    id: str
    name: str
    #: POST on the ticket: what it answers.
    do: Callable[..., Any]
    faults: list[int] = field(default_factory=list)

    def undo(self) -> None:
        """Have it undone now that it is done: asked for, hastened as it was, and begun."""
        self.do("ask-undo", said="It was tried")
        self.do("emergency", said="It is tried what can go wrong")
        self.do("undo", 202)

    def row(self) -> tuple[str, int, str, int]:
        """Its state and its position, as the database has them."""
        query = "SELECT state, stage, direction, tries FROM fabric_twin_ticket WHERE id = %s"
        [found] = self.servers.ask(query, self.id)
        return found  # type: ignore[return-value]

    @property
    def state(self) -> str:
        return self.row()[0]

    def wait_for(self, *states: str) -> None:
        """Until it is in one of these states; one that went back to its author never will be."""
        wait_until(lambda: self.state in (*states, "draft"), self.standing, patience=600)
        assert self.state in states, self.standing()

    def standing(self) -> str:
        """All that may say why it does not go on."""
        query = "SELECT state, stage, tries, message, lease_until FROM fabric_twin_ticket"
        row = self.servers.ask(f"{query} WHERE id = %s", self.id)
        logged = (
            "SELECT job.status, log.created, log.message FROM extras_joblogentry log "
            "JOIN extras_jobresult job ON job.id = log.job_result_id "
            "WHERE job.task_kwargs ->> 'ticket' = %s ORDER BY log.created DESC LIMIT 10"
        )
        waits = (
            "SELECT state, wait_event, query_start, left(query, 120) FROM pg_stat_activity "
            "WHERE xact_start IS NOT NULL"
        )
        parts = {one["name"]: one["state"] for one in self.servers.parts()}
        lines = [*row, self.history(), parts, self.jobs()]
        lines += [*self.servers.ask(logged, self.id), *self.servers.ask(waits)]
        return "\n".join(map(str, lines))

    def history(self) -> list[str]:
        """What was done with it, in order."""
        query = "SELECT what FROM fabric_twin_ticketevent WHERE ticket_id = %s ORDER BY number"
        return [what for (what,) in self.servers.ask(query, self.id)]

    def jobs(self) -> list[str]:
        """How the jobs stand that carried it out, or tried to, the first first."""
        query = "SELECT status FROM extras_jobresult WHERE task_kwargs ->> 'ticket' = %s"
        return [s for (s,) in self.servers.ask(f"{query} ORDER BY date_created", self.id)]

    def job(self) -> str:
        """The job that the ticket names."""
        query = "SELECT job_result_id FROM fabric_twin_ticket WHERE id = %s"
        return str(self.servers.ask(query, self.id)[0][0])

    def wait_logged(self, words: str) -> None:
        """Until a job of it says this."""
        query = (
            "SELECT 1 FROM extras_joblogentry log JOIN extras_jobresult job "
            "ON job.id = log.job_result_id WHERE job.task_kwargs ->> 'ticket' = %s "
            "AND log.message LIKE %s"
        )
        wait_until(lambda: self.servers.ask(query, self.id, f"%{words}%"))

    def breaks(self, kind: str, **where: Any) -> None:
        """Break something of the fabric."""
        self.faults.append(self.fabric.control("/faults", kind=kind, **where)["number"])

    def mend(self) -> None:
        """Mend all that was broken."""
        while self.faults:
            self.fabric.control("/mend", number=self.faults.pop())

    def let_lease_end(self) -> None:
        """The time goes by that a worker has, or the call for one, who is known to be dead."""
        self.servers.ask(
            "UPDATE fabric_twin_ticket SET lease_until = now() WHERE id = %s "
            "AND lease_until > now()",
            self.id,
        )
        with closing(self.servers.redis(1)) as there:
            for key in there.scan_iter(f"*fabric_twin:due:{self.id}"):
                there.delete(key)

    def check(self, state: str, moves: Sequence[Move]) -> None:
        """It ended so; each circuit moved once and no other did; all who know of them agree.

        On a busy machine, and of switches that were away, moves may be heard as one: what is heard
        is some of the states that they lead to, in their order, and the last.
        """
        shown = self.ledger.shown()
        assert self.state == state
        for name, told in self.ledger.told.items():
            led_to = states(told[0], moves)
            in_order = all(one in led_to for one in told)
            ends = told[-1] == [*states(told[0], moves)][-1] and bool(moves) == bool(told[1:])
            why = f"{name}: {self.ledger.moves()[name]}\n{self.standing()}"
            assert (in_order, ends) == (True, True), why
        for told in self.ledger.told.values():
            for circuits in told:
                ports = [port for pair in circuits for port in pair]
                assert len(ports) == len(set(ports))
                assert circuits - OWN == told[0] - OWN
        assert recorded(self.servers, "wanted") == shown
        # An audit that looked before may write what it saw late: the one after the end sees more.
        wait_until(lambda: recorded(self.servers, "seen") == shown)
        held = "SELECT count(*) FROM fabric_twin_reservation WHERE ticket_id = %s"
        assert self.servers.ask(held, self.id) == [(0,)]


def recorded(servers: Servers, knows: str) -> dict[str, Pairs]:
    """What the inventory wants of the switches, or has seen of them."""
    rows = servers.ask(
        "SELECT device.name, circuit.a, circuit.b, circuit.wanted, circuit.seen "
        "FROM fabric_twin_opticalcircuit circuit "
        "JOIN fabric_twin_switch switch ON switch.id = circuit.switch_id "
        "JOIN dcim_device device ON device.id = switch.device_id WHERE device.name = ANY(%s)",
        list(SWITCHES),
    )
    found: dict[str, set[Pair]] = {name: set() for name in SWITCHES}
    for name, a, b, wanted, seen in rows:
        if {"wanted": wanted, "seen": seen}[knows]:
            found[name].add((f"{a}A", f"{b}B"))
    return {name: frozenset(some) for name, some in found.items()}


class Bench:
    """Makes tickets on a stack, one after the other, each from where the last one left off."""

    def __init__(self, stack: Running) -> None:
        self.servers, self.fabric, self._stack = Servers(stack), Fabric(stack), stack
        #: Nothing of the administrator's session is kept over a restart of anything.
        self._headers = {"Authorization": f"Token {stack.token}"}

    def post(self, path: str, code: int, **given: Any) -> Any:
        """POST to the App, as the administrator."""
        url = f"{self._stack.address}api/{path}"
        answer = requests.post(url, json=given, headers=self._headers, timeout=120)
        assert answer.status_code == code, answer.text[:500]
        return answer.json()

    def run_job(self, trial: Trial) -> str:
        """Give a ticket to one more worker, by the page of jobs: the job's id."""
        [(job,)] = self.servers.ask(
            "SELECT id FROM extras_job WHERE job_class_name = 'CarryOutTicket'"
        )
        asked = self.post(f"extras/jobs/{job}/run/", 201, data={"ticket": trial.id})
        return str(asked["job_result"]["id"])

    def job_state(self, job: str) -> str:
        """How a job stands."""
        [(state,)] = self.servers.ask("SELECT status FROM extras_jobresult WHERE id = %s", job)
        return str(state)

    @contextmanager
    def ticket(self, after: Pairs) -> Iterator[Trial]:
        """A ticket for these circuits by hand, approved; what is broken for it is mended."""
        wish = [{"switch": name, "a": a, "b": b} for name in SWITCHES for a, b in sorted(after)]
        root = "plugins/fabric-twin/tickets/"
        asked = {"pod": "iw1", "kind": "hand", "wish": {"circuits": wish}}
        made = self.post(root, 201, **asked, reason=f"bench {secrets.token_hex(4)}")

        def do(deed: str, code: int = 200, **given: Any) -> Any:
            return self.post(f"{root}{made['id']}/{deed}/", code, **given)

        do("emergency", said="It is tried what can go wrong")
        ledger = Ledger(self.fabric)
        trial = Trial(self.servers, self.fabric, ledger, made["id"], made["name"], do)
        try:
            yield trial
        finally:
            trial.mend()
            ledger.close()

    @contextmanager
    def turn(self) -> Iterator[tuple[Trial, tuple[Move, ...]]]:
        """The next ticket, which leads from one side to the other, and its moves."""
        wait_until(self._is_calm)
        there = recorded(self.servers, "wanted")[SWITCHES[0]] & OWN
        if there not in (BEFORE, AFTER):
            self.go_to(there := BEFORE)
        with self.ticket(AFTER if there == BEFORE else BEFORE) as trial:
            yield trial, FORTH if there == BEFORE else back(FORTH)

    def _is_calm(self) -> bool:
        """Whether no audit looks, or is to look, that may write what it saw before the last ticket
        ended: a plan begins with what is recorded as seen."""
        looks = "SELECT count(*) FROM fabric_twin_auditrun WHERE state = 'running'"
        touched = "SELECT count(*) FROM fabric_twin_touch"
        still = self.servers.ask(looks) == self.servers.ask(touched) == [(0,)]
        return still and recorded(self.servers, "seen") == recorded(self.servers, "wanted")

    def go_to(self, circuits: Pairs) -> None:
        """Have these circuits and no others, by a ticket that nobody disturbs."""
        with self.ticket(circuits) as trial:
            trial.do("start", 202)
            trial.wait_for("done")
            trial.ledger.shown()
