"""Rings on the packet switches of a simulated cluster: sent, followed, and what goes wrong."""

import re
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.core.groups.examples import example
from tests.core.rings.clusters import cables, named
from tests.core.rings.follow import follow
from tests.openflow.simulated.controller import ask, rows
from tests.upstream.certificates import own_certificate

pytestmark = pytest.mark.integration

OF = ("--design", "groups-a", "--pod", "pg1")
LANE = "pg1-row-01-1-1"
RING = [["pg1-r01c01", "pg1-r01c02"]]


class Cluster:
    """A simulated cluster, and a state file with a job on two groups in one plane."""

    def __init__(self, run: Callable[..., Any], folder: Path, begin: Callable[..., Any]) -> None:
        self._run, self._begin, self._folder = run, begin, folder
        self.targets, self.state = folder / "switches.csv", folder / "now.json"
        asked = ("--job", "a", "--sequence", "8", "--axis", "layer=row-1-1")
        done = run("rings", "ask", *OF, *asked, "--groups", "r01c01,r01c02", "-o", str(self.state))
        assert done.exit_code == 0, done.stderr

    def start(self, *options: str) -> None:
        given = ("--slots", "1-4", "--openflow", str(self.targets), *options)
        self.simulator = self._begin(example("one-switch"), *OF, *given)
        self.every = self.targets.read_text()
        # The job passes one lane of one row: no others need to be asked.
        told = [line for line in self.every.splitlines() if line[:6] == "device" or LANE in line]
        self.targets.write_text("\n".join(told))

    def ask(self, verb: str, *options: str) -> Any:
        to = ("--state", str(self.state), "--targets", str(self.targets), *options)
        return self._run("rings", verb, *OF, *to)

    def breaks(self, kind: str, **wish: Any) -> int:
        return int(self.simulator.control("/faults", kind=kind, device=LANE, **wish)["number"])

    def rings(self) -> list[list[str]]:
        """What packets would pass, by the rows that a controller that is not ours reads."""
        goes = []
        for line in self.targets.read_text().splitlines()[1:]:
            name, address, _ = line.split(",")
            told = "\n".join(rows(address))
            ways = re.findall(r"in_port=(\d+) actions=output:(\d+)", told)
            goes += [(name, int(into), int(out)) for into, out in ways]
        found = follow(cables(named("groups-a")), goes, 4, 4)
        return [sorted({group for group, _ in ring}) for ring in found]


def free_ports(many: int) -> int:
    """The first of so many that nobody listens on, below those that systems give out."""
    for first in range(10_000, 32_000, many):
        with ExitStack() as tried, suppress(OSError):
            for port in range(first, first + many):
                one = tried.enter_context(socket.socket())
                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                one.bind(("127.0.0.1", port))
            return first
    raise AssertionError("there are no free ports")


@pytest.fixture
def cluster(run: Any, tmp_path: Path, begin_simulator: Callable[..., Any]) -> Cluster:
    return Cluster(run, tmp_path, begin_simulator)


def test_rings_are_sent_and_survive_a_restart_of_the_simulation(cluster: Cluster) -> None:
    kept = ("--state", str(cluster.state.with_name("fabric.npz")))
    at = ("--openflow-port", str(free_ports(624)))
    cluster.start(*at, *kept)
    first = cluster.every
    assert len(first.splitlines()) == 1 + 624
    sent = cluster.ask("send", "--insecure")
    assert sent.stdout.endswith("Done, and read back: the switches show what the rings need.\n")
    assert cluster.rings() == RING
    cluster.simulator.stop()

    cluster.start(*at, *kept)
    assert cluster.every == first
    assert cluster.rings() == RING
    cluster.simulator.stop()


def test_what_goes_wrong_is_said(cluster: Cluster) -> None:
    cluster.start()

    def say(verb: str) -> str:
        done = cluster.ask(verb, "--insecure")
        return str(done.stdout + done.stderr)

    fault = cluster.breaks("table-full")
    assert "it refuses: OFPFMFC_TABLE_FULL" in say("send")
    cluster.simulator.control("/mend", number=fault)

    fault = cluster.breaks("ignores-changes")
    assert "the switch acknowledged it, and does not show it" in say("send")
    cluster.simulator.control("/mend", number=fault)

    fault = cluster.breaks("loses-answers")
    assert "the switch did not answer" in say("send")
    cluster.simulator.control("/mend", number=fault)
    assert say("send").endswith("the switches show what the rings need.\n")
    assert cluster.rings() == RING

    for kind in ("flows-lost", "cube-down"):
        cluster.breaks(kind, **({} if kind == "flows-lost" else {"for": 0.01}))
        assert "what comes in at port 2 goes nowhere" in say("check")
        assert "Done, and read back" in say("send")

    fault = cluster.breaks("switch-replaced")
    assert "another switch answers at its address (datapath 0000030001000001)" in say("send")
    cluster.simulator.control("/mend", number=fault)
    assert "Clean: every ring closes" in say("check")

    cluster.breaks("cube-down")
    assert f"fabric-twin: {LANE}: it did not answer" in say("send")


