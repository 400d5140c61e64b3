"""Every fault that the demo's fabric can have, found by a schedule, and by what switches tell.

pytest tests/e2e/test_every_fault.py -s     prints the table of docs/findings.md
"""

import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from fabric_twin.simulator.faults.book import KINDS
from fabric_twin.simulator.faults.forwarding import FORWARDING
from fabric_twin.simulator.faults.surprises import SURPRISES as SURPRISING
from fabric_twin.stack.processes import members_of
from fabric_twin.stack.simulated_fabric import POD
from fabric_twin.switches.changes import Change
from tests.e2e.conftest import Running, wait_until
from tests.e2e.demo_fabric import Fabric

SURPRISES = {kind.name for kind in SURPRISING}
#: Circuits of a slice, which these switches are asked for anew once they misbehave.
ASKED_AGAIN = ("iw1-ocs-y-4-1", "iw1-ocs-y-4-2", "iw1-ocs-y-4-3", "iw1-ocs-y-4-4")
Y41, Y42, Y43, Y44 = ASKED_AGAIN
#: What is broken; what it is found as, and words of the cause.
Fault = tuple[Mapping[str, Any], str, str]
#: Shown by a switch once it is asked for circuits.
MISBEHAVING: tuple[Fault, ...] = (
    ({"kind": "stuck-mirror", "device": Y41, "port": "1A"}, "port-failed", f"{Y41} port 1A"),
    ({"kind": "ignores-changes", "device": Y42}, "circuit-missing", f"{Y42} has not circuits"),
    ({"kind": "idle-mirrors", "device": Y43}, "circuit-missing", f"{Y43} took circuits"),
    ({"kind": "halves-changes", "device": Y44}, "circuit-missing", f"{Y44} has not circuit "),
)
#: Told by a switch as soon as it is so.
TOLD: tuple[Fault, ...] = (
    (
        {"kind": "feed-lost", "device": "iw1-ocs-z-1-1", "unit": 2},
        "power-lost",
        "z-1-1 has no power from PSU 2",
    ),
    (
        {"kind": "fan-lost", "device": "iw1-ocs-z-1-2", "unit": 1},
        "fan-lost",
        "z-1-2 has lost FAN 1",
    ),
    (
        {"kind": "board-out", "device": "iw1-ocs-z-1-3", "unit": 1},
        "board-out",
        "z-1-3 runs without LINE-CARD0",
    ),
)
#: Found by who looks.
SEEN: tuple[Fault, ...] = (
    (
        {"kind": "swapped", "cable": "iw1-c001:1.1.1/X-", "other": "iw1-c002:1.1.1/X-"},
        "swapped",
        "iw1-c001:1.1.1/X- and iw1-c002:1.1.1/X-",
    ),
    # Cube 100 is not loaded, so nobody misses its cable; its port takes another.
    ({"kind": "missing", "cable": "iw1-c100:4.2.1/X+"}, "", ""),
    (
        {
            "kind": "misplugged",
            "cable": "iw1-c004:4.2.1/X+",
            "device": "iw1-ocs-x-2-1",
            "port": "100A",
        },
        "dark",
        "iw1-c004:4.2.1/X+",
    ),
    ({"kind": "missing", "cable": "iw1-c005:4.3.1/X+"}, "dark", "iw1-c005:4.3.1/X+"),
    ({"kind": "broken", "cable": "iw1-c006:4.4.1/X+"}, "dark", "iw1-c006:4.4.1/X+"),
    (
        {"kind": "dirty", "device": "iw1-c008-t06", "port": "4.1.2/X+"},
        "high-loss",
        "the connector at iw1-c008-t06 port 4.1.2/X+ is dirty",
    ),
    (
        {"kind": "lossy-mirror", "device": "iw1-ocs-x-2-2", "port": "10A"},
        "high-loss",
        "iw1-ocs-x-2-2 loses",
    ),
    (
        {"kind": "dying-transceiver", "device": "iw1-c011-t08", "port": "4.3.2/X+"},
        "high-loss",
        "The module in iw1-c011-t08 port 4.3.2/X+",
    ),
    (
        {"kind": "wrong-transceiver", "device": "iw1-c013-t02", "port": "4.1.1/X+"},
        "wrong-part",
        "iw1-c013-t02 port 4.1.1/X+",
    ),
    (
        {"kind": "wrong-serial", "device": "iw1-c014-t02", "port": "4.1.1/X+"},
        "wrong-serial",
        "iw1-c014-t02 port 4.1.1/X+",
    ),
    ({"kind": "tray-down", "device": "iw1-c015-t01"}, "tray-down", "iw1-c015-t01 does not run"),
    (
        {"kind": "copper-down", "device": "iw1-c016", "link": "1.1.1/Y+"},
        "copper-down",
        "1.1.1/Y+ of iw1-c016",
    ),
    ({"kind": "cube-down", "device": "iw1-c033"}, "cube-down", "iw1-c033 does not answer"),
    (
        {"kind": "switch-down", "device": "iw1-ocs-z-1-4"},
        "switch-down",
        "iw1-ocs-z-1-4 does not answer",
    ),
    (
        {"kind": "switch-rebooting", "device": "iw1-ocs-z-2-1", "for": 3600},
        "switch-down",
        "iw1-ocs-z-2-1 does not answer",
    ),
    (
        {"kind": "addresses-exchanged", "device": "iw1-ocs-y-3-1", "other": "iw1-ocs-y-3-3"},
        "identity-exchanged",
        "iw1-ocs-y-3-1 and iw1-ocs-y-3-3",
    ),
    ({"kind": "silent", "device": "iw1-ocs-z-3-1"}, "stale", "iw1-ocs-z-3-1"),
    ({"kind": "absent", "device": "iw1-c061"}, "stale", "iw1-c061 reports no modules"),
    ({"kind": "answers-late", "device": "iw1-c063"}, "", ""),
    ({"kind": "loses-answers", "device": "iw1-ocs-z-4-4"}, "", ""),
)
#: Strands are exchanged in pairs of them; only those of blocks tell their rate; news is old after
#: five minutes. And what is found so far of the surprises of real switches is in
#: tests/diagnosis/test_surprises.py.
NOT_HERE = {"crossed", "stale", "slow", *SURPRISES}


