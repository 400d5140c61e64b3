"""Maintenance of a network's switches: which links go, what pairs keep, and what comes back."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.cabling.plant import Substitution
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.pods.names import Names
from fabric_twin.core.proposals.effects import AcceptCircuits, SetSwitchStatus
from fabric_twin.core.proposals.links import NetworkInUse
from fabric_twin.core.proposals.links_out import (
    check_has_parts,
    propose_links_back,
    propose_links_out,
)
from fabric_twin.core.proposals.targets import Out, out_of
from fabric_twin.core.proposals.topology import propose_topology
from fabric_twin.core.topology.network import Network, SwitchEnd, placed
from fabric_twin.core.topology.wiring import intended_network
from tests.examples import examples

RATE = 400.0
#: Of one of two switches: circuits between four blocks of three ports each, two links a pair.
HERE = "1A-4B 2A-7B 3A-10B 4A-1B 5A-8B 6A-9B 7A-2B 8A-11B 9A-12B 10A-3B 11A-5B 12A-6B"
PAIRS = [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]
OUT = SetSwitchStatus("dc1-ocs-02", "Active", "Maintenance")
BACK = SetSwitchStatus("dc1-ocs-02", "Maintenance", "Active")


def in_use(asked: float | None = None) -> NetworkInUse:
    """Four blocks over two switches with four links a pair, each pair asking for as much."""
    network = placed("dc1", 2, [(name, 12, RATE) for name in "abcd"])
    there = [
        Circuit(f"dc1-ocs-0{switch}", *word.split("-"))
        for switch in (1, 2)
        for word in HERE.split()
    ]
    demand = None if asked is None else asked * (1 - np.eye(4))
    return NetworkInUse(
        network, intended_network(network), tuple(there), takes=frozenset("abcd"), demand=demand
    )


def on(now: NetworkInUse, switch: int) -> list[Circuit]:
    return [circuit for circuit in now.circuits if circuit.switch == f"dc1-ocs-0{switch}"]


def out(now: NetworkInUse, **wish: object) -> Out:
    return out_of(now.intended, wish)


def ends_of(switch: int) -> frozenset[SwitchEnd]:
    return frozenset(SwitchEnd(switch, port, side) for port in range(1, 13) for side in (0, 1))


def test_the_circuits_of_a_switch_go_and_each_pair_is_told() -> None:
    now = in_use(asked=2 * RATE)
    found = propose_links_out(now, out(now, switches=["02"]), [OUT])
    assert (found.kind, found.title) == ("maintenance", "Maintenance of dc1-ocs-02")
    assert [list(stage.remove) for stage in found.plan.stages] == [on(now, 2)]
    assert (found.plan.add, found.effects) == ((), (OUT,))
    assert {(p.one, p.other): (p.before, p.least, p.after, p.asked) for p in found.blast.pairs} == (
        dict.fromkeys(PAIRS, (4, 2, 2, 800.0))
    )
    assert (found.blast.links, found.blast.load) == (12, (0.5, 1.0, 1.0))
    assert (found.risk.level, found.risk.reason, found.warnings) == (
        "medium",
        "12 links go dark; in each stage pairs keep what they ask for, over their own links or "
        "over one other block, as far as that fits now",
        (),
    )
    assert found.notes[0].links == {f"{one} and {other}": 2 for one, other in PAIRS}
    assert found.plan_json()["drains_links"] is True
    again = propose_links_out(now, out(now, **found.wish), [OUT])
    assert (found.wish, again.plan) == ({"switches": ["dc1-ocs-02"]}, found.plan)


def test_a_board_and_a_port_take_what_is_on_them_and_a_spare_what_is_behind_it() -> None:
    now = in_use()
    board = propose_links_out(now, out(now, boards=[["dc1-ocs-01", 0]]))
    assert list(board.plan.remove) == on(now, 1)
    assert not propose_links_out(now, out(now, boards=[["dc1-ocs-01", 1]]), [OUT]).plan.stages
    port = propose_links_out(now, out(now, ports=[["dc1-ocs-01", "4B"]]))
    assert list(port.plan.remove) == [Circuit("dc1-ocs-01", "1A", "4B")]
    assert port.warnings == ("Nobody has said what pairs ask for: no stage is held against it",)
    assert port.risk.reason == "1 link goes dark, and nobody has said what pairs ask for"

    spare = Substitution(Names(now.intended.names.layout, "dc1").switches[0], "1A", "130A", "worn")
    moved = replace(
        now,
        intended=intended_network(now.network, [spare]),
        circuits=(Circuit("dc1-ocs-01", "130A", "4B"), *now.circuits[1:]),
    )
    gone = propose_links_out(moved, out(moved, ports=[["dc1-ocs-01", "130A"]]))
    assert [circuit.a for circuit in gone.plan.remove] == ["130A"]
    assert {(p.one, p.other): (p.before, p.after) for p in gone.blast.pairs} == {("a", "b"): (4, 3)}
    # Strand 1 of a goes to side A of the first switch, and strand 3 of b to its side B.
    assert gone.notes[0].strands == (("dc1-a m01/1", "dc1-b m02/1"),)


def test_what_pairs_need_stays_and_a_wish_that_cannot_be_is_refused_in_words() -> None:
    now = in_use(asked=3 * RATE)
    for refused, why in (
        (lambda: propose_links_out(now, out(now, switches=["01"])), "dc1-ocs-01: without the"),
        (lambda: propose_links_out(now, Out()), "nothing to take out of service is named"),
        (lambda: out(now, switches=["09"]), "the network dc1 has no switch '09'"),
        (lambda: out(now, ports=[["dc1-ocs-01", "999A"]]), "the network has no port '999A'"),
        (
            lambda: propose_links_out(now, out(now, boards=[["dc1-ocs-01", 8]])),
            "the network has no driver board 8",
        ),
        (lambda: check_has_parts({"slots": [1]}), 'it says "slots", and a network has neither'),
        (lambda: check_has_parts({"interrupt": True}), 'it says "interrupt"'),
        (lambda: check_has_parts({"bear": 1}), 'it says "bear"'),
    ):
        with pytest.raises(FabricTwinError) as said:
            refused()
        assert why in str(said.value)
    check_has_parts({"switches": ["x"], "slots": [], "bear": 0, "interrupt": False})


def test_nothing_is_taken_off_a_switch_that_is_dead() -> None:
    now = replace(in_use(), dead=frozenset({"dc1-ocs-02"}))
    with pytest.raises(FabricTwinError, match=r"dc1-ocs-02 is dead.*set it to Maintenance by hand"):
        propose_links_out(now, out(now, ports=[["dc1-ocs-02", "4B"]]))
    assert propose_links_out(now, out(now, switches=["01"])).plan.remove


def test_links_that_are_dark_already_are_nobodys_loss() -> None:
    now = replace(in_use(asked=2 * RATE), out=ends_of(2))
    found = propose_links_out(now, out(now, switches=["02"]), [OUT])
    assert (len(found.plan.remove), found.blast.pairs) == (12, ())
    with pytest.raises(FabricTwinError, match="without the circuits that go"):
        propose_links_out(now, out(now, switches=["01"]))


def test_what_nobody_wants_goes_too_and_what_never_came_is_wanted_no_more() -> None:
    now = in_use()
    stray, lost = Circuit("dc1-ocs-02", "130A", "131B"), on(now, 2)[0]
    now = replace(
        now,
        circuits=(*now.circuits, stray),
        left_over=frozenset({stray.key}),
        missing=frozenset({lost.key}),
    )
    found = propose_links_out(now, out(now, switches=["02"]), [OUT])
    assert set(found.plan.remove) == {*on(now, 2)} - {lost}
    assert found.effects == (AcceptCircuits((), (lost,)), OUT)


def test_what_was_taken_comes_back_where_it_can() -> None:
    whole = in_use(asked=RATE)
    taken = on(whole, 2)
    now = replace(whole, circuits=tuple(on(whole, 1)), out=ends_of(2))
    back = out(now, switches=["02"])
    found = propose_links_back(now, back, taken, frozenset(), [BACK])
    assert (found.kind, found.title) == ("return", "Back into service: dc1-ocs-02")
    assert [list(stage.add) for stage in found.plan.stages] == [taken]
    assert {(p.one, p.other): (p.before, p.least, p.after) for p in found.blast.pairs} == (
        dict.fromkeys(PAIRS, (2, 2, 4))
    )
    assert (found.risk.level, found.effects, found.plan_json()["drains_links"]) == (
        "low",
        (BACK,),
        True,
    )

    # A port that is still out, one that another circuit has by now, and a block that left.
    held = Circuit("dc1-ocs-02", "2A", "5B")
    less = propose_links_back(
        replace(now, circuits=(*now.circuits, held), takes=frozenset("abc")),
        back,
        [*taken, Circuit("dc1-ocs-02", "1A", "8B")],
        frozenset({SwitchEnd(2, 1, 0)}),
        [BACK],
    )
    joins = {
        port: name
        for block in now.network.blocks
        for name in [block.name]
        for port in now.network.places_of(block)
    }
    assert [circuit for circuit in taken if circuit not in less.plan.add] == [
        circuit
        for circuit in taken
        if circuit.a in {"1A", "2A"}
        or circuit.b == "5B"
        or "d" in {joins[int(circuit.a[:-1])], joins[int(circuit.b[:-1])]}
    ]


def test_a_return_brings_what_a_switch_lacks_and_nothing_that_later_tickets_changed() -> None:
    whole = in_use()
    lost = on(whole, 2)[3]
    stray = Circuit("dc1-ocs-02", lost.a, "131B")
    now = replace(
        whole,
        circuits=(*whole.circuits, stray),
        missing=frozenset({lost.key}),
        left_over=frozenset({stray.key}),
    )
    back = out(now, switches=["02"])
    found = propose_links_back(now, back, (), frozenset(), ())
    assert (found.plan.remove, found.plan.add) == ((stray,), (lost,))
    # It is in service: what a topology took from there since does not come back.
    less = replace(whole, circuits=tuple(c for c in whole.circuits if c != lost))
    for taken in ((), [lost]):
        with pytest.raises(FabricTwinError, match="it is in service, and has all the circuits"):
            propose_links_back(less, back, taken, frozenset(), ())
    with pytest.raises(FabricTwinError, match="no switch or port to return"):
        propose_links_back(now, Out(), (), frozenset(), ())


def largest() -> tuple[Network, list[Circuit], NetworkInUse]:
    network = placed("dc1", 10, [(name, 40, RATE) for name in "abcd"])
    empty = NetworkInUse(network, intended_network(network), (), takes=frozenset("abcd"))
    made = [
        circuit for stage in propose_topology(empty, "uniform").plan.stages for circuit in stage.add
    ]
    return network, made, replace(empty, circuits=tuple(made))


NETWORK, MADE, STANDING = largest()


def flows(circuits: set[Circuit], demand: dict[tuple[str, str], float]) -> bool:
    """Whether each pair gets what it asks for through some circuits: by another's maximum flow."""
    at = {port: block.name for block in NETWORK.blocks for port in NETWORK.places_of(block)}
    links = Counter(tuple(sorted((at[int(c.a[:-1])], at[int(c.b[:-1])]))) for c in circuits)
    graph = nx.Graph()
    graph.add_nodes_from("abcd")
    for (one, other), many in links.items():
        graph.add_edge(one, other, capacity=RATE * many)
    return all(
        nx.maximum_flow_value(graph, one, other) >= gbps - 1e-6
        for (one, other), gbps in demand.items()
    )


