"""The order of a dead switch: no drain while it is dead, and nothing left once it answers."""

from typing import Any

import pytest

from fabric_twin.core.orders.dark_switch import why_not_dead
from fabric_twin.core.orders.finding import Found
from fabric_twin.core.orders.impact import Hit, Impact, where_it_goes
from fabric_twin.core.orders.life import Act, OrderIs, StepIs
from fabric_twin.core.orders.mended import due_again, without_bundle
from fabric_twin.core.orders.order import Need, WorkOrder
from fabric_twin.core.orders.planning.repairing import repair
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.steps import Do

from .pods import pod

SWITCH = "p1-ocs-x-1-1"
WHOLE = pod(slots=range(1, 3))
USED = {(SWITCH, "1A"): "job-a", (SWITCH, "2B"): "job-a", ("p1-ocs-x-1-2", "1A"): "job-a"}


def found(**evidence: Any) -> Found:
    facts = {"id": "f", "code": "switch-down", "ports": [(SWITCH, "")], "evidence": evidence}
    reseat = {"do": "reseat", "device": SWITCH, "port": ""}
    return Found.from_json({**facts, "remedy": [reseat]})


def order(one: Found) -> WorkOrder:
    return repair(WHOLE.intended, [one], WHOLE.floor, WHOLE.plugs(), in_circuits=USED)


@pytest.mark.parametrize(
    ("evidence", "dead"),
    [
        ({"why": "it is down", "lit": 0, "neighbours_agree": True}, True),
        ({"why": "it is down", "lit": 0, "neighbours_agree": False}, False),
        ({"why": "it is down", "lit": 0}, False),
        ({}, False),
    ],
)
def test_its_ports_are_drained_only_if_it_answers(evidence: dict[str, Any], dead: bool) -> None:
    made = order(found(**evidence))
    ports = ((SWITCH, "1A"), (SWITCH, "2B"))
    assert made.needs == (Need("drain f", "drain", ports, ("job-a",), findings=("f",), dead=dead),)
    assert WorkOrder.from_json(made.as_json()) == made
    [hands] = [step for step in made.steps if step.do == Do.RESEAT]
    first = Progress.of(made).steps[hands.number - 1]
    assert first == (StepIs.LOCKED if dead else StepIs.WAITING), "until somebody looks"


@pytest.mark.parametrize("before", [StepIs.WAITING, StepIs.LOCKED, StepIs.DONE, StepIs.FAILED])
def test_once_it_answers_hands_have_nothing_left_at_it(before: StepIs) -> None:
    progress = (
        Progress.of(order(found(neighbours_agree=True))).after(Act.ASSIGN, "ann").after(Act.START)
    )
    [hands] = [step for step in progress.order.steps if step.do == Do.RESEAT]
    [check] = [step for step in progress.order.steps if step.do == Do.CHECK]
    after = without_bundle(progress.but(hands.number, before), "f")
    did = before in (StepIs.DONE, StepIs.FAILED)
    assert after.steps[hands.number - 1] == (StepIs.DONE if did else StepIs.NOT_DUE)
    assert after.steps[check.number - 1] == StepIs.NOT_DUE, "no light was seen"
    assert after.left == [], "nobody needs to go there"
    assert after.after(Act.FINISH).after(Act.CLOSE).state is OrderIs.DONE


def test_what_it_took_is_due_again_once_it_dies_again() -> None:
    other = {"id": "g", "code": "fan-lost", "ports": [("p1-ocs-x-1-2", "")]}
    reseat = {"do": "reseat", "device": "p1-ocs-x-1-2", "port": ""}
    both = [found(neighbours_agree=True), Found.from_json({**other, "remedy": [reseat]})]
    begun = Progress.of(repair(WHOLE.intended, both, WHOLE.floor, WHOLE.plugs(), in_circuits=USED))
    hands, _ = (step for step in begun.order.steps if step.do == Do.RESEAT)
    worked = begun.but(hands.number, StepIs.DONE)
    [go] = [v[0] for v in begun.order.visits() if hands in v]
    for before in (begun, worked, worked.but(go.number, StepIs.DONE)):
        after = without_bundle(before, "f")
        assert after.not_due == ["f"]
        again = due_again(after, "f")
        assert (again.steps, again.not_due) == (begun.steps, [])


def test_somebody_goes_where_something_else_is_left() -> None:
    other = Found.from_json(
        {
            "id": "g",
            "code": "fan-lost",
            "ports": [(SWITCH, "")],
            "remedy": [{"do": "reseat", "device": SWITCH, "port": ""}],
        }
    )
    made = repair(
        WHOLE.intended, [found(why="it is down"), other], WHOLE.floor, WHOLE.plugs(), in_circuits={}
    )
    after = without_bundle(Progress.of(made), "f")
    assert [(step.do, step.finding) for step in after.left] == [(Do.GO, ""), (Do.RESEAT, "g")]
    assert after.not_verified == ["g"]
    assert without_bundle(after, "g").left == []


def test_the_work_takes_nothing_from_slices_that_lost_their_circuits_already() -> None:
    hit = Hit("job-a", "4x4x8", (1, 2), (), 0, "", 0.0, True, "X 1 -> 0.9375", already=True)
    impact = Impact((hit,))
    assert (impact.takes_nothing, impact.needs_interrupt) == (True, False)
    assert where_it_goes(hit) == "nothing more: without the dead switch it is at X 1 -> 0.9375"
    impact.check("p1-w1", interrupt=False, seen=impact.names)


A, B, C, D = ("c1", "X-"), ("c2", "X+"), ("c2", "X-"), ("c3", "X+")
E, F = ("c3", "X-"), ("c1", "X+")
UNKNOWN = f"light does not show whether {SWITCH} runs: both cubes answer at "
HALF = " of 3 circuits, and half are needed"


@pytest.mark.parametrize(
    ("heard", "why"),
    [
        (dict.fromkeys((A, B, C, D, E, F)), ""),
        (dict.fromkeys((A, B, C, D)), ""),
        ({A: None, B: None}, f"{UNKNOWN}1{HALF}"),
        ({A: None, B: None, C: D}, f"light passes {SWITCH}: c2 X- hears c3 X+"),
        ({A: None, D: None}, f"{UNKNOWN}0{HALF}"),
        ({}, f"{UNKNOWN}0{HALF}"),
    ],
)
def test_a_silent_switch_is_dead_only_where_its_cubes_hear_nothing(
    heard: dict[tuple[str, str], tuple[str, str] | None], why: str
) -> None:
    assert why_not_dead(SWITCH, [(A, B), (C, D), (E, F)], heard) == why
    assert why_not_dead(SWITCH, [], heard) == "", "no light is to be lost there"


def test_what_nobody_wants_is_listened_to_and_counts_only_where_nothing_is_wanted() -> None:
    dark, lit = dict.fromkeys((A, B)), {A: None, B: None, C: D}
    assert why_not_dead(SWITCH, [(A, B)], dark, [(C, D), (E, F)]) == ""
    for wanted in [(A, B)], []:
        said = why_not_dead(SWITCH, wanted, lit, [(C, D), (E, F)])
        assert said == f"light passes {SWITCH}: c2 X- hears c3 X+"
    assert why_not_dead(SWITCH, [], dark, [(A, B), (C, D)]) == ""
    assert why_not_dead(SWITCH, [], dark, [(A, B), (C, D), (E, F)]) == f"{UNKNOWN}1{HALF}"
