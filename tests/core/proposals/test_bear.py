"""Maintenance that slices bear: only circuits through what is out go, and all of them come back."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.proposals.effects import MoveSlice
from fabric_twin.core.proposals.in_use import InUse
from fabric_twin.core.proposals.maintenance import propose_maintenance
from fabric_twin.core.proposals.proposal import Proposal
from fabric_twin.core.proposals.return_to_service import propose_return
from fabric_twin.core.proposals.targets import Out, Reach
from fabric_twin.core.slices.arrangement import is_borne
from fabric_twin.core.slices.lost_links import carried_by, lost_by_slot
from fabric_twin.core.slices.shapes import Shape
from fabric_twin.core.slices.torus import rings_of
from fabric_twin.inventory.slices import slice_of
from tests.examples import examples

from .bench import DESIGNS, carried_out, pod, pods

JOB = Shape((4, 4, 8))
#: What a slice of two cubes along Z keeps of X while `x-1-1` is out, by what a switch carries.
LEFT = {
    "ironwood": 15 / 16,
    "tpu-v5p": 15 / 16,
    "tpu-v4": 15 / 16,
    "tpu-v4-duplex": 31 / 32,
    "tpu-v4-cwdm8": 14 / 16,
}


def taken_out(now: InUse, proposal: Proposal, out: Out) -> InUse:
    """The pod once the proposal is carried out: as the records have it while the part is out."""
    occupancy = now.occupancy.copy()
    for effect in proposal.effects:
        if isinstance(effect, MoveSlice):
            occupancy.release(effect.before.name)
    for effect in proposal.effects:
        if isinstance(effect, MoveSlice):
            occupancy.add(effect.after)
    for bears in proposal.bears:
        occupancy.release(bears.made.name)
        occupancy.add(bears.made)
    for port in Reach(now.intended, out).ports:
        occupancy.fail_port(port)
    there = carried_out(set(now.circuits), proposal.plan.stages)
    passed_on = {new.key: new for _, new in proposal.plan.passed_on}
    circuits = tuple(passed_on.get(circuit.key, circuit) for circuit in there)
    return InUse(now.intended, occupancy, circuits, now.left_over)


def every_join_bears(now, made, ports, bear):
    """Whether each join lacks few enough switches, counted by what each cube lost."""
    layout = now.intended.design.layout
    rings = rings_of(made.shape.grid(layout.cube), twisted=made.shape.twisted)
    lost = lost_by_slot(layout, now.intended.mate, ports)
    return is_borne(rings, made.slots, lost, carried_by(layout), bear)


@st.composite
def parts(draw, design):
    """Switches, driver boards, ports and seldom a cube of a design."""
    layout = find_design(design).layout
    switches = st.sampled_from([0, 1, 5, 17, 20])
    first, last = layout.cube_ports, len(layout.mate) - 1
    return Out(
        switches=draw(st.frozensets(switches, max_size=3)),
        boards=draw(st.frozensets(st.tuples(switches, st.integers(0, 1)), max_size=1)),
        ports=draw(st.frozensets(st.integers(first, last), max_size=2)),
        slots=draw(st.sampled_from([frozenset()] * 5 + [frozenset({3})])),
    )


@settings(max_examples=examples(50))
@given(pods(), st.data(), st.integers(1, 4))
def test_only_circuits_through_what_is_out_go_where_a_slice_bears_it(now, dice, bear):
    out = dice.draw(parts(now.intended.design.name))
    if not out:
        return
    reach = Reach(now.intended, out)
    proposal = propose_maintenance(now, out, bear=bear)
    standing = now.occupancy.slices
    assert {bears.made.name for bears in proposal.bears} == {
        name
        for name, made in standing.items()
        if not made.chips
        and reach.hits(made)
        and out.slots.isdisjoint(made.slots)
        and every_join_bears(now, made, reach.ports, bear)
    }
    for bears in proposal.bears:
        name = bears.made.name
        before = standing[name]
        through = {c for c in now.circuits_of(before) if reach.through(c)}
        assert {c for c in proposal.plan.remove if c.owner == name} == through != set()
        assert not any(circuit.owner == name for circuit in proposal.plan.add)
        # It is the same slice in the same cubes, without these circuits.
        assert replace(bears.made, without=()) == before
        assert set(now.circuits_of(bears.made)) == set(now.circuits_of(before)) - through
    there = taken_out(now, proposal, out)
    back = carried_out(carried_out(set(now.circuits), proposal.plan.stages), proposal.plan.undone)
    assert {circuit.key for circuit in back} == {circuit.key for circuit in now.circuits}
    for bears in proposal.bears:
        made = there.occupancy.slices[bears.made.name]
        mine = {circuit for circuit in there.circuits if circuit.owner == made.name}
        assert mine == set(there.circuits_of(made))


@settings(max_examples=examples(30))
@given(st.sampled_from(DESIGNS), st.data(), st.integers(1, 3))
def test_what_a_slice_does_without_already_counts(design, dice, bear):
    now = pod(design, [("job", JOB), ("other", Shape((4, 8, 8)))])
    first, second = (replace(dice.draw(parts(design)), slots=frozenset()) for _ in range(2))
    if not first or not second:
        return
    there = now
    once = propose_maintenance(now, first, bear=48)
    if not once.possible or once.effects:
        return  # a join would keep no link
    there = taken_out(now, once, first)
    ports = Reach(now.intended, first).ports | Reach(now.intended, second).ports
    twice = propose_maintenance(there, second, bear=bear)
    through = {c.owner for c in there.circuits if Reach(now.intended, second).through(c)}
    assert {bears.made.name for bears in twice.bears} == {
        name for name in through if every_join_bears(now, now.occupancy.slices[name], ports, bear)
    }


@settings(max_examples=examples(30))
@given(st.sampled_from(DESIGNS), st.data())
def test_a_return_brings_back_the_circuits_of_the_ports_that_are_back_and_no_other(design, dice):
    now = pod(design, [("job", JOB), ("other", Shape((4, 8, 8)))])
    switches = dice.draw(st.lists(st.integers(0, 23), min_size=1, max_size=3, unique=True))
    out = Out(switches=frozenset(switches))
    proposal = propose_maintenance(now, out, bear=len(switches))
    assert len(proposal.bears) == 2
    there = taken_out(now, proposal, out)
    for number in switches:
        ports = Reach(now.intended, Out(switches=frozenset({number}))).ports
        back = propose_return(there, Out(ports=ports), ())
        name = now.names.switches[number]
        assert set(back.plan.add) == {c for c in now.circuits if c.switch == name}
        assert (back.plan.remove, back.warnings) == ((), ())
        circuits = carried_out(set(there.circuits), back.plan.stages)
        there = InUse(now.intended, back.after, tuple(circuits))
        for made in there.occupancy.slices.values():
            mine = {circuit for circuit in circuits if circuit.owner == made.name}
            assert set(there.circuits_of(made)) == mine
    assert set(there.circuits) == set(now.circuits)
    assert there.occupancy.slices == now.occupancy.slices
    with pytest.raises(NotPossible, match="no slice lacks light there"):
        propose_return(there, Out(ports=ports), ())


@pytest.mark.parametrize("design", DESIGNS)
def test_a_switch_slows_slices_of_whole_cubes_and_interrupts_none(design):
    now = pod(design, [("job", JOB), ("part", Shape((2, 2, 2)))])
    proposal = propose_maintenance(now, Out(switches=frozenset({0})), bear=1)
    facts = proposal.as_json()
    [bears] = facts["bears"]
    made = bears.pop("slice")
    links = {"tpu-v4-cwdm8": 4}.get(design, 2)
    assert bears == {
        "name": "job",
        "shape": "4x4x8",
        "links": links,
        "capacity_before": {"x": 1, "y": 1, "z": 1},
        "capacity_after": {"x": LEFT[design], "y": 1, "z": 1},
        "slowest_link": 0.5,
        "detours": links,
    }
    assert facts["plan"]["bears"] == [bears]
    assert facts["risk"] == {"level": "medium", "reason": "1 slice is slower until it is returned"}
    assert (proposal.possible, proposal.effects, proposal.stranded) == (True, (), ())
    switch = now.names.switches[0]
    assert {circuit.switch for circuit in proposal.plan.remove} == {switch}
    blast = facts["blast"]
    assert (blast["slices"], blast["bearing"], blast["owners"]) == (["job"], ["job"], ["job"])
    left = blast["capacity_left"]
    assert (left["free_cubes"], left["bear"], left["bearing_cubes"]) == (0, 1, 9)
    # A drain asks its owner: the job may not be able to bear it.
    assert proposal.interrupted == ("job",)
    # The file of the slice is read back as it then stands, with the reason.
    written = slice_of(made, "job", now.intended, "")
    assert (written.made.slots, written.warning) == ((1, 2), "")
    assert set(written.made.without) == set(proposal.bears[0].made.without)
    assert {why for _, why in written.without} == {f"taken by maintenance of {switch}"}


def test_each_circuit_that_goes_says_which_part_takes_it():
    now = pod("ironwood", [("job", JOB)])
    layout = now.intended.design.layout
    port = layout.cube_ports + 40 * layout.ports_per_switch + 1  # port 2A of the switch
    out = Out(frozenset({0}), frozenset({(20, 0)}), ports=frozenset({port}))
    proposal = propose_maintenance(now, out, bear=1)
    reasons = {}
    for circuit in proposal.as_json()["bears"][0]["slice"]["without"]:
        reasons.setdefault(circuit["why"], []).append((circuit["a"], circuit["b"]))
    assert reasons == {
        "taken by maintenance of p-ocs-x-1-1": [("1A", "1B"), ("2A", "2B")],
        "taken by maintenance of driver board 0 of p-ocs-y-2-1 (ports 1 to 18)": [
            ("1A", "1B"),
            ("2A", "2B"),
        ],
        "taken by maintenance of p-ocs-z-3-1 port 2A": [("2A", "1B")],
    }


def test_a_slice_bears_before_it_moves_and_moves_where_it_cannot_bear():
    slots = range(1, 41)
    now = pod("ironwood", [("job", JOB, [1, 2]), ("part", Shape((1, 1, 1)), [3])], slots=slots)
    board = Out(boards=frozenset({(0, 0)}))
    assert [e.after.slots for e in propose_maintenance(now, board).effects] == [(19, 20)]
    borne = propose_maintenance(now, board, bear=1)
    assert (borne.effects, len(borne.bears)) == ((), 1)
    # Two boards of X take two switches of the same joins: more than one.
    both = Out(boards=frozenset({(0, 0), (1, 0)}))
    moved = propose_maintenance(now, both, bear=1)
    assert [e.after.slots for e in moved.effects] == [(19, 20)]
    assert moved.risk.reason == "1 slice is interrupted to move"
    # No slice bears a cube that is taken out.
    [move] = propose_maintenance(now, Out(slots=frozenset({2})), bear=1).effects
    assert move.after.slots == (1, 4)


def test_who_can_neither_bear_it_nor_move_is_told_what_bearing_would_take():
    now = pod("ironwood", [("job", JOB)])
    two = Out(switches=frozenset({0, 1}))
    stuck = propose_maintenance(now, two, bear=1)
    said = "every cube has a cable on what is out; it could bear that: a join would lack 2 switches"
    assert [one.why for one in stuck.stranded] == [f"{said}, X keeps 0.875"]
    assert stuck.risk.level == "high"
    still = propose_maintenance(now, two, bear=1, interrupt=True)
    assert len(still.plan.remove) == 4
    assert propose_maintenance(now, two, bear=2).possible
    # All 16 switches of an axis leave no link.
    [gone] = propose_maintenance(now, Out(switches=frozenset(range(16))), bear=16).stranded
    assert gone.why == (
        "every cube has a cable on what is out; a join of two cubes would keep no link"
    )


def test_a_link_that_no_switch_shows_counts_as_well():
    now = pod("ironwood", [("job", JOB)])
    dark = frozenset(c.key for c in now.circuits if c.switch == "p-ocs-x-1-1")
    now = replace(now, missing=dark)
    out = Out(switches=frozenset({1}))
    [stuck] = propose_maintenance(now, out, bear=1).stranded
    assert "a join would lack 2 switches, X keeps 0.875" in stuck.why
    [bears] = propose_maintenance(now, out, bear=2).bears
    assert (bears.before.capacity[0], bears.after.capacity[0]) == (15 / 16, 14 / 16)
    # It still wants them: only what goes is added to what it does without.
    assert len(bears.made.without) == 2


def test_a_slice_in_hand_of_a_ticket_stays_as_it_is():
    now = replace(pod("ironwood", [("job", JOB)]), held_slots={1: "ticket iw1-t3"})
    proposal = propose_maintenance(now, Out(switches=frozenset({0})), bear=1)
    assert (proposal.bears, [one.why for one in proposal.stranded]) == (
        (),
        ["held by ticket iw1-t3"],
    )
    assert proposal.plan.stages == ()


def test_a_static_plant_has_no_switch_to_bear():
    now = pod("tpu-v2-static", slots=range(1, 17))
    with pytest.raises(NotPossible) as refused:
        propose_maintenance(now, Out(slots=frozenset({1})), bear=1)
    assert str(refused.value) == (
        "design tpu-v2-static: this plant is static: it has no switches that a slice "
        "could do without. Let slices bear none."
    )
