"""A ticket of flow entries on Open vSwitch, while switches refuse and workers die."""

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.tickets.carrying import End
from fabric_twin.core.tickets.life import State
from fabric_twin.switches.changes import Change
from tests.openflow.open_vswitch import OpenVSwitch
from tests.openflow.relay import Relay
from tests.openflow.ticket_on_ovs import (
    AFTER,
    BEFORE,
    COURSE,
    ROW_1,
    ROW_2,
    Addresses,
    Entry,
    opened,
    work,
)
from tests.tickets.bench import facts_of, write

pytestmark = pytest.mark.integration

#: Of somebody else's job, and of nobody: neither is the ticket's.
OTHERS = Change(add=frozenset({("8A", "8B"), ("2A", "3B"), ("4A", "1B")}))
ODD = "cookie=0x465452494e470001,priority=16384,in_port=9,actions=output:7,output:8"
KEPT: list[Entry] = [(ROW_1, 9, 7), (ROW_1, 9, 8)]


@pytest.fixture
def addresses(cluster: OpenVSwitch) -> Addresses:
    """The switches as they are before, with rows that are not the ticket's."""
    with opened(cluster.addresses) as fabric:
        assert fabric.apply({ROW_1: OTHERS}).all()[ROW_1].is_done
    cluster.change("add-flow", ROW_1, ODD)
    return dict(cluster.addresses)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "journal.json"
    write(path, state="running", position=(1, "forward", 0), until=0.0)
    return path


def goes(ovs: OpenVSwitch) -> list[Entry]:
    """Where packets go by the ticket; what is not its own has to be there."""
    found = set(ovs.goes([ROW_1, ROW_2], 12))
    assert found.issuperset(KEPT)
    assert any("in_port=8 actions=IN_PORT" in row for row in ovs.flows(ROW_1))
    return sorted(found.difference(KEPT))


def test_a_ticket_is_done_and_read_back(
    cluster: OpenVSwitch, addresses: Addresses, journal: Path
) -> None:
    assert work(addresses, journal) == End(State.DONE)
    assert goes(cluster) == AFTER
    assert facts_of(journal)["seen"] == {
        ROW_1: ["2A-5B", "6A-1B", "8A-8B"],
        ROW_2: ["2A-3B", "4A-1B"],
    }


def test_what_a_switch_refuses_is_turned_round_and_undone(
    cluster: OpenVSwitch, addresses: Addresses, journal: Path
) -> None:
    with Relay(addresses[ROW_2], lambda _: "refuse") as relay:
        assert work(addresses | {ROW_2: relay.address}, journal) == End(State.UNDONE)
    assert goes(cluster) == BEFORE
    assert facts_of(journal)["turned"] == (
        f"2A to 3B on {ROW_2} of b should be there: the switch does not have it; it refuses: "
        "OFPFMFC_TABLE_FULL (1 more circuit is bad)"
    )


def test_the_entry_that_a_switch_refused_is_told_before_those_that_were_not_sent(
    cluster: OpenVSwitch, addresses: Addresses, journal: Path
) -> None:
    # By number 2->3 is sent before 10->9; in words 10A comes before 2A.
    late = Circuit(ROW_2, "10A", "9B", "b")
    course = replace(
        COURSE,
        stages=(
            *COURSE.stages[:-1],
            replace(COURSE.stages[-1], add=(*COURSE.stages[-1].add, late)),
        ),
    )
    with Relay(addresses[ROW_2], lambda _: "refuse") as relay:
        assert work(addresses | {ROW_2: relay.address}, journal, course=course) == End(State.UNDONE)
    assert facts_of(journal)["turned"] == (
        f"2A to 3B on {ROW_2} of b should be there: the switch does not have it; it refuses: "
        "OFPFMFC_TABLE_FULL (2 more circuits are bad)"
    )


def test_of_a_switch_that_is_silent_nothing_is_begun(
    cluster: OpenVSwitch, addresses: Addresses, journal: Path
) -> None:
    end = work(addresses | {ROW_2: "127.0.0.1:9"}, journal)
    assert end.state is State.FAILED
    assert goes(cluster) == BEFORE
    silent = f"{ROW_2} does not answer: it did not answer (connection refused)"
    assert facts_of(journal)["turned"] == silent


class Killed(BaseException):
    """kill -9."""


@pytest.mark.parametrize(
    "step",
    [
        "after announcing stage 1",
        "after passing stage 1",
        "before passing stage 2",
        "before ending done",
    ],
)
def test_who_comes_after_a_worker_that_was_killed_goes_on(
    cluster: OpenVSwitch, addresses: Addresses, journal: Path, step: str
) -> None:
    def dies(what: str) -> None:
        if what == step:
            raise Killed

    with pytest.raises(Killed):
        work(addresses, journal, dies)
    write(journal, until=0.0)
    assert work(addresses, journal) == End(State.DONE)
    assert goes(cluster) == AFTER


@pytest.mark.parametrize("moment", range(1, 5))
def test_a_worker_is_killed_while_a_switch_changes_and_the_next_one_does_the_rest(
    cluster: OpenVSwitch, addresses: Addresses, journal: Path, moment: int
) -> None:
    with Relay(addresses[ROW_1]) as relay:
        at = addresses | {ROW_1: relay.address}
        worker = [sys.executable, "-m", "tests.openflow.ticket_on_ovs", json.dumps(at)]
        killed = subprocess.Popen([*worker, journal], cwd=Path(__file__).parents[2])

        def kill(number: int) -> str:
            if number == moment:
                killed.kill()
                killed.wait(30)
            return "pass"

        relay.fate = kill
        assert killed.wait(60) == -signal.SIGKILL
    write(journal, until=0.0)
    assert work(addresses, journal) == End(State.DONE)
    assert goes(cluster) == AFTER
