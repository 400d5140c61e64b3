"""The gNMI driver against `fabric-twin simulate`, which runs in a process of its own."""

import contextlib
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import grpc
import pytest

from fabric_twin.core.errors import NoAnswer, TooLate, UnusableInput
from fabric_twin.dialects import gnmi as pb
from fabric_twin.switches.changes import Change, Outcome
from fabric_twin.switches.driver import Access, Patience, Target
from fabric_twin.switches.finding import driver_names, find_driver, open_cube, open_switch
from fabric_twin.switches.gnmi import GnmiSwitch
from fabric_twin.switches.states import PortStatus

# One worker: simulators are shared by the tests of a module.
pytestmark = pytest.mark.integration

X11 = "iw-ocs-x-1-1"
QUICK = Patience(request=5, tuning=0.2, tries=2, pause=0.01)


def target(simulator: Any, name: str = X11) -> Target:
    return Target(name, simulator.said["gnmi"], called=name)


@pytest.fixture(scope="module")
def simulator(simulate: Callable[..., Any]) -> Any:
    return simulate(slots="1-2")


@pytest.fixture(scope="module")
def stepped(simulate: Callable[..., Any]) -> Any:
    return simulate("--step", slots="1-2")


def test_drivers_are_found_by_entry_point() -> None:
    assert driver_names() == ["gnmi", "openflow", "polatis"]
    assert find_driver("gnmi") is GnmiSwitch
    with pytest.raises(UnusableInput, match="there is no driver 'telnet'"):
        find_driver("telnet")


def test_a_change_is_done_once_and_then_already(simulator: Any) -> None:
    switch = open_switch(target(simulator, "iw-ocs-x-1-2"), Access(insecure=True), Patience())
    change = Change(add=frozenset({("1A", "2B")}), delete=frozenset({("5A", "5B")}))
    assert [r.outcome for r in switch.apply(change).circuits] == [Outcome.ALREADY, Outcome.DONE]
    again = switch.apply(change)
    assert [r.outcome for r in again.circuits] == [Outcome.ALREADY, Outcome.ALREADY]
    assert [r.why for r in again.circuits if not r.wanted] == ["does not exist"]
    back = switch.apply(Change(delete=frozenset({("1A", "2B")})))
    assert back.is_done
    assert back.state
    assert not back.state.carried
    switch.close()


def test_what_did_not_change_is_told_of_a_later_moment(simulator: Any) -> None:
    switch = open_switch(target(simulator, "iw-ocs-x-2-3"), Access(insecure=True), Patience())
    first, again = switch.read(), switch.read()
    assert again.told_at > first.told_at
    assert again.ports == first.ports
    assert switch.apply(Change(add=frozenset({("1A", "2B")}))).is_done
    assert switch.read().tuned == {("1A", "2B")}
    switch.close()


def test_a_refused_transaction_leaves_everything_as_it_was(simulator: Any) -> None:
    switch = open_switch(target(simulator, "iw-ocs-x-1-3"), Access(insecure=True), Patience())
    assert switch.apply(Change(add=frozenset({("1A", "2B")}))).is_done
    refused = switch.apply(Change(add=frozenset({("7A", "7B"), ("1A", "3B")})))
    assert {r.outcome for r in refused.circuits} == {Outcome.REFUSED}
    assert {r.why for r in refused.circuits} == {"port 1A is in circuit 1A to 2B"}
    assert switch.read().configured == {("1A", "2B")}
    switch.close()


def test_a_port_is_seen_tuning_first_and_tuned_when_its_time_has_come(stepped: Any) -> None:
    switch = open_switch(target(stepped), Access(insecure=True), QUICK)
    applied = switch.apply(Change(add=frozenset({("1A", "2B")})))
    assert [r.outcome for r in applied.circuits] == [Outcome.LATE]
    before = switch.read()
    assert before.ports["1A"].status is PortStatus.TUNING
    # The target is told at once, before the mirror is there.
    assert before.ports["1A"].target == "2B"
    assert not before.tuned
    stepped.control("/step", seconds=0.1)
    assert switch.read().tuned == {("1A", "2B")}
    switch.close()


