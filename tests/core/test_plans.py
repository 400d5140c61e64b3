"""Plans carried out by a simulator that knows names and nothing else."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.circuits.change import plan_change
from fabric_twin.core.circuits.plans import Circuit, Stage, make_plan, make_plan_for
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import NotPossible

DESIGNS = ["ironwood", "tpu-v5p", "tpu-v4", "tpu-v4-duplex", "tpu-v4-cwdm8"]
OWNERS = ["job-a", "job-b", "job-c"]
SLOTS = list(range(1, 7))


def link(design: str, axis: str, i: int, j: int, plus: int, minus: int) -> list[tuple[str, ...]]:
    """The circuits of one link, from `facts.md`, without the program's rules."""
    if design == "tpu-v4-cwdm8":
        shift = 0 if j % 2 else 64
        switch = f"p-ocs-{axis}-{i}-{(j + 1) // 2}"
        return [(switch, f"{plus + shift}A", f"{minus + shift}B")]
    if design in {"tpu-v4", "tpu-v4-duplex"}:
        lanes = ["-1", "-2"] if design == "tpu-v4-duplex" else [""]
        return [
            (f"p-ocs-{axis}-{i}-{j}{lane}", f"{a}A", f"{b}B")
            for lane in lanes
            for a, b in ((plus, minus + 64), (minus + 64, plus))
        ]
    return [(f"p-ocs-{axis}-{i}-{j}", f"{plus}A", f"{minus}B")]


def rings(design: str, holders: Sequence[str], orders: Sequence[Sequence[int]]) -> list[Circuit]:
    """Each owner's cubes in rings, in some order on each axis, at two indices."""
    circuits = []
    for owner in OWNERS:
        for axis, order in zip("xyz", orders, strict=True):
            ours = [slot for slot in order if holders[slot - 1] == owner]
            for plus, minus in zip(ours, ours[1:] + ours[:1], strict=True):
                for i, j in ((1, 1), (3, 2)):
                    rows = link(design, axis, i, j, plus, minus)
                    circuits += [Circuit(*row, owner) for row in rows]
    return circuits


holders = st.lists(st.sampled_from(["", *OWNERS]), min_size=6, max_size=6)
orders = st.tuples(*[st.permutations(SLOTS)] * 3)


@st.composite
def two_states(draw):
    """A design and two states of a pod of that design."""
    design = draw(st.sampled_from(DESIGNS))
    states = [rings(design, draw(holders), draw(orders)) for _ in range(2)]
    return design, *states


@st.composite
def one_owners_wish(draw):
    """A state, and what job-a wants of its own cubes and of those that nobody has."""
    design, held = draw(st.sampled_from(DESIGNS)), draw(holders)
    wish = [
        draw(st.sampled_from(["", "job-a"])) if owner in {"", "job-a"} else "" for owner in held
    ]
    return design, rings(design, held, draw(orders)), rings(design, wish, draw(orders))


class Fabric:
    """Switches that hold circuits, and notice a port that is used twice."""

    def __init__(self, circuits: Sequence[Circuit]) -> None:
        self.ports: dict[tuple[str, str], Circuit] = {}
        self.apply(Stage(add=tuple(circuits)))

    @property
    def circuits(self) -> set[Circuit]:
        return set(self.ports.values())

    def apply(self, stage: Stage) -> None:
        for circuit in stage.remove:
            for port in circuit.ports:
                assert self.ports.pop(port) == circuit
        for circuit in stage.add:
            for port in circuit.ports:
                assert self.ports.setdefault(port, circuit) is circuit


def lit(circuits) -> set[tuple[str, str, str]]:
    return {(circuit.switch, circuit.a, circuit.b) for circuit in circuits}


@given(two_states())
def test_a_plan_ends_at_the_wish_and_never_uses_a_port_twice(states):
    design, present, wanted = states
    plan = plan_change(find_design(design), "p", present, wanted).plan
    fabric = Fabric(present)
    for stage in plan.stages:
        fabric.apply(stage)
    assert lit(fabric.circuits) == lit(wanted)


@given(two_states())
def test_a_plan_undone_stage_by_stage_ends_at_the_start(states):
    _, present, wanted = states
    plan = make_plan(present, wanted)
    for done in range(len(plan.stages) + 1):
        fabric = Fabric(present)
        for stage in plan.stages[:done]:
            fabric.apply(stage)
        for stage in plan.undone[len(plan.stages) - done :]:
            fabric.apply(stage)
        assert fabric.circuits == set(present)


@given(one_owners_wish())
def test_an_owners_plan_touches_nobody_else(states):
    design, present, wanted = states
    plan = plan_change(find_design(design), "p", present, wanted, owner="job-a").plan
    others = {circuit for circuit in present if circuit.owner != "job-a"}
    fabric = Fabric(present)
    for stage in [*plan.stages, *plan.undone, *plan.stages]:
        fabric.apply(stage)
        assert others <= fabric.circuits
    assert fabric.circuits == others | set(wanted)
    assert {circuit.owner for circuit in others} <= set(plan.untouched_owners)


