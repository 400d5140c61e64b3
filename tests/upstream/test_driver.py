"""The product's driver against the second account of upstream's server, in all its manners."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from types import SimpleNamespace
from typing import Any

import grpc
import pytest

from fabric_twin.core.errors import NoAnswer
from fabric_twin.switches.changes import Change, Hold, Outcome
from fabric_twin.switches.driver import Access, Target
from fabric_twin.switches.finding import open_switch
from fabric_twin.switches.gnmi import GnmiSwitch
from fabric_twin.switches.states import FactoryLoss, PortStatus
from tests.upstream import driven as driven_by
from tests.upstream.driven import PATIENCE, driven
from tests.upstream.manner import BARE, BY_LEAF, CHECKPOINT, MANNERS, OLD_RELEASE, STRICT, Manner
from tests.upstream.server import Served, serve
from tests.upstream.words import failed

#: A circuit of somebody else, and a label of theirs.
THEIRS = ("7A", "9B")
CIRCUITS = "/CONFIG_DB/localhost/OCS_CROSS_CONNECT/"
EACH = pytest.mark.parametrize("manner", MANNERS, ids=lambda manner: manner.name)


def circuits(served: Served) -> set[str]:
    return set(served.switch.tables("CONFIG_DB").get("OCS_CROSS_CONNECT", {}))


@EACH
def test_it_reads_what_is_there_whatever_the_form(manner: Manner) -> None:
    with driven(manner, circuits={"7A-9B": THEIRS}) as (driver, _):
        state = driver.read()
        assert driver.capabilities().dialect == "upstream"
    assert state.configured == state.tuned == {THEIRS}
    assert (len(state.ports), state.ports["7A"].target) == (32, "9B")
    assert state.ports["1A"].status is PortStatus.BLOCKED
    assert (state.serial, state.fans, state.power) == (
        "SN-0001",
        {"FAN 1": True, "FAN 2": True},
        {"PSU 1": True, "PSU 2": True},
    )


@pytest.mark.parametrize("manner", [STRICT, BY_LEAF], ids=lambda manner: manner.name)
def test_it_asks_each_database_once_and_a_table_without_rows_apart(manner: Manner) -> None:
    with driven(manner, circuits={"7A-9B": THEIRS}) as (driver, served):
        driver.read()  # it learns the dialect
        for _ in range(2):
            served.switch.gets.clear()
            driver.read()
            # The third is for the boards, of which this switch has no row.
            assert sorted(served.switch.gets) == ["CONFIG_DB", "STATE_DB", "STATE_DB"]


@EACH
def test_its_changes_leave_all_else_as_it_was(manner: Manner) -> None:
    with driven(manner, circuits={"7A-9B": THEIRS}) as (driver, served):
        added = driver.apply(Change(add=frozenset({("1A", "2B"), ("3A", "4B")})))
        assert added.is_done, added
        assert circuits(served) == {"7A-9B", "1A-2B", "3A-4B"}
        moved = driver.apply(
            Change(delete=frozenset({("1A", "2B")}), add=frozenset({("1A", "5B")}))
        )
        assert moved.is_done, moved
        assert circuits(served) == {"7A-9B", "3A-4B", "1A-5B"}
        # Deletes and adds of a stage are one Set.
        assert len(served.record) == 2
        assert (served.record[1].deletes, served.record[1].updates) == (
            [f"{CIRCUITS}1A-2B"],
            [(f"{CIRCUITS}1A-5B", {"a_side": "1A", "b_side": "5B"})],
        )


@pytest.mark.parametrize("manner", [BARE, OLD_RELEASE, STRICT], ids=lambda manner: manner.name)
def test_the_first_circuit_of_a_switch_is_made_and_the_last_goes(manner: Manner) -> None:
    with driven(manner) as (driver, served):
        assert driver.read().configured == frozenset()
        assert driver.apply(Change(add=frozenset({("1A", "2B")}))).is_done
        assert driver.apply(Change(add=frozenset({("3A", "4B")}))).is_done
        assert circuits(served) == {"1A-2B", "3A-4B"}
        every = frozenset({("1A", "2B"), ("3A", "4B")})
        assert driver.apply(Change(delete=every)).is_done
        assert driver.read().configured == frozenset()


@pytest.mark.parametrize("manner", [BARE, OLD_RELEASE, STRICT], ids=lambda manner: manner.name)
def test_the_first_circuit_is_made_also_when_a_stale_one_is_to_go(manner: Manner) -> None:
    with driven(manner) as (driver, served):
        stale = {"a_side": "5A", "b_side": "6B", "a_side_status": "tuned", "b_side_status": "tuned"}
        served.switch.put("STATE_DB", "OCS_CROSS_CONNECT", "5A-6B", stale)
        change = Change(delete=frozenset({("5A", "6B")}), add=frozenset({("1A", "2B")}))
        assert driver.apply(change).is_done
        assert circuits(served) == {"1A-2B"}


def test_who_made_the_table_meanwhile_keeps_his_circuit() -> None:
    """The row is refused for want of a table; before it is made, the table is there."""
    with driven(OLD_RELEASE) as (driver, served):
        driver.read()
        send = driver._talk.set

        def late(*asked: object) -> None:
            try:
                send(*asked)  # type: ignore[arg-type]
            finally:
                served.switch.put(
                    "CONFIG_DB", "OCS_CROSS_CONNECT", "7A-9B", {"a_side": "7A", "b_side": "9B"}
                )

        driver._talk.set = late  # type: ignore[method-assign]
        refused = driver.apply(Change(add=frozenset({("1A", "2B")})))
        assert {report.outcome for report in refused.circuits} == {Outcome.REFUSED}
        assert circuits(served) == {"7A-9B"}


@EACH
def test_a_port_is_blocked_and_released_and_keeps_its_label(manner: Manner) -> None:
    with driven(manner) as (driver, served):
        if not manner.bare:
            row = {"label": "Link to r1 p1 RX", "state": "normal"}
            served.switch.put("CONFIG_DB", "OCS_PORT", "3A", row)
        blocked = driver.hold(Hold(block=frozenset({"3A", "4B"})))
        assert {p for p, port in blocked.ports.items() if port.force_blocked} == {"3A", "4B"}
        released = driver.hold(Hold(release=frozenset({"3A"})))
        assert {p for p, port in released.ports.items() if port.force_blocked} == {"4B"}
        ports = served.switch.tables("CONFIG_DB")["OCS_PORT"]
    assert ports["3A"]["state"] == "normal"
    assert ports["3A"].get("label", "") == ("" if manner.bare else "Link to r1 p1 RX")


def test_a_row_that_tells_no_sides_hides_no_other() -> None:
    with driven(STRICT, circuits={"7A-9B": THEIRS}) as (driver, served):
        for key in ("1A-6B", "half", "2A-"):
            served.switch.put("STATE_DB", "OCS_CROSS_CONNECT", key, {"a_side_status": "tuned"})
            served.switch.put("CONFIG_DB", "OCS_CROSS_CONNECT", key, {"a_side": "1A"})
        state = driver.read()
    assert state.configured == {THEIRS, ("1A", "6B")}
    assert {pair: one.a_status for pair, one in state.carried.items()} == {
        THEIRS: PortStatus.TUNED,
        ("1A", "6B"): PortStatus.TUNED,
    }


@pytest.mark.parametrize("manner", [OLD_RELEASE, STRICT], ids=lambda manner: manner.name)
def test_a_circuit_is_deleted_by_the_key_of_its_row(manner: Manner) -> None:
    odd = {"patch 7": THEIRS, "1A-2B": ("1A", "2B"), "again": ("1A", "2B")}
    with serve(manner, circuits=odd) as served, serve_another(served) as driver:
        assert driver.apply(Change(delete=frozenset({("1A", "2B")}))).is_done
        assert circuits(served) == {"patch 7"}
        assert driver.apply(Change(delete=frozenset({THEIRS}))).is_done
        assert circuits(served) == set()


def test_a_row_that_is_another_circuit_is_not_overwritten() -> None:
    adding = Change(add=frozenset({("1A", "2B")}))
    with driven(STRICT, circuits={"1A-2B": ("3A", "4B")}) as (driver, served):
        [refused] = driver.apply(adding).circuits
        assert (refused.outcome, refused.why) == (Outcome.REFUSED, "row 1A-2B is circuit 3A to 4B")
        assert served.record == []
        assert driver.apply(replace(adding, delete=frozenset({("3A", "4B")}))).is_done
        assert driver.read().configured == {("1A", "2B")}


def test_a_circuit_that_has_a_row_by_another_key_gets_no_second_one() -> None:
    odd = {"patch 7": ("1A", "2B")}
    with driven(STRICT, circuits=odd) as (driver, served):
        served.switch.failing.add("1A")
        served.switch.put("STATE_DB", "OCS_CROSS_CONNECT", "patch 7", {"a_side_status": "failed"})
        assert not driver.apply(Change(add=frozenset({("1A", "2B")}))).is_done
        assert served.record == []
        assert circuits(served) == {"patch 7"}


STALE = {"a_side": "1A", "b_side": "6B", "a_side_status": "tuned", "b_side_status": "tuned"}


def test_a_port_of_a_stale_circuit_is_given_to_no_other_until_that_goes() -> None:
    """A switch of metal once carried 1A-29B and 1A-41B at the same time (sonic-mgmt 25382)."""
    with driven(STRICT, circuits={"7A-9B": THEIRS}) as (driver, served):
        served.switch.put("STATE_DB", "OCS_CROSS_CONNECT", "1A-6B", STALE)
        adding = Change(add=frozenset({("1A", "2B")}))
        [refused] = driver.apply(adding).circuits
        assert (refused.outcome, refused.why) == (
            Outcome.REFUSED,
            "port 1A is in circuit 1A to 6B, which is not configured",
        )
        assert served.record == []
        assert driver.apply(replace(adding, delete=frozenset({("1A", "6B")}))).is_done
        assert circuits(served) == {"7A-9B", "1A-2B"}


def test_a_circuit_is_not_done_while_its_port_is_carried_in_another_too() -> None:
    with driven(STRICT) as (driver, served):
        settle = served.switch.configure

        def leave_stale(tables: Any) -> None:
            settle(tables)
            served.switch.put("STATE_DB", "OCS_CROSS_CONNECT", "1A-6B", STALE)

        served.switch.configure = leave_stale  # type: ignore[method-assign]
        [made] = driver.apply(Change(add=frozenset({("1A", "2B")}))).circuits
        assert (made.outcome, made.why) == (
            Outcome.NOT_CARRIED,
            "one of its ports is in circuit 1A to 6B too",
        )
        # Nor is it done when it is asked for again.
        assert not driver.apply(Change(add=frozenset({("1A", "2B")}))).is_done


@pytest.mark.parametrize("code", ["UNKNOWN", "INTERNAL", "CANCELLED", "UNAVAILABLE"])
def test_what_was_done_and_not_acknowledged_is_done(code: str) -> None:
    unsaved = replace(STRICT, unsaved=grpc.StatusCode[code])
    with driven(unsaved, circuits={"7A-9B": THEIRS}) as (driver, served):
        moved = driver.apply(Change(delete=frozenset({THEIRS}), add=frozenset({("7A", "2B")})))
        assert moved.is_done, moved
        assert {report.outcome for report in moved.circuits} == {Outcome.DONE}
        assert circuits(served) == {"7A-2B"}
        assert driver.hold(Hold(block=frozenset({"3A"}))).ports["3A"].force_blocked


def test_what_is_made_after_its_time_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its state is told already; while it is saved, its configuration is of before."""
    monkeypatch.setattr(driven_by, "PATIENCE", replace(PATIENCE, request=1, tuning=1))
    with driven(replace(CHECKPOINT, set_seconds=5), circuits={"7A-9B": THEIRS}) as (driver, _):
        adding = driver.apply(Change(add=frozenset({("1A", "2B")})))
        assert [(report.outcome, report.why) for report in adding.circuits] == [
            (Outcome.NOT_KNOWN, "it did not answer within 1 s")
        ]


