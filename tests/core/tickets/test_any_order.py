"""Workers, faults and people in any order: whatever happens, nothing is harmed, and all ends well.

`make test` tries some hundred histories, `HYPOTHESIS_PROFILE=thousands` thousands.
"""

from typing import Any
from unittest import mock

import pytest
from hypothesis import assume, event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from fabric_twin.core.circuits.plans import Circuit, make_plan
from fabric_twin.core.tickets.course import Course, OnFailure
from fabric_twin.core.tickets.life import State
from fabric_twin.services.tickets import carry_out
from tests.examples import examples

from .world import LEASE, Actor, ModelSwitch, World

NAMES = ("x", "y")
PORTS = 4
SWITCHES = st.sampled_from(NAMES)
PORT = st.sampled_from([f"{n}{side}" for n in range(1, PORTS + 1) for side in "AB"])
ABOUT = st.sampled_from(["look", "announce", "set", "set", "read back", "pass", "end"])
#: By switch and A port: the B port it is joined to, or 0 for none.
WIRING = st.lists(st.permutations(range(2 * PORTS)), min_size=len(NAMES), max_size=len(NAMES))


def circuits(wiring: list[list[int]], owner: str) -> list[Circuit]:
    return [
        Circuit(switch, f"{a + 1}A", f"{b + 1}B", owner)
        for switch, order in zip(NAMES, wiring, strict=True)
        for a, b in enumerate(order[:PORTS])
        if b < PORTS
    ]