@given(two_states())
def test_a_plan_is_as_small_as_its_lower_bound(states):
    _, present, wanted = states
    plan = make_plan(present, wanted)
    difference = lit(present) ^ lit(wanted)
    assert lit(plan.remove) | lit(plan.add) == difference
    assert len(plan.remove) + len(plan.add) == plan.lower_bound == len(difference)
    assert lit(plan.keep) == lit(present) & lit(wanted)


@given(two_states())
def test_nothing_is_interrupted_before_it_must_be(states):
    _, present, wanted = states
    plan = make_plan(present, wanted)
    assert len(plan.stages) <= 3
    fabric = Fabric(present)
    for number, stage in enumerate(plan.stages):
        needed = {port for circuit in stage.add for port in circuit.ports}
        if stage.add:  # whatever goes gives way to what comes
            assert all(needed & set(circuit.ports) for circuit in stage.remove)
        else:  # what nobody waits for goes last of all
            assert number == len(plan.stages) - 1
        if stage.remove and stage.add:  # whatever waited could not have come before
            assert all(fabric.ports.keys() & set(circuit.ports) for circuit in stage.add)
        fabric.apply(stage)


@given(two_states())
def test_an_owner_who_loses_nothing_and_gains_nothing_is_untouched(states):
    _, present, wanted = states
    plan = make_plan(present, wanted)
    held, wished = (
        {owner: {c for c in circuits if c.owner == owner} for owner in OWNERS}
        for circuits in (present, wanted)
    )
    same = [owner for owner in OWNERS if held[owner] and held[owner] == wished[owner]]
    assert list(plan.untouched_owners) == same


def circuits(*rows: str) -> list[Circuit]:
    """`7A-9B job-a`, all on one switch."""
    return [
        Circuit("p-ocs-x-1-1", *ports.split("-"), *owner)
        for ports, *owner in (row.split() for row in rows)
    ]


def test_what_is_free_comes_first_and_what_nobody_waits_for_goes_last():
    present = circuits("7A-9B job-a", "8A-8B job-a", "4A-4B job-b", "1A-1B job-c")
    wanted = circuits("7A-8B job-a", "5A-5B job-a", "4A-4B job-b")
    plan = make_plan(present, wanted)
    assert plan.stages == (
        Stage(add=tuple(circuits("5A-5B job-a"))),
        Stage(
            remove=tuple(circuits("7A-9B job-a", "8A-8B job-a")),
            add=tuple(circuits("7A-8B job-a")),
        ),
        Stage(remove=tuple(circuits("1A-1B job-c"))),
    )
    assert plan.interrupted == {"job-a": (2, 2), "job-c": (1, 0)}
    assert plan.untouched_owners == ("job-b",)


def test_a_circuit_that_changes_its_owner_stays_lit():
    present, wanted = circuits("7A-9B job-a"), circuits("7A-9B job-b")
    plan = make_plan(present, wanted)
    assert plan.stages == ()
    assert plan.passed_on == ((present[0], wanted[0]),)
    assert plan.untouched_owners == ()


def test_circuits_without_an_owner_are_the_wishers_in_the_wish_and_nobodys_in_the_fabric():
    present = circuits("7A-9B", "1A-1B job-a")
    plan = make_plan_for("job-a", present, circuits("1A-2B", "3A-3B job-b"))
    assert plan.add == tuple(circuits("1A-2B job-a"))
    assert plan.remove == tuple(circuits("1A-1B job-a"))
    assert plan.untouched_owners == ()


def test_a_port_that_is_used_twice_today_is_left_behind():
    present = circuits("7A-9B job-a", "7A-8B job-b")
    plan = make_plan(present, circuits("7A-1B job-a"))
    assert plan.stages == (Stage(remove=tuple(present), add=tuple(circuits("7A-1B job-a"))),)


@pytest.mark.parametrize(
    ("present", "wanted", "words"),
    [
        (
            ["7A-9B job-b"],
            ["7A-8B job-a"],
            "7A to 8B on p-ocs-x-1-1 of job-a breaks the rule port-in-two-circuits: "
            "7A is in 7A to 9B on p-ocs-x-1-1 of job-b. "
            "Choose other cubes, or let what holds the port be released first.",
        ),
        (
            ["7A-9B job-b"],
            ["7A-9B job-a"],
            "7A to 9B on p-ocs-x-1-1 of job-a breaks the rule port-in-two-circuits: "
            "7A is in 7A to 9B on p-ocs-x-1-1 of job-b. "
            "Choose other cubes, or let what holds the port be released first.",
        ),
        (
            ["1A-9B"],
            ["7A-9B job-a"],
            "7A to 9B on p-ocs-x-1-1 of job-a breaks the rule port-in-two-circuits: "
            "9B is in 1A to 9B on p-ocs-x-1-1. "
            "Choose other cubes, or let what holds the port be released first.",
        ),
        (
            [],
            ["7A-9B job-a", "7A-8B job-a"],
            "7A to 8B on p-ocs-x-1-1 of job-a breaks the rule port-in-two-circuits: "
            "7A is in 7A to 9B on p-ocs-x-1-1 of job-a. Leave one of the two out.",
        ),
    ],
)
def test_a_port_is_in_one_circuit(present, wanted, words):
    with pytest.raises(NotPossible) as refusal:
        make_plan_for("job-a", circuits(*present), circuits(*wanted))
    assert str(refusal.value) == words
