"""Rings over pods: what each neighbour gets, the order that changes least, and every strand of it.

Circuits are followed by the wiring rule as it is written down, which is repeated here.
"""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.superpods.collective import Collective
from fabric_twin.core.superpods.order import MOST_PODS, orders
from fabric_twin.core.superpods.plan import RingsPlanned, plan_rings
from fabric_twin.core.superpods.rings import Multislice, PodBlocks, wished_links
from fabric_twin.core.superpods.wish import WishedRings
from fabric_twin.core.topology.links import engineered
from fabric_twin.core.topology.network import Network, placed
from fabric_twin.core.topology.plan import Topology, plan_topology
from tests.examples import examples

ALONE = [f"ab{number:02}" for number in range(20)]


def network(blocks: int, strands: int, switches: int = 2) -> Network:
    return placed("dc1", switches, [(name, strands, 400.0) for name in ALONE[:blocks]])


def job(*blocks: tuple[str, ...], name: str = "job7", gbps: float | None = None) -> Multislice:
    return Multislice(name, tuple(PodBlocks(f"p{b[0]}", b) for b in blocks), gbps)


def one_each(pods: int) -> list[tuple[str, ...]]:
    return [(name,) for name in ALONE[:pods]]


def planned(of: Network, *jobs: Multislice, **options) -> tuple[RingsPlanned, Topology]:
    found = plan_rings(of, [WishedRings(one) for one in jobs], **options)
    present = options.get("present", ())
    return found, plan_topology(
        of,
        "engineered",
        demand=found.demand,
        asked_now=found.asked_now,
        least=found.least,
        present=present,
        takes=found.takes,
        patience=1.0,
    )


