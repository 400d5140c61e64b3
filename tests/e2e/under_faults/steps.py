"""What a pod's people do, each as one question to the stack: asked, carried out, and judged.

load      all of a pod or nothing, and the same when it is asked for again
audit     a fan that failed is one finding, neither lost nor doubled, and none when it is mended
sync      a circuit that somebody made by hand is seen
ticket    each circuit moves once; records, switches and history agree
order     a port is blocked once, and released when the order is withdrawn
render    the same file as on a quiet day, or none
"""

from abc import ABC, abstractmethod
from collections.abc import Collection
from contextlib import ExitStack
from typing import Any

from fabric_twin.switches.changes import Change
from fabric_twin.switches.fabric import open_fabric, shared_targets
from tests.e2e.aisle import Server
from tests.e2e.conftest import Running, wait_until
from tests.e2e.demo_fabric import Fabric
from tests.e2e.servers import Servers
from tests.e2e.ticket_bench import PEOPLE, Bench, Trial

POD, LOADED = "iw1", "iw9"
#: Seconds for a step to end by itself after what was broken is whole again.
ENDS_WITHIN = 400
#: What a pod is made of, counted by its name.
ROWS = (
    "SELECT count(*) FROM fabric_twin_pod WHERE name = %s",
    "SELECT count(*) FROM fabric_twin_cube of JOIN fabric_twin_pod pod ON pod.id = of.pod_id "
    "WHERE pod.name = %s",
    "SELECT count(*) FROM fabric_twin_switch of JOIN fabric_twin_pod pod ON pod.id = of.pod_id "
    "WHERE pod.name = %s",
    "SELECT count(*) FROM fabric_twin_port of JOIN fabric_twin_pod pod ON pod.id = of.pod_id "
    "WHERE pod.name = %s",
    "SELECT count(*) FROM dcim_cable WHERE starts_with(label, %s || '-')",
)
_SAID = {"SUCCESS": "done", "FAILURE": "failed", "REVOKED": "cancelled"}
ENDED = frozenset(_SAID)


class Step(ABC):
    """One of them: how it is begun, where it is held in the middle, and what must be true after."""

    #: The write at which it is held, and which of these.
    write, when = "", "true"
    #: Switches that do not answer while it is carried out.
    away: Collection[str] = ()

    def __init__(self, name: str, stack: Running) -> None:
        self.name = name
        self.servers, self.fabric = Servers(stack), Fabric(stack)
        self.bench = Bench(stack)
        self.stack = stack

    def prepare(self) -> None:  # noqa: B027
        """What must be there before."""

    @abstractmethod
    def begin(self) -> None:
        """Ask for it."""

    @abstractmethod
    def settle(self) -> None:
        """Wait until it has ended, and see that it ended well; what was lost is asked for again."""

    @abstractmethod
    def seen(self) -> str:
        """How it went, in a word or two for the table."""

    def clean(self) -> None:  # noqa: B027
        """Leave all as it was."""


