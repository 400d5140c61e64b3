"""Maintenance carried out on the simulated fabric: what can move moves, and comes back.

The part that is out is really out meanwhile: light tells whether anybody still needs it.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from fabric_twin.core.cabling.plant import Substitution, intended_plant
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.diagnosis.limits import Limits
from fabric_twin.core.diagnosis.pictures import Baseline
from fabric_twin.core.proposals.effects import MakeSlice, MoveSlice, Substitute
from fabric_twin.core.proposals.in_use import InUse
from fabric_twin.core.proposals.maintenance import propose_maintenance
from fabric_twin.core.proposals.off_port import propose_off_port
from fabric_twin.core.proposals.proposal import Proposal
from fabric_twin.core.proposals.return_to_service import propose_return
from fabric_twin.core.proposals.targets import Out, Reach
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import Shape
from fabric_twin.core.tickets.carrying import End
from fabric_twin.core.tickets.course import Course, OnFailure, Position
from fabric_twin.core.tickets.life import State
from fabric_twin.services.tickets.carry_out import Calm, Looker, carry_out, look
from fabric_twin.services.tickets.light import Light
from fabric_twin.services.tickets.slice_wish import propose_slice
from tests.simulator.on_paper import OnPaper

# One worker: the simulator is shared by the tests of the module.
pytestmark = pytest.mark.integration

SLOTS = range(1, 25)
Circuits = set[tuple[str, str, str]]


class Pod:
    """An Ironwood pod of 24 cubes: what is used of it, and its fabric."""

    def __init__(self, simulator: Any) -> None:
        self.simulator = simulator
        intended = intended_plant(simulator.design, simulator.pod, SLOTS)
        occupancy = Occupancy(simulator.design, SLOTS, mate=intended.mate)
        self.now = InUse(intended, occupancy, ())
        self.fabric = simulator.fabric()

    def do(self, proposal: Proposal) -> Course:
        """Carry a proposal out, as a ticket would be."""
        course = Course("iw-t1", proposal.plan.stages, OnFailure(proposal.on_failure))
        assert look(course, Looker(self.fabric)).moved == ()
        done = carry_out(course, self.fabric, OnPaper(), self.now.intended)
        assert (done.state, done.why) == (State.DONE, "")
        self.now = self._after(proposal)
        return course

    def undo(self, course: Course, before: InUse) -> None:
        """Carry it out backwards."""
        journal = OnPaper(course.turned(Position(len(course.stages) + 1)))
        done = carry_out(course, self.fabric, journal, self.now.intended)
        assert (done.state, done.why) == (State.UNDONE, "")
        self.now = before

    def _after(self, proposal: Proposal) -> InUse:
        occupancy = self.now.occupancy.copy()
        for effect in proposal.effects:
            if isinstance(effect, MoveSlice):
                occupancy.release(effect.before.name)
            if isinstance(effect, MakeSlice | MoveSlice):
                occupancy.add(effect.after if isinstance(effect, MoveSlice) else effect.made)
        for bears in proposal.bears:
            occupancy.release(bears.made.name)
            occupancy.add(bears.made)
        keys = {circuit.key for circuit in proposal.plan.remove}
        kept = [circuit for circuit in self.now.circuits if circuit.key not in keys]
        return replace(self.now, occupancy=occupancy, circuits=(*kept, *proposal.plan.add))

    def shown(self) -> Circuits:
        """What the switches have configured."""
        states = self.fabric.read_circuits(list(self.fabric.switches)).all()
        return {(name, *pair) for name, state in states.items() for pair in state.configured}

    def is_lit(self, circuits: Sequence[Circuit]) -> bool:
        """Whether the cubes at both ends of each circuit hear each other as they should."""
        light = Light(self.now.intended, self.fabric, Baseline(), Limits(), time.time)
        return not light.look(circuits, {}).bad

    def of(self, name: str) -> list[Circuit]:
        """The circuits that a slice needs where it stands."""
        return self.now.circuits_of(self.now.occupancy.slices[name])


@pytest.fixture(scope="module")
def simulator(simulate: Callable[..., Any]) -> Any:
    return simulate(slots="1-24")


@pytest.fixture
def pod(simulator: Any, eventually: Callable[..., Any]) -> Any:
    """The pod with two slices on the first three cubes; empty again afterwards."""
    pod = Pod(simulator)
    courses = []
    for name, shape in (("job-a", Shape((4, 4, 8), twisted=True)), ("job-b", Shape((4, 4, 4)))):
        before = pod.now
        courses.append((pod.do(propose_slice(pod.now, shape, name=name)), before))
    assert eventually(lambda: pod.is_lit([*pod.of("job-a"), *pod.of("job-b")]))
    yield pod
    for course, before in reversed(courses):
        pod.undo(course, before)
    assert pod.shown() == set()
    pod.fabric.close()


@pytest.mark.parametrize(
    ("out", "fault", "moved"),
    [
        (
            Out(boards=frozenset({(0, 0)})),
            {"kind": "board-out", "device": "iw-ocs-x-1-1", "unit": 1},
            {"job-a": (20, 21), "job-b": (19,)},
        ),
        (
            Out(slots=frozenset({2})),
            {"kind": "cube-down", "device": "iw-c002"},
            {"job-a": (1, 4)},
        ),
        (
            Out(slots=frozenset({1, 2, 3})),
            None,
            {"job-a": (5, 6), "job-b": (4,)},
        ),
    ],
    ids=["driver board", "cube", "three cubes"],
)
def test_what_can_move_runs_elsewhere_while_the_part_is_out(pod, out, fault, moved, eventually):
    before, there = pod.now, pod.shown()
    proposal = propose_maintenance(pod.now, out)
    assert proposal.possible
    course = pod.do(proposal)
    assert {
        name: made.slots
        for name, made in pod.now.occupancy.slices.items()
        if made != before.occupancy.slices[name]
    } == moved
    assert pod.shown() == {c.key for name in ("job-a", "job-b") for c in pod.of(name)}
    # Now it is touched: nobody who moved away needs it.
    number = pod.simulator.control("/faults", **fault)["number"] if fault else None
    assert eventually(lambda: pod.is_lit([c for name in moved for c in pod.of(name)]))
    if fault:
        pod.simulator.control("/mend", number=number)
    pod.undo(course, before)
    assert pod.shown() == there
    assert eventually(lambda: pod.is_lit(before.circuits))


def test_a_switch_is_cleared_only_by_interrupting_and_gets_its_circuits_back(pod, eventually):
    before, there = pod.now, pod.shown()
    out = Out(switches=frozenset({5}))
    kept = propose_maintenance(pod.now, out)
    assert {one.name for one in kept.stranded} == {"job-a", "job-b"}
    assert kept.plan.stages == ()
    course = pod.do(propose_maintenance(pod.now, out, interrupt=True))
    switch = pod.now.names.switches[5]
    assert there - pod.shown() == {key for key in there if key[0] == switch} != set()
    pod.undo(course, before)
    assert pod.shown() == there
    assert eventually(lambda: pod.is_lit(before.circuits))


def test_slices_bear_a_switch_lit_on_all_that_they_keep_and_have_it_back(pod, eventually):
    before, there = pod.now, pod.shown()
    switch = pod.now.names.switches[5]
    proposal = propose_maintenance(pod.now, Out(switches=frozenset({5})), bear=1)
    assert {bears.made.name for bears in proposal.bears} == {"job-a", "job-b"}
    pod.do(proposal)
    through = {key for key in there if key[0] == switch}
    assert there - pod.shown() == through != set()
    # The switch is really out: no light that the slices keep goes through it.
    number = pod.simulator.control("/faults", kind="switch-down", device=switch)["number"]
    kept = [circuit for circuit in before.circuits if circuit.key not in through]
    assert eventually(lambda: pod.is_lit(kept))
    pod.simulator.control("/mend", number=number)
    # It is returned: exactly its circuits are made, and the slices are as they were.
    ports = Reach(pod.now.intended, Out(switches=frozenset({5}))).ports
    back = propose_return(pod.now, Out(ports=ports), ())
    assert {circuit.key for circuit in back.plan.add} == through
    assert eventually(lambda: pod.fabric.read_circuits([switch]).all())
    pod.do(back)
    assert pod.shown() == there
    pod.now = before
    assert eventually(lambda: pod.is_lit(before.circuits))


def test_the_port_is_freed_a_hand_moves_the_cable_and_the_spare_is_lit(
    simulate: Callable[..., Any],
) -> None:
    simulator = simulate(design="tpu-v4", pod="v4", slots="1-2")
    slots = simulator.slots
    intended = intended_plant(simulator.design, "v4", slots)
    now = InUse(intended, Occupancy(simulator.design, slots, mate=intended.mate), ())
    with simulator.fabric() as fabric:

        def run(course: Course, journal: OnPaper, plant: Any, calm: Calm | None = None) -> End:
            return carry_out(course, fabric, journal, plant, calm=calm)

        made = propose_slice(now, Shape((4, 4, 4)), name="job")
        assert run(Course("v4-t1", made.plan.stages), OnPaper(), intended).state is State.DONE
        [effect] = made.effects
        assert isinstance(effect, MakeSlice)
        now.occupancy.add(effect.made)
        there = replace(now, circuits=made.plan.add)
        switch = "v4-ocs-y-2-3"
        proposal = propose_off_port(there, (switch, "65"), reason="mirror worn")
        [swap] = proposal.effects
        assert isinstance(swap, Substitute)
        done = Substitution(swap.switch, swap.port, swap.spare)
        with_spare = intended_plant(simulator.design, "v4", slots, [done])
        course = Course("v4-t2", proposal.plan.stages, OnFailure(proposal.on_failure))
        journal = OnPaper()

        # The switch does as it is told, and no light passes: it is held, and nothing is undone.
        held = run(course, journal, with_spare, Calm(light=0.0))
        assert (held.state, journal.at.stage) == (State.FAILED, 2)
        assert {bad.circuit.switch for bad in held.bad} == {switch}
        # A hand moves the cable; the ticket is resumed, and light passes over the spare.
        step = {"do": "move", "cable": "v4-c001:2.1.3/Y-", "end": "b", "to": [switch, swap.spare]}
        assert simulator.control("/work", steps=[step])["told"] == [{"step": 1, "done": True}]
        journal.at = journal.at.again
        assert run(course, journal, with_spare).state is State.DONE
        state = fabric.read_circuits([switch]).all()[switch]
        assert state.tuned == {("1A", "129B"), ("129A", "1B")}
