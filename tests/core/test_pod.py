"""A pod in use: wishes, plans and failures in any order, on switches that only know names.

allocate -> plan for the owner -> switches        fail, repair: of cubes and of ports
release  -> plan for the owner -> switches        plan: a whole state, as after a fresh start
"""

from collections import Counter

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.circuits.change import plan_change
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.circuits.unhealthy import Unhealthy
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import Shape
from fabric_twin.core.slices.slice import Slice, slice_circuits
from tests.examples import examples

SLOTS = range(1, 9)
SHAPES = [
    Shape(sides, twisted)
    for sides, twisted in [
        ((1, 1, 2), False), ((2, 4, 4), False), ((4, 4, 4), False), ((4, 4, 8), True),
        ((8, 4, 4), False), ((4, 8, 8), True), ((4, 4, 12), False), ((8, 8, 8), False),
    ]
]  # fmt: skip


class Switches:
    """Cross-connects by name; a port used twice or a circuit that is not there is noticed."""

    def __init__(self):
        self.owner_of = {}
        self.holder = {}

    def apply(self, remove, add):
        for circuit in remove:
            assert self.owner_of.pop(circuit.key) == circuit.owner
            for port in circuit.ports:
                assert self.holder.pop(port) == circuit.key
        for circuit in add:
            assert circuit.key not in self.owner_of
            self.owner_of[circuit.key] = circuit.owner
            for port in circuit.ports:
                assert self.holder.setdefault(port, circuit.key) == circuit.key

    @property
    def circuits(self):
        return [Circuit(*key, owner) for key, owner in sorted(self.owner_of.items())]

    def of_others(self, owner):
        return {key for key, whose in self.owner_of.items() if whose != owner}