class Job(Step):
    """A step that is a job of Nautobot's list."""

    job = ""

    def asked(self) -> dict[str, Any]:
        """What its form says."""
        return {"pod": self.pod()}

    def pod(self) -> str:
        """The pod's id."""
        query = "SELECT id FROM fabric_twin_pod WHERE name = %s"
        return str(self.servers.ask(query, POD)[0][0])

    def begin(self) -> None:
        self._before = self._results()
        self.result = self.ask_for(self.asked())

    def ask_for(self, wish: dict[str, Any], name: str = "") -> str:
        """Ask for the job, as its page does: the id of its result."""
        [(job,)] = self.servers.ask("SELECT id FROM extras_job WHERE name = %s", name or self.job)
        asked: list[Any] = []
        refused: list[str] = []

        def is_taken() -> bool:
            try:
                asked.append(self.bench.post(f"extras/jobs/{job}/run/", 201, data=wish))
            except AssertionError as error:  # 503, until a worker is heard of again
                refused[:] = [str(error)]
            return bool(asked)

        wait_until(is_taken, lambda: f"{refused}\n{self.standing()}", 60)
        return str(asked[0]["job_result"]["id"])

    def ended(self, result: str) -> str:
        """Wait for its end: how it ended."""

        def state() -> str:
            return self.bench.job_state(result)

        wait_until(lambda: state() in ENDED, self.standing, ENDS_WITHIN)
        return state()

    def settle(self) -> None:
        how = self.ended(self.result)
        wait_until(lambda: set(self._made().values()) <= ENDED, self.standing, ENDS_WITHIN)
        self.judge(is_done=how == "SUCCESS")
        self._how = sorted(_SAID[how] for how in self._made().values())
        if "SUCCESS" not in self._made().values():
            assert self.ended(self.ask_for(self.asked())) == "SUCCESS", self.standing()
        self.away = ()
        self.judge(is_done=True)
        leases = (
            "SELECT job.name, job.status FROM fabric_twin_joblease lease JOIN extras_jobresult job "
            "ON job.id = lease.job_result_id WHERE lease.ended IS NULL"
        )
        wait_until(lambda: not self.servers.ask(leases), self.standing, ENDS_WITHIN)

    def seen(self) -> str:
        return ", ".join(self._how)

    def _results(self) -> dict[str, str]:
        query = "SELECT id, status FROM extras_jobresult WHERE name = %s"
        return {str(key): how for key, how in self.servers.ask(query, self.job)}

    def _made(self) -> dict[str, str]:
        """How the jobs stand that came of what was asked, those that were called for again too."""
        return {key: how for key, how in self._results().items() if key not in self._before}

    def standing(self) -> str:
        """All that may say why it does not end."""
        logged = (
            "SELECT job.name, job.status, log.created, log.message FROM extras_joblogentry log "
            "JOIN extras_jobresult job ON job.id = log.job_result_id ORDER BY log.created DESC "
            "LIMIT 20"
        )
        parts = {one["name"]: one["state"] for one in self.servers.parts()}
        lines = [f"{self.job}: {self._made()}", parts, *self.servers.ask(logged)]
        return "\n".join(map(str, lines))

    @abstractmethod
    def judge(self, *, is_done: bool) -> None:
        """See that what it says of itself is true."""


class Load(Job):
    """A pod of two cubes that nobody has heard of."""

    job, write = "Load pod", "INSERT ON fabric_twin_port"

    def asked(self) -> dict[str, Any]:
        [(hall,)] = self.servers.ask("SELECT id FROM dcim_location WHERE name = 'Demo hall'")
        return {"pod": LOADED, "design": "ironwood", "location": str(hall), "slots": "1-2"}

    def judge(self, *, is_done: bool) -> None:
        """A pod may be there whose worker could not write that it had ended."""
        nothing, whole = (0,) * 5, (1, 2, 48, 14_016, 192)
        assert self.rows() in ([whole] if is_done else [nothing, whole])

    def rows(self) -> tuple[int, ...]:
        """Pods, cubes, switches, ports and cables of it."""
        return tuple(int(self.servers.ask(query, LOADED)[0][0]) for query in ROWS)

    def clean(self) -> None:
        query = "SELECT id FROM fabric_twin_pod WHERE name = %s"
        for (pod,) in self.servers.ask(query, LOADED):
            wish = {"pod": str(pod), "hardware": True, "dryrun": False}
            assert self.ended(self.ask_for(wish, "Remove pod")) == "SUCCESS", self.standing()


