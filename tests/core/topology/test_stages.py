"""A change in stages: no pair falls under its demand, and every stage can be taken back.

networkx says what gets from one block to another; a programme of this test, what gets through of
all demand at once.
"""

from collections.abc import Sequence
from functools import partial
from itertools import permutations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from fabric_twin.core.circuits.plans import Circuit, Plan, Stage
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.topology.joined import joined, spread_of
from fabric_twin.core.topology.links import Links
from fabric_twin.core.topology.load import transit_load
from fabric_twin.core.topology.network import Network, placed
from fabric_twin.core.topology.plan import plan_topology
from fabric_twin.core.topology.undo import undo_topology
from tests.examples import examples


@st.composite
def networks(draw: st.DrawFn) -> Network:
    """Blocks of two rates; every pair can be joined."""
    switches = draw(st.sampled_from([2, 4]))
    rates = draw(st.lists(st.sampled_from([1.0, 2.0]), min_size=3, max_size=6))
    strands = 2 * switches * draw(st.integers(2, 3))
    return placed("dc1", switches, [(f"ab{n:02}", strands, rate) for n, rate in enumerate(rates)])


def some_demand(draw: st.DrawFn, of: Network, times: float = 1.0) -> np.ndarray:
    blocks = len(of.blocks)
    parts = draw(st.lists(st.floats(0, 1), min_size=blocks**2, max_size=blocks**2))
    matrix = times * np.triu(np.array(parts).reshape(blocks, blocks) ** 3, 1)
    return matrix + matrix.T


def links_of(of: Network, circuits: set[Circuit]) -> Links:
    found = spread_of(of, [joined(of, circuit) for circuit in circuits]).sum(axis=0)
    return np.asarray(found + found.T)


def carried(of: Network, circuits: set[Circuit]) -> np.ndarray:
    """What the links of each pair carry in each direction."""
    rate = np.array([block.rate_gbps for block in of.blocks])
    return np.asarray(links_of(of, circuits) * np.minimum.outer(rate, rate))


