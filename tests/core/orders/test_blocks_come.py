"""A block comes into a network by an order: by the wiring rule, switch by switch, side by side."""

from itertools import groupby
from operator import attrgetter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.orders.floor import Floor, Spot, default_floor
from fabric_twin.core.orders.materials import Stock
from fabric_twin.core.orders.order import WorkOrder
from fabric_twin.core.orders.planning.install import install
from fabric_twin.core.orders.planning.plugs import Plugs
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.topology.joining import NewBlock, beside
from fabric_twin.core.topology.network import Block, Network
from fabric_twin.core.topology.wiring import intended_network
from tests.examples import examples

OLD = Block("ab01", 12, 400, 1)
NEW = Block("ab05", 8, 400, 4)


def floor_of(network: Network) -> Floor:
    return default_floor(intended_network(network).names)


def order_for(network: Network, block: Block, **known: object) -> WorkOrder:
    places = network.places_of(block)
    return install(intended_network(network), places, floor_of(network), **known)


def by_hand(name: str, strands: int, switches: int, first: int) -> set[frozenset[tuple[str, str]]]:
    """The rule as the trade writes it: strands go round the switches, side A first, then side B,
    then the next port; two strands are in a module."""
    joined = set()
    for strand in range(strands):
        turn, switch = strand // switches, strand % switches
        port = f"{first + turn // 2}{'AB'[turn % 2]}"
        module = f"m{strand // 2 + 1:02}/{strand % 2 + 1}"
        joined.add(frozenset([(name, module), (f"dc1-ocs-{switch + 1:02}", port)]))
    return joined


def test_a_block_stands_where_the_first_of_its_places_is() -> None:
    floor = floor_of(Network("dc1", 2, (OLD, NEW)))
    assert floor.spots == {
        "dc1-ab01": Spot(1, 1),
        "dc1-ab05": Spot(1, 4),
        "dc1-ocs-r01": Spot(4, 12),
    }
    assert [floor.rack(one) for one in ("dc1-ab05", "dc1-ocs-02")] == ["dc1-ab05", "dc1-ocs-r01"]


def test_it_is_fitted_then_plugged_then_each_switch_side_by_side() -> None:
    order = order_for(Network("dc1", 2, (OLD, NEW)), NEW)
    assert (order.title, order.slots) == ("Install block ab05 of dc1", (4, 5))
    here, there = order.visits()
    assert [str(step) for step in here[:7]] == [
        "go to dc1-ab05",
        "fit block of 8 strands in dc1-ab05",
        "fit cords for power and network in dc1-ab05",
        *[f"fit transceiver in dc1-ab05 port m0{n}" for n in (1, 2, 3, 4)],
    ]
    assert [[str(step) for step in some] for _, some in groupby(here[7:], attrgetter("port"))] == [
        [
            f"scan dc1-ab05:{port} at dc1-ab05 port {port}",
            f"inspect dc1-ab05 port {port}",
            f"clean dc1-ab05 port {port}",
            f"plug dc1-ab05:{port} into dc1-ab05 port {port}",
        ]
        for port in (f"m0{n}/{strand}" for n in (1, 2, 3, 4) for strand in (1, 2))
    ]
    ports = [(f"dc1-ocs-0{n}", f"{p}{side}") for n in (1, 2) for side in "AB" for p in (4, 5)]
    assert [step.at for step in there if step.do == "plug"] == ports
    assert [step.at for step in there if step.do == "block"] == ports
    assert [step.at for step in there if step.do == "release"] == ports
    assert str(there[-1]) == "check dc1-ab05 to dc1-ocs-r01 by light"
    assert [(part.name, part.needed) for part in order.materials] == [
        ("block of 8 strands", 1),
        ("cable, one strand, 20 m", 4),
        ("cable, one strand, 25 m", 4),
        ("cords for power and network", 1),
        ("label", 16),
        ("transceiver", 4),
    ]


def test_the_strands_of_a_large_block_are_in_turn() -> None:
    large = Block("big", 400, 100, 1)
    plugs = [step for step in order_for(Network("dc1", 2, (large,)), large).steps if step.cable]
    here = [step.port for step in plugs if step.device == "dc1-big" and step.do == "plug"]
    assert here[196:202] == ["m99/1", "m99/2", "m100/1", "m100/2", "m101/1", "m101/2"]


