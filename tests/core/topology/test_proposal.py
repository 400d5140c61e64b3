"""A topology of a network as a change: what pairs keep, on which ports, and what gives way.

The fifth block and its circuits are the worked growth of the sources.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.cabling.plant import Substitution
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.pods.names import Names
from fabric_twin.core.proposals.effects import AcceptCircuits
from fabric_twin.core.proposals.links import LinksProposal, NetworkInUse, check_without
from fabric_twin.core.proposals.topology import propose_topology
from fabric_twin.core.tickets.course import Course
from fabric_twin.core.topology.joined import Joined
from fabric_twin.core.topology.network import Network, SwitchEnd, placed
from fabric_twin.core.topology.ports import with_ports
from fabric_twin.core.topology.wiring import intended_network
from tests.examples import examples

BEFORE = "1A-4B 2A-7B 3A-10B 4A-1B 5A-8B 6A-9B 7A-2B 8A-11B 9A-12B 10A-3B 11A-5B 12A-6B"


def blocks(names: str, rate: float = 400.0) -> Network:
    return placed("dc1", 2, [(name, 12, rate) for name in names])


def circuits(switch: int, text: str) -> list[Circuit]:
    """`1A-4B 2A-7B` of one switch."""
    pairs = (word.split("-") for word in text.split())
    return [Circuit(f"dc1-ocs-0{switch}", a, b) for a, b in pairs]


def in_use(
    network: Network, there: Sequence[Circuit], spares: Sequence[Substitution] = ()
) -> NetworkInUse:
    return NetworkInUse(
        network,
        intended_network(network, spares),
        tuple(there),
        takes=frozenset(network.by_name),
    )


def after(now: NetworkInUse, proposal: LinksProposal) -> set[tuple[str, str, str]]:
    """The circuits when all is done, stage by stage as a course has them."""
    there = {c.key for c in now.circuits} - now.missing
    for stage in Course("t1", proposal.plan.stages).stages:
        assert {c.key for c in stage.remove} <= there
        there = there - {c.key for c in stage.remove} | {c.key for c in stage.add}
        for side in (1, 2):
            ports = [(key[0], key[side]) for key in there]
            assert len(ports) == len(set(ports))
    return there


def test_a_fifth_block_joins_and_each_pair_is_told() -> None:
    four = [*circuits(1, BEFORE), *circuits(2, BEFORE)]
    now = in_use(blocks("abcde"), four)
    found = propose_topology(now, "uniform", at_once=1)
    assert (found.title, found.kind, found.risk.level) == ("Uniform topology", "topology", "medium")
    assert (len(found.plan.remove), len(found.plan.add)) == (6, 12)
    assert [(len(s.remove), len(s.add)) for s in found.plan.stages] == [(3, 6), (3, 6)]
    touched = found.blast
    assert (touched.links, touched.load) == (6, (None, None, None))
    assert sum(found.notes[0].links_back.values()) == 6
    assert {(p.one, p.other): (p.before, p.least, p.after) for p in touched.pairs} == {
        **dict.fromkeys([(a, b) for a in "abcd" for b in "abcd" if a < b], (4, 3, 3)),
        **dict.fromkeys([(a, "e") for a in "abcd"], (0, 0, 3)),
    }
    first, _ = found.notes
    assert sum(first.links.values()) == 3
    gone = found.plan.stages[0].remove[0]
    assert first.strands[0] == strands_by_hand(gone)
    assert found.warnings == ("Nobody has said what pairs ask for: no stage is held against it",)
    assert found.plan_json()["drains_links"] is True


def strands_by_hand(circuit: Circuit) -> tuple[str, str]:
    """The strand at each end of a circuit of the worked network, by the text of its rule.

    Strand u of block b: switch 1 + (u-1) mod 2; r = (u-1) div 2; side A where r is even, else B;
    port (b-1) 3 + r div 2 + 1; module ceil(u / 2), place 2 - (u mod 2).
    """
    found = {}
    for b, name in enumerate("abcde", 1):
        for u in range(1, 13):
            r = (u - 1) // 2
            port = f"{(b - 1) * 3 + r // 2 + 1}{'BA'[r % 2 == 0]}"
            where = f"dc1-ocs-0{1 + (u - 1) % 2}", port
            found[where] = f"dc1-{name} m{-(-u // 2):02}/{2 - u % 2}"
    return found[circuit.switch, circuit.a], found[circuit.switch, circuit.b]


def test_a_block_that_is_drained_loses_its_links_and_the_others_share_them() -> None:
    now = in_use(blocks("abcd"), [*circuits(1, BEFORE), *circuits(2, BEFORE)])
    found = propose_topology(replace(now, takes=frozenset("abc")), "uniform")
    links = found.after
    assert (links[3].sum(), links[0, 1], links[0, 2], links[1, 2]) == (0, 6, 6, 6)
    assert found.warnings[0] == "Blocks that are not active get no links: d"


def test_demand_is_kept_in_each_stage_or_the_ticket_is_refused() -> None:
    network = blocks("abcd", rate=1.0)
    now = in_use(network, [*circuits(1, BEFORE), *circuits(2, BEFORE)])
    asked = np.full((4, 4), 1.0)
    asked[0, 1] = asked[1, 0] = 6.0
    np.fill_diagonal(asked, 0.0)
    found = propose_topology(replace(now, demand=asked, day="2026-11-24"), "engineered")
    assert found.title == "Engineered topology for the demand of 2026-11-24"
    assert "in each stage pairs keep what they ask for, over their own" in found.risk.reason
    before, _, end = found.blast.load
    assert (before, end) == (1.5, 0.75)
    full = np.full((4, 4), 4.0)
    np.fill_diagonal(full, 0.0)
    full[0, 1] = full[1, 0] = full[2, 3] = full[3, 2] = 3.9
    with pytest.raises(FabricTwinError, match=r"without the circuits that go, .* would have"):
        propose_topology(
            replace(now, takes=frozenset("abcd"), demand=full, owners={"x": "ab", "y": "cd"}),
            "isolated",
        )


def test_what_nobody_wants_goes_and_what_never_came_is_dropped() -> None:
    network = blocks("ab")
    wanted = propose_topology(in_use(network, []), "uniform")
    made = [c for stage in wanted.plan.stages for c in stage.add]
    # One of them is shown and wanted by nobody, one never came; and one is in the way.
    left, lost = made[0], made[1]
    stray = Circuit(made[2].switch, made[2].a, "130B")
    there = [*made[:2], *made[3:], stray]
    now = replace(
        in_use(network, there),
        left_over=frozenset({left.key, stray.key}),
        missing=frozenset({lost.key}),
    )
    found = propose_topology(now, "uniform")
    assert [c.key for c in found.plan.remove] == [stray.key]
    assert {c.key for c in found.plan.add} == {lost.key, made[2].key}
    assert found.effects == (AcceptCircuits((replace(left),), ()),)
    assert after(now, found) == {c.key for c in made}

    none = replace(now, takes=frozenset("a"))
    gone = propose_topology(none, "uniform")
    [effect] = gone.effects
    assert isinstance(effect, AcceptCircuits)
    assert [c.key for c in effect.drop] == [lost.key]
    assert after(none, gone) == set()


def test_a_strand_on_a_spare_is_switched_there_and_one_that_is_out_gets_no_link() -> None:
    network = blocks("ab")
    by_rule = Names(intended_network(network).names.layout, "dc1")
    spare = Substitution(by_rule.switches[0], "2A", "130A", "worn")
    found = propose_topology(in_use(network, [], [spare]), "uniform")
    on_first = {c.a for c in found.plan.add if c.switch == "dc1-ocs-01"}
    assert "130A" in on_first
    assert "2A" not in on_first

    # A circuit is still on the port whose place the spare has taken: it moves there.
    old = next(c for c in found.plan.add if c.a == "130A")
    behind = replace(old, a="2A")
    rest = [c for c in found.plan.add if c is not old]
    moved = propose_topology(in_use(network, [*rest, behind], [spare]), "uniform")
    assert [c.key for c in moved.plan.remove] == [behind.key]
    assert [c.key for c in moved.plan.add] == [old.key]

    out = replace(in_use(network, []), out=frozenset({SwitchEnd(1, 1, 0)}))
    less = propose_topology(out, "uniform")
    assert len(less.plan.add) == len(found.plan.add) - 1
    assert less.warnings[0].startswith("Not made, for a port or a strand is out: ")


def test_a_switch_that_is_out_is_left_alone_and_counts_for_nothing() -> None:
    four = [*circuits(1, BEFORE), *circuits(2, BEFORE)]
    network = blocks("abcd", rate=1.0)
    asked = np.full((4, 4), 0.5)
    asked[0, 1] = asked[1, 0] = 2.0
    np.fill_diagonal(asked, 0.0)
    now = replace(in_use(network, four), demand=asked)
    # A switch that is out is left alone, and the ticket does not wait for it.
    dead = frozenset(SwitchEnd(2, port, side) for port in range(1, 13) for side in (0, 1))
    found = propose_topology(replace(now, out=dead), "engineered")
    assert {c.switch for c in (*found.plan.remove, *found.plan.add)} == {"dc1-ocs-01"}
    assert found.warnings[0] == "Left as they are, for they are out: dc1-ocs-02"
    # What a dead link carries counts for nothing: of four links of a and b two are left.
    assert found.blast.load[0] == 2.0 / 2


def test_of_links_that_are_there_a_dead_one_goes_first_and_none_comes_to_a_dead_port() -> None:
    network, dead = blocks("ab"), {SwitchEnd(1, 1, 0)}
    wanted = np.zeros((2, 2, 2), np.int64)
    wanted[0, 0, 1] = 1
    there = [Joined(1, 1, 4), Joined(1, 2, 5)]
    assert list(with_ports(network, wanted, there, dead)) == [Joined(1, 2, 5)]
    assert list(with_ports(network, wanted, (), dead)) == [Joined(1, 2, 4)]
    assert list(with_ports(network, wanted)) == [Joined(1, 1, 4)]


def test_a_network_without_a_block_that_takes_links_is_refused() -> None:
    now = in_use(blocks("ab"), [])
    for kind in ("uniform", "isolated"):
        with pytest.raises(FabricTwinError, match="none of its blocks is active"):
            propose_topology(replace(now, takes=frozenset(), owners={"x": "ab"}), kind)


def test_circuits_that_a_pair_needs_by_now_are_not_taken_away() -> None:
    four = [*circuits(1, BEFORE), *circuits(2, BEFORE)]
    asked = np.full((4, 4), 4.0)
    np.fill_diagonal(asked, 0.0)
    now = replace(in_use(blocks("abcd", rate=1.0), four), demand=asked)
    check_without(now, now.asked, four, four, "stage 1")
    with pytest.raises(FabricTwinError, match="stage 1: without the circuits that go"):
        check_without(now, now.asked, four, four[2:], "stage 1")
    check_without(replace(now, demand=None), now.asked, four, [], "stage 1")
    # What it never had is not asked for, nor what a block asks that takes no links.
    check_without(now, now.asked, four[2:], four[2:], "stage 1")
    check_without(
        now,
        now.asked_of("ab"),
        four,
        circuits(1, "1A-4B 4A-1B 7A-2B 2A-7B") + circuits(2, "1A-4B 4A-1B"),
        "1",
    )


@given(st.data())
@settings(max_examples=examples(60), deadline=None)
def test_from_any_circuits_the_stages_lead_to_the_topology(data: st.DataObject) -> None:
    """Whatever is there, wanted or not, shown or not: ports are in one circuit, and links right."""
    network = blocks("abc")
    start = propose_topology(in_use(network, []), "uniform")
    made = [c for stage in start.plan.stages for c in stage.add]
    there = data.draw(st.lists(st.sampled_from(made), unique=True))
    left = data.draw(st.sets(st.sampled_from(there))) if there else set()
    lost = (
        data.draw(st.sets(st.sampled_from(sorted({*there} - left, key=str))))
        if {*there} - left
        else set()
    )
    takes = data.draw(st.sets(st.sampled_from("abc"), min_size=2))
    now = replace(
        in_use(network, there),
        left_over=frozenset(c.key for c in left),
        missing=frozenset(c.key for c in lost),
        takes=frozenset(takes),
    )
    found = propose_topology(now, "uniform")
    end = after(now, found)
    wanted = {c.key for c in found.plan.keep} | {c.key for c in found.plan.add}
    assert wanted == end
    ends = {
        block.name: {f"{p}{side}" for p in network.places_of(block) for side in "AB"}
        for block in network.blocks
    }
    for one in takes:
        joined = [key for key in wanted if {key[1], key[2]} & ends[one]]
        assert len(joined) == 12
    for block in set("abc") - takes:
        assert not [key for key in wanted if {key[1], key[2]} & ends[block]]