def strands_between(of: Network, topology: Topology) -> dict[frozenset[str], int]:
    """Circuits by the two blocks at their ends: by the rule's words alone."""
    found: dict[frozenset[str], int] = {}
    ports = {
        (1 + (u - 1) % of.switches, "AB"[(u - 1) // of.switches % 2], first + turn // 2): name
        for name, strands, first in ((b.name, b.strands, b.first_port) for b in of.blocks)
        for u in range(1, strands + 1)
        for turn in [(u - 1) // of.switches]
    }
    for circuit in topology.circuits:
        switch = int(circuit.switch.rpartition("-")[2])
        ends = [ports.pop((switch, port[-1], int(port[:-1]))) for port in (circuit.a, circuit.b)]
        found[frozenset(ends)] = found.get(frozenset(ends), 0) + 1
    return found


@pytest.mark.parametrize(
    ("blocks", "strands", "pods", "least", "wished"),
    [
        (4, 12, 4, 1, 5),  # floor((12 - 1 (4 - 3)) / 2)
        (8, 32, 4, 1, 13),  # floor((32 - 1 (8 - 3)) / 2)
        (8, 32, 4, 2, 11),
        (8, 32, 4, 0, 16),
        (3, 12, 3, 1, 6),
        (4, 12, 2, 1, 10),  # all but the least to the other two
        (2, 12, 2, 1, 12),
    ],
)
def test_each_neighbour_gets_half_of_what_the_others_leave(
    blocks, strands, pods, least, wished
) -> None:
    of = network(blocks, strands)
    multislice = job(*one_each(pods))
    assert set(wished_links(of, multislice, least, of.by_name)) == {wished}


def test_all_blocks_of_a_pod_are_used_alike() -> None:
    """Of 32 strands a block keeps one to the other of its pod, and 15 for each two neighbours."""
    of = network(8, 32)
    pods = [tuple(ALONE[first : first + 2]) for first in range(0, 8, 2)]
    found, topology = planned(of, job(*pods))
    [rings] = found.stand(topology.links, topology.links)
    # 8 - 1 - 4 blocks are in no neighbour: (32 - 3) // 2 // 2.
    assert [pair.wished for pair in rings.pairs] == [4 * 7] * 4
    assert all(pair.links >= pair.wished for pair in rings.pairs)
    spans = strands_between(of, topology)
    for one, other in rings.multislice.neighbours:
        assert all(spans[frozenset((a, b))] >= 7 for a in one.blocks for b in other.blocks)


@settings(max_examples=examples(30), deadline=None)
@given(st.data())
def test_every_hop_of_both_rings_has_the_links_that_were_wished(data) -> None:
    """Nobody else asks: every ring pair has its wish, strand by strand.

    Every other pair has the least.
    """
    pods = data.draw(st.integers(2, 5))
    blocks = data.draw(st.integers(pods, 7))
    least = data.draw(st.integers(0, 2))
    of = network(blocks, 4 * data.draw(st.integers(4, 8)))
    found, topology = planned(of, job(*one_each(pods)), least=least)
    spans = strands_between(of, topology)
    wishes = wished_links(of, found.wishes[0].multislice, least, of.by_name)
    ring = [pod.blocks[0] for pod in found.wishes[0].multislice.pods]
    for at, wished in enumerate(wishes):
        assert spans[frozenset((ring[at], ring[(at + 1) % pods]))] >= wished
    for one in range(blocks):
        for other in range(one):
            assert spans.get(frozenset((ALONE[one], ALONE[other])), 0) >= least


@settings(max_examples=examples(15), deadline=None)
@given(st.data())
def test_no_other_order_adds_fewer_links(data) -> None:
    """Every permutation is planned by itself, and counted link by link."""
    pods = data.draw(st.integers(3, 5))
    of = network(6, 16)
    before = [data.draw(st.sampled_from([0.0, 1.0, 4.0])) for _ in range(len(of.blocks) ** 2)]
    half = np.triu(np.array(before).reshape(6, 6), 1)
    now = plan_topology(of, "engineered", demand=half + half.T)
    wish = job(*one_each(pods))
    found = plan_rings(of, [WishedRings(wish)], present=now.circuits)

    def added(pods_now) -> int:
        multislice = Multislice(wish.name, tuple(pods_now))
        asked = plan_rings(of, [WishedRings(multislice, runs=True)]).demand
        links = engineered(of, asked)
        return int(np.triu(np.maximum(links - now.links, 0), 1).sum())

    everything = [added(pods_now) for pods_now in permutations(wish.pods)]
    assert added(found.wishes[0].multislice.pods) == min(everything)


def test_a_job_that_is_asked_for_again_changes_nothing() -> None:
    of = network(6, 32)
    _, topology = planned(of, job(*one_each(5)))
    for again in (one_each(5)[::-1], one_each(5)[2:] + one_each(5)[:2]):
        found, after = planned(of, job(*again), present=topology.circuits)
        assert (after.plan.remove, after.plan.add, found.tried) == ((), (), (12,))


def test_jobs_that_run_keep_their_order_and_their_links() -> None:
    of = network(8, 64)
    first, _ = planned(of, job(*one_each(4), name="first", gbps=8000))
    runs = WishedRings(first.wishes[0].multislice, runs=True)
    second = job(*[(name,) for name in ALONE[4:8]], name="second", gbps=8000)
    found = plan_rings(of, [runs, WishedRings(second)])
    topology = plan_topology(of, "engineered", demand=found.demand)
    for rings in found.stand(topology.links, topology.links):
        assert all(pair.carried >= pair.asked for pair in rings.pairs)
    assert (found.wishes[0].multislice, found.tried) == (runs.multislice, (0, 3))


def test_two_pods_carry_both_rings_over_the_same_links() -> None:
    of = network(2, 12)
    found, topology = planned(of, job(("ab00",), ("ab01",), gbps=1600))
    [rings] = found.stand(topology.links, topology.links)
    [pair] = rings.pairs
    assert (pair.wished, pair.links, pair.asked, pair.carried) == (12, 12, 3200, 4800)
    assert rings.ring_gbps == 2400
    assert (rings.multislice.red, rings.multislice.blue) == (
        (("pab00", "pab01"), ("pab01", "pab00")),
        (("pab01", "pab00"), ("pab00", "pab01")),
    )


def test_a_lost_block_opens_the_ring() -> None:
    of = network(4, 12)
    collective = Collective(140e9, 64, 3, 9e10, 6.25e9)
    wish = WishedRings(job(*one_each(4), gbps=collective.gbps), collective=collective)
    found = plan_rings(of, [wish])
    links = plan_topology(of, "engineered", demand=found.demand).links
    left = links.copy()
    left[1] = left[:, 1] = 0
    [rings] = found.stand(links, left)
    assert [pair.is_open for pair in rings.pairs] == [True, True, False, False]
    assert rings.as_json()["collective"]["between_s"] is None


def test_of_many_pods_the_order_stays_as_it_is_given() -> None:
    of, wish = network(8, 16), job(*one_each(8)[::-1])
    found = plan_rings(of, [WishedRings(wish)])
    assert ([one.multislice for one in found.wishes], found.tried) == ([wish], (0,))


def test_rings_that_run_are_kept_while_switches_change_and_those_to_come_ask_nothing_yet() -> None:
    of = network(4, 12)
    wish = job(*one_each(4), gbps=1600)
    for runs in (False, True):
        found = plan_rings(of, [WishedRings(wish, runs=runs)])
        assert found.demand[0, 1] == 1600
        assert found.asked_now[0, 1] == 1600 * runs


def test_rings_that_run_ask_nothing_of_a_block_that_takes_no_links() -> None:
    of = network(4, 12)
    takes = frozenset(ALONE[:4]) - {"ab01"}
    found = plan_rings(of, [WishedRings(job(*one_each(4)), runs=True)], takes=takes)
    assert not found.demand[1].any()
    assert found.demand[2, 3] > 0


def test_every_ring_is_tried_once() -> None:
    for pods in range(2, MOST_PODS + 1):
        made = list(orders(job(*one_each(pods)).pods))
        rings = {
            frozenset(frozenset((a.pod, b.pod)) for a, b in Multislice("j", pods).neighbours)
            for pods in made
        }
        assert len(rings) == len(made) == max(1, int(np.prod(range(1, pods))) // 2)


@pytest.mark.parametrize(
    ("blocks", "said"),
    [
        ([("ab00",)], "a ring needs two pods"),
        ([("ab00",), ("ab00",)], "pod pab00 is there twice"),
        ([("ab00", "ab01"), ("ab01",)], "block ab01 is there twice"),
    ],
)
def test_what_is_no_ring_is_refused(blocks, said) -> None:
    with pytest.raises(UnusableInput, match=said):
        job(*blocks)


@pytest.mark.parametrize("gbps", [0, -1, float("nan"), float("inf")])
def test_what_cannot_be_asked_of_a_neighbour_is_refused(gbps) -> None:
    with pytest.raises(UnusableInput, match="cannot be asked of a neighbour"):
        job(*one_each(3), gbps=gbps)


@pytest.mark.parametrize(
    ("jobs", "options", "said"),
    [
        ([job(("ab00",), ("ab09",))], {}, "block 'ab09' of pod pab09 is not there"),
        (
            [job(*one_each(3))],
            {"takes": frozenset({"ab00", "ab01", "ab03"})},
            "block 'ab02' of pod pab02 takes no links: it drains",
        ),
        ([job(*one_each(4))], {"least": 11}, "no link is left for pab00 and pab01: 11 links"),
        ([job(*one_each(3))] * 2, {}, "multislice job7: it is there twice"),
        (
            [
                job(("ab00",), ("ab01",)),
                Multislice("b", (PodBlocks("x", ("ab00",)), PodBlocks("y", ("ab02",)))),
            ],
            {},
            "block ab00: it is of pod pab00 and of pod x",
        ),
    ],
)
def test_rings_that_cannot_be_are_refused(jobs, options, said) -> None:
    of = network(4, 12)
    with pytest.raises(UnusableInput, match=said):
        planned(of, *jobs, **options)


def test_a_job_that_runs_names_blocks_of_the_network_too() -> None:
    misspelt = Multislice("job7", (PodBlocks("a", ("ab00",)), PodBlocks("b", ("ab1",))))
    with pytest.raises(UnusableInput, match="block 'ab1' of pod b is not there"):
        plan_rings(network(3, 8), [WishedRings(misspelt, runs=True)])