@given(st.data())
@settings(max_examples=examples(60), deadline=None)
def test_no_stage_leaves_a_pair_under_its_demand_and_only_what_is_out_goes(
    data: st.DataObject,
) -> None:
    links = {pair: int(STANDING.links[pair]) for pair in combinations(range(4), 2)}
    most = data.draw(st.sampled_from((0.05, 0.3, 1.0)))
    share = st.floats(0, most)
    asked = {pair: data.draw(share) * many * RATE for pair, many in links.items()}
    demand = np.zeros((4, 4))
    for (one, other), gbps in asked.items():
        demand[one, other] = demand[other, one] = gbps
    now = replace(STANDING, demand=demand)
    least = {0.05: 9, 0.3: 5, 1.0: 0}[most]
    some = st.sets(st.sampled_from(now.intended.names.switches), min_size=least)
    switches = data.draw(some)
    ports = data.draw(st.lists(st.sampled_from([c.ports[0] for c in MADE]), max_size=4))
    wish = {"switches": sorted(switches), "ports": [list(port) for port in ports]}
    if not (switches or ports):
        return
    gone = {c for c in MADE if c.switch in switches or not set(ports).isdisjoint(c.ports)}
    names = {pair: ("abcd"[pair[0]], "abcd"[pair[1]]) for pair in links}
    try:
        found = propose_links_out(now, out_of(now.intended, wish))
    except FabricTwinError as refusal:
        assert "without the circuits that go" in str(refusal)
        kept = replace(now, circuits=tuple(c for c in MADE if c not in gone)).links
        assert any(kept[pair] * RATE < gbps for pair, gbps in asked.items())
        return
    assert set(found.plan.remove) == gone
    there = set(MADE)
    for stage in found.plan.stages:
        assert not stage.add
        assert len({circuit.switch for circuit in stage.remove}) <= 8
        there -= set(stage.remove)
        assert flows(there, {names[pair]: gbps for pair, gbps in asked.items()})
    assert there == set(MADE) - gone
