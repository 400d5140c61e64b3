"""Who is interrupted by a drain is said before anybody asks for it, and no drain is half a one."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.orders.impact import MOVE_S, Hit, Impact, impact_of, where_it_goes
from fabric_twin.core.proposals.in_use import InUse
from fabric_twin.core.proposals.maintenance import propose_maintenance
from fabric_twin.core.proposals.targets import out_of
from fabric_twin.core.slices.occupancy import Occupancy
from fabric_twin.core.slices.shapes import Shape
from fabric_twin.core.slices.slice import slice_circuits
from tests.examples import examples

SWITCH, WORK_S = "p-ocs-x-1-1", 1500.0


def in_use(*shapes: tuple[int, int, int], slots: int = 8) -> InUse:
    """A pod with slices `job-0`, `job-1`, ... of these shapes."""
    intended = intended_plant(find_design("ironwood"), "p", range(1, slots + 1))
    now = InUse(intended, Occupancy(intended.design, range(1, slots + 1)), ())
    made = [now.occupancy.allocate(f"job-{n}", Shape(shape)) for n, shape in enumerate(shapes)]
    return replace(now, circuits=tuple(c for one in made for c in now.circuits_of(one)))


def impact(now: InUse, *ports: str, bear: int = 0) -> Impact:
    ends = [(SWITCH, port) for port in ports]
    out = out_of(now.intended, {"ports": [list(end) for end in ends]})
    return impact_of(propose_maintenance(now, out, interrupt=True, bear=bear), ends, WORK_S)


def test_a_slice_that_finds_another_cube_moves_for_a_minute() -> None:
    found = impact(in_use((4, 4, 8)), "2A")
    assert found == Impact((Hit("job-0", "4x4x8", (1, 2), (1, 3), 64, "", MOVE_S),))
    assert where_it_goes(found.hits[0]) == "moves from cube 2 to 3"
    found.check("p-w1", interrupt=False, seen=found.names)


def test_a_slice_that_bears_it_stays_and_is_slower_while_hands_work() -> None:
    found = impact(in_use((4, 4, 8), slots=2), "2A", bear=1)
    hit = Hit("job-0", "4x4x8", (1, 2), (), 1, "", WORK_S, True, "X keeps 0.9375")
    assert found == Impact((hit,))
    assert (hit.moves, found.needs_interrupt) == (False, False)
    assert where_it_goes(hit) == "stays and bears it: X keeps 0.9375"
    found.check("p-w1", interrupt=False, seen=found.names)


def lacking_a_join() -> InUse:
    """Four cubes along X, which make one circuit too few from cube 1 to 2."""
    now = in_use((16, 4, 4), slots=4)
    [made] = now.occupancy.slices.values()
    [lost] = [c for c in now.circuits if c.key == (SWITCH, "1A", "2B")]
    torus = slice_circuits(now.intended.design, made, now.intended.mate)
    numbers = zip(*(c.tolist() for c in (torus.switch, torus.a, torus.b)), strict=True)
    by_key = dict(zip(torus.named(now.names), numbers, strict=True))
    now.occupancy.release(made.name)
    now.occupancy.add(replace(made, without=(by_key[lost.key],)))
    return replace(now, circuits=tuple(c for c in now.circuits if c != lost))


def test_a_slice_whose_worst_join_lacks_as_much_already_bears_it_and_keeps_its_capacity() -> None:
    found = impact(lacking_a_join(), "3A", bear=1)
    hit = Hit("job-0", "16x4x4", (1, 2, 3, 4), (), 1, "", WORK_S, True, "capacity as before")
    assert found == Impact((hit,))
    assert where_it_goes(hit) == "stays and bears it: capacity as before"
    [stuck] = impact(lacking_a_join(), "3A").stuck
    assert stuck.why.endswith("a join would lack 1 switch, capacity as before")


def test_who_may_bear_it_is_told_what_each_slice_would_keep() -> None:
    now = in_use((4, 4, 8), slots=2)
    found = impact(now, "2A").offering(impact(now, "2A", bear=1))
    assert [hit.offer for hit in found.hits] == ["bears it if you let it: X keeps 0.9375"]
    assert (found.needs_interrupt, found.bearing_suffices) == (True, True)
    by_hand = replace(found, by_hand=(Circuit(SWITCH, "7A", "8B"),))
    assert not by_hand.bearing_suffices
    assert not impact(now, "2A").bearing_suffices


def test_a_slice_that_cannot_move_stands_still_while_hands_work_and_is_refused_without() -> None:
    found = impact(in_use((4, 4, 8), slots=2), "2A")
    why = (
        "it needs 1 other cube, and 0 are free of what is out; it could bear that: a join would "
        "lack 1 switch, X keeps 0.9375"
    )
    assert found == Impact((Hit("job-0", "4x4x8", (1, 2), (), 1, why, WORK_S),))
    with pytest.raises(NotPossible) as refused:
        found.check("p-w1", interrupt=False, seen=found.names)
    assert str(refused.value) == (
        f"p-w1: slice job-0 cannot move: {why}. Choose interrupt: its circuits on these ports are "
        "removed and come back when the order has ended; or let what is in the way end first."
    )
    found.check("p-w1", interrupt=True, seen=found.names)


def test_a_slice_that_the_user_may_not_see_is_refused_without_its_name() -> None:
    found = impact(in_use((4, 4, 8), slots=2), "2A")
    with pytest.raises(NotPossible, match=r"^p-w1: a slice that you may not see cannot move: it "):
        found.check("p-w1", interrupt=False, seen=())
    lost = replace(found, hits=(), left=(Circuit(SWITCH, "2A", "1B", "job-0"),))
    with pytest.raises(NotPossible, match="2A to 1B on p-ocs-x-1-1 of a slice that you may not"):
        lost.check("p-w1", interrupt=True, seen=())


def test_a_circuit_made_by_hand_is_named_and_goes_only_with_interrupt() -> None:
    by_hand = Circuit(SWITCH, "7A", "8B")
    found = impact(replace(in_use(), circuits=(by_hand,)), "7A")
    assert (found.hits, found.by_hand, found.left) == ((), (by_hand,), ())
    with pytest.raises(NotPossible, match="7A to 8B on p-ocs-x-1-1 was made by hand and stays"):
        found.check("p-w1", interrupt=False, seen=found.names)


def test_a_circuit_that_its_switch_does_not_show_is_mended_first() -> None:
    now = in_use((4, 4, 8), slots=2)
    [lost] = [c for c in now.circuits if (SWITCH, "2A") in c.ports]
    found = impact(replace(now, missing=frozenset({lost.key})), "2A")
    assert found.left == (lost,)
    with pytest.raises(NotPossible, match=r"switch does not show it\. Mend the circuit"):
        found.check("p-w1", interrupt=True, seen=found.names)


@settings(max_examples=examples(40))
@given(
    st.lists(st.sampled_from([(4, 4, 4), (4, 4, 8), (4, 4, 12), (2, 2, 2)]), max_size=3),
    st.sets(st.integers(1, 8), min_size=1, max_size=3),
    st.booleans(),
)
def test_a_drain_that_is_not_refused_leaves_no_circuit_on_its_ports(
    shapes: list[tuple[int, int, int]], numbers: set[int], interrupt: bool
) -> None:
    try:
        now = in_use(*shapes)
    except NotPossible:
        return  # more than the pod has room for
    ports = [f"{number}{side}" for number in sorted(numbers) for side in "AB"]
    found = impact(now, *ports)
    try:
        found.check("p-w1", interrupt=interrupt, seen=found.names)
    except NotPossible:
        assert found.needs_interrupt
        assert not interrupt
        return
    out = out_of(now.intended, {"ports": [[SWITCH, port] for port in ports]})
    plan = propose_maintenance(now, out, interrupt=interrupt).plan
    gone = {circuit.key for circuit in plan.remove}
    there = [c for c in (*now.circuits, *plan.add) if c.key not in gone or c in plan.add]
    assert not [c for c in there if {(SWITCH, port) for port in ports} & set(c.ports)]
    # Everybody on these ports is named, and nobody else but who moves out of the way.
    on_them = {c.owner for c in now.circuits if {(SWITCH, p) for p in ports} & set(c.ports)}
    assert on_them <= {hit.name for hit in found.hits}
    assert {c.owner for c in plan.remove} <= {hit.name for hit in found.hits}