def test_over_tls_only_who_shows_a_certificate_is_answered(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, certificate = own_certificate("controller")
    for name, content in (("key.pem", key), ("cert.pem", certificate)):
        (tmp_path / name).write_bytes(content)
    cluster.start("--tls", str(tmp_path / "tls"), "--client-ca", str(tmp_path / "cert.pem"))
    monkeypatch.setenv("FABRIC_TWIN_GNMI_CA", str(tmp_path / "tls" / "fabric-twin.pem"))
    refused = cluster.ask("send")
    assert refused.exit_code
    assert "nothing was sent" in refused.stderr
    monkeypatch.setenv("FABRIC_TWIN_GNMI_CERT", str(tmp_path / "cert.pem"))
    monkeypatch.setenv("FABRIC_TWIN_GNMI_KEY", str(tmp_path / "key.pem"))
    sent = cluster.ask("send")
    assert sent.stdout.endswith("Done, and read back: the switches show what the rings need.\n")


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(bytes.fromhex("0400000700000000"), id="too short"),
        pytest.param(bytes.fromhex("04000020"), id="cut off"),
        pytest.param(b"GET / HTTP/1.1\r\n\r\n", id="another protocol"),
    ],
)
def test_who_speaks_otherwise_ends_nothing(cluster: Cluster, message: bytes) -> None:
    cluster.start()
    address = cluster.simulator.said["openflow"][LANE]["address"]
    host, port = address.split(":")
    with socket.create_connection((host, int(port)), 10) as one:
        one.sendall(message)
        one.shutdown(socket.SHUT_WR)
        assert one.recv(8)[:1] == b"\4"
    assert ask(address, "dump-aggregate").lines[0].endswith("flow_count=0")


def test_faults_of_one_switch_do_not_undo_each_other(cluster: Cluster) -> None:
    cluster.start()
    cluster.ask("send", "--insecure")
    address = cluster.simulator.said["openflow"][LANE]["address"]

    def takes_more() -> bool:
        added = ask(address, "add-flow", "priority=7,in_port=9,actions=output:1")
        ask(address, "del-flows", "in_port=9")
        return not added.refusal

    # In whichever order they are mended.
    lost, replaced = cluster.breaks("flows-lost"), cluster.breaks("switch-replaced")
    cluster.simulator.control("/mend", number=lost)
    assert rows(address) == []
    cluster.simulator.control("/mend", number=replaced)
    assert cluster.rings() == RING
    lost = cluster.breaks("flows-lost")
    full = cluster.breaks("table-full")
    cluster.simulator.control("/mend", number=lost)
    assert not takes_more()
    replaced = cluster.breaks("switch-replaced")
    cluster.simulator.control("/mend", number=full)
    cluster.simulator.control("/mend", number=replaced)
    assert takes_more()
    assert cluster.rings() == RING


def test_ports_that_are_not_there_are_refused(run: Any, tmp_path: Path) -> None:
    given = (*OF, "--slots", "1", "--insecure")
    file = ("--openflow", str(tmp_path / "switches.csv"))
    refused = run("simulate", *given, *file, "--openflow-port", "65000")
    assert refused.stderr == (
        "fabric-twin: --openflow-port: there are no 624 ports from 65000 on. "
        "Choose 64912 at most.\n"
    )
    refused = run("simulate", *given, "--openflow-port", "7000")
    assert "--openflow-port needs --openflow FILE." in refused.stderr


def test_where_too_few_files_may_be_open_it_says_how_many_are_needed(tmp_path: Path) -> None:
    program = Path(sys.executable).with_name("fabric-twin")
    begin = f"ulimit -n 1024 && {program} simulate {' '.join(OF)} --slots 1 --insecure"
    command = ["bash", "-c", f"{begin} --openflow {tmp_path / 'switches.csv'}"]
    refused = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert refused.stderr == (
        "fabric-twin: --openflow: 624 switches need 2,128 open files, and 1,024 are allowed. "
        "Allow more (ulimit -n 2128), or simulate a smaller cluster.\n"
    )


def test_only_a_cluster_has_packet_switches(run: Any, tmp_path: Path) -> None:
    given = ("--design", "ironwood", "--pod", "iw", "--slots", "1", "--insecure")
    refused = run("simulate", *given, "--openflow", str(tmp_path / "switches.csv"))
    assert refused.exit_code == 2
    assert "--openflow is of packet switches: simulate a cluster of groups." in refused.stderr