class Audit(Job):
    """A fan fails, and an audit of the whole pod is to find it."""

    job = "Audit pod"
    write = "UPDATE ON fabric_twin_auditrun"
    when = "NEW.scope = 'pod' AND NEW.state = 'done'"
    SWITCH = "iw1-ocs-y-3-3"

    def prepare(self) -> None:
        # A clock that jumped made all that was read old for as long.
        self.ended(self.ask_for(self.asked()))
        wait_until(self.nothing_runs, self.standing, ENDS_WITHIN)
        self.others = self.open_findings()
        self.fault = self.fabric.control("/faults", kind="fan-lost", device=self.SWITCH, unit=1)

    def judge(self, *, is_done: bool) -> None:
        """A run that says it looked at this switch found it."""
        wait_until(self.nothing_runs, self.standing, ENDS_WITHIN)
        runs = self.servers.ask(
            "SELECT not_reached FROM fabric_twin_auditrun WHERE state = 'done' AND scope = 'pod' "
            "AND job_result_id = ANY(%s::uuid[]) ORDER BY number",
            list(self._made()),
        )
        looked = [reached for (reached,) in runs if self.SWITCH not in reached]
        assert runs or not is_done, self.standing()
        if looked:
            wait_until(lambda: len(self.found()) == 1, self.standing, 60)

    def nothing_runs(self) -> bool:
        """Whether no audit looks, or is to look."""
        running = "SELECT count(*) FROM fabric_twin_auditrun WHERE state IN ('queued', 'running')"
        touched = "SELECT count(*) FROM fabric_twin_touch"
        return self.servers.ask(running) == self.servers.ask(touched) == [(0,)]

    def open_findings(self) -> set[tuple[str, str]]:
        """Code and place of what is there."""
        query = (
            "SELECT finding.key, finding.code FROM fabric_twin_finding finding "
            "JOIN fabric_twin_pod pod ON pod.id = finding.pod_id "
            "WHERE pod.name = %s AND finding.mended_at IS NULL"
        )
        return set(self.servers.ask(query, POD))

    def found(self) -> set[tuple[str, str]]:
        """What is there that was not."""
        return self.open_findings() - self.others

    def clean(self) -> None:
        self.fabric.control("/mend", number=self.fault["number"])
        self.ended(self.ask_for(self.asked()))
        wait_until(lambda: self.open_findings() == self.others, self.standing, ENDS_WITHIN)


class Sync(Job):
    """Somebody made a circuit by hand; a sync is to see it."""

    job, write = "Sync pod", "UPDATE ON fabric_twin_reading"
    SWITCH, PAIR = "iw1-ocs-z-3-3", ("58A", "59B")

    def prepare(self) -> None:
        self.fabric.apply({self.SWITCH: Change(add=frozenset({self.PAIR}))})

    def judge(self, *, is_done: bool) -> None:
        if is_done and self.SWITCH not in self.away:
            assert self.is_seen(), self.standing()

    def is_seen(self) -> int:
        """How many rows say that the circuit is seen."""
        query = (
            "SELECT count(*) FROM fabric_twin_opticalcircuit circuit "
            "JOIN fabric_twin_switch switch ON switch.id = circuit.switch_id "
            "JOIN dcim_device device ON device.id = switch.device_id "
            "WHERE device.name = %s AND a = 58 AND b = 59 AND seen"
        )
        return int(self.servers.ask(query, self.SWITCH)[0][0])

    def clean(self) -> None:
        self.fabric.apply({self.SWITCH: Change(delete=frozenset({self.PAIR}))})
        wait_until(lambda: not self.is_seen(), self.standing, ENDS_WITHIN)


class Ticket(Step):
    """Circuits by hand on three switches, in three stages."""

    write = "INSERT ON fabric_twin_ticketevent"
    when = "NEW.what = 'announce' AND NEW.said LIKE 'stage 2%'"
    trial: Trial

    def prepare(self) -> None:
        self.open = ExitStack()
        self.trial, self.moves = self.open.enter_context(self.bench.turn())

    def begin(self) -> None:
        self.trial.do("start", 202)

    def settle(self) -> None:
        self.trial.wait_for("done")
        self.trial.check("done", self.moves)
        history = [what for what in self.trial.history() if what != "take-over"]
        assert history[: len(PEOPLE) + 1] == [*PEOPLE, "start"]
        assert history.count("staged") == 3
        assert history[-1] == "finish"
        assert history.count("finish") == 1
        wait_until(lambda: set(self.trial.jobs()) <= ENDED, self.trial.standing, ENDS_WITHIN)

    def seen(self) -> str:
        another = "take-over" in self.trial.history()
        return "done by another worker" if another else "done"

    def clean(self) -> None:
        self.open.close()