def test_who_did_not_answer_and_then_refuses_may_still_be_at_it() -> None:
    """A second Set is refused while the first is saved: what is read back is no verdict yet."""
    with driven(STRICT, circuits={"7A-9B": THEIRS}) as (driver, served):
        driver.read()
        real, sent = driver._talk._stub, list[Any]()

        def slow(request: Any, **_: Any) -> Any:
            sent.append(request)
            raise Lost(*ANSWERS[len(sent) - 1])

        stub = SimpleNamespace(Get=real.Get, Set=slow)
        driver._talk.__dict__["_stub"] = stub
        with pytest.raises(NoAnswer, match="did not answer at first, and then refused"):
            driver.apply(Change(delete=frozenset({THEIRS}), add=frozenset({("7A", "2B")})))
        # Nor is anything sent a third time, such as first rows of a table that seems to have none.
        assert len(sent) == 2
        assert circuits(served) == {"7A-9B"}


ANSWERS = [
    (grpc.StatusCode.DEADLINE_EXCEEDED, "late"),
    (grpc.StatusCode.UNKNOWN, "a change is under way"),
]


class Lost(grpc.RpcError):  # type: ignore[misc]  # of no type
    def __init__(self, code: grpc.StatusCode, words: str) -> None:
        self.code, self.details = (lambda: code), (lambda: words)


