"""A client that we did not write (pygnmi's own command line) against `fabric-twin simulate`."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pygnmi.client import gNMIclient, gNMIException

# One worker: simulators are shared by the tests of a module.
pytestmark = pytest.mark.integration

SWITCH, CUBE = "iw-ocs-x-1-1", "iw-c001"
CIRCUITS = "sonic-db:CONFIG_DB/localhost/OCS_CROSS_CONNECT"
#: SONiC tells tables in this encoding alone; gNMI's default is another.
IETF = ("-e", "json_ietf")
STATE = "sonic-db:STATE_DB/localhost/OCS_CROSS_CONNECT"


@pytest.fixture(scope="module")
def simulator(simulate: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Any:
    return simulate(
        "--own-addresses", str(tmp_path_factory.mktemp("own") / "addresses.json"), slots="1-2"
    )


@pytest.fixture
def pygnmicli(simulator: Any, tmp_path: Path) -> Callable[..., Any]:
    """Run pygnmicli with an operation and options; the JSON values that it prints."""

    def run(operation: str, *options: str, address: str = simulator.said["gnmi"]) -> list[Any]:
        program = Path(sys.executable).with_name("pygnmicli")
        command = [program, "-t", address, "-i", "-u", "any", "-p", "any", "-o", operation]
        done = subprocess.run(
            [*command, *options], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        text, found = done.stdout, []
        decoder = json.JSONDecoder()
        while (start := text.find("{\n")) >= 0:
            value, end = decoder.raw_decode(text[start:])
            found.append(value)
            text = text[start + end :]
        return found

    return run


@pytest.fixture
def client(simulator: Any) -> Iterator[gNMIclient]:
    """The same client as a library: a process for each question takes seconds."""
    host, _, port = simulator.said["gnmi"].partition(":")
    with gNMIclient(target=(host, port), insecure=True) as client:
        yield client


def values(answers: list[Any]) -> list[Any]:
    [answer] = answers
    return [u["val"] for note in answer.get("notification", ()) for u in note["update"]]


def test_it_reads_capabilities(pygnmicli: Callable[..., Any]) -> None:
    [said] = pygnmicli("capabilities")
    names = {model["name"] for model in said["supported_models"]}
    assert {"sonic-ocs-cross-connect", "openconfig-lldp"} <= names
    assert said["supported_encodings"] == ["json_ietf", "json"]


def test_it_makes_a_circuit_reads_it_hears_the_neighbour_and_takes_it_away(
    pygnmicli: Callable[..., Any], tmp_path: Path, eventually: Callable[..., Any]
) -> None:
    to_switch = ("--gnmi-path-target", SWITCH)
    row = {"a_side": "1A", "b_side": "2B"}
    (tmp_path / "row.json").write_text(json.dumps(row))
    path = f"{CIRCUITS}/1A-2B"
    [done] = pygnmicli("set-update", "-x", path, "-f", "row.json", *to_switch, *IETF)
    assert done["response"][0]["op"] == "UPDATE"
    assert values(pygnmicli("get", "-x", CIRCUITS, *to_switch, *IETF)) == [{"1A-2B": row}]
    tuned = {"1A-2B": {**row, "a_side_status": "tuned", "b_side_status": "tuned"}}
    assert eventually(lambda: values(pygnmicli("get", "-x", STATE, *to_switch, *IETF)) == [tuned])
    heard = "openconfig:lldp/interfaces/interface[name=4.1.1/X+]/neighbors/neighbor[id=1]/state"
    [said] = values(pygnmicli("get", "-x", heard, "--gnmi-path-target", CUBE))
    assert (said["system-name"], said["port-id"]) == ("iw-c002-t01", "1.1.1/X-")
    # The only row of a table goes with its table. Of a table without rows nothing is told, since
    # the name of another table begins like this one.
    pygnmicli("set-delete", "-x", CIRCUITS, *to_switch)
    assert pygnmicli("get", "-x", STATE, *to_switch, *IETF) == []


def read(client: gNMIclient, path: str, target: str) -> Any:
    [note] = client.get(path=[path], target=target, encoding="json_ietf")["notification"]
    return note["update"][0]["val"]


def test_a_key_with_a_slash_is_one_key(client: gNMIclient) -> None:
    state = read(client, "openconfig:components/component[name=4.3.2/X+]/transceiver/state", CUBE)
    assert state["vendor-part"] == "OSFP 800G bidi, 8 wavelengths"
    assert float(state["temperature"]["instant"]) > 40


def test_the_loss_table_of_a_switch_has_every_pair(client: gNMIclient) -> None:
    table = read(client, "sonic-db:STATE_DB/localhost/OCS_FACTORY_INSERTION_LOSS", SWITCH)
    assert len(table) == 144 * 144
    assert set(table["1A-2B|229.100|25.00"]) == {"loss_dB", "accuracy_dB"}
    assert all(0.8 < float(row["loss_dB"]) < 4 for row in table.values())


def test_it_subscribes_once_to_all_ports_of_a_switch_at_its_own_address(
    pygnmicli: Callable[..., Any], simulator: Any
) -> None:
    path = "sonic-db:STATE_DB/localhost/OCS_PORT"
    own = simulator.said["addresses"][SWITCH]
    *notes, end = pygnmicli("subscribe-once", "-x", path, address=own)
    [told] = [update for note in notes for update in note["update"]["update"]]
    assert (told["path"], len(told["val"])) == ("STATE_DB/localhost/OCS_PORT", 288)
    assert end == {"sync_response": True}


def test_each_poll_tells_all_there_is_again(client: gNMIclient) -> None:
    path = "openconfig:interfaces/interface[name=4.1.1/X+]/state"
    wish = {"subscription": [{"path": path}], "mode": "poll", "encoding": "json_ietf"}
    told = client.subscribe2(wish, target=CUBE)
    for _ in range(3):
        [update] = told.get_update(timeout=10)["update"]["update"]
        assert update["val"]["name"] == "4.1.1/X+"
    told.close()


def test_a_device_that_is_not_there_is_said_so(client: gNMIclient, simulator: Any) -> None:
    for target, words in (("iw-ocs-x-9-9", "nothing here is called"), ("", "name one as target")):
        with pytest.raises(gNMIException, match=words):
            client.get(path=[CIRCUITS], target=target)
    host, _, port = simulator.said["addresses"][SWITCH].partition(":")
    with (
        gNMIclient(target=(host, port), insecure=True) as own,
        pytest.raises(gNMIException, match="only iw-ocs-x-1-1 answers here"),
    ):
        own.get(path=[CIRCUITS], target=CUBE)