class PodInUse(RuleBasedStateMachine):
    """Eight cubes of one design."""

    design_name = "ironwood"

    def __init__(self):
        super().__init__()
        self.design = find_design(self.design_name)
        self.intended = intended_plant(self.design, "p")
        self.pod = Occupancy(self.design, SLOTS)
        self.switches = Switches()
        self.slots_down, self.ports_down, self.named = set(), set(), 0

    @property
    def unhealthy(self):
        names = self.intended.names
        return Unhealthy(
            frozenset(self.slots_down), frozenset(names.port(port) for port in self.ports_down)
        )

    def needed(self, made: Slice):
        rows = slice_circuits(self.design, made, self.intended.mate).named(self.intended.names)
        return [Circuit(*row, made.name) for row in rows]

    def plan(self, wanted, owner=None):
        """Plan, check what is printed, carry it out stage by stage, and back and forth once."""
        there = self.switches.circuits
        change = plan_change(
            *(self.design, "p", there, wanted), owner=owner, unhealthy=self.unhealthy
        )
        plan = change.plan
        assert change.warnings == ()
        ours = {c.key for c in there if owner in {None, c.owner}}
        assert len(plan.remove) + len(plan.add) == plan.lower_bound
        assert plan.lower_bound == len(ours ^ {circuit.key for circuit in wanted})
        others = self.switches.of_others(owner) if owner else set()
        before = dict(self.switches.owner_of)
        for stage in plan.stages:
            self.switches.apply(stage.remove, stage.add)
            assert others <= self.switches.owner_of.keys()
        for stage in plan.undone:
            self.switches.apply(stage.remove, stage.add)
        assert self.switches.owner_of == before
        for stage in plan.stages:
            self.switches.apply(stage.remove, stage.add)
        assert self.switches.of_others(owner) == others or owner is None
        return plan

    @rule(shape=st.sampled_from(SHAPES))
    def allocate(self, shape):
        self.named += 1
        name = f"s{self.named}"
        try:
            made = self.pod.allocate(name, shape)
        except NotPossible:
            return
        plan = self.plan(self.needed(made), name)
        assert plan.remove == ()  # nobody is interrupted by what another is given

    @precondition(lambda self: self.pod.slices)
    @rule(data=st.data())
    def release(self, data):
        name = data.draw(st.sampled_from(sorted(self.pod.slices)))
        self.pod.release(name)
        assert self.plan([], name).add == ()

    @precondition(lambda self: any(not made.chips for made in self.pod.slices.values()))
    @rule(data=st.data())
    def plan_another_order(self, data):
        """A slice keeps its cubes and stands on them in another order; what is down may say no."""
        whole = sorted(name for name, made in self.pod.slices.items() if not made.chips)
        made = self.pod.slices[data.draw(st.sampled_from(whole))]
        turned = Slice(made.name, made.shape, tuple(data.draw(st.permutations(made.slots))))
        try:
            self.plan(self.needed(turned), made.name)
        except NotPossible as refusal:
            assert "unhealthy" in refusal.what
            sick = self.slots_down.union(*map(self.pod._ends, self.ports_down))
            assert sick & set(made.slots)
            return
        self.pod.release(made.name)
        self.pod.add(turned)

    @precondition(lambda self: len(self.pod.slices) > 1)
    @rule(data=st.data())
    def plan_what_is_anothers(self, data):
        """Nobody gets a port of somebody else, and nothing changes by asking."""
        one, other = data.draw(st.permutations(sorted(self.pod.slices)))[:2]
        theirs = self.needed(self.pod.slices[other])
        if not theirs or self.pod.slices[one].chips:
            return
        wish = [Circuit(*circuit.key, one) for circuit in theirs]
        before = dict(self.switches.owner_of)
        with pytest.raises(NotPossible, match="port-in-two-circuits"):
            plan_change(self.design, "p", self.switches.circuits, wish, owner=one)
        assert self.switches.owner_of == before

    @rule(slot=st.sampled_from(SLOTS))
    def fail(self, slot):
        self.pod.fail(slot)
        self.slots_down.add(slot)

    @rule(slot=st.sampled_from(SLOTS))
    def repair(self, slot):
        self.pod.repair(slot)
        self.slots_down.discard(slot)

    @rule(port=st.integers(0, 95), slot=st.sampled_from(SLOTS), at_switch=st.booleans())
    def fail_port(self, port, slot, at_switch):
        port += (slot - 1) * self.design.layout.ports_per_cube
        port = int(self.intended.mate[port]) if at_switch else port
        self.pod.fail_port(port)
        self.ports_down.add(port)

    @precondition(lambda self: self.ports_down)
    @rule(data=st.data())
    def repair_port(self, data):
        port = data.draw(st.sampled_from(sorted(self.ports_down)))
        self.pod.repair_port(port)
        self.ports_down.remove(port)

    @invariant()
    def every_port_is_in_one_circuit_of_the_slice_that_stands_there(self):
        needed = {c.key: c.owner for made in self.pod.slices.values() for c in self.needed(made)}
        assert self.switches.owner_of == needed
        ports = Counter(port for c in self.switches.circuits for port in c.ports)
        assert set(ports.values()) <= {1}

    @invariant()
    def it_is_where_a_fresh_start_would_be(self):
        fresh = Occupancy(self.design, SLOTS)
        for name in sorted(self.pod.slices):
            fresh.add(self.pod.slices[name])
        for slot in self.slots_down:
            fresh.fail(slot)
        for port in self.ports_down:
            fresh.fail_port(port)
        assert (fresh.free, fresh.parts_only) == (self.pod.free, self.pod.parts_only)
        assert (fresh.taken, fresh.shared) == (self.pod.taken, self.pod.shared)
        assert [fresh.place(shape) for shape in SHAPES] == [self.pod.place(s) for s in SHAPES]
        wanted = [c for made in fresh.slices.values() for c in self.needed(made)]
        change = plan_change(self.design, "p", self.switches.circuits, wanted)
        assert (change.plan.stages, change.plan.lower_bound) == ((), 0)


def pod_of(name):
    """A machine for a design; of the thousands of examples a machine takes its share."""
    machine = type(f"PodOf{name}", (PodInUse,), {"design_name": name})
    case = machine.TestCase
    case.settings = settings(max_examples=examples(4), stateful_step_count=20)
    return case


TestIronwood = pod_of("ironwood")
TestPaired = pod_of("tpu-v4")
TestTwoLanes = pod_of("tpu-v4-duplex")
TestShared = pod_of("tpu-v4-cwdm8")