def test_what_is_refused_leaves_a_hold_as_it_was() -> None:
    with driven(STRICT) as (driver, served):
        driver.read()
        served.switch.configure = refusing  # type: ignore[method-assign]
        with pytest.raises(NoAnswer, match="it refused: UNKNOWN: no"):
            driver.hold(Hold(block=frozenset({"3A"})))
        refused = driver.apply(Change(add=frozenset({("1A", "2B")})))
        assert [(r.outcome, r.why) for r in refused.circuits] == [(Outcome.REFUSED, "UNKNOWN: no")]


def refusing(_tables: object) -> None:
    raise failed("no")


@EACH
def test_what_the_factory_measured_is_told_of_pairs_that_it_knows(manner: Manner) -> None:
    with driven(manner) as (driver, _):
        pairs = [("1A", "2B"), ("16A", "16B"), ("17A", "1B"), ("2A", "1B")]
        told = driver.factory_losses(pairs)
        assert told == dict.fromkeys([pairs[0], pairs[1], pairs[3]], FactoryLoss(1.5, 0.1))
        assert driver.factory_losses([("17A", "1B")]) == {}


@EACH
def test_a_watch_tells_of_both_databases(manner: Manner) -> None:
    quick = replace(manner, set_seconds=0)
    with (
        driven(quick, circuits={"7A-9B": THEIRS}) as (driver, served),
        serve_another(served) as other,
    ):
        states = driver.watch()
        assert next(states).tuned == {THEIRS}
        assert other.apply(Change(add=frozenset({("1A", "2B")}))).is_done
        both = {THEIRS, ("1A", "2B")}
        assert any(state.tuned == both == state.configured for state in islice(states, 20))
        served.switch.put("STATE_DB", "FAN_INFO", "FAN 1", {"presence": "True", "status": "False"})
        assert any(not state.fans["FAN 1"] for state in islice(states, 20))
        driver.close()
        assert list(states) == []