class Night:
    """Breaks and mends the fabric, and reads over the API what was found."""

    def __init__(self, stack: Running) -> None:
        self.fabric, self._stack, self.api = Fabric(stack), stack, stack.api()
        self.twin = self.api.plugins.fabric_twin
        self._pod = self.twin.pods.get(name=POD)
        self._job = self.api.extras.jobs.get(name="Audit pod")
        #: What is wrong from the beginning, and the last run before: they are not of the test.
        self.known: set[str] = set()
        self._before = 0
        #: Faults that there are, by number, and when each could first be seen.
        self._made: dict[int, tuple[Fault, datetime]] = {}

    def begin(self) -> None:
        """Have what was called for done, and know what is wrong already."""
        self.audit()
        wait_until(self._stack.is_quiet)
        self.known = {finding.id for finding in self._there()}
        self._before = max(int(run.number) for run in self._runs())

    def new(self) -> list[Any]:
        """What is wrong, and was not before the test."""
        return [finding for finding in self._there() if finding.id not in self.known]

    def told(self) -> tuple[int, int]:
        """How many findings all runs since said to be new, and gone."""
        runs = [run for run in self._runs() if int(run.number) > self._before]
        return sum(run.new for run in runs), sum(run.gone for run in runs)

    def _there(self) -> list[Any]:
        return list(self.twin.findings.filter(pod=POD, is_there=True))

    def _runs(self) -> list[Any]:
        runs = self.twin.audit_runs.filter(pod=POD, state="done")
        return sorted(runs, key=lambda run: int(run.number))

    def break_all(self, *faults: Fault) -> None:
        for fault in faults:
            number = self.fabric.control("/faults", **fault[0])["number"]
            self._made[number] = fault, datetime.now(UTC)

    def mend_all(self) -> None:
        """The last first: a cable may stand where another belongs."""
        while self._made:
            number, _ = self._made.popitem()
            self.fabric.control("/mend", number=number)

    def look(self) -> int:
        """Each fault there is is found as what it is, and nothing else; how many they are."""
        left = self.new()
        ended = {
            key: datetime.fromisoformat(run.ended)
            for run in self._runs()
            for key in dict(run.keys)["new"]
        }
        faults = [made for made in self._made.values() if made[0][1]]
        for (wish, code, words), since in faults:
            found = [f for f in left if f.code == code and words in f.cause]
            assert len(found) == 1, (wish, code, words, [(f.code, f.cause) for f in left])
            [finding] = found
            left.remove(finding)
            seconds = (ended[finding.key] - since).total_seconds()
            print(f"| `{wish['kind']}` | `{code}` | {seconds:.0f} |")  # noqa: T201 - with -s
        assert left == []
        return len(faults)

    def runs(self, schedule: Any) -> list[Any]:
        """What beat had done so far, in order; nothing of it may fail."""
        results = list(self.api.extras.job_results.filter(scheduled_job=schedule.id))
        assert {result.status.value for result in results} <= {"PENDING", "STARTED", "SUCCESS"}
        done = {result.id for result in results if result.date_done}
        return [run for run in self._runs() if run.job_result and run.job_result.id in done]

    @contextmanager
    def scheduled(self) -> Iterator[Any]:
        """A schedule of Nautobot's that audits the pod every minute."""
        when = {"name": "Every minute", "interval": "custom", "crontab": "* * * * *"}
        self.api.extras.jobs.run(job_id=self._job.id, data={"pod": self._pod.id}, schedule=when)
        schedule = self.api.extras.scheduled_jobs.get(name=when["name"])
        try:
            yield schedule
        finally:
            schedule.delete()

    @contextmanager
    def nobody_told(self) -> Iterator[None]:
        """Nobody listens to switches meanwhile."""
        [watch] = [part for part in self._stack.status()["parts"] if part["name"] == "watch"]
        stopped = [process for process in members_of(watch["pid"]) if process.pid != watch["pid"]]
        for process in stopped:
            process.send(signal.SIGSTOP)
        try:
            self.begin()
            yield
        finally:
            for process in stopped:
                process.send(signal.SIGCONT)

    def audit(self) -> Any:
        """As somebody asks for it: its run."""
        result = self.api.extras.jobs.run(
            job_id=self._job.id, data={"pod": self._pod.id}
        ).job_result
        wait_until(lambda: result.full_details() and result.date_done)
        [run] = [run for run in self._runs() if run.job_result and run.job_result.id == result.id]
        return run