class Order(Step):
    """A cube is taken away: the fabric blocks the first port."""

    write = "UPDATE ON fabric_twin_orderstep"
    when = "NEW.do = 'block' AND NEW.state = 'done' AND OLD.state <> 'done'"
    SLOT = 63

    def prepare(self) -> None:
        self.server = Server(self.stack)
        # Nothing of a session is kept over a restart of the web server.
        self.server.session.headers["Connection"] = "close"
        self.server.begin(kind="decommission", slots=str(self.SLOT))
        self.go, self.block = self.server.steps()[:2]
        assert self.block["do"] == "block"

    def begin(self) -> None:
        self.server.do([self.go])

    def settle(self) -> None:
        wait_until(lambda: self.state() == "done", self.standing, ENDS_WITHIN)
        assert self.is_blocked()
        asked = "SELECT count(*) FROM fabric_twin_workorder WHERE advance_asked IS NOT NULL"
        wait_until(lambda: self.servers.ask(asked) == [(0,)], self.standing, ENDS_WITHIN)

    def seen(self) -> str:
        return "done"

    def state(self) -> str:
        """How the step stands at which the port is blocked."""
        query = "SELECT state FROM fabric_twin_orderstep WHERE order_id = %s AND number = %s"
        [(state,)] = self.servers.ask(query, self.server.path.strip("/"), self.block["number"])
        return str(state)

    def is_blocked(self) -> bool:
        """What the switch itself says."""
        device = self.block["device"]
        targets = shared_targets(self.fabric.address, [device])
        with open_fabric(targets, (), self.fabric.access) as fabric:
            [state] = fabric.read_switches().all().values()
        return bool(state.ports[self.block["port"]].force_blocked)

    def standing(self) -> str:
        """All that may say why it does not go on."""
        order = (
            "SELECT state, advance_asked, advance_calls FROM fabric_twin_workorder WHERE id = %s"
        )
        parts = {one["name"]: one["state"] for one in self.servers.parts()}
        return f"{self.servers.ask(order, self.server.path.strip('/'))} {parts} {self.state()}"

    def clean(self) -> None:
        self.server.post(f"{self.server.path}withdraw/", said="The test is over")
        wait_until(lambda: not self.is_blocked(), self.standing, ENDS_WITHIN)


class Render(Job):
    """The port map of a switch."""

    job, write = "Render documents", "INSERT ON extras_fileproxy"
    #: No other step changes anything of it.
    SWITCH = "iw1-ocs-z-1-1"

    def asked(self) -> dict[str, Any]:
        query = (
            "SELECT switch.id FROM fabric_twin_switch switch "
            "JOIN dcim_device device ON device.id = switch.device_id WHERE device.name = %s"
        )
        [(switch,)] = self.servers.ask(query, self.SWITCH)
        return {"pod": self.pod(), "kind": "port-map", "form": "csv", "switch": str(switch)}

    def prepare(self) -> None:
        self._before, self.result = {}, self.ask_for(self.asked())
        assert self.ended(self.result) == "SUCCESS", self.standing()
        [self.quiet] = self.files([self.result])

    def judge(self, *, is_done: bool) -> None:
        done = [key for key, how in self._made().items() if how == "SUCCESS"]
        assert bool(done) >= is_done
        assert self.files(done) == [self.quiet] * len(done)

    def files(self, results: Collection[str]) -> list[bytes]:
        """The files of some results."""
        query = (
            "SELECT kept.bytes FROM extras_fileproxy proxy "
            "JOIN extras_fileattachment kept ON kept.filename = proxy.file "
            "WHERE proxy.job_result_id = ANY(%s::uuid[])"
        )
        return [bytes(content) for (content,) in self.servers.ask(query, list(results))]


STEPS: dict[str, type[Step]] = {
    "load": Load,
    "audit": Audit,
    "sync": Sync,
    "ticket": Ticket,
    "order": Order,
    "render": Render,
}
