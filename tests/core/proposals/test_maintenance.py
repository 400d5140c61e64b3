"""What must move before somebody touches a part: what can move does, and all of it comes back."""

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.proposals.effects import (
    MoveSlice,
    SetSlotStatus,
)
from fabric_twin.core.proposals.maintenance import propose_maintenance
from fabric_twin.core.proposals.targets import Out, Reach
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import Shape
from tests.examples import examples

from .bench import (
    SLOTS,
    carried_out,
    outs,
    pod,
    pods,
    short_slots,
)


@settings(max_examples=examples(50))
@given(pods(), outs(), st.booleans())
def test_maintenance_moves_what_can_move_names_what_cannot_and_leads_back(now, out, interrupt):
    if not out:
        with pytest.raises(UnusableInput, match="nothing to take out of service is named"):
            propose_maintenance(now, out)
        return
    proposal = propose_maintenance(now, out, interrupt=interrupt)
    short = short_slots(now, out)
    standing = now.occupancy.slices
    hit = {
        name
        for name, made in standing.items()
        if set(made.slots) & (out.slots if made.chips else short)
    }
    moved = {effect.before.name: effect.after for effect in proposal.effects}
    stranded = {one.name: one for one in proposal.stranded}
    assert hit == set(proposal.blast.slices) == moved.keys() | stranded.keys()
    assert not moved.keys() & stranded.keys()

    # Nobody stands on what is out, nobody stands twice, and whom it does not name stays.
    after = Occupancy(now.intended.design, SLOTS)
    for name, made in standing.items():
        after.add(moved.get(name, made))
    for made in moved.values():
        assert not set(made.slots) & (out.slots if made.chips else short)
        assert made.shape == standing[made.name].shape

    # Capacity left, counted cube by cube.
    free = [s for s in SLOTS if s not in short and not after.taken[s]]
    assert list(proposal.blast.after.free) == free
    assert proposal.blast.after.healthy == len(SLOTS) - len(out.slots)
    for name in stranded:
        made = standing[name]
        if not made.chips:
            assert len(free) < len(set(made.slots) & short)

    # The fabric: each stage by itself, the end, and the way back.
    start = set(now.circuits)
    end = carried_out(start, proposal.plan.stages)
    back = carried_out(end, proposal.plan.undone)
    assert {circuit.key for circuit in back} == {circuit.key for circuit in start}
    reach = Reach(now.intended, out)
    assert not any(reach.through(circuit) for circuit in proposal.plan.add)
    for circuit in end:
        if reach.through(circuit):
            assert circuit.owner in stranded
            assert not interrupt
    passed_on = {new.key: new for _, new in proposal.plan.passed_on}
    owned = {passed_on.get(circuit.key, circuit) for circuit in end}
    for name, made in standing.items():
        ours = {circuit for circuit in owned if circuit.owner == name}
        if name in stranded and interrupt:
            assert ours == {c for c in now.circuits_of(made) if not reach.through(c)}
        else:
            assert ours == set(now.circuits_of(moved.get(name, made)))
    touched = {circuit.owner for circuit in (*proposal.plan.remove, *proposal.plan.add)}
    assert touched <= hit | {""}
    assert set(proposal.plan.untouched_owners) == {
        circuit.owner for circuit in now.circuits if circuit.owner not in touched | {""}
    }


@settings(max_examples=examples(12))
@given(
    st.sampled_from(["ironwood", "tpu-v4"]),
    st.sampled_from([Shape((4, 4, 8)), Shape((4, 4, 12)), Shape((4, 8, 8), twisted=False)]),
    st.sets(st.integers(1, 4), min_size=1, max_size=3),
)
def test_no_other_choice_of_cubes_changes_fewer_circuits(name, shape, gone):
    slots = range(1, 8)
    now = pod(name, [("job", shape)], slots=slots)
    made, usable = now.occupancy.slices["job"], [s for s in slots if s not in gone]
    if len(usable) < len(made.slots):
        return
    proposal = propose_maintenance(now, Out(slots=frozenset(gone)))
    have = {circuit.key for circuit in now.circuits}
    fewest = min(
        len(have - {c.key for c in now.circuits_of(replace(made, slots=choice))})
        for choice in permutations(usable, len(made.slots))
    )
    assert len(proposal.plan.remove) == len(proposal.plan.add) == fewest


