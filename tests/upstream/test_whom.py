"""Nothing is sent to, or believed of, a device that is not the recorded one."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import grpc
import pytest

from fabric_twin.core.identity import Answering, ConfirmedBy, Known, Told
from fabric_twin.switches.changes import Change, Hold
from fabric_twin.switches.driver import Access, Target
from fabric_twin.switches.finding import open_switch
from fabric_twin.switches.gnmi import GnmiSwitch
from fabric_twin.switches.whom import NotTheDevice
from tests.upstream.driven import NAME, PATIENCE, driven
from tests.upstream.manner import STRICT
from tests.upstream.server import Served, serve

SERIAL = "SN-0001"
CHANGE = Change(add=frozenset({("1A", "2B")}))
#: Everything that a driver does with a switch.
ALL: dict[str, Callable[[GnmiSwitch], Any]] = {
    "capabilities": lambda switch: switch.capabilities(),
    "read": lambda switch: switch.read(),
    "apply": lambda switch: switch.apply(CHANGE),
    "hold": lambda switch: switch.hold(Hold(block=frozenset({"1A"}))),
    "factory": lambda switch: switch.factory_losses([("1A", "2B")]),
    "watch": lambda switch: next(switch.watch()),
}


def known_as(known: Known, **facts: str) -> AbstractContextManager[tuple[GnmiSwitch, Served]]:
    """A switch that says who it is, and a driver that knows who should answer."""
    return driven(STRICT, known, **{"hostname": NAME, "serial": SERIAL, **facts})


@pytest.mark.parametrize("what", ALL)
@pytest.mark.parametrize(
    ("known", "answering", "words"),
    [
        (
            Known(NAME, "SN-0002", ConfirmedBy.PERSON),
            Answering.ANOTHER,
            f"another device answers at its address (serial {SERIAL}, {NAME}); recorded is serial "
            f"SN-0002, {NAME}",
        ),
        (
            Known("iw1-ocs-x-1-2", by=ConfirmedBy.LOAD),
            Answering.ANOTHER,
            f"another device answers at its address (serial {SERIAL}, {NAME}); recorded is "
            "iw1-ocs-x-1-2",
        ),
        (
            Known(NAME),
            Answering.NOT_CONFIRMED,
            f"nobody has confirmed who answers at its address (serial {SERIAL}, {NAME})",
        ),
    ],
    ids=["another serial", "another name", "not confirmed"],
)
def test_who_is_not_the_recorded_one_is_left_alone(
    known: Known, answering: Answering, words: str, what: str
) -> None:
    with known_as(known) as (driver, served):
        with pytest.raises(NotTheDevice) as refused:
            ALL[what](driver)
        assert served.record == []
    assert refused.value.what == words
    assert (refused.value.told, refused.value.answering) == (Told(NAME, SERIAL), answering)


@pytest.mark.parametrize(
    ("known", "facts"),
    [
        (Known("whatever", SERIAL), {}),
        (Known(NAME, by=ConfirmedBy.LOAD), {"serial": ""}),
        (Known(NAME, SERIAL), {"serial": "", "hostname": f"{NAME}.example.com"}),
        (Known(NAME, by=ConfirmedBy.TEST_CIRCUIT), {"serial": "", "hostname": "sonic"}),
    ],
    ids=["its serial", "its name", "its name in a domain", "it cannot tell, and was tested"],
)
def test_who_is_the_recorded_one_is_spoken_to(known: Known, facts: dict[str, str]) -> None:
    with known_as(known, **facts) as (driver, served):
        assert driver.apply(CHANGE).is_done
        assert len(served.record) == 1


@pytest.mark.parametrize("what", ALL)
def test_who_answers_is_asked_also_of_a_switch_that_was_read(what: str) -> None:
    with known_as(Known(NAME, SERIAL)) as (driver, served):
        first = driver.read()
        served.switch.put("STATE_DB", "CHASSIS_INFO", "chassis 1", {"serial": "SN-0666"})
        with pytest.raises(NotTheDevice, match="SN-0666"):
            ALL[what](driver)
        # Nothing of it is kept: not even what was read of the right one before.
        assert (driver._last, driver._rows, driver._dialect) == (None, {}, None)
        served.switch.put("STATE_DB", "CHASSIS_INFO", "chassis 1", {"serial": SERIAL})
        assert driver.read().ports == first.ports
        assert served.record == []


def test_who_looks_up_again_and_hangs_up_leaves_the_way_to_others() -> None:
    with serve(STRICT) as served:
        one, other = (
            open_switch(Target(name, served.address), Access(insecure=True), PATIENCE)
            for name in ("one", "other")
        )
        assert isinstance(one, GnmiSwitch)
        assert one.read().ports
        assert other.read().ports
        one._talk.look_up_again()
        assert one.read().ports
        one.close()
        one._talk.look_up_again()
        assert other.read().ports
        other.close()


def test_a_set_is_not_sent_again_to_who_answers_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection breaks while a Set is on its way, and another device has the address."""

    class Lost(grpc.RpcError):
        def code(self) -> grpc.StatusCode:
            return grpc.StatusCode.UNAVAILABLE

        def details(self) -> str:
            return "Connection reset by peer"

    with known_as(Known(NAME, SERIAL)) as (driver, served):
        driver.read()
        talk = driver._talk

        def lose(*_asked: Any, **_how: Any) -> None:
            served.switch.put("STATE_DB", "CHASSIS_INFO", "chassis 1", {"serial": "SN-0666"})
            raise Lost

        monkeypatch.setattr(talk._stub, "Set", lose)
        with pytest.raises(NotTheDevice, match="SN-0666"):
            driver.apply(CHANGE)
        assert served.record == []
