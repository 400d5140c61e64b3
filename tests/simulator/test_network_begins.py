"""A network is simulated beside pods, from the beginning or from what was saved; and faults come
to it by chance, but for those of parts that a block does not have."""

from pathlib import Path

import pytest

from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.topology.network import placed
from fabric_twin.core.topology.wiring import intended_network
from fabric_twin.simulator.control import Control
from fabric_twin.simulator.faults.script import Script
from fabric_twin.simulator.simulation import Simulation, Wanted

NETWORK = intended_network(placed("dc1", 2, [("ab01", 12, 400), ("ab02", 24, 800)]))
FIRST = Circuit("dc1-ocs-01", "1A", "9B", where="now.json, circuit 1")


def wanted(**more: object) -> Wanted:
    return Wanted(networks=[NETWORK], circuits=[FIRST], speed=0.0, **more)


def test_a_pod_and_a_network_live_beside_each_other() -> None:
    of_pod = Circuit("iw-ocs-x-1-1", "1A", "2B")
    simulation = Simulation.begin(
        Wanted(
            design=find_design("ironwood"),
            pods=["iw"],
            slots=(1, 2),
            networks=[NETWORK],
            circuits=[FIRST, of_pod],
            speed=0.0,
        )
    )
    pod, network = simulation.pods
    assert [len(one.devices) for one in (pod, network)] == [2 + 48, 2 + 2]
    assert network.cubes == {"dc1-ab01": range(1, 4), "dc1-ab02": range(4, 10)}
    assert pod.mirrors.circuits[0].tolist() == [[0, 144 + 1]]
    assert network.mirrors.circuits[0].tolist() == [[0, 136 + 8]]


def test_what_was_saved_comes_back_and_first_circuits_do_not(tmp_path: Path) -> None:
    state = tmp_path / "dc1.npz"
    before = Simulation.begin(wanted(state=state))
    [book] = before.books
    book.make({"kind": "cube-down", "device": "dc1-ab02"})
    before.save()
    [again] = Simulation.begin(
        Wanted(networks=[NETWORK], circuits=[], speed=0.0, state=state)
    ).books
    assert again.pod.mirrors.circuits[0].tolist() == [[0, 136 + 8]]
    assert not again.pod.has_power("dc1-ab02")
    again.mend(1)
    assert again.pod.has_power("dc1-ab02")
    assert again.pod.parts.cubes.sum() == 3 + 6


def test_faults_come_by_chance_but_none_of_trays_and_copper() -> None:
    [chance] = Simulation.begin(wanted()).chances
    kinds = {kind for kind, rate in chance.rates.items() if rate}
    assert {"cube-down", "dirty", "misplugged"} <= kinds
    assert {"tray-down", "copper-down"}.isdisjoint(kinds)
    simulation = Simulation.begin(wanted(script=Script(rates=dict.fromkeys(kinds, 0.2))))
    [chance], [pod] = simulation.chances, simulation.pods
    for _ in range(100):
        simulation.clock.step(86400.0)
        pod.advance()
    assert chance.came.keys() == kinds


@pytest.mark.parametrize("kind", ["tray-down", "copper-down"])
def test_rates_of_parts_that_a_block_does_not_have_are_refused(kind: str) -> None:
    with pytest.raises(UnusableInput, match=f"rates, {kind}: a block has no trays"):
        Simulation.begin(wanted(script=Script(rates={kind: 1.0})))


def test_rates_of_strands_are_refused_where_cubes_tell_none() -> None:
    pods = {"design": find_design("ironwood"), "pods": ["iw"], "slots": (1,)}
    with pytest.raises(UnusableInput, match="rates, slow: only strands of blocks tell their rate"):
        Simulation.begin(Wanted(**pods, script=Script(rates={"slow": 1.0}), speed=0.0))


@pytest.mark.parametrize(
    ("circuit", "refused"),
    [
        (
            Circuit("dc2-ocs-01", "1A", "9B", where="now.json, circuit 2"),
            "now.json, circuit 2: nothing here has a switch 'dc2-ocs-01'. Name a switch of what "
            "is simulated.",
        ),
        (
            Circuit("dc1-ocs-01", "1A", "8B", where="now.json, circuit 2"),
            "now.json, circuit 2: 1A-8B: port 1A is used by existing cross-connect 1A-9B. Give "
            "each port one circuit.",
        ),
        (
            Circuit("dc1-ocs-01", "137A", "8B", where="now.json, circuit 2"),
            "now.json, circuit 2: Error: the switch has no port '137A'. Name ports from 1 to 136.",
        ),
    ],
)
def test_a_first_circuit_that_cannot_be_is_refused(circuit: Circuit, refused: str) -> None:
    with pytest.raises(UnusableInput) as refusal:
        Simulation.begin(Wanted(networks=[NETWORK], circuits=[FIRST, circuit], speed=0.0))
    assert str(refusal.value) == refused


def test_a_network_that_comes_beside_a_saved_pod_begins_anew(tmp_path: Path) -> None:
    pods = {"design": find_design("ironwood"), "pods": ["iw"], "slots": (1, 2)}
    state = tmp_path / "iw.npz"
    alone = Simulation.begin(Wanted(**pods, speed=0.0, state=state))
    alone.books[0].make({"kind": "cube-down", "device": "iw-c002"})
    alone.save()
    both = Simulation.begin(wanted(**pods, state=state))
    pod, network = both.books
    assert ([*pod.there], [*network.there]) == ([1], [])
    assert network.pod.mirrors.circuits[0].tolist() == [[0, 136 + 8]]
    with pytest.raises(UnusableInput, match="it does not hold the state of these pods"):
        Simulation.begin(Wanted(**pods, speed=0.0, state=state))  # the network would be lost


def test_a_fault_is_of_the_pod_whose_device_or_cable_it_names() -> None:
    pods = {"design": find_design("ironwood"), "pods": ["iw"], "slots": (1, 2)}
    control = Control(Simulation.begin(Wanted(**pods, networks=[NETWORK], speed=0.0)).books)
    pod, network = control.books
    _, first = control.answer("POST", "/faults", {"kind": "cube-down", "device": "iw-c002"})
    control.answer("POST", "/faults", {"kind": "broken", "cable": "dc1-ab01:m01/1"})
    assert ([*pod.there], [*network.there]) == ([1], [1])
    for wish in ({"number": 1}, {"kind": "cube-down", "device": "x"}, {"pod": "x", "number": 1}):
        path = "/faults" if "kind" in wish else "/mend"
        with pytest.raises(UnusableInput, match="it does not say of which pod it is"):
            control.answer("POST", path, wish)
    control.answer("POST", "/mend", {"pod": "iw", "number": first["number"]})
    control.answer("POST", "/mend", {"number": 1})
    assert not pod.there
    assert not network.there
    plug = {"do": "unplug", "cable": "dc1-ab01:m01/1", "end": "b", "at": ["dc1-ocs-01", "1A"]}
    _, told = control.answer("POST", "/work", {"steps": [plug]})
    assert [one["done"] for one in told["told"]] == [True]
