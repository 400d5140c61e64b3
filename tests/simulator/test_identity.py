"""Who a switch says that it is: also behind a shared address, and at an exchanged one."""

from collections.abc import Callable
from typing import Any

import pytest
from pygnmi.client import gNMIclient

# One worker: simulators are shared by the tests of a module.
pytestmark = pytest.mark.integration

ONE, OTHER = "iw-ocs-x-1-1", "iw-ocs-x-1-2"
HOSTNAME = "sonic-db:CONFIG_DB/localhost/DEVICE_METADATA/localhost/hostname"
SERIAL = "sonic-db:STATE_DB/localhost/CHASSIS_INFO/chassis 1/serial"


def told(address: str, target: str | None) -> tuple[str, ...]:
    host, _, port = address.partition(":")
    with gNMIclient(target=(host, port), insecure=True) as client:
        answers = [client.get(path=[path], target=target) for path in (HOSTNAME, SERIAL)]
    return tuple(answer["notification"][0]["update"][0]["val"] for answer in answers)


@pytest.fixture(scope="module")
def simulator(simulate: Callable[..., Any]) -> Any:
    return simulate(slots="1-2")


def test_each_switch_behind_the_shared_address_tells_its_own_name_and_serial(
    simulator: Any,
) -> None:
    names = [told(simulator.said["gnmi"], switch) for switch in (ONE, OTHER)]
    assert names == [(ONE, "OCS00007919"), (OTHER, "OCS00112648")]


def test_who_answers_at_anothers_address_does_not_take_its_name(simulator: Any) -> None:
    fault = simulator.control("/faults", kind="addresses-exchanged", device=ONE, other=OTHER)
    assert told(simulator.said["gnmi"], ONE) == (OTHER, "OCS00112648")
    simulator.control("/mend", number=fault["number"])
    assert told(simulator.said["gnmi"], ONE) == (ONE, "OCS00007919")


@pytest.mark.parametrize(
    ("identity", "expected"),
    [("hostname", (ONE, "")), ("serial", ("", "OCS00007919")), ("none", ("", ""))],
)
def test_some_platforms_cannot_tell(
    simulate: Callable[..., Any], identity: str, expected: tuple[str, str]
) -> None:
    nameless = simulate("--identity", identity, slots="1")
    assert told(nameless.said["gnmi"], ONE) == expected
