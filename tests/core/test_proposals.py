"""Proposals carried out by a fabric that knows names and nothing else."""

import re
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.boards import ports_of_board
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.occupancy import Occupancy
from fabric_twin.core.plans import Circuit
from fabric_twin.core.plant import Substitution, intended_plant
from fabric_twin.core.proposals.effects import (
    MakeSlice,
    MoveSlice,
    ReleaseSlice,
    SetSlotStatus,
    Substitute,
)
from fabric_twin.core.proposals.in_use import InUse
from fabric_twin.core.proposals.out import Out, Reach
from fabric_twin.core.shapes import Shape
from fabric_twin.services.bring_together import propose_defragmentation
from fabric_twin.services.leave_port import propose_off_port
from fabric_twin.services.maintain import propose_maintenance
from fabric_twin.services.propose import out_of, propose
from fabric_twin.services.rewire import propose_as_wanted, propose_circuits
from fabric_twin.services.wish import propose_release, propose_slice

DESIGNS = ["ironwood", "tpu-v5p", "tpu-v4", "tpu-v4-duplex", "tpu-v4-cwdm8"]
SLOTS = range(1, 13)
SHAPES = [
    Shape(sides, twisted)
    for sides, twisted in [
        ((1, 1, 2), False), ((2, 2, 2), False), ((2, 4, 4), False), ((4, 4, 4), False),
        ((4, 4, 8), True), ((4, 4, 12), False), ((4, 8, 8), False),
    ]
]  # fmt: skip


def pod(name, slices=(), left_over=(), slots=SLOTS):
    """A pod of a design with (name, shape) where they fall, or (name, shape, slots)."""
    intended = intended_plant(find_design(name), "p", slots)
    occupancy = Occupancy(intended.design, slots, mate=intended.mate)
    now = InUse(intended, occupancy, ())
    circuits = []
    for called, shape, *where in slices:
        allowed = occupancy.copy(*where)
        made = replace(allowed.allocate(called, shape))
        occupancy.add(made)
        circuits += now.circuits_of(made)
    spare = [circuit for circuit in left_over if no_port_of(circuit, circuits)]
    keys = frozenset(circuit.key for circuit in spare)
    return InUse(intended, occupancy, (*circuits, *spare), keys)


def no_port_of(circuit, circuits):
    return {p for c in circuits for p in c.ports}.isdisjoint(circuit.ports)


def carried_out(circuits, stages):
    """The circuits after some stages, on switches that do what they are told and no more."""
    ports = {port: circuit for circuit in circuits for port in circuit.ports}
    for stage in stages:
        for circuit in stage.remove:
            assert [ports.pop(port).key for port in circuit.ports] == [circuit.key] * 2
        for circuit in stage.add:
            for port in circuit.ports:
                assert port not in ports, "a port in two circuits"
                ports[port] = circuit
    return set(ports.values())


def slot_at(design, switch, port):
    """The slot whose cable is on a port of a switch, from `facts.md`, without the rule."""
    number = int(port[:-1])
    half = {"tpu-v4": 64, "tpu-v4-duplex": 64, "tpu-v4-cwdm8": 64}.get(design)
    return (number - 1) % half + 1 if half else number


@st.composite
def pods(draw):
    """A pod of some design with slices, and circuits that somebody left."""
    name = draw(st.sampled_from(DESIGNS))
    wanted = draw(st.lists(st.sampled_from(SHAPES), max_size=6))
    now = pod(name)
    slices, room = [], now.occupancy
    for number, shape in enumerate(wanted):
        slots = draw(st.sets(st.sampled_from(SLOTS), min_size=4))
        try:
            room.add(room.copy(slots).allocate(f"job-{number}", shape))
        except NotPossible:
            continue
        slices.append(room.slices[f"job-{number}"])
    circuits = tuple(c for made in slices for c in now.circuits_of(made))
    other = pod(
        name, [("old", Shape((4, 4, 4)), draw(st.sets(st.sampled_from(SLOTS), min_size=1)))]
    )
    left = [Circuit(*circuit.key) for circuit in other.circuits if no_port_of(circuit, circuits)]
    return InUse(now.intended, room, (*circuits, *left), frozenset(c.key for c in left))


@st.composite
def outs(draw):
    """Something to take out of service: seldom a switch, for that strands every slice."""
    some = st.sampled_from
    return Out(
        switches=draw(some([frozenset()] * 6 + [frozenset({3})])),
        boards=draw(st.frozensets(st.tuples(some([0, 5]), some([0, 0, 1, 4])), max_size=1)),
        slots=draw(st.frozensets(some(SLOTS), max_size=3)),
    )


