"""Whatever happens to a pod, no port and no chip is ever used twice."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from fabric_twin.core.circuits.circuits import joined
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.slices.defragment import defragment
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import Shape
from fabric_twin.core.slices.slice import Slice, slice_circuits
from tests.examples import examples

SLOTS = range(1, 11)
SHAPES = [
    Shape(sides, twisted)
    for sides, twisted in [
        ((1, 1, 1), False), ((1, 1, 2), False), ((2, 1, 2), False), ((2, 2, 2), False),
        ((2, 4, 2), False), ((4, 4, 2), False), ((4, 4, 4), False), ((8, 4, 4), True),
        ((4, 8, 8), True), ((4, 4, 12), False), ((8, 4, 12), False),
    ]
]  # fmt: skip


class Pod(RuleBasedStateMachine):
    """A pod of ten cubes to which anything happens."""

    def __init__(self, name="tpu-v4"):
        super().__init__()
        self.design = find_design(name)
        self.pod = Occupancy(self.design, SLOTS)
        self.named = 0
        self.failed, self.failed_ports = set(), set()

    @rule(shape=st.sampled_from(SHAPES), held_back=st.integers(0, 2))
    def allocate(self, shape, held_back):
        self.pod.held_back = held_back
        self.named += 1
        free = set(self.pod.free)
        try:
            made = self.pod.allocate(f"s{self.named}", shape)
        except NotPossible:
            # Whole cubes are refused only when there are too few of them.
            if cubes := shape.cubes(self.design.cube):
                assert cubes > len(free) - held_back
            return
        assert not set(made.slots) & (self.failed - set(made.slots if made.chips else ()))
        assert not set(made.slots) & self.failed
        if not made.chips:
            assert set(made.slots) <= free
            assert len(self.pod.free) >= held_back

    @precondition(lambda self: self.pod.slices)
    @rule(data=st.data())
    def release(self, data):
        self.pod.release(data.draw(st.sampled_from(sorted(self.pod.slices))))

    @rule(slot=st.sampled_from(SLOTS))
    def fail(self, slot):
        stopped = self.pod.fail(slot)
        assert all(slot in made.slots for made in stopped)
        self.failed.add(slot)

    @rule(slot=st.sampled_from(SLOTS))
    def repair(self, slot):
        self.pod.repair(slot)
        self.failed.discard(slot)

    @rule(port=st.integers(0, 10 * 96 - 1), at_switch=st.booleans())
    def fail_port(self, port, at_switch):
        port = int(self.design.layout.mate[port]) if at_switch else port
        assert all(not made.chips for made in self.pod.fail_port(port))
        self.failed_ports.add(port)

    @precondition(lambda self: self.failed_ports)
    @rule(data=st.data())
    def repair_port(self, data):
        port = data.draw(st.sampled_from(sorted(self.failed_ports)))
        self.pod.repair_port(port)
        self.failed_ports.remove(port)

    @rule()
    def defragment(self):
        plan = defragment(self.pod)
        free = len(self.pod.free)
        for move in plan.moves:
            assert move.before.chips  # with optical switching only parts of cubes ever move
            self.pod.release(move.before.name)
            self.pod.add(move.after)  # refuses chips that are not free yet
        assert len(self.pod.free) == free + len(plan.freed)
        assert set(plan.freed) <= self.pod.free

    @invariant()
    def no_chip_is_used_twice(self):
        used = [
            (slot, chip)
            for made in self.pod.slices.values()
            for slot in made.slots
            for chip in (made.chips or self.pod._blocks.chips)
        ]
        assert len(used) == len(set(used))

    @invariant()
    def no_port_is_used_twice(self):
        made = joined([slice_circuits(self.design, made) for made in self.pod.slices.values()])
        for side in (made.a, made.b):
            ports = made.switch.astype(np.int64) * 1000 + side
            assert len(np.unique(ports)) == len(ports)

    @invariant()
    def it_stands_where_a_fresh_start_would(self):
        fresh = Occupancy(self.design, SLOTS, held_back=self.pod.held_back)
        for port in sorted(self.failed_ports):
            fresh.fail_port(port)
        for slot in sorted(self.failed):
            fresh.fail(slot)
        for name in sorted(self.pod.slices):
            fresh.add(self.pod.slices[name])
        for group in ("taken", "free", "shared", "parts_only", "unhealthy"):
            assert getattr(fresh, group) == getattr(self.pod, group)
        assert [fresh.place(shape) for shape in SHAPES] == list(map(self.pod.place, SHAPES))


Pod.TestCase.settings = settings(max_examples=examples(12), stateful_step_count=30)
TestPod = Pod.TestCase


def wish(text):
    return Shape(tuple(map(int, text.split("x"))))


def scattered():
    """Four cubes with a small slice each, beside a slice of whole cubes."""
    pod = Occupancy(find_design("tpu-v4"), range(1, 7))
    pod.allocate("whole", wish("4x4x8"))
    for name in "abcd":
        pod.allocate(f"{name}-filler", wish("2x4x4"))
        pod.allocate(f"{name}-other", wish("2x4x4"))
    for name in "abcd":
        pod.release(f"{name}-filler")
    return pod


def test_small_slices_are_brought_together_in_the_order_that_is_said():
    plan = defragment(scattered())
    assert list(map(str, plan.moves)) == [
        "interrupt a-other (2x4x4), and move it from slot 3 to slot 4",
        "interrupt c-other (2x4x4), and move it from slot 5 to slot 6",
    ]
    assert plan.freed == (3, 5)
    assert plan.interrupted == ("a-other", "c-other")


def test_a_large_small_slice_makes_smaller_ones_move_on():
    pod = Occupancy(find_design("tpu-v4"), range(1, 4))
    blocks = pod._blocks
    for name, slot, shape, start in [
        ("half", 1, "2x4x4", 0),
        ("one", 2, "1x1x1", 0), ("two", 2, "1x1x1", 32), ("quarter", 2, "2x2x4", 16),
    ]:  # fmt: skip
        sides = wish(shape).sides
        pod.add(Slice(name, wish(shape), (slot,), blocks.lay(sides, start)))
    plan = defragment(pod)
    for move in plan.moves:
        pod.release(move.before.name)
        pod.add(move.after)
    assert len(pod.shared) == 1
    assert len(pod.free) == 2


PARTS = [shape for shape in SHAPES if shape.chips < 64]


@given(wishes=st.lists(st.sampled_from(PARTS), max_size=60), data=st.data())
def test_after_the_moves_no_more_cubes_are_shared_than_the_chips_need(wishes, data):
    pod = Occupancy(find_design("tpu-v4"))
    for number, shape in enumerate(wishes):
        pod.allocate(str(number), shape)
    gone = data.draw(st.sets(st.sampled_from(sorted(pod.slices)))) if wishes else set()
    for name in sorted(gone):
        pod.release(name)
    for move in defragment(pod).moves:
        pod.release(move.before.name)
        pod.add(move.after)
    chips = sum(made.shape.chips for made in pod.slices.values())
    assert sum(taken > 0 for taken in pod.taken.values()) == -(-chips // 64)


def test_slices_of_whole_cubes_leave_nothing_to_defragment():
    pod = Occupancy(find_design("ironwood"))
    for number in range(40):
        pod.allocate(str(number), wish("4x4x8"))
    for number in range(0, 40, 3):
        pod.release(str(number))
    plan = defragment(pod)
    assert (plan.moves, plan.freed) == ((), ())


def test_what_stands_already_is_not_put_there_twice():
    pod = Occupancy(find_design("tpu-v4"))
    made = pod.allocate("a", wish("4x4x4"))
    with pytest.raises(NotPossible) as refusal:
        pod.add(Slice("b", made.shape, made.slots))
    assert str(refusal.value) == (
        "slice b: 64 chips of the cube in slot 1 are in use by a. Let every chip be of one slice."
    )
