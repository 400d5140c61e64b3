"""Many targets at once: what is done while they are waited for."""

import threading
from typing import Any, cast

import pytest

from fabric_twin.core.errors import LeaseLost
from fabric_twin.switches.driver import SwitchDriver
from fabric_twin.switches.fabric import Fabric


class Slow:
    """A switch that answers when it is let."""

    def __init__(self) -> None:
        self.may = threading.Event()

    def read(self) -> Any:
        assert self.may.wait(60)
        return "an answer"

    def close(self) -> None:
        self.may.set()


def open_slow() -> tuple[Slow, Fabric]:
    slow = Slow()
    return slow, Fabric({"slow": cast(SwitchDriver, slow)}, {})


def test_something_is_done_again_and_again_until_all_have_answered() -> None:
    slow, fabric = open_slow()
    done: list[str] = []

    def renew() -> None:
        done.append("renewed")
        if len(done) == 3:
            slow.may.set()

    with fabric, fabric.meanwhile(renew, every=0.01):
        assert fabric.read_switches().all() == {"slow": "an answer"}
    assert done[:3] == ["renewed"] * 3


def test_what_goes_wrong_with_it_ends_the_wait() -> None:
    _, fabric = open_slow()

    def renew() -> None:
        raise LeaseLost("its lease is over", where="ticket t1")

    with fabric, fabric.meanwhile(renew, every=0.01), pytest.raises(LeaseLost):
        fabric.read_switches()


def test_who_has_no_time_hears_those_who_answered_and_waits_for_nobody_else() -> None:
    class Deaf(Slow):
        def close(self) -> None:
            """Its connection hangs still: whoever waited for its thread would wait for ever."""

    quick, deaf = Slow(), Deaf()
    quick.may.set()
    switches = {"quick": cast(SwitchDriver, quick), "deaf": cast(SwitchDriver, deaf)}
    with Fabric(switches, {}) as fabric:
        answers = fabric.read_switches(within=0.2)
    assert answers.given == {"quick": "an answer"}
    assert {name: str(why) for name, why in answers.missing.items()} == {
        "deaf": "deaf: it did not answer within 0.2 s. See whether it runs, and ask again."
    }
    deaf.may.set()
