"""What may not be wanted, whatever a switch would let one do."""

import pytest

from fabric_twin.core.cabling.plant import Substitution, intended_plant
from fabric_twin.core.circuits.plans import Circuit, make_plan
from fabric_twin.core.circuits.rules import check_circuits, check_healthy
from fabric_twin.core.circuits.unhealthy import Unhealthy
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import NotPossible

BROKEN = [
    (
        "ironwood", ("q-ocs-x-1-1", "7A", "9B"),
        "unknown-switch: pod p has no switch q-ocs-x-1-1",
        "Name a switch of this pod, such as p-ocs-x-1-1",
    ),
    (
        "ironwood", ("p-c001-t01", "7A", "9B"),
        "unknown-switch: pod p has no switch p-c001-t01",
        "Name a switch of this pod, such as p-ocs-x-1-1",
    ),
    (
        "tpu-v2-static", ("p-ocs-x-1-1", "7A", "9B"),
        "unknown-switch: pod p has no switch p-ocs-x-1-1",
        "Name a switch of this pod, such as (it has none)",
    ),
    (
        "ironwood", ("p-ocs-x-1-1", "7A", "145B"),
        "unknown-port: the switch has no port 145B",
        "Name ports from 1A to 144A and from 1B to 144B",
    ),
    (
        "tpu-v4", ("p-ocs-x-1-1", "137A", "9B"),
        "unknown-port: the switch has no port 137A",
        "Name ports from 1A to 136A and from 1B to 136B",
    ),
    (
        "ironwood", ("p-ocs-x-1-1", "7A", "9A"),
        "same-side: both are A ports",
        "Join an A port to a B port",
    ),
    (
        "tpu-v4", ("p-ocs-x-1-1", "7B", "71B"),
        "same-side: both are B ports",
        "Join an A port to a B port",
    ),
    (
        "ironwood", ("p-ocs-x-1-1", "7B", "9A"),
        "wrong-side: its a is a B port and its b is an A port",
        "Exchange a and b",
    ),
    (
        "tpu-v4", ("p-ocs-x-1-1", "130A", "71B"),
        "spare-port: 130A is a spare, and no substitution puts a cable on it",
        "Name the port that the rule uses, or the substitution that uses the spare",
    ),
    (
        "tpu-v5p", ("p-ocs-x-1-1", "7A", "142B"),
        "spare-port: 142B is a spare, and no substitution puts a cable on it",
        "Name the port that the rule uses, or the substitution that uses the spare",
    ),
    (
        "ironwood", ("p-ocs-x-1-1", "7A", "41B"),
        "empty-slot: slot 41 holds no cube",
        "Name slots that hold cubes, or widen the slots",
    ),
    (
        "tpu-v4-cwdm8", ("p-ocs-x-3-1", "7A", "73B"),
        "other-index: it joins index X 3,1 to 3,2",
        "Join ports of one index: an index can never change",
    ),
    (
        "tpu-v4", ("p-ocs-x-3-1", "7A", "9B"),
        "same-sign: it joins X+ to X+",
        "Join a + face to a - face",
    ),
    (
        "tpu-v4-duplex", ("p-ocs-z-3-1-2", "71A", "73B"),
        "same-sign: it joins Z- to Z-",
        "Join a + face to a - face",
    ),
    (
        "tpu-v4", ("p-ocs-x-3-1", "7A", "73B"),
        "half-a-link: its link lacks the second circuit, 73A to 7B",
        "A link of a paired plant is two circuits: want both or neither",
    ),
    (
        "tpu-v4-duplex", ("p-ocs-x-3-1-2", "73A", "7B"),
        "half-a-link: its link lacks the second circuit, 7A to 73B",
        "A link of a paired plant is two circuits: want both or neither",
    ),
]  # fmt: skip


def refusal(check, *arguments) -> str:
    with pytest.raises(NotPossible) as refused:
        check(*arguments)
    assert refused.value.exit_code == 1
    return str(refused.value)


@pytest.mark.parametrize(("design", "circuit", "rule", "remedy"), BROKEN)
def test_a_wanted_circuit_that_breaks_a_rule_is_refused_by_name(design, circuit, rule, remedy):
    intended = intended_plant(find_design(design), "p", range(1, 15))
    wanted = [Circuit(*circuit, "job-a", "to.json, circuit 3")]
    switch, a, b = circuit
    assert refusal(check_circuits, intended, wanted) == (
        f"to.json, circuit 3: {a} to {b} on {switch} of job-a breaks the rule {rule}. {remedy}."
    )


@pytest.mark.parametrize(("design", "circuit", "rule", "remedy"), BROKEN)
def test_a_present_circuit_that_breaks_a_rule_may_go(design, circuit, rule, remedy):
    assert make_plan([Circuit(*circuit)], []).remove == (Circuit(*circuit),)


def test_the_first_is_named_and_the_others_are_counted():
    intended = intended_plant(find_design("ironwood"), "p")
    wanted = [Circuit("p-ocs-x-1-1", "1A", b) for b in ("1B", "2A", "3A", "400B")]
    assert refusal(check_circuits, intended, wanted) == (
        "1A to 2A on p-ocs-x-1-1 breaks the rule same-side: both are A ports "
        "(2 more break a rule). Join an A port to a B port."
    )


def test_a_substitution_makes_the_spare_a_port_and_the_port_none():
    spare = [Substitution("p-ocs-x-1-1", "7A", "141A")]
    intended = intended_plant(find_design("tpu-v5p"), "p", None, spare)
    check_circuits(intended, [Circuit("p-ocs-x-1-1", "141A", "9B")])
    assert refusal(check_circuits, intended, [Circuit("p-ocs-x-1-1", "7A", "9B")]) == (
        "7A to 9B on p-ocs-x-1-1 breaks the rule no-cable: no cable belongs on 7A. "
        "Name a port that a cube is cabled to."
    )


@pytest.mark.parametrize(
    ("unhealthy", "rule"),
    [
        (Unhealthy(ports=frozenset({("p-ocs-x-1-1", "73B")})), "port-unhealthy: 73B is unhealthy"),
        (Unhealthy(ports=frozenset({("p-ocs-x-1-1", "7")})), "port-unhealthy: 7A is unhealthy"),
        (
            Unhealthy(slots=frozenset({9})),
            "slot-unhealthy: the cube in slot 9 is unhealthy",
        ),
    ],
)
def test_nothing_is_put_on_what_is_unhealthy(unhealthy, rule):
    intended = intended_plant(find_design("tpu-v4"), "p")
    added = [Circuit("p-ocs-x-1-1", "7A", "73B"), Circuit("p-ocs-x-1-1", "73A", "7B")]
    assert refusal(check_healthy, intended, added, unhealthy) == (
        f"7A to 73B on p-ocs-x-1-1 breaks the rule {rule}. Choose other cubes, or mend it first."
    )
    check_healthy(intended, [Circuit("p-ocs-x-1-1", "8A", "74B")], unhealthy)