def test_a_cube_goes_out_and_one_free_cube_takes_its_place():
    now = pod("ironwood", [("job-a", Shape((4, 4, 8))), ("job-b", Shape((4, 4, 4)))])
    proposal = propose_maintenance(
        now, Out(slots=frozenset({2})), effects=[SetSlotStatus(2, "Active", "Out")]
    )
    facts = proposal.as_json({"job-a": "an-id"})
    plan = facts.pop("plan")
    assert facts == {
        "version": 1,
        "pod": "p",
        "design": "ironwood",
        "kind": "maintenance",
        "title": "Maintenance of p-c002 in slot 2",
        "wish": {
            "switches": [],
            "boards": [],
            "slots": [2],
            "ports": [],
            "interrupt": False,
            "bear": 0,
        },
        "risk": {"level": "medium", "reason": "1 slice is interrupted to move"},
        "blast": {
            "slices": ["job-a"],
            "bearing": [],
            "owners": ["job-a"],
            "links": 64,
            "capacity_before": {
                "free_cubes": 9,
                "free_slots": "4-12",
                "healthy_cubes": 12,
                "shapes": ["4x12x12", "8x8x8", "4x4x4"],
            },
            "capacity_left": {
                "free_cubes": 8,
                "free_slots": "5-12",
                "healthy_cubes": 11,
                "shapes": ["8x8x8", "4x4x4"],
            },
        },
        "bears": [],
        "stranded": [],
        "on_failure": "undo",
        "warnings": [],
    }
    assert plan["effects"] == [
        {
            "do": "move-slice",
            "from": {
                "version": 1,
                "name": "job-a",
                "shape": "4x4x8",
                "twisted": False,
                "cubes": [{"at": [0, 0, 0], "slot": 1}, {"at": [0, 0, 1], "slot": 2}],
                "circuits": [],
            },
            "to": {
                "version": 1,
                "name": "job-a",
                "shape": "4x4x8",
                "twisted": False,
                "cubes": [{"at": [0, 0, 0], "slot": 1}, {"at": [0, 0, 1], "slot": 4}],
                "circuits": [],
            },
            "id": "an-id",
        },
        {"do": "set-slot-status", "slot": 2, "from": "Active", "to": "Out"},
    ]
    # Z exchanges slot 2 for 4; the rings of slot 2 alone along X and Y go, those of 4 come.
    assert [(len(s["add"]), len(s["remove"])) for s in plan["stages"]] == [
        (32, 0),
        (32, 32),
        (0, 32),
    ]
    assert plan["notes"][1] == {
        "interrupts": {"job-a": 32},
        "check": "the switches no longer report 32 circuits; 32 circuits are tuned at both ends; "
        "over each, "
        "both cubes hear the neighbour that the plan joins, the switch loses at most 3 dB and "
        "0.8 dB more than on a good day, or in the factory where it had none and the switch tells, "
        "the return loss is at least 36 dB, and errors "
        "before correction are at most 0.0002",
        "undo": "remove 32 circuits and add back 32 circuits, in one Set a switch",
    }
    assert plan["untouched_owners"] == ["job-b"]


def test_a_switch_strands_every_slice_of_whole_cubes_and_no_other():
    now = pod("tpu-v4", [("job-a", Shape((4, 4, 8))), ("part", Shape((2, 2, 2)))])
    out = Out(switches=frozenset({0}))
    kept = propose_maintenance(now, out)
    (stranded,) = kept.stranded
    assert stranded.as_json() == {
        "name": "job-a",
        "shape": "4x4x8",
        "why": "every cube has a cable on what is out; it could bear that: a join would lack 1 "
        "switch, X keeps 0.9375",
        "links": 2,
    }
    assert not kept.possible
    assert kept.risk.level == "high"
    assert kept.plan.stages == ()
    assert kept.blast.after.free == ()
    still = propose_maintenance(now, out, interrupt=True)
    assert [(len(s.remove), len(s.add)) for s in still.plan.stages] == [(4, 0)]
    assert still.interrupted == ("job-a",)
    assert {circuit.switch for circuit in still.plan.remove} == {"p-ocs-x-1-1"}
    assert still.risk.reason == "1 slice cannot move and is down until it is undone"


def test_a_driver_board_takes_its_run_of_cubes_and_no_more():
    slots = range(1, 41)
    now = pod("ironwood", [("job-a", Shape((4, 4, 12)), [17, 18, 19])], slots=slots)
    proposal = propose_maintenance(now, Out(boards=frozenset({(0, 0)})))
    assert proposal.title == "Maintenance of driver board 0 of p-ocs-x-1-1 (ports 1 to 18)"
    (move,) = proposal.effects
    assert isinstance(move, MoveSlice)
    assert move.after.slots == (20, 21, 19)
    assert proposal.blast.after.free == tuple(range(22, 41))


def test_circuits_made_by_hand_stay_unless_they_may_be_interrupted():
    base = pod("ironwood")
    by_hand = Circuit("p-ocs-x-1-1", "7A", "7B")
    now = replace(base, circuits=(by_hand,))
    out = Out(slots=frozenset({7}))
    stays = propose_maintenance(now, out)
    assert stays.plan.stages == ()
    assert stays.warnings == (
        "7A to 7B on p-ocs-x-1-1 was made by hand and goes through it: they stay, because "
        "their owner is not known",
    )
    assert propose_maintenance(now, out, interrupt=True).plan.remove == (by_hand,)
    left = replace(now, left_over=frozenset({by_hand.key}))
    assert propose_maintenance(left, out).plan.remove == (by_hand,)


@pytest.mark.parametrize(("bear", "interrupt"), [(1, False), (0, False), (0, True)])
def test_no_circuit_is_taken_off_a_dead_switch(bear, interrupt):
    now = pod("ironwood", [("one", Shape((4, 4, 8)))])
    name = now.names.switches[0]
    dead = replace(now, dead=frozenset({name}))
    for out in (Out(switches=frozenset({0})), Out(boards=frozenset({(0, 0)}))):
        with pytest.raises(NotPossible) as refused:
            propose_maintenance(dead, out, interrupt=interrupt, bear=bear)
        assert str(refused.value) == (
            f"maintenance: {name} is dead: nothing can be read back from it, so no ticket takes "
            "circuits off it until it answers. Its slices already do without these circuits. "
            "Repair it by a work order for its finding: that needs no drain while the switch is "
            "dead, and asks for what slices lack once it is back."
        )
    # A cube is left all the same, and what nobody uses is recorded as out.
    assert propose_maintenance(dead, Out(slots=frozenset({1}))).plan.remove
    unused = replace(pod("ironwood"), dead=frozenset({name}))
    assert not propose_maintenance(unused, Out(switches=frozenset({0}))).plan.stages