def short_slots(now, out):
    """The slots with a cable on what is out, by going over every port of it by name."""
    design, names = now.intended.design, now.names
    radix = design.layout.radix
    numbers = {(switch, n) for switch in out.switches for n in range(1, radix + 1)}
    numbers |= {(switch, n) for switch, board in out.boards for n in ports_of_board(radix, board)}
    return {
        slot_at(design.name, names.switches[switch], f"{number}A")
        for switch, number in numbers
        if number not in design.spares
    } & set(SLOTS) | set(out.slots)


@settings(max_examples=150, deadline=None)
@given(pods(), outs(), st.booleans())
def test_maintenance_moves_what_can_move_names_what_cannot_and_leads_back(now, out, interrupt):
    if not out:
        with pytest.raises(UnusableInput, match="nothing is named"):
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


@settings(max_examples=25, deadline=None)
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
        "wish": {"switches": [], "boards": [], "slots": [2], "ports": [], "interrupt": False},
        "risk": {"level": "medium", "reason": "1 slice is interrupted to move"},
        "blast": {
            "slices": ["job-a"],
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
        "check": "32 circuits are shown no more; 32 circuits are tuned at both ends; over each, "
        "both cubes hear the neighbour that the plan joins, the switch loses at most 3 dB and "
        "0.8 dB more than from the factory, and errors before correction are at most 0.0002",
        "undo": "32 circuits go and 32 circuits come back, in one Set a switch",
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
        "why": "every cube has a cable on what is out: no slice of whole cubes can do without it",
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
    assert still.risk.reason == "1 slice cannot move and stands still until it is undone"


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
        "7A to 7B on p-ocs-x-1-1 was made by hand and goes through it: they stay, for nobody "
        "says whose they are",
    )
    assert propose_maintenance(now, out, interrupt=True).plan.remove == (by_hand,)
    left = replace(now, left_over=frozenset({by_hand.key}))
    assert propose_maintenance(left, out).plan.remove == (by_hand,)


@settings(max_examples=60, deadline=None)
@given(pods(), st.sampled_from(SHAPES))
def test_a_slice_is_wished_for_and_released_again(now, shape):
    try:
        proposal = propose_slice(now, shape, name="new")
    except NotPossible:
        assert now.occupancy.place(shape) is None
        return
    (made,) = proposal.effects
    assert isinstance(made, MakeSlice)
    end = carried_out(now.circuits, proposal.plan.stages)
    there = {c.key for c in end}
    assert {c.key for c in now.circuits_of(made.made)} <= there
    assert all(not c.owner for c in proposal.plan.remove)
    occupancy = now.occupancy.copy()
    occupancy.add(made.made)
    assert proposal.blast.after.free == tuple(sorted(occupancy.free))
    kept = tuple(
        replace(c, owner="new") if c.key in {k.key for k in now.circuits_of(made.made)} else c
        for c in end
    )
    then = replace(now, occupancy=occupancy, circuits=kept)
    released = propose_release(then, "new")
    assert released.effects == (ReleaseSlice(made.made),)
    assert released.blast.after == proposal.blast.before
    assert {c.owner for c in carried_out(kept, released.plan.stages)} == {c.owner for c in kept} - {
        "new"
    }


def test_who_releases_what_does_not_stand_is_told():
    with pytest.raises(NotPossible) as refused:
        propose_release(pod("ironwood"), "job-z")
    assert str(refused.value) == (
        "slice job-z: no slice of this name stands in pod p. Name a slice that stands; perhaps it "
        "is released already."
    )


def test_a_bad_port_is_left_for_a_spare_with_hands_between_two_stages():
    now = pod("tpu-v4", [("job-a", Shape((4, 4, 8)))])
    proposal = propose_off_port(now, ("p-ocs-z-1-1", "65"), reason="mirror stuck")
    assert proposal.title == "p-ocs-z-1-1: spare 129 in place of port 65"
    assert proposal.effects == (Substitute("p-ocs-z-1-1", "65", "129", "mirror stuck"),)
    assert proposal.on_failure == "hold"
    assert [
        ([f"{c.a} {c.b}" for c in stage.remove], [f"{c.a} {c.b}" for c in stage.add])
        for stage in proposal.plan.stages
    ] == [(["2A 65B", "65A 2B"], []), ([], ["2A 129B", "129A 2B"])]
    assert proposal.warnings == (
        "p-c001:1.1.1/Z- is moved from port 65 to port 129 of p-ocs-z-1-1 by hand: once the port "
        "is free, and before the spare is joined",
    )
    assert proposal.risk.reason == "job-a loses a link until p-c001:1.1.1/Z- is moved by hand"
    assert carried_out(
        carried_out(now.circuits, proposal.plan.stages), proposal.plan.undone
    ) == set(now.circuits)


