"""Slices wished for and released, brought together; circuits by hand, and drift."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.errors import FabricTwinError, NotPossible, UnusableInput
from fabric_twin.core.proposals.circuits import (
    propose_as_shown,
    propose_as_wanted,
    propose_circuits,
)
from fabric_twin.core.proposals.defragmentation import propose_defragmentation
from fabric_twin.core.proposals.effects import (
    AcceptCircuits,
    MakeSlice,
    ReleaseSlice,
)
from fabric_twin.core.proposals.maintenance import propose_maintenance
from fabric_twin.core.proposals.off_port import propose_off_port
from fabric_twin.core.proposals.targets import Out, out_of
from fabric_twin.core.proposals.wishes import WORDS
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import Shape
from fabric_twin.services.tickets.propose import propose
from fabric_twin.services.tickets.slice_wish import propose_release, propose_slice
from tests.examples import examples

from .bench import (
    SHAPES,
    SLOTS,
    carried_out,
    pod,
    pods,
)


@settings(max_examples=examples(30))
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


@settings(max_examples=examples(30))
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


def test_drift_is_accepted_where_no_slice_would_lack_a_circuit():
    whole = pod("ironwood", [("job-a", Shape((4, 4, 4)))])
    switch = whole.circuits[0].switch
    lost, stray = Circuit(switch, "7A", "8B"), Circuit(switch, "7A", "9B")
    now = replace(
        whole,
        circuits=(*whole.circuits, lost, stray),
        left_over=frozenset({stray.key}),
        missing=frozenset({lost.key}),
    )
    for ports in (None, [(switch, "9B")], [(switch, "8B")]):
        proposal = propose_as_shown(now, ports)
        assert proposal.plan.stages == ()
        assert proposal.effects == (AcceptCircuits((stray,), (lost,)),)
        assert {7, 9}.isdisjoint(proposal.blast.after.free)
        assert propose(now, "drift", proposal.wish).effects == proposal.effects
    slices = replace(now, missing=frozenset({whole.circuits[0].key}))
    with pytest.raises(NotPossible, match="a slice's circuits follow from its cubes"):
        propose_as_shown(slices)
    strange = Circuit(switch, "7A", "7A")
    with pytest.raises(NotPossible, match="breaks the rule"):
        propose_as_shown(
            replace(whole, circuits=(*whole.circuits, strange), left_over=frozenset({strange.key}))
        )


def test_what_is_missing_is_not_taken_away_and_holds_its_ports():
    whole = pod("ironwood", [("job-a", Shape((4, 4, 4)))])
    lost, *others = whole.circuits
    now = replace(whole, missing=frozenset({lost.key}))
    assert set(propose_release(now, "job-a").plan.remove) == set(others)
    with pytest.raises(NotPossible, match="port-in-two-circuits"):
        propose_circuits(now, [Circuit(lost.switch, lost.a, "12B")])


def test_what_another_ticket_or_order_has_in_hand_is_not_moved():
    now = pod("ironwood", [("job-a", Shape((4, 4, 8))), ("job-b", Shape((4, 4, 4)))])
    (of_b,) = {c.ports[0] for c in now.circuits if c.owner == "job-b" and "x-1-1" in c.switch}
    for held, holder in (
        (replace(now, held_slots={2: "ticket p-t3"}), "ticket p-t3"),
        (replace(now, held_ports={of_b: "work order p-w2"}), "work order p-w2"),
    ):
        found = propose_maintenance(held, Out(slots=frozenset({1, 3})))
        (stranded,) = found.stranded
        assert stranded.why == f"held by {holder}"
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
        propose_maintenance(now, out_of(now.intended, {"boards": [["x-1-1", 0]], "slots": [2]})),
    ):
        again = propose(now, proposal.kind, proposal.wish)
        assert again.as_json() == proposal.as_json()


@pytest.mark.parametrize(
    ("kind", "wish", "words"),
    [
        ("slice", {}, 'wish for slice: "shape" is missing. Give chips along each axis, such as '
         '"8x8x16".'),
        ("slice", {"shape": "4x4x4", "slot": "1-4"}, "wish for slice: it says 'slot', which is not "
         "a known key. Use shape, twisted, name, slots, bear."),
        ("slice", {"shape": "4x4x4", "twisted": "no"}, "wish for slice: \"twisted\" is 'no'. Give "
         "true or false."),
        ("maintenance", {"switches": [5]}, "wish for maintenance: \"switches\" is '[5]'. Give a "
         "list of names."),
        ("maintenance", {"boards": ["a"]}, "wish for maintenance: \"boards\" is \"['a']\". Give "
         'switches and boards, such as [["iw1-ocs-x-3-2", 0]].'),
        ("maintenance", {"slots": "x"}, "wish for maintenance: \"slots\" is 'x'. Give a list of "
         "slots, such as [7, 8]."),
        ("maintenance", {"racks": ["r1"]}, "wish for maintenance: it says 'racks', which is not "
         "a known key. Use switches, boards, slots, ports, interrupt, bear."),
        ("maintenance", {"bear": -1}, "wish for maintenance: \"bear\" is '-1'. Give how many "
         "switches a join of two cubes may lack, such as 1."),
        ("magic", {}, "kind: there is no kind of ticket 'magic'. Use slice, release, hand, spare, "
         "defragment, maintenance, drift, return or topology."),
    ],
)  # fmt: skip
def test_a_wish_with_words_that_nobody_knows_is_refused(kind, wish, words):
    with pytest.raises(UnusableInput) as refusal:
        propose(pod("tpu-v4"), kind, wish)
    assert str(refusal.value) == words


def anything_wished():
    """Words that are known, mostly, with what somebody's program may put there."""
    words = sorted({word for known in WORDS.values() for word in known})
    texts = ["", "4x4x4", "7A", "1", "1-3", "job-a", "p-ocs-x-1-1", "x-1-1", "\x00", "9" * 99]
    one = st.none() | st.booleans() | st.integers() | st.sampled_from(texts) | st.text(max_size=5)
    like = st.sampled_from(
        [
            ["x-1-1"], ["p-ocs-x-1-1", "1"], [["p-ocs-x-1-1", "1"]], [["p-ocs-x-1-1", "1"]] * 2,
            [["x-1-1", 0]], [["x-1-1", 10**30]], [1, 2], [1, 1], [-5], [10**30], [{}],
            [{"switch": "p-ocs-x-1-1", "a": "1A", "b": "2B"}], [{"switch": 1, "a": "1A"}],
        ]
    )  # fmt: skip
    values = like | st.recursive(one, lambda few: st.lists(few, max_size=2), max_leaves=5)
    return st.dictionaries(st.sampled_from([*words, "slot"]), values, max_size=2)


@settings(max_examples=examples(100))
@given(kind=st.sampled_from(sorted(WORDS)), wish=anything_wished())
def test_whatever_is_wished_for_is_proposed_or_refused_in_words(kind, wish):
    try:
        propose(pod("tpu-v4"), kind, wish)
    except FabricTwinError as refusal:
        assert refusal.remedy