class AnyOrder(RuleBasedStateMachine):
    """A ticket from its start to its end, and all that may come in between."""

    world: World
    actors: list[Actor]

    @initialize(
        before=WIRING,
        after=WIRING,
        others=st.sets(st.integers(0, 3)),
        on_failure=st.sampled_from(OnFailure),
        most_bad=st.sampled_from([0, 0, 0, 1]),
    )
    def begin(
        self,
        before: list[list[int]],
        after: list[list[int]],
        others: set[int],
        on_failure: OnFailure,
        most_bad: int,
    ) -> None:
        there = circuits(before, "s1")
        wish = circuits(after, "s2")
        kept = {there[at] for at in others if at < len(there)}
        taken = {port for circuit in kept for port in circuit.ports}
        plan = make_plan(
            [c for c in there if c not in kept],
            [c for c in wish if taken.isdisjoint(c.ports)],
        )
        assume(plan.stages)
        course = Course("t1", plan.stages, on_failure, most_bad)
        self.world = World(course, {name: ModelSwitch(name) for name in NAMES})
        for circuit in there:
            self.world.switches[circuit.switch].configured.add((circuit.a, circuit.b))
        self.world.foreign = {c for c in there if c.key not in course.own}
        self.actors, self.tokens = [], 0
        self.patch: Any = mock.patch.object(carry_out, "time", self.world)
        self.patch.start()

    # Workers

    @property
    def alive(self) -> list[Actor]:
        return [actor for actor in self.actors if not actor.over]

    @rule(steps=st.integers(1, 40))
    def whoever_has_its_turn_works(self, steps: int) -> None:
        for _ in range(steps):
            if not (actor := self.whose_turn()):
                return
            actor.step()

    @rule(what=ABOUT)
    def it_works_until_it_is_about_to(self, what: str) -> None:
        self.whoever_has_its_turn_works(1)
        for _ in range(100):
            if not (actor := self.whose_turn()) or actor.about_to == what:
                return
            actor.step()

    @rule(what=ABOUT, meanwhile=st.integers(0, 60), then=st.integers(1, 10))
    def one_is_stopped_past_its_lease_and_goes_on(
        self, what: str, meanwhile: int, then: int
    ) -> None:
        self.it_works_until_it_is_about_to(what)
        stopped = self.alive[-1:]
        self.world.now += LEASE + 1
        self.whoever_has_its_turn_works(meanwhile)
        for actor in stopped:
            for _ in range(then):
                if not actor.over:
                    actor.step()

    def whose_turn(self) -> Actor | None:
        """Who holds the lease, or somebody new once it is over; nobody when the ticket is."""
        world = self.world
        if world.state is not State.RUNNING:
            return None
        for actor in self.alive:
            if world.holds(actor.token):
                return actor
        if world.token and world.now < world.lease_until:
            world.now = world.lease_until
        self.tokens += 1
        self.actors.append(Actor(world, self.tokens))
        return self.actors[-1]

    @rule(which=st.integers(0, 4), steps=st.integers(1, 12))
    def one_that_was_stopped_goes_on(self, which: int, steps: int) -> None:
        for _ in range(steps):
            if self.alive:
                self.alive[which % len(self.alive)].step()

    @rule(dies=st.booleans())
    def the_last_one_is_stopped_or_killed(self, dies: bool) -> None:
        if dies and self.alive:
            self.alive[-1].kill()
        self.world.now += LEASE + 1

    # Faults

    @rule(
        kind=st.sampled_from(["down", "ignores", "halves", "loses-answers", "stale"]),
        name=SWITCHES,
        so=st.sampled_from([True, False, False]),
    )
    def a_switch_is_ill_or_well(self, kind: str, name: str, so: bool) -> None:
        switch = self.world.switches[name]
        if kind == "down":
            switch.up = not so
        elif kind == "ignores":
            switch.ignores = so
        elif kind == "halves":
            switch.halves = so
        elif kind == "loses-answers":
            switch.loses_answers = so
        else:
            switch.frozen = switch.told(self.world.now) if so and switch.up else None

    @rule(name=SWITCHES, port=PORT, where=st.sampled_from(["mirror", "light"]))
    def a_port_is_ill_or_well(self, name: str, port: str, where: str) -> None:
        if where == "mirror":
            self.world.switches[name].stuck ^= {port}
        else:
            self.world.dim ^= {port}

    # People

    @rule(name=SWITCHES, a=st.integers(1, PORTS), b=st.integers(1, PORTS), late=st.integers(0, 4))
    def somebody_joins_free_ports_by_hand(self, name: str, a: int, b: int, late: int) -> None:
        circuit, switch = Circuit(name, f"{a}A", f"{b}B"), self.world.switches[name]
        taken = {port for pair in switch.configured for port in pair}
        if late or circuit.key in self.world.course.own or taken & {circuit.a, circuit.b}:
            return
        switch.configured.add((circuit.a, circuit.b))
        self.world.foreign.add(circuit)

    @rule()
    def whoever_did_so_takes_it_away(self) -> None:
        world = self.world
        for circuit in [c for c in world.foreign if not world.course.ports.isdisjoint(c.ports)]:
            world.switches[circuit.switch].configured.discard((circuit.a, circuit.b))
            world.foreign.discard(circuit)

    @rule(stops=st.integers(0, 9))
    def somebody_resumes_it_or_wants_it_undone(self, stops: int) -> None:
        world = self.world
        if world.state is State.DONE or (world.state is State.RUNNING and not stops):
            world.state, world.position = State.RUNNING, world.course.turned(world.position)
        elif world.state is State.FAILED:
            world.state, world.position = State.RUNNING, world.position.again

    # What holds

    @invariant()
    def nobody_sends_what_they_must_not(self) -> None:
        assert not self.world.breaches

    @invariant()
    def no_port_is_in_two_circuits(self) -> None:
        for switch in self.world.switches.values():
            ports = [port for pair in switch.configured for port in pair]
            assert len(ports) == len(set(ports))

    @invariant()
    def circuits_of_others_stay(self) -> None:
        assert {c.key for c in self.world.foreign} == self.world.there() - self.world.own()

    @invariant()
    def workers_end_well_or_because_another_has_its_turn(self) -> None:
        for actor in self.actors:
            assert not isinstance(actor.end, Exception) or "lease" in str(actor.end)

    @invariant()
    def what_has_ended_is_as_it_says(self) -> None:
        world = self.world
        if world.state is State.FAILED:
            assert world.ended[0]
        if world.state in {State.DONE, State.UNDONE}:
            self.check_end()

    def check_end(self) -> None:
        """Switches have what the ticket says, but for circuits that it bears."""
        world, course = self.world, self.world.course
        wanted = course.states[-1 if world.state is State.DONE else 0]
        most = course.most_bad if world.state is State.DONE else 0
        assert len(world.own() ^ wanted.keys()) <= most

    def teardown(self) -> None:
        """All is mended, and whoever comes next brings the ticket to its end."""
        if not hasattr(self, "world"):
            return
        event(f"before the end: {self.world.state}")
        event(f"sets before the end: {min(3, len(self.world.sent))}")
        try:
            for actor in self.alive:
                actor.kill()
            self.mend_all()
            for _ in range(2):
                self.run_to_the_end()
                if self.world.state is not State.FAILED:
                    break
                # What hangs is named, and once hands have been there it goes on.
                self.world.state, self.world.position = State.RUNNING, self.world.position.again
            assert not self.world.breaches
            assert self.world.state in {State.DONE, State.UNDONE}
            self.check_end()
        finally:
            self.patch.stop()

    def mend_all(self) -> None:
        self.whoever_did_so_takes_it_away()
        for name, switch in self.world.switches.items():
            self.world.switches[name] = ModelSwitch(name, switch.configured)
        if not self.world.position.is_back:  # there bad light holds nothing up
            self.world.dim.clear()
        self.world.now += LEASE

    def run_to_the_end(self) -> None:
        if self.world.state is State.RUNNING:
            self.tokens += 1
            actor = Actor(self.world, self.tokens)
            while not actor.over:
                actor.step()
            assert not isinstance(actor.end, Exception)


TestAnyOrder = pytest.mark.timeout(3600)(AnyOrder.TestCase)
TestAnyOrder.settings = settings(stateful_step_count=30, max_examples=examples(150))