@pytest.fixture(scope="module")
def night(stack: Running) -> Night:
    """The pod's own schedules make way: one could come in the middle of a change."""
    night = Night(stack)
    for schedule in night.api.extras.scheduled_jobs.filter(name__ic=f"Audit {POD} "):
        schedule.delete()
    return night


def test_every_kind_of_fault_is_here() -> None:
    kinds = {str(wish["kind"]) for wish, _, _ in (*MISBEHAVING, *TOLD, *SEEN)}
    of_clusters = {kind.name for kind in FORWARDING}
    assert kinds | NOT_HERE | of_clusters == KINDS.keys()


def test_a_schedule_finds_each_fault_once_and_audits_see_each_mended(night: Night) -> None:
    asked = {switch: night.fabric.first_circuits(switch) for switch in ASKED_AGAIN}
    again = {switch: Change(add=pairs) for switch, pairs in asked.items()}
    with night.nobody_told():
        night.fabric.apply({switch: Change(delete=pairs) for switch, pairs in asked.items()})
        night.break_all(*MISBEHAVING)
        night.fabric.apply(again)
        night.break_all(*TOLD, *SEEN)
        with night.scheduled() as schedule:
            wait_until(lambda: night.runs(schedule))
            first = night.runs(schedule)[0]
        many, before = night.look(), len(night.known)
        assert (first.new, first.still, first.gone) == (many, before, 0)
        second = night.audit()
        assert (second.new, second.still, second.gone) == (0, many + before, 0)
        night.mend_all()
        night.fabric.apply(again)
        last = night.audit()
        assert (last.new, last.still, last.gone) == (0, before, many)
        assert night.told() == (many, many)


def test_what_a_switch_tells_is_found_before_any_schedule(night: Night) -> None:
    night.break_all(*TOLD)
    wait_until(lambda: len(night.new()) == len(TOLD))
    night.look()
    night.mend_all()
    wait_until(lambda: not night.new())
