"""The cases of sonic-mgmt's test plan for optical circuit switches, written anew, over gNMI.

Configuration, state and light must agree after every change. The command line's three modes are
transactions here: *safe* adds where ports are free, *update* takes what is in the way along,
*overwrite* replaces all. What is in the way is for the client to see: the server looks at no port.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from pygnmi.client import gNMIclient, gNMIException

# One worker: simulators are shared by the tests of a module.
pytestmark = pytest.mark.integration

SWITCH, CUBE = "iw-ocs-z-2-3", "iw-c001"
CONFIG = "sonic-db:CONFIG_DB/localhost"
TABLE = f"{CONFIG}/OCS_CROSS_CONNECT"
#: Names that each dialect gives to the same things.
NAMES = {
    "upstream": ("OCS_PORT", "status", "tuned", "OCS_CROSS_CONNECT", "state"),
    "kvm": (
        "OCS_PORT_TABLE",
        "oper_status",
        "connected",
        "OCS_CROSS_CONNECT_TABLE",
        "config_status",
    ),
}


def rows(pairs: Iterable[str]) -> dict[str, dict[str, str]]:
    return {pair: dict(zip(("a_side", "b_side"), pair.split("-"), strict=True)) for pair in pairs}


class Switch:
    """One switch under test, as a client of its own sees it."""

    def __init__(self, client: gNMIclient, dialect: str) -> None:
        self.client, names = client, NAMES[dialect]
        self.ports, self.status, self.tuned, self.circuits, self.forced = names

    def read(self, path: str, target: str = SWITCH) -> Any:
        """What is at a path; of a table without rows, none."""
        try:
            answer = self.client.get(path=[path], target=target, encoding="json_ietf")
        except gNMIException as refusal:
            if "Failed to find" not in str(refusal):
                raise
            return {}
        told = answer.get("notification")
        return told[0]["update"][0]["val"] if told else {}

    def commit(self, **change: Any) -> None:
        self.client.set(**change, target=SWITCH, encoding="json_ietf")

    def add(self, *pairs: str, delete: Iterable[str] = ()) -> None:
        """Rows, each by its path, and nothing else."""
        update = [(f"{TABLE}/{pair}", row) for pair, row in rows(pairs).items()]
        self.commit(update=update, delete=[f"{TABLE}/{key}" for key in delete])

    def safe(self, *pairs: str) -> None:
        assert not self.in_the_way(*pairs)
        self.add(*pairs)

    def update(self, *pairs: str) -> None:
        self.add(*pairs, delete=self.in_the_way(*pairs))

    def overwrite(self, *pairs: str) -> None:
        # An update of a table replaces every row; there is no table without rows.
        self.commit(**({"update": [(TABLE, rows(pairs))]} if pairs else {"delete": [TABLE]}))

    def delete(self, *pairs: str) -> None:
        if self.configured <= set(pairs):
            self.commit(delete=[TABLE])
        else:
            self.commit(delete=[f"{TABLE}/{pair}" for pair in pairs])

    def in_the_way(self, *pairs: str) -> list[str]:
        """Circuits that share a port with these."""
        wanted = {port for pair in pairs for port in pair.split("-")}
        return [k for k in self.configured if wanted & set(k.split("-")) and k not in pairs]

    @property
    def configured(self) -> set[str]:
        return set(self.read(TABLE))

    @property
    def carried(self) -> set[str]:
        return set(self.read(f"sonic-db:STATE_DB/localhost/{self.circuits}"))

    @property
    def lit(self) -> dict[str, str]:
        """Ports that are tuned, and their targets."""
        table = self.read(f"sonic-db:STATE_DB/localhost/{self.ports}")
        return {
            port: row["target_simplex_port_id"]
            for port, row in table.items()
            if row[self.status] == self.tuned
        }

    @property
    def heard(self) -> str | None:
        """Which cube the first cube hears over this switch."""
        tree = self.read("openconfig:lldp/interfaces", CUBE)
        for row in tree["interface"]:
            if row["name"] == "2.3.4/Z+":
                return str(row["neighbors"]["neighbor"][0]["state"]["system-name"])
        return None


@pytest.fixture(scope="module", params=NAMES)
def running(request: pytest.FixtureRequest, simulate: Callable[..., Any]) -> Any:
    simulator = simulate("--dialect", request.param)
    simulator.dialect = request.param
    return simulator


@pytest.fixture
def switch(running: Any) -> Iterator[Switch]:
    host, _, port = running.said["gnmi"].partition(":")
    with gNMIclient(target=(host, port), insecure=True) as client:
        switch = Switch(client, running.dialect)
        switch.overwrite()
        yield switch


@pytest.fixture
def agrees(switch: Switch, eventually: Callable[..., Any]) -> Callable[..., bool]:
    """Whether configuration, state and port states come to show these circuits, and no others."""

    def agrees(*pairs: str) -> bool:
        both = [pair.split("-") for pair in pairs]
        lit = dict(both) | {b: a for a, b in both}
        assert switch.configured == set(pairs)
        found: bool = eventually(lambda: switch.lit == lit)
        return found and switch.carried == set(pairs)

    return agrees


MODES = ["safe", "update", "overwrite"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("pairs", [("1A-2B",), ("1A-2B", "2A-1B", "144A-144B")])
def test_single_and_batch_are_seen_in_configuration_state_and_light(
    switch: Switch, agrees: Callable[..., bool], mode: str, pairs: tuple[str, ...]
) -> None:
    getattr(switch, mode)(*pairs)
    assert agrees(*pairs)
    assert switch.heard == "iw-c002-t03"
    switch.delete(*pairs)
    assert agrees()
    assert switch.heard is None


def test_a_port_in_two_circuits_is_told_of_both_and_lights_the_last(
    switch: Switch, eventually: Callable[..., Any]
) -> None:
    switch.safe("1A-4B")
    assert eventually(lambda: switch.lit == {"1A": "4B", "4B": "1A"})
    assert switch.heard != "iw-c002-t03"
    switch.add("1A-2B")
    assert switch.configured == switch.carried == {"1A-4B", "1A-2B"}
    assert eventually(lambda: switch.lit == {"1A": "2B", "2B": "1A", "4B": "1A"})
    assert switch.heard == "iw-c002-t03"


def test_safe_adds_again_what_is_there(switch: Switch, agrees: Callable[..., bool]) -> None:
    switch.safe("1A-2B")
    switch.safe("1A-2B")
    assert agrees("1A-2B")


def test_update_takes_ports_from_other_circuits(
    switch: Switch, agrees: Callable[..., bool]
) -> None:
    switch.safe("1A-1B", "2A-2B", "3A-3B")
    switch.update("1A-2B")
    assert agrees("1A-2B", "3A-3B")


def test_overwrite_leaves_nothing_else(switch: Switch, agrees: Callable[..., bool]) -> None:
    switch.safe("1A-1B", "2A-2B", "3A-3B")
    switch.overwrite("1A-2B", "4A-4B")
    assert agrees("1A-2B", "4A-4B")


@pytest.mark.parametrize(
    "pair",
    [
        *("1B-1A", "1-1", "A1-1B", "1C-1B", "01A-1B", "1A-1A", "1a-1b"),
        *("0A-1B", "1A-145B"),
    ],
)
def test_a_row_of_ports_that_are_not_there_is_configured_and_never_carried(
    switch: Switch, eventually: Callable[..., Any], pair: str
) -> None:
    switch.add("5A-5B", pair)
    assert switch.configured == {"5A-5B", pair}
    assert eventually(lambda: switch.lit == {"5A": "5B", "5B": "5A"})
    assert switch.carried == {"5A-5B"}


def test_a_row_counts_and_not_its_key(switch: Switch) -> None:
    switch.commit(update=[(f"{TABLE}/1A-2B", {"a_side": "1A", "b_side": "3B"})])
    assert (switch.configured, switch.carried) == ({"1A-2B"}, {"1A-3B"})


def test_deleting_twice_changes_nothing(switch: Switch, agrees: Callable[..., bool]) -> None:
    switch.safe("1A-2B", "3A-3B")
    switch.delete("1A-2B")
    switch.delete("1A-2B")
    assert agrees("3A-3B")


def test_deleting_the_table_clears_every_circuit(
    switch: Switch, agrees: Callable[..., bool]
) -> None:
    switch.safe("1A-2B", "3A-3B")
    switch.commit(delete=[TABLE])
    assert agrees()


def test_only_the_configuration_can_be_changed(switch: Switch) -> None:
    path = f"sonic-db:STATE_DB/localhost/{switch.circuits}"
    with pytest.raises(gNMIException, match="Set RPC does not support STATE_DB"):
        switch.commit(update=[(path, rows(["1A-2B"]))])


def test_labels_and_forced_states_are_kept(switch: Switch, agrees: Callable[..., bool]) -> None:
    switch.safe("1A-2B")
    path = f"{CONFIG}/OCS_PORT/1A"
    switch.commit(update=[(path, {"label": "Link to iw-c001 RX", switch.forced: "force_blocked"})])
    assert switch.read(path) == {"label": "Link to iw-c001 RX", switch.forced: "force_blocked"}
    assert switch.heard is None
    switch.commit(update=[(f"{path}/{switch.forced}", '"normal"')])
    assert switch.read(path) == {"label": "Link to iw-c001 RX", switch.forced: "normal"}
    switch.commit(delete=[f"{path}/label"])
    assert switch.read(path) == {switch.forced: "normal"}
    assert agrees("1A-2B")


def test_a_reboot_brings_configured_circuits_back(
    running: Any, switch: Switch, agrees: Callable[..., bool]
) -> None:
    switch.safe("1A-2B", "9A-8B")
    assert agrees("1A-2B", "9A-8B")
    fault = running.control("/faults", kind="switch-rebooting", device=SWITCH, **{"for": 600})
    with pytest.raises(gNMIException, match="does not answer"):
        switch.read(TABLE)
    assert switch.heard is None
    running.control("/mend", number=fault["number"])
    assert agrees("1A-2B", "9A-8B")
    assert switch.heard == "iw-c002-t03"


def test_every_port_can_be_joined_to_every_other_side(
    switch: Switch, agrees: Callable[..., bool]
) -> None:
    for shift in (0, 1, 71, 143):
        pairs = [f"{n + 1}A-{(n + shift) % 144 + 1}B" for n in range(144)]
        switch.overwrite(*pairs)
        assert agrees(*pairs)


def test_a_physical_path_is_told_for_every_pair(switch: Switch) -> None:
    table = switch.read("sonic-db:STATE_DB/localhost/OCS_CROSS_CONNECT_PHYSICAL_PATH")
    assert len(table) == 144 * 144
    assert json.dumps(table["3A-4B"]).count("panel") == 2