@settings(max_examples=examples(30))
@given(
    st.integers(2, 20),
    st.lists(st.integers(1, 3), min_size=1, max_size=4),
    st.integers(0, 3),
    st.integers(1, 3),
)
def test_the_steps_make_the_rule_and_touch_nothing_else(
    switches: int, widths: list[int], which: int, crews: int
) -> None:
    """Whatever blocks there are, and wherever the new one is put between them."""
    blocks, first = [], 1
    for number, width in enumerate(widths):
        blocks.append(Block(f"ab{number}", 2 * switches * width, 400, first))
        first += width
    network, new = Network("dc1", switches, tuple(blocks)), blocks[which % len(blocks)]
    intended = intended_network(network)
    rule = Plugs()
    for port, cable in zip(intended.a, intended.names.cables(intended.a), strict=True):
        rule.put((cable, "a"), intended.names.port(int(port)))
        rule.put((cable, "b"), intended.names.port(int(intended.mate[port])))
    before = Plugs()
    for plug, port in rule.of.items():
        if not plug[0].startswith(f"dc1-{new.name}:"):
            before.put(plug, port)
    there = before.pairs
    order = order_for(network, new, plugged=before.copy(), crews=crews)
    made = before.carry_out(order.steps).pairs - there
    assert made == by_hand(f"dc1-{new.name}", new.strands, switches, new.first_port)
    assert {step.device for step in order.steps if step.device} == {
        f"dc1-{new.name}",
        *(f"dc1-ocs-{n + 1:02}" for n in range(switches)),
    }
    racks = [visit[0].rack for visit in order.visits()]
    assert len(racks) == len(set(racks)) == 1 + -(-switches // 8)
    # The block joins as one: once all of its bundles are verified, and not before.
    progress = Progress.of(order)
    for bundle in order.bundles:
        assert progress.qualified() == ()
        progress = progress.light(bundle.name, agrees=True)
    assert progress.qualified() == (new.first_port,)


def test_a_port_in_use_is_never_touched() -> None:
    network = Network("dc1", 2, (OLD, NEW))
    taken = Plugs()
    taken.put(("stray", "b"), ("dc1-ocs-01", "4A"))
    with pytest.raises(NotPossible, match="stray is in the port that dc1-ab05:m01/1 needs") as why:
        order_for(network, NEW, plugged=taken)
    assert why.value.remedy == "Move it, or leave its block out"
    with pytest.raises(NotPossible, match="a circuit uses the port that dc1-ab05:m04/2 needs"):
        order_for(network, NEW, in_circuits=[("dc1-ocs-02", "5B")])
    laid = Plugs()
    laid.put(("dc1-ab05:m01/1", "a"), ("dc1-ab05", "m01/1"))
    with pytest.raises(NotPossible, match="dc1-ab05:m01/1 is"):
        order_for(network, NEW, plugged=laid)
    with pytest.raises(NotPossible, match="short of 1 of block of 8 strands"):
        order_for(network, NEW, stock=Stock.of({"label": 99}))


@pytest.mark.parametrize(
    ("new", "why"),
    [
        (NewBlock("ab01", 12, 400), "ab01 is there twice"),
        (NewBlock("ocs-9", 12, 400), "a name with ocs- is a switch's"),
        (NewBlock("AB 5", 12, 400), "'AB 5' cannot name a block"),
        (NewBlock("ab05"), "that you may view, and of a new one strands and rate"),
        (NewBlock("ab05", 12), "that you may view, and of a new one strands and rate"),
        (NewBlock("ab05", 12, 400, 3), "port 3 of every switch is another block's"),
        (
            NewBlock("ab05", 12, 400, 127),
            "it would have ports 127 to 129 of every switch, and blocks have",
        ),
        (
            NewBlock("ab05", 12, 400, 0),
            "it would have ports 0 to 2 of every switch, and blocks have",
        ),
        (NewBlock("ab05", 10, 400), "10 strands do not spread over 2 switches"),
        (NewBlock("ab05", 0, 400), "0 strands do not spread over 2 switches"),
        (NewBlock("ab05", 512, 400), "no 128 ports in a row are free on every switch"),
        (
            NewBlock("ab05", 516, 400),
            "it would have ports 1 to 129 of every switch, and blocks have",
        ),
        (NewBlock("ab05", 12, 0), "0 Gbit/s is no rate"),
        (NewBlock("ab05", 12, float("nan")), "nan Gbit/s is no rate"),
        (NewBlock("ab05", 12, 400, owner="x" * 65), "its owner's name has 65 characters"),
    ],
)
def test_a_block_that_cannot_join_is_refused(new: NewBlock, why: str) -> None:
    with pytest.raises(UnusableInput, match=why):
        beside("dc1", 2, [OLD], new)


def test_the_new_one_gives_way_where_two_would_have_a_port() -> None:
    there = [Block("ab01", 12, 400, 1), Block("ab02", 12, 400, 7)]
    with pytest.raises(UnusableInput) as told:
        beside("dc1", 2, there, NewBlock("ab05", 12, 400, 5))
    assert (told.value.where, told.value.remedy) == ("block ab05", "Let it begin at 4")


def test_it_gets_the_lowest_ports_where_it_has_room() -> None:
    there = [OLD, Block("ab02", 12, 400, 6)]
    assert beside("dc1", 2, there, NewBlock("ab03", 8, 100)) == Block("ab03", 8, 100.0, 4)
    assert beside("dc1", 2, there, NewBlock("ab03", 12, 100)).first_port == 9
    assert beside("dc1", 2, there, NewBlock("ab03", 8, 100, 50)).first_port == 50
    assert beside("dc1", 2, [], NewBlock("ab03", 512, 100)).first_port == 1