def test_a_watch_tells_tuning_then_tuned(stepped: Any) -> None:
    watcher = open_switch(target(stepped, "iw-ocs-y-1-1"), Access(insecure=True), QUICK)
    changer = open_switch(target(stepped, "iw-ocs-y-1-1"), Access(insecure=True), QUICK)
    states = watcher.watch()
    assert not next(states).carried
    changer.apply(Change(add=frozenset({("2A", "1B")})))
    first = next(state for state in states if state.carried)
    assert {circuit.a_status for circuit in first.carried.values()} == {PortStatus.TUNING}
    stepped.control("/step", seconds=0.1)
    assert next(state for state in states if state.tuned).tuned == {("2A", "1B")}
    watcher.close()
    changer.close()


def test_a_watch_survives_a_switch_that_was_away_and_tells_the_whole_state(
    simulator: Any,
) -> None:
    name = "iw-ocs-y-2-2"
    watcher = open_switch(target(simulator, name), Access(insecure=True), QUICK)
    changer = open_switch(target(simulator, name), Access(insecure=True), QUICK)
    assert changer.apply(Change(add=frozenset({("1A", "1B")}))).is_done
    states = watcher.watch()
    assert next(states).tuned == {("1A", "1B")}
    fault = simulator.control("/faults", kind="switch-down", device=name)
    with pytest.raises(NoAnswer):
        changer.read()
    simulator.control("/mend", number=fault["number"])
    assert any(state.tuned == {("1A", "1B")} for state in islice(states, 20))
    watcher.close()
    assert list(states) == []
    changer.close()


def test_samples_come_again_and_again(simulator: Any) -> None:
    with grpc.insecure_channel(simulator.said["gnmi"]) as channel:
        elems = [pb.PathElem(name="interfaces")]
        subscription = pb.Subscription(
            path=pb.Path(elem=elems), mode=pb.SubscriptionMode.SAMPLE, sample_interval=50_000_000
        )
        wish = pb.SubscriptionList(
            prefix=pb.Path(target="iw-c001", origin="openconfig"),
            subscription=[subscription],
            encoding=pb.Encoding.JSON_IETF,
        )
        over = threading.Event()

        def requests() -> Any:
            yield pb.SubscribeRequest(subscribe=wish)
            over.wait(10)

        stub = pb.calls_on(channel)
        answers = list(islice(stub.Subscribe(requests(), timeout=60), 4))
        over.set()
    assert [answer.sync_response for answer in answers] == [False, True, False, False]


def test_what_does_not_answer_is_named_with_a_remedy_and_hides_nobody(simulator: Any) -> None:
    with simulator.fabric() as fabric:
        fault = simulator.control("/faults", kind="silent", device="iw-ocs-z-4-4")
        answers = fabric.read_switches()
        simulator.control("/mend", number=fault["number"])
    assert len(answers.given) == 47
    [(name, error)] = answers.missing.items()
    assert name == "iw-ocs-z-4-4"
    assert str(error).startswith("iw-ocs-z-4-4: it did not answer (iw-ocs-z-4-4 does not answer")
    assert simulator.said["gnmi"] in error.remedy
    with pytest.raises(NoAnswer, match="iw-ocs-z-4-4"):
        answers.all()


def test_a_closed_port_is_no_answer_in_time() -> None:
    switch = open_switch(Target(X11, "127.0.0.1:1"), Access(insecure=True), QUICK)
    with pytest.raises(NoAnswer, match="it did not answer"):
        switch.read()
    switch.close()


