"""Every kind of fault: made by hand, seen over gNMI from another process, mended, and gone."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError

import numpy as np
import pytest

from fabric_twin.core.errors import NoAnswer
from fabric_twin.dialects import sonic
from fabric_twin.simulator.faults.book import KINDS
from fabric_twin.simulator.faults.forwarding import FORWARDING
from fabric_twin.switches.changes import Change, Outcome
from fabric_twin.switches.driver import Access, Patience
from fabric_twin.switches.fabric import Fabric, open_fabric
from fabric_twin.switches.gnmi import GnmiSwitch
from fabric_twin.switches.own_rows import OwnRows
from fabric_twin.switches.states import CubeState, PortStatus, SwitchState

# One worker: simulators are shared by the tests of a module.
pytestmark = pytest.mark.integration

X11, X12 = "iw-ocs-x-1-1", "iw-ocs-x-1-2"
CUBE, PLUS, MINUS = "iw-c001", "4.1.1/X+", "1.1.1/X-"
TRAY = "iw-c001-t02"
#: Each cube's + to the next one's -.
RING = frozenset({("1A", "2B"), ("2A", "3B"), ("3A", "4B"), ("4A", "1B")})


@pytest.fixture(scope="module")
def simulator(simulate: Callable[..., Any]) -> Any:
    return simulate()


@pytest.fixture(scope="module")
def fabric(simulator: Any) -> Iterator[Fabric]:
    with simulator.fabric() as fabric:
        done = fabric.apply({name: Change(add=RING) for name in fabric.switches}).all()
        assert all(applied.is_done for applied in done.values())
        yield fabric


@dataclass
class See:
    """What can be seen of the fabric, and nothing but over gNMI."""

    fabric: Fabric

    @property
    def cube(self) -> CubeState:
        return self.fabric.cubes[CUBE].read()

    @property
    def switch(self) -> SwitchState:
        return self.fabric.switches[X11].read()

    def level(self, column: str, port: str = PLUS) -> float:
        cube = self.cube
        return float(np.min(getattr(cube.light, column)[cube.rows[port]]))

    def is_up(self, port: str = PLUS) -> bool:
        cube = self.cube
        return bool(cube.up[cube.rows[port]])

    def hears(self, port: str) -> tuple[str, str] | None:
        found = self.fabric.cubes[CUBE].neighbours().neighbours.get(port)
        return (found.device, found.port) if found else None

    def change(self, device: str = X12) -> list[Outcome]:
        """Exchange two circuits, and exchange them back."""
        switch = self.fabric.switches[device]
        old, new = frozenset({("1A", "2B"), ("2A", "3B")}), frozenset({("1A", "3B"), ("2A", "2B")})
        outcomes = [report.outcome for report in switch.apply(Change(old, new)).circuits]
        switch.apply(Change(new, old))
        return outcomes

    def answers(self, device: str = X11) -> bool:
        try:
            self.fabric.switches[device].read()
        except NoAnswer:
            return False
        return True


def told(see: See) -> bool:
    """Whether the cube tells of a moment that passes."""
    first = see.cube.told_at
    return see.cube.told_at > first


def late(see: See) -> bool:
    patient = Patience(request=0.3, tries=1)
    target = see.fabric.switches[X11].target
    from fabric_twin.switches.gnmi import GnmiSwitch

    switch = GnmiSwitch(target, Access(insecure=True), patient)
    try:
        switch.read()
    except NoAnswer as error:
        return "did not answer within 0.3 s" in str(error)
    finally:
        switch.close()
    return False


def before_it_is_saved(see: See) -> bool:
    """Whether a switch tells its configuration of before while another client changes it."""
    asked = frozenset({("99A", "99B")})
    with open_fabric([see.fabric.switches[X12].target], [], Access(insecure=True)) as other:
        seen = False

        def change() -> None:
            other.apply({X12: Change(add=asked)}).all()

        changing = threading.Thread(target=change)
        changing.start()
        while changing.is_alive():
            state = see.fabric.switches[X12].read()
            seen = seen or (asked <= state.carried.keys() and not asked <= state.configured)
        changing.join()
        other.apply({X12: Change(delete=asked)}).all()
    return seen


C1, C2 = "iw-c001:4.1.1/X+", "iw-c002:4.1.1/X+"
HERE = {"device": TRAY.replace("02", "02"), "port": PLUS}

#: What is broken, and what is seen of it.
CASES: dict[str, tuple[dict[str, Any], Callable[[See], bool]]] = {
    "swapped": (
        {"cable": C1, "other": C2},
        lambda see: see.hears(PLUS) == ("iw-c003-t01", MINUS),
    ),
    "misplugged": (
        {"cable": C1, "device": X11, "port": "77A"},
        lambda see: see.hears(PLUS) is None and see.level("received") == -40,
    ),
    "missing": ({"cable": C1}, lambda see: see.hears(PLUS) is None and not see.is_up()),
    "broken": ({"cable": C1}, lambda see: see.level("received") == -40),
    "dirty": (
        {"device": X11, "port": "1A", "loss_db": 4.5, "reflection_db": -26},
        lambda see: see.level("received") < -4 and see.level("ber") > 2e-5,
    ),
    "wrong-transceiver": (
        HERE,
        lambda see: "20 nm" in see.cube.transceivers[PLUS].part and not see.is_up(),
    ),
    "dying-transceiver": (HERE, lambda see: see.level("transmitted") < -1),
    "wrong-serial": (HERE, lambda see: see.cube.transceivers[PLUS].serial.startswith("R")),
    "tray-down": ({"device": TRAY}, lambda see: not see.cube.trays[TRAY] and not see.is_up()),
    "cube-down": ({"device": CUBE}, lambda see: CUBE in see.fabric.read_cubes().missing),
    "copper-down": (
        {"device": CUBE, "link": "1.1.1/Y+"},
        lambda see: see.cube.copper_down == {"1.1.1/Y+"},
    ),
    "stuck-mirror": (
        {"device": X12, "port": "1A"},
        lambda see: Outcome.FAILED in see.change(),
    ),
    "lossy-mirror": (
        {"device": X11, "port": "1A", "loss_db": 4},
        lambda see: see.level("received") < -3,
    ),
    "board-out": (
        {"device": X11, "unit": 1},
        lambda see: (
            not see.switch.boards["LINE-CARD0"]
            and "1A" not in see.switch.ports
            and ("1A", "2B") not in see.switch.carried
            and not see.is_up()
        ),
    ),
    "feed-lost": ({"device": X11, "unit": 2}, lambda see: not see.switch.power["PSU 2"]),
    "fan-lost": ({"device": X11, "unit": 3}, lambda see: not see.switch.fans["FAN 3"]),
    "switch-down": ({"device": X11}, lambda see: not see.answers() and not see.is_up()),
    "switch-rebooting": ({"device": X11, "for": 600}, lambda see: not see.answers()),
    "addresses-exchanged": (
        {"device": X11, "other": "iw-ocs-y-1-1"},
        # What is done at the address of one is seen in the light of the other.
        lambda see: dark_after_clearing(see, X11, "1.4.1/Y+"),
    ),
    "ignores-changes": (
        {"device": X12},
        lambda see: set(see.change()) == {Outcome.NOT_DONE},
    ),
    "idle-mirrors": ({"device": X12}, lambda see: Outcome.NOT_CARRIED in see.change()),
    "halves-changes": (
        {"device": X12},
        lambda see: {Outcome.DONE, Outcome.NOT_DONE} <= set(see.change()),
    ),
    "loses-answers": ({"device": X12}, lambda see: done_without_an_answer(see, X12)),
    "silent": ({"device": X11}, lambda see: not see.answers() and see.is_up()),
    "stale": ({"device": CUBE}, lambda see: not told(see)),
    "absent": ({"device": CUBE}, lambda see: not see.cube.transceivers and see.is_up()),
    "answers-late": ({"device": X11, "seconds": 1}, late),
    "boots-empty": (
        {"device": X11},
        lambda see: not see.switch.configured and not see.switch.carried and not see.is_up(),
    ),
    "boots-old": (
        {"device": "iw-ocs-x-1-3"},
        lambda see: see.fabric.switches["iw-ocs-x-1-3"].read().configured == RING,
    ),
    "stale-circuit": (
        {"device": X11, "port": "1A", "to": "41B"},
        # One port in two circuits, silently.
        lambda see: (
            see.switch.configured == RING
            and see.switch.carried.keys() == RING | {("1A", "41B")}
            and see.is_up()
        ),
    ),
    "board-pulled": (
        {"device": X11, "unit": 1},
        lambda see: (
            "LINE-CARD0" not in see.switch.boards
            and "1A" not in see.switch.ports
            and ("1A", "2B") not in see.switch.carried
            and not see.is_up()
        ),
    ),
    "answers-for-another": (
        {"device": X11, "other": "iw-ocs-y-1-1"},
        lambda see: see.switch.serial == see.fabric.switches["iw-ocs-y-1-1"].read().serial,
    ),
    "saves-slowly": ({"device": X12, "seconds": 0.6}, before_it_is_saved),
}


def dark_after_clearing(see: See, device: str, port: str) -> bool:
    """Take a circuit away at one address, look at a port, and put it back."""
    switch = see.fabric.switches[device]
    switch.apply(Change(delete=frozenset({("1A", "2B")})))
    heard = see.hears(port)
    switch.apply(Change(add=frozenset({("1A", "2B")})))
    return heard is None


def done_without_an_answer(see: See, device: str) -> bool:
    """Ask for a circuit and for its end, hear nothing of either, and see that both were done."""
    switch, asked = see.fabric.switches[device], ("99A", "99B")
    assert isinstance(switch, GnmiSwitch)
    seen = []
    for rows in (OwnRows(add=[asked]), OwnRows(delete=[asked])):
        try:
            switch._talk.set(sonic.ORIGIN, rows.deletes, rows.updates)
            seen.append("answered")
        except NoAnswer:
            seen.append("there" if asked in switch.read().configured else "gone")
    # The driver asks what came of it, and says so.
    changes = Change(add=frozenset({asked})), Change(delete=frozenset({asked}))
    return seen == ["there", "gone"] and all(switch.apply(one).is_done for one in changes)


def test_every_kind_has_a_case() -> None:
    of_clusters = {kind.name for kind in FORWARDING}
    assert set(CASES) | {"crossed", "slow"} | of_clusters == set(KINDS)


@pytest.mark.parametrize("kind", CASES)
def test_a_fault_is_seen_and_recovered_from(
    kind: str, simulator: Any, fabric: Fabric, eventually: Callable[..., Any]
) -> None:
    wish, is_seen = CASES[kind]
    see = See(fabric)
    if kind == "boots-old":
        # Its last change adds a circuit, which it comes back without.
        fabric.apply({wish["device"]: Change(add=frozenset({("98A", "98B")}))}).all()
    before = see.fabric.cubes[CUBE].read().neighbours
    assert len(before) == 96, "the case before left something behind"
    assert not is_seen(see)
    fault = simulator.control("/faults", kind=kind, **wish)
    try:
        assert is_seen(see)
        [there] = simulator.control("/faults")["faults"]
        assert there["kind"] == kind
    finally:
        simulator.control("/mend", number=fault["number"])
    # Whatever was left half done is put right, as an operator would.
    fabric.apply({name: Change(add=RING) for name in (X11, X12)})
    assert eventually(lambda: not is_seen(see))
    assert eventually(lambda: see.fabric.cubes[CUBE].read().neighbours == before)
    assert simulator.control("/faults") == {"faults": []}


def test_crossed_strands_are_heard_as_the_wrong_ones(
    simulate: Callable[..., Any], eventually: Callable[..., Any]
) -> None:
    simulator = simulate(design="tpu-v4", pod="v4")
    with simulator.fabric() as fabric:
        link = frozenset({("1A", "66B"), ("66A", "1B")})
        assert fabric.switches["v4-ocs-x-1-1"].apply(Change(add=link)).is_done

        def heard() -> dict[str, str]:
            neighbours = fabric.cubes["v4-c001"].neighbours().neighbours
            return {port: found.port for port, found in neighbours.items()}

        assert heard() == {f"{PLUS}:1": f"{MINUS}:2", f"{PLUS}:2": f"{MINUS}:1"}
        fault = simulator.control("/faults", kind="crossed", cable="v4-c001:4.1.1/X+")
        assert heard() == {f"{PLUS}:1": f"{MINUS}:1", f"{PLUS}:2": f"{MINUS}:2"}
        simulator.control("/mend", number=fault["number"])
        assert heard() == {f"{PLUS}:1": f"{MINUS}:2", f"{PLUS}:2": f"{MINUS}:1"}


def test_a_switch_has_no_modules_to_tell_nothing_of(simulator: Any) -> None:
    with pytest.raises(HTTPError) as refused:
        simulator.control("/faults", kind="absent", device=X11)
    said = json.loads(refused.value.read())
    assert said == {"error": f"device: {X11} is a switch, and has no modules. Name a cube."}


def test_a_force_blocked_port_is_dark_and_keeps_its_target(fabric: Fabric) -> None:
    from pygnmi.client import gNMIclient

    host, _, port = fabric.switches[X11].target.address.partition(":")
    with gNMIclient(target=(host, port), insecure=True) as client:

        def force(state: str) -> None:
            path = "sonic-db:CONFIG_DB/localhost/OCS_PORT/1A"
            client.set(update=[(path, {"state": state})], target=X11, encoding="json_ietf")

        force("force_blocked")
        state = fabric.switches[X11].read()
        assert state.ports["1A"].force_blocked
        assert state.ports["1A"].status is PortStatus.BLOCKED
        assert state.ports["1A"].target == "2B"
        assert not See(fabric).is_up()
        force("normal")
        assert See(fabric).is_up()


def test_a_stale_circuit_goes_once_it_is_added_and_deleted(simulator: Any, fabric: Fabric) -> None:
    from pygnmi.client import gNMIclient

    stale, switch = ("90A", "91B"), fabric.switches[X12]
    fault = simulator.control("/faults", kind="stale-circuit", device=X12, port="90A", to="91B")
    # What is configured nowhere cannot be deleted.
    [report] = switch.apply(Change(delete=frozenset({stale}))).circuits
    assert report.outcome is Outcome.NOT_CARRIED
    host, _, port = switch.target.address.partition(":")
    path = "sonic-db:CONFIG_DB/localhost/OCS_CROSS_CONNECT/90A-91B"
    row = {"a_side": "90A", "b_side": "91B"}
    with gNMIclient(target=(host, port), insecure=True) as client:
        client.set(update=[(path, row)], target=X12, encoding="json_ietf")
        client.set(delete=[path], target=X12, encoding="json_ietf")
    assert stale not in switch.read().carried
    simulator.control("/mend", number=fault["number"])


def test_a_technician_does_what_a_work_order_says(simulator: Any, fabric: Fabric) -> None:
    see = See(fabric)
    simulator.control("/faults", kind="dirty", device=X11, port="1A", loss_db=4.5)
    assert see.level("received") < -3
    steps = [
        {"do": "clean", "device": X11, "port": "1A"},
        {"do": "move", "cable": C1, "end": "b", "to": [X11, "2A"]},
        {"do": "move", "cable": C1, "end": "b", "to": [X11, "77A"]},
        {"do": "move", "cable": C1, "end": "b", "to": [X11, "1A"]},
    ]
    done = simulator.control("/work", steps=steps)["told"]
    assert [step["done"] for step in done] == [True, False, True, True]
    assert "iw-c002:4.1.1/X+ is in port 2A" in done[1]["why"]
    assert see.level("received") > -3
    assert see.is_up()


def test_a_technician_who_errs_says_done_and_leaves_it_dark(simulator: Any, fabric: Fabric) -> None:
    see = See(fabric)
    steps = [{"do": "move", "cable": C1, "end": "b", "to": [X11, "80A"]}]
    [step] = simulator.control("/work", steps=steps, errors=1.0)["told"]
    assert step["done"]
    assert not see.is_up()
    back = [{"do": "move", "cable": C1, "end": "b", "to": [X11, "1A"]}]
    # 81A, not 80A: another cable fits where the first was to go.
    move = {"do": "move", "cable": C2, "end": "b", "to": [X11, "80A"]}
    home = {"do": "move", "cable": C2, "end": "b", "to": [X11, "2A"]}
    assert all(s["done"] for s in simulator.control("/work", steps=[*back, move, home])["told"])
    assert see.is_up()