@pytest.mark.parametrize("name", DESIGNS)
def test_the_circuits_on_a_spare_are_those_of_the_plant_with_the_substitution(name):
    now = pod(name, [("job-a", Shape((4, 4, 8))), ("job-b", Shape((4, 4, 4)))])
    port = (now.names.switches[5], "1" if name in {"tpu-v4", "tpu-v4-duplex"} else "1A")
    proposal = propose_off_port(now, port)
    if not now.intended.design.spares:
        assert not any(isinstance(effect, Substitute) for effect in proposal.effects)
        return
    (effect,) = proposal.effects
    done = Substitution(effect.switch, effect.port, effect.spare)
    intended = intended_plant(now.intended.design, "p", SLOTS, [done])
    there = replace(now, intended=intended)
    wanted = {c for made in now.occupancy.slices.values() for c in there.circuits_of(made)}
    assert carried_out(now.circuits, proposal.plan.stages) == wanted
    # The next one takes another spare; without any the slice moves.
    again = propose_off_port(
        replace(there, circuits=tuple(wanted)), (port[0], port[1].replace("1", "2"))
    )
    assert again.effects[0].spare != effect.spare


def test_without_spares_it_says_what_is_lost_and_moves_the_slice():
    now = pod("ironwood", [("job-a", Shape((4, 4, 4)))])
    proposal = propose_off_port(now, ("p-ocs-y-3-2", "1B"))
    assert proposal.title == "p-ocs-y-3-2: off port 1B"
    assert proposal.warnings == (
        "The design ironwood has no spare ports: until p-ocs-y-3-2 is mended, p-c001 in slot 1 "
        "lacks Y at index 3,2, and no slice of whole cubes can use it",
    )
    (move,) = proposal.effects
    assert (move.before.slots, move.after.slots) == ((1,), (2,))
    full = pod("ironwood", [("job-a", Shape((4, 4, 4)))], slots=[1])
    (stranded,) = propose_off_port(full, ("p-ocs-y-3-2", "1B")).stranded
    assert (
        stranded.why
        == "every cube has a cable on what is out: no slice of whole cubes can do without it"
    )


@pytest.mark.parametrize(
    ("port", "spare", "said"),
    [
        (
            ("p-ocs-x-1-1", "7"),
            None,
            "port of p-ocs-x-1-1: '7' is on both sides. Write 7A or 7B.",
        ),
        (
            ("p-ocs-x-9-9", "7A"),
            None,
            "port of p-ocs-x-9-9: '7A' is no port of a switch of this pod. Name a switch and its "
            "port.",
        ),
        (
            ("p-ocs-x-1-1", "144A"),
            None,
            "p-ocs-x-1-1 port 144A: no cable belongs on it, so nothing has to leave it. Name a "
            "port that a cube is cabled to.",
        ),
        (
            ("p-ocs-x-1-1", "7A"),
            "141B",
            "spare of p-ocs-x-1-1: port 141B is not a spare that is free on that side. Use one of "
            "141A, 142A, 143A, 144A.",
        ),
    ],
)
def test_what_cannot_be_left_is_refused(port, spare, said):
    with pytest.raises((NotPossible, UnusableInput)) as refused:
        propose_off_port(pod("tpu-v5p"), port, spare=spare)
    assert str(refused.value) == said


def test_slices_are_brought_together_with_no_more_moves_than_the_wish_needs():
    part = Shape((2, 2, 2))
    slices = [(f"job-{slot}", part, [slot]) for slot in (1, 2, 3, 4)]
    now = pod("ironwood", slices, slots=range(1, 5))
    proposal = propose_defragmentation(now, Shape((4, 4, 8)))
    assert proposal.title == "Bring 2 slices together, so that slots 1,3 are free"
    assert [effect.before.name for effect in proposal.effects] == ["job-1", "job-3"]
    assert proposal.plan.stages == ()
    assert proposal.blast.after.free == (1, 3)
    assert len(propose_defragmentation(now).effects) == 3
    with pytest.raises(NotPossible) as refused:
        propose_defragmentation(now, Shape((4, 8, 8)))
    assert str(refused.value) == (
        "slice: 4x8x8 takes 4 cubes, and 3 of 4 cubes are free (1 in use). The largest 3D shapes "
        "that fit now: 4x4x12, 4x4x8, 4x4x4."
    )
    with pytest.raises(NotPossible, match="fits as it is"):
        propose_defragmentation(now, Shape((2, 2, 2)))


