"""The cases of sonic-mgmt's test plan for optical circuit switches, written anew, over gNMI.

Configuration, state and light must agree after every change. The command line's three modes are
transactions here: *safe* adds, *update* takes what is in the way along, *overwrite* replaces all.
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
        [note] = self.client.get(path=[path], target=target, encoding="json_ietf")["notification"]
        return note["update"][0]["val"]

    def commit(self, **change: Any) -> None:
        self.client.set(**change, target=SWITCH, encoding="json_ietf")

    def safe(self, *pairs: str) -> None:
        self.commit(update=[(TABLE, rows(pairs))])

    def update(self, *pairs: str) -> None:
        wanted = {port for pair in pairs for port in pair.split("-")}
        there = self.read(TABLE)
        in_the_way = [key for key in there if wanted & set(key.split("-")) and key not in pairs]
        self.commit(delete=[f"{TABLE}/{key}" for key in in_the_way], update=[(TABLE, rows(pairs))])

    def overwrite(self, *pairs: str) -> None:
        self.commit(replace=[(TABLE, rows(pairs))])

    def delete(self, *pairs: str) -> None:
        self.commit(delete=[f"{TABLE}/{pair}" for pair in pairs])

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


def test_safe_names_the_circuit_in_the_way_and_leaves_no_residue(
    switch: Switch, agrees: Callable[..., bool]
) -> None:
    switch.safe("1A-2B")
    for pair in ("1A-3B", "3A-2B"):
        with pytest.raises(gNMIException, match="existing cross-connect 1A-2B"):
            switch.safe("7A-7B", pair)
    assert agrees("1A-2B")


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
    "pair", ["1B-1A", "1-1", "A1-1B", "1A+1B", "1C-1B", "01A-1B", "1A-1A", "1a-1b"]
)
def test_a_malformed_pair_is_invalid_and_leaves_no_residue(
    switch: Switch, agrees: Callable[..., bool], pair: str
) -> None:
    a, _, b = pair.replace("+", "-").partition("-")
    with pytest.raises(gNMIException, match="Invalid"):
        switch.commit(update=[(TABLE, rows(["5A-5B"]) | {pair: {"a_side": a, "b_side": b}})])
    assert agrees()


@pytest.mark.parametrize("pair", ["0A-1B", "1A-145B"])
def test_a_port_that_is_not_there_is_an_error_and_leaves_no_residue(
    switch: Switch, agrees: Callable[..., bool], pair: str
) -> None:
    with pytest.raises(gNMIException, match="Error"):
        switch.safe("5A-5B", pair)
    assert agrees()


def test_a_key_that_says_other_ports_is_invalid(switch: Switch) -> None:
    with pytest.raises(gNMIException, match="Invalid"):
        switch.commit(update=[(f"{TABLE}/1A-2B", {"a_side": "1A", "b_side": "3B"})])
    assert switch.configured == set()


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
    with pytest.raises(gNMIException, match="cannot be changed"):
        switch.commit(update=[(path, rows(["1A-2B"]))])


def test_labels_and_forced_states_are_kept(switch: Switch, agrees: Callable[..., bool]) -> None:
    switch.safe("1A-2B")
    path = f"{CONFIG}/OCS_PORT/1A"
    switch.commit(update=[(path, {"label": "Link to iw-c001 RX", switch.forced: "force_blocked"})])
    assert switch.read(path) == {"label": "Link to iw-c001 RX", switch.forced: "force_blocked"}
    assert switch.heard is None
    switch.commit(update=[(path, {switch.forced: "normal"})])
    switch.commit(delete=[f"{path}/label"])
    assert switch.read(path) == {"label": "", switch.forced: "normal"}
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
