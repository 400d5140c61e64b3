"""A network of blocks, over gNMI from another process: its light, and each fault that can be.

What is expected is the worked example of the sources: five blocks of 12 strands over two switches,
of which the first four are joined; and a wiring rule of this test's own.
"""

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.diagnosis.limits import Limits
from fabric_twin.core.diagnosis.pictures import Baseline
from fabric_twin.core.identity import ConfirmedBy, Known
from fabric_twin.services.tickets.light import Light
from fabric_twin.switches.changes import Change
from fabric_twin.switches.driver import Access, Patience, Target
from fabric_twin.switches.fabric import Fabric, open_fabric

# One worker: the simulator is shared by the tests of the module.
pytestmark = pytest.mark.integration

FIVE = Path(__file__).parents[2] / "docs/examples/topology/five-blocks.json"
ONE, TWO = SWITCHES = ("dc1-ocs-01", "dc1-ocs-02")
BLOCKS = [f"dc1-ab{number:02}" for number in range(1, 6)]
BEFORE = "1A-4B 2A-7B 3A-10B 4A-1B 5A-8B 6A-9B 7A-2B 8A-11B 9A-12B 10A-3B 11A-5B 12A-6B"
#: What the fifth block takes away and adds, switch by switch.
GROWTH = {
    ONE: ("2A-7B 4A-1B 12A-6B", "2A-13B 4A-14B 12A-15B 13A-1B 14A-6B 15A-7B"),
    TWO: ("6A-9B 9A-12B 10A-3B", "6A-13B 9A-14B 10A-15B 13A-3B 14A-9B 15A-12B"),
}
FIRST = Circuit(ONE, "1A", "4B")

Pairs = frozenset[tuple[str, str]]


def pairs(text: str) -> Pairs:
    """`1A-4B 2A-7B`."""
    return frozenset(tuple(word.split("-")) for word in text.split())


def circuits(of: dict[str, Pairs]) -> list[Circuit]:
    return [Circuit(switch, a, b) for switch, some in of.items() for a, b in sorted(some)]


def strand_on(switch: str, port: str) -> tuple[str, str]:
    """The block and the strand that are cabled to a port: counted by hand, three ports a block."""
    number, side = int(port[:-1]), port[-1]
    block, place = divmod(number - 1, 3)
    strand = 2 * (2 * place + (side == "B")) + int(switch[-1])
    return BLOCKS[block], f"m{(strand + 1) // 2:02}/{2 - strand % 2}"


def heard_by_hand(of: dict[str, Pairs]) -> dict[tuple[str, str], tuple[str, str]]:
    """By strand whom it hears over some circuits."""
    ends = [(strand_on(switch, a), strand_on(switch, b)) for switch in of for a, b in of[switch]]
    return {one: other for pair in ends for one, other in (pair, pair[::-1])}


def heard(fabric: Fabric) -> dict[tuple[str, str], tuple[str, str]]:
    """By strand whom it says that it hears."""
    return {
        (block, strand): (far.device, far.port)
        for block, state in fabric.read_neighbours().all().items()
        for strand, far in state.neighbours.items()
    }


