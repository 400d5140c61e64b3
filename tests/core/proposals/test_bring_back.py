"""Ports come back after maintenance: with the light that slices lack there, and no other."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.proposals.in_use import InUse
from fabric_twin.core.proposals.return_to_service import NothingLacks, propose_return
from fabric_twin.core.proposals.targets import Out, Reach
from fabric_twin.core.slices.shapes import Shape
from tests.examples import examples

from .bench import DESIGNS, carried_out, pod


def drained(now: InUse, ports: frozenset[int]) -> InUse:
    """The same pod while hands are at some ports: out of service, and no circuit there."""
    reach = Reach(now.intended, Out(ports=ports))
    left = tuple(circuit for circuit in now.circuits if not reach.through(circuit))
    after = now.occupancy.copy()
    for port in reach.ports:
        after.fail_port(port)
    return InUse(now.intended, after, left)


@settings(max_examples=examples(30))
@given(st.sampled_from(DESIGNS), st.data())
def test_slices_that_stood_still_have_all_their_light_again_when_all_ports_are_back(
    design: str, dice: st.DataObject
) -> None:
    now = pod(design, [("one", Shape((4, 4, 8))), ("two", Shape((4, 4, 4)))])
    layout = now.intended.design.layout
    switches = range(layout.cube_ports, len(layout.mate))
    ports = dice.draw(st.lists(st.sampled_from(switches), min_size=1, max_size=6, unique=True))
    there = drained(now, frozenset(ports))

    first = frozenset(ports[: dice.draw(st.integers(1, len(ports)))])
    for back in (first, frozenset(ports) - first):
        if not back:
            continue
        try:
            proposal = propose_return(there, Out(ports=back), ())
        except NotPossible:
            continue  # no slice lacks light there, or its other end is still out
        assert not proposal.plan.remove
        end = carried_out(set(there.circuits), proposal.plan.stages)
        rest = Reach(
            now.intended, Out(ports=frozenset(ports) - back if back == first else frozenset())
        )
        assert not any(rest.through(circuit) for circuit in proposal.plan.add)
        occupancy = there.occupancy.copy()
        for port in back:
            occupancy.repair_port(port)
        there = InUse(there.intended, occupancy, tuple(end))
    if first == frozenset(ports):
        assert set(there.circuits) == set(now.circuits)


@settings(max_examples=examples(30))
@given(st.sampled_from(DESIGNS), st.data())
def test_what_a_switch_lost_comes_back_with_it_and_what_took_its_ports_goes(
    design: str, dice: st.DataObject
) -> None:
    now = pod(design, [("one", Shape((4, 4, 8))), ("two", Shape((4, 4, 4)))])
    [switch] = {circuit.switch for circuit in now.circuits[:1]}
    there = [circuit for circuit in now.circuits if circuit.switch == switch]
    lost = dice.draw(st.lists(st.sampled_from(there), unique=True))
    # It came back as it was once: two of the ports are in an older circuit.
    old = [Circuit(switch, lost[0].a, lost[1].b)] if len(lost) > 1 else []
    old = [one for one in old if one.key not in {circuit.key for circuit in there}]
    back = InUse(
        now.intended,
        now.occupancy,
        (*now.circuits, *old),
        left_over=frozenset(circuit.key for circuit in old),
        missing=frozenset(circuit.key for circuit in lost),
    )
    out = Out(switches=frozenset({now.names.switches.index(switch)}))
    if not lost:
        with pytest.raises(NothingLacks, match="no slice lacks light there"):
            propose_return(back, out, ())
        return
    proposal = propose_return(back, out, ())
    assert set(proposal.plan.add) == set(lost)
    assert set(proposal.plan.remove) == set(old)
    assert carried_out(set(back.there), proposal.plan.stages) == set(now.circuits)


def test_what_a_moving_slice_lacks_is_not_said_to_be_there() -> None:
    now = pod("ironwood", [("one", Shape((4, 4, 8)))])
    lost = now.circuits[0]
    out = Out(switches=frozenset({now.names.switches.index(lost.switch)}))
    moving = replace(now, missing=frozenset({lost.key}), on_the_way=frozenset({"one"}))
    with pytest.raises(NotPossible, match="makes, releases or moves one") as refused:
        propose_return(moving, out, ())
    assert not isinstance(refused.value, NothingLacks)


def test_nothing_comes_back_that_was_not_named_or_is_there() -> None:
    now = pod("ironwood", [("one", Shape((4, 4, 4)))])
    with pytest.raises(UnusableInput, match="no switch or port to return to service is named"):
        propose_return(now, Out(), ())
    port = now.intended.design.layout.cube_ports
    with pytest.raises(NotPossible, match="they are in service"):
        propose_return(now, Out(ports=frozenset({port})), ())