def test_a_watch_waits_until_a_switch_that_starts_has_filled_its_tables() -> None:
    with driven(STRICT, circuits={"7A-9B": THEIRS}) as (driver, served):
        driver.read()
        full = served.switch.databases["STATE_DB"]
        served.switch.databases["STATE_DB"] = {}
        states = driver.watch()
        threading.Timer(0.3, served.switch.databases.update, [{"STATE_DB": full}]).start()
        assert next(states).tuned == {THEIRS}


@contextmanager
def serve_another(served: Served) -> Iterator[GnmiSwitch]:
    """Another client of the same switch."""
    other = open_switch(Target("iw1-ocs-x-1-1", served.address), Access(insecure=True), PATIENCE)
    assert isinstance(other, GnmiSwitch)
    yield other
    other.close()


def test_while_another_one_sets_the_state_is_believed() -> None:
    slow = replace(CHECKPOINT, set_seconds=1.0)
    with (
        driven(slow, circuits={"7A-9B": THEIRS}) as (driver, served),
        serve_another(served) as other,
    ):
        driver.read()
        adding, both = Change(add=frozenset({("1A", "2B")})), {THEIRS, ("1A", "2B")}
        mine = threading.Thread(target=other.apply, args=(adding,))
        mine.start()
        while len(served.switch.tables("STATE_DB")["OCS_CROSS_CONNECT"]) < 2:
            time.sleep(0.01)
        between = driver.read()
        assert (between.configured, set(between.carried)) == ({THEIRS}, both)
        # The same is wanted here: it waits for the configuration to follow.
        assert driver.apply(adding).is_done
        mine.join()


@pytest.mark.parametrize("manner", [STRICT, BY_LEAF], ids=lambda manner: manner.name)
def test_what_is_no_optical_switch_is_refused_in_words(manner: Manner) -> None:
    with driven(manner) as (driver, served):
        served.switch.databases["STATE_DB"] = {"FAN_INFO": {"FAN 1": {"presence": "True"}}}
        with pytest.raises(NoAnswer, match="it has no port in any of the tables OCS_PORT, "):
            driver.read()
