"""Flow entries as circuits: what tickets and audits ask of a packet switch, on Open vSwitch."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from fabric_twin.core.errors import NoAnswer, NotAsAsked, NotPossible, TooLate
from fabric_twin.core.identity import Known
from fabric_twin.switches.changes import Change, Hold, Outcome
from fabric_twin.switches.driver import Access, Patience, Target
from fabric_twin.switches.finding import driver_names, open_switch
from fabric_twin.switches.networks import networks_of
from fabric_twin.switches.openflow.circuits import OpenFlowCircuits
from fabric_twin.switches.states import Pair, PortStatus
from tests.openflow.conftest import SWITCHES
from tests.openflow.open_vswitch import OpenVSwitch
from tests.openflow.relay import Relay
from tests.upstream.certificates import own_certificate

pytestmark = pytest.mark.integration

ROW_1 = next(iter(SWITCHES))
QUICK = Patience(request=2, tries=2, pause=0.01)
ADD = Change(add=frozenset({("2A", "3B"), ("4A", "1B")}))
#: A row of ours that somebody changed: it does more than an entry of a ring.
ODD = "cookie=0x465452494e470001,priority=16384,in_port=6,actions=output:7,output:8"


@contextmanager
def driver(
    address: str, access: Access | None = None, patience: Patience = QUICK
) -> Iterator[OpenFlowCircuits]:
    """A conversation with the first switch."""
    known = Known(ROW_1, SWITCHES[ROW_1].rjust(16, "0"))
    target = Target(ROW_1, address, driver="openflow", known=known)
    speaking = open_switch(target, access or Access(insecure=True), patience)
    assert isinstance(speaking, OpenFlowCircuits)
    with closing(speaking):
        yield speaking


@pytest.fixture
def switch(open_vswitch: OpenVSwitch) -> str:
    return open_vswitch.add(ROW_1, SWITCHES[ROW_1].rjust(16, "0"), ports=8)


def told(speaking: OpenFlowCircuits, change: Change) -> dict[Pair, tuple[Outcome, str]]:
    """What came of a change, by circuit."""
    return {one.pair: (one.outcome, one.why) for one in speaking.apply(change).circuits}


def test_it_is_found_by_its_name() -> None:
    assert "openflow" in driver_names()


def test_entries_are_made_and_read_as_circuits(switch: str, open_vswitch: OpenVSwitch) -> None:
    with driver(switch) as speaking:
        done = speaking.apply(ADD)
        assert done.is_done
        assert done.state
        assert done.state.configured == set(done.state.carried) == done.state.tuned == ADD.add
        ports = done.state.ports
        assert len(ports) == 16
        assert (ports["2A"].status, ports["2A"].target) == (PortStatus.TUNED, "3B")
        assert (ports["2B"].status, ports["2B"].target) == (PortStatus.BLOCKED, "")
        assert abs(done.state.told_at - time.time()) < 60
        # What is there is done already; what goes makes room for what comes.
        assert told(speaking, ADD) == dict.fromkeys(ADD.add, (Outcome.ALREADY, ""))
        moved = Change(frozenset({("2A", "3B")}), frozenset({("2A", "5B")}))
        assert speaking.apply(moved).is_done
        assert speaking.capabilities().version == "OpenFlow 1.3"
        state = speaking.read()
    assert state.configured == {("2A", "5B"), ("4A", "1B")}
    assert sorted(open_vswitch.goes([ROW_1], 8)) == [(ROW_1, 2, 5), (ROW_1, 4, 1)]


def test_a_change_of_nothing_only_reads(switch: str, open_vswitch: OpenVSwitch) -> None:
    with driver(switch) as speaking:
        done = speaking.apply(Change(), until=time.monotonic() - 1)
    assert (done.circuits, done.state and done.state.configured) == ((), frozenset())
    assert open_vswitch.flows(ROW_1) == []


@pytest.mark.parametrize(
    ("fate", "first", "second"),
    [
        (
            "refuse",
            (Outcome.REFUSED, "it refuses: OFPFMFC_TABLE_FULL"),
            (Outcome.NOT_DONE, "it was not sent, because of what was refused before"),
        ),
        (
            "lose",
            (Outcome.NOT_DONE, "the switch acknowledged it, and does not show it"),
            (Outcome.DONE, ""),
        ),
        (
            "late",
            (Outcome.NOT_KNOWN, "the switch did not answer (timed out)"),
            (Outcome.NOT_DONE, "it was not sent, because the switch did not answer before"),
        ),
    ],
)
def test_of_each_circuit_it_says_what_came_of_it(
    switch: str, fate: str, first: tuple[Outcome, str], second: tuple[Outcome, str]
) -> None:
    with Relay(switch, lambda number: fate if number == 1 else "pass") as relay:
        with driver(relay.address) as speaking:
            assert told(speaking, ADD) == {("2A", "3B"): first, ("4A", "1B"): second}
        relay.let_go.set()
        with driver(relay.address) as speaking:
            assert speaking.apply(ADD).is_done


def test_of_a_switch_that_falls_silent_nobody_knows(switch: str) -> None:
    with Relay(switch) as relay, driver(relay.address) as speaking:

        def falls_silent(_: int) -> str:
            relay.take_no_more()
            return "late"

        relay.fate = falls_silent
        done = speaking.apply(ADD)
    why = "it did not answer (connection refused)"
    assert [(one.outcome, one.why) for one in done.circuits] == [(Outcome.NOT_KNOWN, why)] * 2
    assert done.state is None


def test_nothing_is_sent_after_its_time(switch: str, open_vswitch: OpenVSwitch) -> None:
    with driver(switch) as speaking, pytest.raises(TooLate):
        speaking.apply(ADD, until=time.monotonic() - 1)
    assert open_vswitch.flows(ROW_1) == []


def test_what_was_not_sent_in_time_is_told(switch: str) -> None:
    until = time.monotonic() + 3

    def passed_on_when_it_is_over(_: int) -> str:
        time.sleep(max(0.0, until - time.monotonic()))
        return "pass"

    with (
        Relay(switch, passed_on_when_it_is_over) as relay,
        driver(relay.address, patience=Patience(request=30)) as speaking,
    ):
        done = [(one.outcome, one.why) for one in speaking.apply(ADD, until=until).circuits]
    late = "it was not sent, because the time in which it might be was over"
    assert done == [(Outcome.DONE, ""), (Outcome.NOT_DONE, late)]


def test_rows_of_ours_that_are_no_entries_are_no_circuits_and_stay(
    switch: str, open_vswitch: OpenVSwitch
) -> None:
    open_vswitch.change("add-flow", ROW_1, ODD)
    there = open_vswitch.flows(ROW_1)
    with driver(switch) as speaking:
        assert speaking.read().configured == frozenset()
        change = Change(frozenset({("6A", "7B")}), frozenset({("6A", "1B")}))
        assert told(speaking, change) == {
            ("6A", "7B"): (Outcome.ALREADY, "does not exist"),
            ("6A", "1B"): (Outcome.REFUSED, "it refuses: another row of ours has port 6"),
        }
    assert open_vswitch.flows(ROW_1) == there


@pytest.mark.parametrize(
    ("pair", "why"),
    [
        (("2A", "5B"), "port 2A is in circuit 2A to 3B"),
        (("5A", "3B"), "port 3B is in circuit 2A to 3B"),
        (("5A", "70B"), "it has no port 70; its ports are 1-8"),
        (("5B", "6A"), "5B to 6A is no flow entry"),
        (("0A", "6B"), "0A to 6B is no flow entry"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_sent(
    switch: str, open_vswitch: OpenVSwitch, pair: Pair, why: str
) -> None:
    with driver(switch) as speaking:
        speaking.apply(ADD)
        there = open_vswitch.flows(ROW_1)
        change = Change(frozenset({("4A", "1B")}), frozenset({pair}))
        refused = (Outcome.REFUSED, why)
        assert told(speaking, change) == {("4A", "1B"): refused, pair: refused}
    assert open_vswitch.flows(ROW_1) == there


def test_another_switch_is_neither_read_nor_changed(open_vswitch: OpenVSwitch) -> None:
    other = open_vswitch.add("other", "00000000000000b7", ports=8)
    with driver(other) as speaking:
        for ask in (speaking.read, lambda: speaking.apply(ADD)):
            with pytest.raises(NotAsAsked, match="another switch answers at its address"):
                ask()
    assert open_vswitch.flows("other") == []


def test_what_is_of_mirrors_is_refused_in_words(switch: str) -> None:
    with driver(switch) as speaking:
        for ask, what in (
            (lambda: speaking.hold(Hold(block=frozenset({"1A"}))), "no ports that can be blocked"),
            (speaking.watch, "no news of its flow entries"),
        ):
            with pytest.raises(NotPossible, match=f"a packet switch has {what}"):
                ask()


def test_an_address_in_no_network_that_is_named_is_not_contacted(switch: str) -> None:
    key, certificate = own_certificate()
    shown = Access(
        trusted=certificate,
        certificate=certificate,
        key=key,
        networks=networks_of(["10.7.0.0/16"]),
    )
    with driver(switch, shown) as speaking, pytest.raises(NotPossible, match="lies in no network"):
        speaking.read()


def test_it_speaks_tls_unless_told_otherwise(switch: str) -> None:
    _, certificate = own_certificate()
    with driver(switch, Access(trusted=certificate)) as speaking, pytest.raises(NoAnswer):
        speaking.read()