@settings(max_examples=60, deadline=None)
@given(pods(), st.sampled_from([None, Shape((4, 4, 8)), Shape((4, 4, 12)), Shape((2, 4, 4))]))
def test_bringing_together_keeps_every_slice_whole_and_counts_what_is_free(now, shape):
    before = now.occupancy.slices
    try:
        proposal = propose_defragmentation(now, shape)
    except NotPossible:
        return
    moved = {effect.before.name: effect.after for effect in proposal.effects}
    after = Occupancy(now.intended.design, SLOTS)
    for name, made in before.items():
        after.add(moved.get(name, made))  # refuses a chip that is taken twice
        assert after.slices[name].shape == made.shape
        assert made.chips or name not in moved
    free = tuple(slot for slot in SLOTS if not after.taken[slot])
    assert proposal.blast.after.free == free
    assert len(free) > len(proposal.blast.before.free)
    assert shape is None or after.place(shape)


def test_circuits_by_hand_keep_the_rules_and_never_a_slices():
    now = pod("ironwood", [("job-a", Shape((4, 4, 4)))])
    wish = [Circuit("p-ocs-x-1-1", "7A", "8B"), *now.circuits[:1]]
    proposal = propose_circuits(now, wish)
    assert proposal.plan.add == (wish[0],)
    assert proposal.plan.remove == ()
    assert 7 in proposal.blast.before.free
    assert proposal.blast.after.free == tuple(s for s in range(2, 13) if s not in {7, 8})
    for circuit, said in (
        (Circuit("p-ocs-x-1-1", "1A", "8B"), "breaks the rule port-in-two-circuits"),
        (Circuit("p-ocs-x-1-1", "7A", "8A"), "breaks the rule same-side"),
        (Circuit("p-ocs-x-1-1", "7A", "8B", "job-a"), "would be a slice's"),
    ):
        with pytest.raises(NotPossible, match=re.escape(said)):
            propose_circuits(now, [circuit])


def test_drift_is_mended_on_the_ports_that_are_asked_for():
    whole = pod("ironwood", [("job-a", Shape((4, 4, 4)))])
    lost, moved, *others = whole.circuits
    stray = Circuit(moved.switch, moved.a, "12B")
    now = replace(
        whole,
        circuits=(*whole.circuits, stray),
        left_over=frozenset({stray.key}),
        missing=frozenset({lost.key, moved.key}),
    )
    proposal = propose_as_wanted(now)
    assert set(proposal.plan.add) == {lost, moved}
    assert proposal.plan.remove == (stray,)
    assert carried_out([*others, stray], proposal.plan.stages) == set(whole.circuits)
    only = propose_as_wanted(now, [lost.ports[0]])
    assert (only.plan.remove, only.plan.add) == ((), (lost,))
    with pytest.raises(NotPossible, match="is what is wanted"):
        propose_as_wanted(whole)


def test_what_is_missing_is_not_taken_away_and_holds_its_ports():
    whole = pod("ironwood", [("job-a", Shape((4, 4, 4)))])
    lost, *others = whole.circuits
    now = replace(whole, missing=frozenset({lost.key}))
    assert set(propose_release(now, "job-a").plan.remove) == set(others)
    with pytest.raises(NotPossible, match="port-in-two-circuits"):
        propose_circuits(now, [Circuit(lost.switch, lost.a, "12B")])


def test_what_another_ticket_has_in_hand_is_not_moved():
    now = pod("ironwood", [("job-a", Shape((4, 4, 8))), ("job-b", Shape((4, 4, 4)))])
    (of_b,) = {c.ports[0] for c in now.circuits if c.owner == "job-b" and "x-1-1" in c.switch}
    for held in (
        replace(now, held_slots={2: "p-t3"}),
        replace(now, held_ports={of_b: "p-t3"}),
    ):
        found = propose_maintenance(held, Out(slots=frozenset({1, 3})))
        (stranded,) = found.stranded
        assert stranded.why == "ticket p-t3 has it in hand"
        assert {stranded.name, *found.interrupted} == {"job-a", "job-b"}


def test_every_proposal_can_be_planned_again_from_its_own_wish():
    parts = [(f"part-{slot}", Shape((2, 2, 2)), [slot]) for slot in (8, 9)]
    now = pod("tpu-v4", [("job-a", Shape((4, 4, 8))), *parts])
    switch = now.names.switches[0]
    for proposal in (
        propose_slice(now, Shape((4, 4, 8), twisted=True), slots=[4, 5, 6]),
        propose_release(now, "job-a"),
        propose_circuits(now, [Circuit(switch, "7A", "68B"), Circuit(switch, "68A", "7B")]),
        propose_off_port(now, (switch, "1")),
        propose_off_port(now, (switch, "1"), move=True),
        propose_defragmentation(now),
        propose_maintenance(now, out_of(now.names, {"boards": [["x-1-1", 0]], "slots": [2]})),
    ):
        again = propose(now, proposal.kind, proposal.wish)
        assert again.as_json() == proposal.as_json()
    with pytest.raises(UnusableInput, match="the wish cannot be read"):
        propose(now, "slice", {})
    with pytest.raises(UnusableInput, match="there is no kind of ticket"):
        propose(now, "magic", {})