def test_who_speaks_to_one_address_in_one_way_shares_a_connection() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        two = [
            open_switch(Target(name, address, called=name), Access(), Patience(0.3, tries=1))
            for name in (X11, "iw-ocs-x-1-2")
        ]
        for switch in two:
            with pytest.raises(NoAnswer, match=r"did not answer within 0\.3 s"):
                switch.read()
        server.settimeout(0.1)
        with server.accept()[0], pytest.raises(TimeoutError):
            server.accept()
        for switch in two:
            switch.close()


def test_who_hangs_up_leaves_the_others_at_its_address_alone(simulator: Any) -> None:
    one, other = (
        open_switch(target(simulator, f"iw-ocs-x-4-{n}"), Access(insecure=True), Patience())
        for n in (1, 2)
    )
    watches = [one.watch(), other.watch()]
    assert [next(watch).name for watch in watches] == ["iw-ocs-x-4-1", "iw-ocs-x-4-2"]
    one.close()
    one.close()
    assert list(watches[0]) == []
    with pytest.raises(NoAnswer, match="the conversation is closed"):
        one.read()
    assert other.apply(Change(add=frozenset({("1A", "2B")}))).is_done
    assert any(state.tuned == {("1A", "2B")} for state in watches[1])
    other.close()


def test_without_tls_only_this_machine_is_spoken_to() -> None:
    with pytest.raises(UnusableInput, match="must not be contacted without TLS"):
        open_switch(Target(X11, "ocs.example:9339"), Access(insecure=True), Patience())


def test_tls_needs_trust_and_the_right_password_and_nothing_tells_it(
    simulate: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    secret = "correct horse"  # noqa: S105  # made up
    monkeypatch.setenv("FABRIC_TWIN_GNMI_USER", "reader")
    monkeypatch.setenv("FABRIC_TWIN_GNMI_PASSWORD", secret)
    simulator = simulate("--tls", str(tmp_path / "tls"), slots="1")
    monkeypatch.setenv("FABRIC_TWIN_GNMI_CA", str(tmp_path / "tls" / "fabric-twin.pem"))
    assert (tmp_path / "tls" / "fabric-twin.key").stat().st_mode & 0o777 == 0o600
    caplog.set_level(logging.DEBUG)
    access = Access.from_environment()
    assert secret not in repr(access)
    cube = open_cube(target(simulator, "iw-c001"), access, Patience())
    assert len(cube.read().ports) == 96
    cube.close()
    wrong = Access("reader", "battery staple", access.trusted)
    stranger = open_cube(target(simulator, "iw-c001"), wrong, Patience())
    with pytest.raises(NoAnswer, match="it refuses the login"):
        stranger.read()
    stranger.close()
    unsaid = open_cube(target(simulator, "iw-c001"), Access("reader", secret), Patience())
    with pytest.raises(UnusableInput, match="nothing says which certificate to trust"):
        unsaid.read()
    distrustful = open_cube(target(simulator, "iw-c001"), Access(), Patience(request=0.5, tries=1))
    with pytest.raises(NoAnswer, match="the TLS handshake failed") as refusal:
        distrustful.read()
    assert "FABRIC_TWIN_GNMI_CA" in refusal.value.remedy
    distrustful.close()
    assert secret not in caplog.text


def test_nothing_is_sent_when_the_time_for_it_is_over(simulator: Any) -> None:
    with open_switch_of(simulator) as switch:
        before = switch.read().configured
        change = Change(add=frozenset({("70A", "70B")}))
        with pytest.raises(TooLate) as refusal:
            switch.apply(change, until=time.monotonic() - 0.001)
        assert str(refusal.value) == (
            "iw-ocs-x-1-1: it was not told: the time in which it might be was over. "
            "The worker that holds the lease now does the rest."
        )
        assert switch.read().configured == before
        # Who has nothing to change only reads.
        assert switch.apply(Change(), until=0.0).is_done


@contextlib.contextmanager
def open_switch_of(simulator: Any) -> Iterator[Any]:
    switch = open_switch(target(simulator), Access(insecure=True), QUICK)
    yield switch
    switch.close()