def flow(capacity: np.ndarray, one: int, other: int) -> float:
    """What gets from one block to another at most, by another's algorithm."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(capacity)))
    for i, j in zip(*np.nonzero(capacity), strict=True):
        graph.add_edge(int(i), int(j), capacity=float(capacity[i, j]))
    return float(nx.maximum_flow_value(graph, one, other))


def all_get_through(capacity: np.ndarray, asked: np.ndarray) -> bool:
    """Whether all demand gets through at once, over any way."""
    blocks = range(len(asked))
    arcs = [arc for arc in permutations(blocks, 2) if capacity[arc]]
    flows = {
        (source, *arc): n for n, (source, arc) in enumerate((s, a) for s in blocks for a in arcs)
    }
    arrives = np.zeros((len(asked) ** 2, len(flows)))
    shared = np.zeros((len(arcs), len(flows)))
    for (source, i, j), number in flows.items():
        arrives[source * len(asked) + j, number] += 1
        arrives[source * len(asked) + i, number] -= 1
        shared[arcs.index((i, j)), number] = 1
    wanted = asked - np.diag(asked.sum(axis=1))
    room = [capacity[arc] + 1e-6 for arc in arcs]
    found = linprog(np.zeros(len(flows)), shared, room, arrives, wanted.ravel())
    return bool(found.status == 0)


def planned(of: Network, present: Sequence[Circuit], demand: np.ndarray) -> Plan:
    """A change; where no switch can be drained, an example of something else."""
    try:
        return plan_topology(
            of, "engineered", demand=demand, present=present, at_once=2, patience=2
        ).plan
    except NotPossible as refusal:
        assert "would have" in str(refusal)
        reject()


@settings(max_examples=examples(25))
@given(st.data())
def test_no_stage_leaves_a_pair_under_its_demand(data: st.DataObject) -> None:
    """Or, where demand is not met before the change, under the smaller of it and its links."""
    of = data.draw(networks())
    now, later = (some_demand(data.draw, of, 8.0) for _ in range(2))
    before = plan_topology(of, "engineered", demand=now).circuits
    plan = planned(of, before, later)
    there = set(before)
    if transit_load(of, links_of(of, there), later) > 1:
        later = np.minimum(later, carried(of, there))
    for stage in plan.stages:
        assert there >= set(stage.remove)
        there -= set(stage.remove)
        capacity = carried(of, there)
        if stage.remove:
            assert all_get_through(capacity, later)
        for i, j in zip(*np.nonzero(np.triu(later) * bool(stage.remove)), strict=True):
            assert flow(capacity, int(i), int(j)) >= later[i, j] - 1e-6
        there |= set(stage.add)
    assert all_get_through(carried(of, there), later)


@settings(max_examples=examples(25))
@given(st.data())
def test_undone_from_anywhere_exactly_what_was_there_is_back(data: st.DataObject) -> None:
    of = data.draw(networks())
    one, other = (some_demand(data.draw, of, 1e-3) for _ in range(2))
    before = set(plan_topology(of, "engineered", demand=one).circuits)
    plan = planned(of, sorted(before, key=str), other)
    done = data.draw(st.integers(0, len(plan.stages)))
    there = set(before)
    for stage in plan.stages[:done]:
        there = applied(there, stage)
    if done < len(plan.stages):
        there = applied(there, some_of(data.draw, plan.stages[done]))
    back = undo_topology(of, plan.stages, sorted(there, key=str), demand=other)
    for stage in back.plan.stages:
        there = applied(there, stage)
    assert there == before == set(back.circuits)
    assert (back.links == links_of(of, before)).all()


def applied(there: set[Circuit], stage: Stage) -> set[Circuit]:
    """What a switch does: it refuses a port that is taken and a circuit that it does not have."""
    assert there >= set(stage.remove)
    made = (there - set(stage.remove)) | set(stage.add)
    assert len(made) == len(there) - len(stage.remove) + len(stage.add)
    ports = [port for circuit in made for port in circuit.ports]
    assert len(ports) == len(set(ports))
    return made


def some_of(draw: st.DrawFn, stage: Stage) -> Stage:
    """A stage that stopped: some went; of what comes, some whose ports were free by then."""
    gone = tuple(circuit for circuit in stage.remove if draw(st.booleans()))
    held = {port for circuit in {*stage.remove} - {*gone} for port in circuit.ports}
    free = [circuit for circuit in stage.add if held.isdisjoint(circuit.ports)]
    return Stage(gone, tuple(circuit for circuit in free if draw(st.booleans())))


def test_a_block_that_joins_asks_for_nothing_until_it_has_joined() -> None:
    """Nobody can keep the demand of a block without links: neither growing nor undoing waits."""
    blocks = [(name, 12, 1.0) for name in ("a", "b", "c", "d", "e")]
    small, large = (placed("dc1", 2, blocks[:many]) for many in (4, 5))
    asked = np.ones((5, 5)) - np.eye(5)
    first = plan_topology(small, "engineered", demand=asked[:4, :4]).circuits
    grown = plan_topology(large, "engineered", demand=asked, present=first, at_once=1)
    assert (len(grown.plan.remove), len(grown.plan.add)) == (6, 12)
    back = undo_topology(large, grown.plan.stages, grown.circuits, demand=asked)
    assert set(back.circuits) == set(first)


def test_an_undo_that_would_starve_a_pair_is_not_possible() -> None:
    of = placed("dc1", 2, [(name, 12, 1.0) for name in ("a", "b", "c", "d")])
    before = plan_topology(of, "uniform").circuits
    skewed = np.full((4, 4), 0.5) + 6.5 * np.eye(4)[::-1]
    after = plan_topology(of, "engineered", demand=skewed / 10, present=before)
    heavy = skewed - np.diag(np.diag(skewed))
    with pytest.raises(NotPossible, match=r"without the circuits that go, . and . would have"):
        undo_topology(of, after.plan.stages, after.circuits, demand=heavy)


def test_a_block_that_would_lose_all_links_keeps_its_demand() -> None:
    """Under `isolated` a block without owner gets no link: with demand that is refused."""
    of = placed("dc1", 2, [(name, 12, 1.0) for name in ("a", "b", "c")])
    before = plan_topology(of, "uniform").circuits
    isolate = partial(
        plan_topology, of, "isolated", owners={"ads": ("a", "b")}, present=before, at_once=1
    )
    asked = np.zeros((3, 3))
    assert not isolate(demand=asked).links[2].any()
    asked[0, 2] = asked[2, 0] = 0.5
    with pytest.raises(NotPossible, match=r"a and c would have no link for 0\.5 Gbit/s"):
        isolate(demand=asked)


def test_a_change_that_mends_an_overload_is_planned() -> None:
    """What is too little already need not be enough meanwhile, and must not get less."""
    of = placed("dc1", 2, [(name, 12, 1.0) for name in ("a", "b", "c", "d")])
    before = plan_topology(of, "uniform").circuits
    asked = np.full((4, 4), 2.0) - 2 * np.eye(4)
    asked[[0, 1, 2, 3], [1, 0, 3, 2]] = 8.0
    mended = plan_topology(of, "engineered", demand=asked, present=before)
    assert transit_load(of, links_of(of, set(before)), asked) > 1 == mended.load.max()
    there = set(before)
    for stage in mended.plan.stages:
        there -= set(stage.remove)
        assert (carried(of, there) >= np.minimum(asked, 4)).all()
        there |= set(stage.add)