@pytest.fixture(scope="module")
def simulator(
    simulate_network: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> Any:
    file = tmp_path_factory.mktemp("network") / "now.json"
    rows = [circuit.as_json() for circuit in circuits(dict.fromkeys(SWITCHES, pairs(BEFORE)))]
    file.write_text(json.dumps({"version": 1, "circuits": rows}))
    return simulate_network(FIVE, "--circuits", str(file), "--dialect", "mixed")


@pytest.fixture(scope="module")
def fabric(simulator: Any) -> Iterator[Fabric]:
    with simulator.fabric() as fabric:
        yield fabric


@pytest.fixture
def light(simulator: Any, fabric: Fabric) -> Light:
    return Light(simulator.intended, fabric, Baseline(), Limits(), time.time)


@contextmanager
def broken(simulator: Any, kind: str, **wish: Any) -> Iterator[None]:
    number = simulator.control("/faults", kind=kind, **wish)["number"]
    try:
        yield
    finally:
        simulator.control("/mend", number=number)


def test_strands_hear_each_other_as_the_sources_say(fabric: Fabric) -> None:
    before = dict.fromkeys(SWITCHES, pairs(BEFORE))
    states = fabric.read_switches().all()
    assert {name: state.configured for name, state in states.items()} == before
    assert heard(fabric) == heard_by_hand(before)
    assert heard(fabric)["dc1-ab02", "m02/1"] == ("dc1-ab01", "m01/1")


def test_a_block_tells_each_strand_and_a_module_of_two(fabric: Fabric) -> None:
    block = fabric.read_cubes(["dc1-ab05"]).all()["dc1-ab05"]
    names = [f"m{module:02}/{strand}" for module in range(1, 7) for strand in (1, 2)]
    assert (block.ports, block.up.any(), block.trays, block.copper_down) == (
        *(names, False, {}),
        frozenset(),
    )
    serials = [block.transceivers[name].serial for name in names]
    assert serials[::2] == serials[1::2]
    assert len({*serials}) == 6


def test_a_fifth_block_joins_and_leaves_and_light_follows(fabric: Fabric, light: Light) -> None:
    before = dict.fromkeys(SWITCHES, pairs(BEFORE))
    forth = {name: Change(pairs(gone), pairs(new)) for name, (gone, new) in GROWTH.items()}
    back = {name: Change(change.add, change.delete) for name, change in forth.items()}
    assert not light.look(circuits(before), {}).bad
    assert all(done.is_done for done in fabric.apply(forth).all().values())
    after = {name: before[name] - forth[name].delete | forth[name].add for name in SWITCHES}
    assert heard(fabric) == heard_by_hand(after)
    assert not light.look(circuits(after), {}).bad
    gone = light.look(circuits({name: change.delete for name, change in forth.items()}), {}).bad
    assert {bad.why for bad in gone} == {"no light passes the switch"}
    assert len(gone) == 6
    assert all(done.is_done for done in fabric.apply(back).all().values())
    assert heard(fabric) == heard_by_hand(before)


@pytest.mark.parametrize(
    ("kind", "wish", "why"),
    [
        (
            "swapped",
            {"cable": "dc1-ab01:m01/1", "other": "dc1-ab01:m03/1"},
            "dc1-ab01 m01/1 hears dc1-ab03 m02/1, and not dc1-ab02 m02/1",
        ),
        (
            "misplugged",
            {"cable": "dc1-ab02:m02/1", "device": ONE, "port": "129B"},
            "dc1-ab01 m01/1 hears nobody, and not dc1-ab02 m02/1",
        ),
        (
            "missing",
            {"cable": "dc1-ab02:m02/1"},
            "dc1-ab01 m01/1 hears nobody, and not dc1-ab02 m02/1",
        ),
        (
            "broken",
            {"cable": "dc1-ab01:m01/1"},
            "dc1-ab01 m01/1 hears nobody, and not dc1-ab02 m02/1",
        ),
        (
            "wrong-transceiver",
            {"device": "dc1-ab01", "port": "m01/2"},
            "dc1-ab01 m01/1 hears nobody, and not dc1-ab02 m02/1",
        ),
        (
            "dirty",
            {"device": "dc1-ab02", "port": "m02/1", "loss_db": 2.5, "reflection_db": -60},
            r"its path loses \d\.\d dB, where its switch lost \d\.\d in the factory",
        ),
        (
            "dirty",
            {"device": "dc1-ab02", "port": "m02/1", "loss_db": 0, "reflection_db": -30},
            "its return loss is only 30 dB",
        ),
        (
            "dying-transceiver",
            {"device": "dc1-ab02", "port": "m02/1", "loss_db": 5.2},
            r"dc1-ab01 m01/1 corrects \d\.\de-04 of its bits",
        ),
        (
            "slow",
            {"device": "dc1-ab02", "port": "m02/1", "gbps": 100},
            "dc1-ab01 m01/1 runs at 100 Gbit/s, and both ends can do 400",
        ),
        ("board-out", {"device": ONE, "unit": 1}, "no light passes the switch"),
        ("switch-down", {"device": ONE}, "no light passes the switch"),
        ("silent", {"device": "dc1-ab02"}, "dc1-ab02 does not answer"),
        (
            "cube-down",
            {"device": "dc1-ab02"},
            "dc1-ab01 m01/1 hears nobody, and not dc1-ab02 m02/1",
        ),
    ],
)
def test_what_is_wrong_with_a_circuit_is_said_of_blocks_and_strands(
    simulator: Any,
    light: Light,
    kind: str,
    wish: dict[str, Any],
    why: str,
    eventually: Callable[..., Any],
) -> None:
    with broken(simulator, kind, **wish):
        [bad] = light.look([FIRST], {}).bad
    assert re.fullmatch(why, bad.why), bad.why
    assert eventually(lambda: not light.look([FIRST], {}).bad)


def test_a_mirror_that_does_not_move_fails_a_new_circuit(
    simulator: Any, fabric: Fabric, light: Light
) -> None:
    new = frozenset({("13A", "14B")})
    with broken(simulator, "stuck-mirror", device=ONE, port="14B"):
        assert not fabric.apply({ONE: Change(add=new)}).all()[ONE].is_done
        [bad] = light.look(circuits({ONE: new}), {}).bad
    assert bad.why == "no light passes the switch"
    fabric.apply({ONE: Change(delete=new)}).all()


def test_a_block_without_modules_still_tells_its_links(simulator: Any, fabric: Fabric) -> None:
    with broken(simulator, "absent", device="dc1-ab02"):
        block = fabric.read_cubes(["dc1-ab02"]).all()["dc1-ab02"]
    assert (len(block.ports), block.up.all(), block.transceivers) == (12, True, {})


def test_a_switch_that_answers_for_another_is_left_alone(simulator: Any) -> None:
    at = simulator.said["gnmi"]
    switches, blocks = (
        [Target(name, at, called=name, known=Known(name, by=ConfirmedBy.LOAD)) for name in names]
        for names in (SWITCHES, BLOCKS)
    )
    with (
        broken(simulator, "addresses-exchanged", device=ONE, other=TWO),
        open_fabric(switches, blocks, Access(insecure=True), Patience(tries=1)) as fabric,
    ):
        missing = fabric.read_switches().missing
        light = Light(simulator.intended, fabric, Baseline(), Limits(), time.time)
        [bad] = light.look([FIRST], {}).bad
    assert [error.what.partition(" (")[0] for error in missing.values()] == [
        "another device answers at its address"
    ] * 2
    assert bad.why == "no light passes the switch"


@pytest.mark.parametrize(
    ("wish", "refused"),
    [
        (
            {"kind": "tray-down", "device": "dc1-ab01"},
            "fault: a block has no trays and no copper links. Break the block (cube-down), its "
            "modules or its cables.",
        ),
        (
            {"kind": "copper-down", "device": "dc1-ab01", "link": "1.1/Y+"},
            "fault: a block has no trays and no copper links. Break the block (cube-down), its "
            "modules or its cables.",
        ),
        (
            {"kind": "crossed", "cable": "dc1-ab01:m01/1"},
            "a cable of this design has one strand. Choose a paired design.",
        ),
        (
            {"kind": "cube-down", "device": "dc1-ab09"},
            "device: the network has no block 'dc1-ab09'. Name a block.",
        ),
        (
            {"kind": "dirty", "device": "dc1-ab01", "port": "m07/1"},
            "port: the network has no port 'm07/1' of a device 'dc1-ab01'. Name a device and a "
            "port as a cut sheet does.",
        ),
        (
            {"kind": "slow", "device": ONE, "port": "1A"},
            "fault: only strands of blocks tell their rate. Slow a strand of a block.",
        ),
        (
            {"kind": "wrong-serial", "device": ONE, "port": "1A"},
            "port: only blocks have modules. Name a block's port.",
        ),
    ],
)
def test_what_a_network_cannot_suffer_is_refused(
    simulator: Any, wish: dict[str, Any], refused: str
) -> None:
    with pytest.raises(HTTPError) as error:
        simulator.control("/faults", **wish)
    assert json.load(error.value)["error"] == refused
