"""Reports from the aisle: taken once, refused with what is meant, locked where light may run."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.orders.life import Act, OrderIs, StepIs
from fabric_twin.core.orders.planning.install import install
from fabric_twin.core.orders.planning.moving import decommission
from fabric_twin.core.orders.port_lock import PortSeen, live_neighbours, locked, may_block
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.reports import Report, Told
from fabric_twin.core.orders.steps import BY_FABRIC, Do, Step
from tests.examples import examples

from .pods import pod

WHOLE = pod(slots=range(1, 3))
ORDER = install(WHOLE.intended, {2}, WHOLE.floor)
DARK = PortSeen(blocked=True, in_circuit=False)
UNDER_WAY = Progress.of(ORDER).after(Act.ASSIGN, "ann").after(Act.START)


def first(do: Do, progress: Progress = UNDER_WAY, *, guarded: bool = False) -> Step:
    return next(s for s in progress.order.steps if s.do == do and s.guarded == guarded)


def done(step: Step, name: str = "") -> Report:
    scanned = step.cable if step.do == Do.SCAN else ""
    return Report(id=name or f"r{step.number}", step=step.number, told=Told.DONE, scanned=scanned)


def all_done(progress: Progress, but: Collection[int] = ()) -> Progress:
    """Everything but the looks at the light, ports read as they should be."""
    for step in progress.order.steps:
        if step.do == Do.CHECK or step.number in but:
            continue
        progress = go_on(progress, step)
    return progress


def go_on(progress: Progress, step: Step) -> Progress:
    """One step is done, by hands or by the fabric, its port read as it should be."""
    if step.do in BY_FABRIC:
        return progress.did(step)
    progress, _ = progress.read(step.number, {step.at: DARK})
    progress, answer = progress.take(done(step))
    assert answer.taken, answer.why
    return progress


def taken(progress: Progress, reports: Iterable[Report]) -> Progress:
    """Take what a phone kept while it had no network, in the order in which it was said."""
    for report in reports:
        progress, _ = progress.take(report)
    return progress


def test_an_order_is_done_only_when_light_agrees_to_every_bundle() -> None:
    with pytest.raises(NotPossible, match="steps are not done, first 1: go to p1-c002"):
        UNDER_WAY.after(Act.FINISH)
    progress = all_done(UNDER_WAY).after(Act.FINISH)
    assert progress.state == OrderIs.AWAITING_LIGHT
    assert progress.qualified() == ()

    one, *others = [bundle.name for bundle in ORDER.bundles]
    for bundle in others:
        progress = progress.light(bundle, agrees=True)
    with pytest.raises(NotPossible, match=f"the light test has not passed for {one}"):
        progress.after(Act.CLOSE)
    assert progress.light(one, agrees=True).after(Act.CLOSE).state == OrderIs.DONE
    assert progress.light(one, agrees=True).qualified() == (2,)


def test_light_that_does_not_agree_reopens_what_it_speaks_of_and_nothing_else() -> None:
    progress = all_done(UNDER_WAY).after(Act.FINISH)
    bundle = ORDER.bundles[0].name
    failed = progress.light(bundle, agrees=False).after(Act.REOPEN).after(Act.START)

    states = {
        s.bundle: is_ for s, is_ in zip(ORDER.steps, failed.steps, strict=True) if s.do == Do.PLUG
    }
    assert [name for name, is_ in states.items() if is_ == StepIs.FAILED] == [bundle]
    plug = next(s for s in ORDER.steps if s.do == Do.PLUG and s.bundle == bundle)
    assert failed.take(done(plug, "hasty"))[1].why == (
        f"step {plug.number}: it was not done: clean {plug.device} port {plug.port}. "
        f"Do that first at {plug.device} port {plug.port}."
    )
    for step in ORDER.steps[plug.number - 4 : plug.number]:
        failed, answer = failed.take(done(step, f"again {step.number}"))
        assert answer.taken, answer.why
    assert failed.steps[plug.number - 1] == StepIs.DONE


def test_a_connection_on_a_switch_that_light_refuses_is_locked_again() -> None:
    bundle = ORDER.bundles[0]
    plug = next(s for s in ORDER.steps if s.do == Do.PLUG and s.rack == bundle.rack)
    progress = all_done(UNDER_WAY).light(bundle.name, agrees=False, wrong={plug.at})

    again = [
        s
        for s, is_ in zip(ORDER.steps, progress.steps, strict=True)
        if is_ in (StepIs.LOCKED, StepIs.WAITING, StepIs.FAILED) and s.do != Do.CHECK
    ]
    port = " port ".join(plug.at)
    assert [str(step) for step in again] == [
        f"block {port}",
        f"scan {plug.cable} at {port}",
        f"inspect {port}",
        f"clean {port}",
        str(plug),
        f"release {port}",
    ]
    _, answer = progress.take(done(again[2], "inspect"))
    assert (answer.taken, answer.state) == (False, StepIs.LOCKED)


@settings(max_examples=examples(25))
@given(st.data())
def test_reports_that_come_late_and_twice_change_what_they_would_have_once(
    dice: st.DataObject,
) -> None:
    steps = [s for s in ORDER.steps if s.rack == "p1-c002"][:40]
    said = [done(step) for step in steps]
    once = taken(UNDER_WAY, said)

    # Each is sent again at some time after it was first: a phone never knows what arrived.
    again = list(said)
    for report in dice.draw(st.lists(st.sampled_from(said), max_size=20)):
        place = dice.draw(st.integers(again.index(report) + 1, len(again)))
        again.insert(place, report)
    twice = taken(UNDER_WAY, again)

    assert twice.steps == once.steps
    assert twice.reports == once.reports
    assert all(once.steps[step.number - 1] == StepIs.DONE for step in steps)


def test_an_id_is_for_one_report() -> None:
    go = first(Do.GO)
    progress, answer = UNDER_WAY.take(done(go, "x"))
    assert (answer.taken, answer.again) == (True, False)
    progress, answer = progress.take(done(go, "x"))
    assert (answer.taken, answer.again) == (True, True)
    with pytest.raises(NotPossible, match="the id x is that of another report"):
        progress.take(Report(id="x", step=2, told=Told.DONE))


def test_a_wrong_label_is_refused_with_what_is_meant() -> None:
    scan = first(Do.SCAN)
    wrong = Report(id="w", step=scan.number, told=Told.DONE, scanned="p1-c002:1.1.1/X-")
    progress, answer = UNDER_WAY.take(wrong)
    assert not answer.taken
    assert answer.why == (
        f"step {scan.number}: this is p1-c002:1.1.1/X-; {scan.cable} is meant for "
        f"{scan.device} port {scan.port}. Put it back and find {scan.cable}."
    )
    inspect = ORDER.steps[scan.number]
    progress, answer = progress.take(done(inspect))
    assert answer.why == (
        f"step {inspect.number}: the label of {scan.cable} was not read. "
        f"Scan it at {scan.device} port {scan.port}."
    )
    progress, answer = progress.take(done(scan, "right"))
    progress, answer = progress.take(done(inspect, "then"))
    assert answer.taken


@pytest.mark.parametrize("form", ["{}", " {}\n"])
@pytest.mark.parametrize("letters", [str.upper, str.lower])
def test_a_label_is_the_same_in_any_case_and_with_spaces_around(
    form: str, letters: Callable[[str], str]
) -> None:
    scan = first(Do.SCAN)
    read = form.format(letters(scan.cable))
    report = Report(id="s", step=scan.number, told=Told.DONE, scanned=read)
    _, answer = UNDER_WAY.take(report)
    assert (answer.taken, answer.why) == (True, "")


def test_what_cannot_be_done_says_why() -> None:
    plug = first(Do.PLUG)
    with pytest.raises(UnusableInput, match="it does not say why"):
        Report(id="c", step=plug.number, told=Told.CANNOT)
    reason = Report(id="c", step=plug.number, told=Told.CANNOT, reason="the cage is bent")
    progress, answer = UNDER_WAY.take(reason)
    assert (answer.taken, answer.state) == (True, StepIs.CANNOT)
    assert Report.from_json(reason.as_json()) == reason
    undone = Report(id="u", step=plug.number, told=Told.UNDONE)
    progress, answer = progress.take(undone)
    assert answer.state == StepIs.WAITING


def test_a_step_on_a_switch_is_locked_until_its_port_is_seen_dark_and_free() -> None:
    plug = first(Do.PLUG, guarded=True)
    number, port = plug.number, " port ".join(plug.at)
    assert UNDER_WAY.steps[number - 1] == StepIs.LOCKED
    for seen, why in (
        ({}, f"{port} could not be read"),
        ({plug.at: PortSeen(blocked=False, in_circuit=False)}, f"{port} is not blocked"),
        ({plug.at: PortSeen(blocked=True, in_circuit=True)}, f"{port} is in a circuit"),
        ({plug.at: PortSeen(blocked=True, in_circuit=False)}, ""),
    ):
        progress, said = UNDER_WAY.read(number, seen)
        assert said == why
        assert (progress.steps[number - 1] == StepIs.LOCKED) == bool(why)
    _, answer = UNDER_WAY.take(done(plug))
    assert not answer.taken


def test_both_halves_of_a_duplex_port_must_be_dark() -> None:
    step = Step(do=Do.PLUG, rack="r", device="v4-ocs-x-3-2", port="7", guarded=True)
    dark, lit = PortSeen(blocked=True, in_circuit=False), PortSeen(blocked=True, in_circuit=True)
    assert locked(step, {("v4-ocs-x-3-2", "7A"): dark, ("v4-ocs-x-3-2", "7B"): dark}) == ""
    seen = {("v4-ocs-x-3-2", "7A"): dark, ("v4-ocs-x-3-2", "7B"): lit}
    assert locked(step, seen) == may_block(step, seen) == "v4-ocs-x-3-2 port 7B is in a circuit"


def test_live_neighbours_are_the_ports_in_reach_that_carry_light() -> None:
    layout, names = WHOLE.intended.names.layout, WHOLE.intended.names
    ports = names.find(["p1-ocs-x-3-2"] * 6, ["7A", "5A", "6A", "8A", "10A", "7B"]).tolist()
    assert live_neighbours(layout, ports[0], set(ports[1:])) == ports[1:4]


def test_what_is_done_while_the_network_is_down_counts_though_somebody_paused_meanwhile() -> None:
    go = first(Do.GO)
    paused = UNDER_WAY.after(Act.PAUSE)
    progress, answer = paused.take(done(go))
    assert (answer.taken, progress.state) == (True, OrderIs.PAUSED)


def test_a_report_that_came_too_early_is_taken_when_it_is_sent_again() -> None:
    scan = first(Do.SCAN)
    inspect = ORDER.steps[scan.number]
    progress, answer = UNDER_WAY.take(done(inspect, "i"))
    assert not answer.taken
    progress, _ = progress.take(done(scan, "s"))
    progress, answer = progress.take(done(inspect, "i"))
    assert (answer.taken, answer.again) == (True, False)


def test_a_step_waits_until_the_slice_on_its_port_is_drained() -> None:
    order = decommission(
        WHOLE.intended,
        {2},
        WHOLE.floor,
        WHOLE.plugs(),
        in_circuits={("p1-ocs-x-1-1", "2A"): "job-a"},
    )
    progress = Progress.of(order).after(Act.ASSIGN, "ann").after(Act.START)
    unplug = next(s for s in order.steps if s.do == Do.UNPLUG)
    for step in order.steps[: unplug.number]:
        if step != unplug:
            progress = go_on(progress, step)
    progress, _ = progress.read(unplug.number, {unplug.at: DARK})
    progress, answer = progress.take(done(unplug))
    assert answer.why == (
        f"step {unplug.number}: it needs that first: drain. Carry out its ticket."
    )
    drained = replace(progress, met=frozenset({"drain"}))
    assert drained.take(done(unplug))[1].taken


def test_progress_refuses_acts_that_its_state_does_not_allow() -> None:
    drafted = Progress.of(ORDER)
    with pytest.raises(NotPossible, match="an order that is drafted cannot start"):
        drafted.after(Act.START)
    assert drafted.take(done(first(Do.GO)))[1].why.endswith("the order is drafted. Start it first.")
    taken_over = UNDER_WAY.after(Act.ASSIGN, "bob")
    assert (taken_over.state, taken_over.assignee) == (OrderIs.UNDER_WAY, "bob")
    paused = taken_over.after(Act.PAUSE)
    assert paused.after(Act.PAUSE).after(Act.START).state == OrderIs.UNDER_WAY
    with pytest.raises(NotPossible, match="an order that is withdrawn cannot withdraw"):
        paused.after(Act.WITHDRAW).after(Act.WITHDRAW)


def test_an_order_is_done_but_for_what_cannot_be_done() -> None:
    bundle = ORDER.bundles[0]
    plug = next(s for s in ORDER.steps if s.do == Do.PLUG and s.bundle == bundle.name)
    ends = {s.at for s in ORDER.steps if s.cable == plug.cable}
    other = next(
        s for s in ORDER.steps if s.do == Do.PLUG and s.bundle == bundle.name and s != plug
    )
    cannot = Report(id="no", step=plug.number, told=Told.CANNOT, reason="the ferrule is chipped")
    progress = all_done(UNDER_WAY.take(cannot)[0], but={plug.number})
    assert progress.undone == [plug]
    assert progress.aside(bundle.name) == ends

    # Light that refuses another cable too asks for that one, and for nothing else.
    both = progress.light(bundle.name, agrees=False, wrong={plug.at, other.at})
    assert (bundle.name in both.not_verified, both.set_aside) == (True, [])
    assert {s.at for s in both.left} == {other.at}

    for each in ORDER.bundles:
        wrong = {plug.at} if each == bundle else ()
        progress = progress.light(each.name, agrees=each != bundle, wrong=wrong)
    assert (progress.not_verified, progress.set_aside) == ([], [bundle.name])
    assert progress.next() is None
    assert progress.qualified() == ()
    assert progress.after(Act.FINISH).after(Act.CLOSE).state == OrderIs.DONE


def test_give_again_blocks_the_port_and_tests_the_bundle() -> None:
    bundle = ORDER.bundles[0]
    plug = next(s for s in ORDER.steps if s.do == Do.PLUG and s.bundle == bundle.name and s.guarded)
    port = " port ".join(plug.at)
    cannot = Report(id="no", step=plug.number, told=Told.CANNOT, reason="the port is full of dust")
    progress = UNDER_WAY.read(plug.number, {plug.at: PortSeen(blocked=True, in_circuit=False)})[0]
    progress = all_done(progress.take(cannot)[0], but={plug.number})
    progress = progress.light(bundle.name, agrees=False, wrong={plug.at})
    assert progress.take(done(plug, "late"))[1].why == (
        f"step {plug.number}: it could not be done, and its port may be in use again. "
        "Give the step again: its port is read first."
    )

    again, answer = progress.take(Report(id="again", step=plug.number, told=Told.UNDONE))
    assert (answer.taken, answer.state) == (True, StepIs.LOCKED)
    assert [str(step) for step in again.left] == [
        f"block {port}",
        f"scan {plug.cable} at {port}",
        f"inspect {port}",
        f"clean {port}",
        str(plug),
        f"release {port}",
    ]
    assert (bundle.name in again.not_verified, again.set_aside) == (True, [])
    assert again.steps == progress.again(progress.undone).steps


@pytest.mark.parametrize("do", sorted(BY_FABRIC))
@pytest.mark.parametrize("told", Told)
def test_what_the_fabric_does_nobody_else_reports(do: Do, told: Told) -> None:
    step = first(do, guarded=do != Do.CHECK)
    said = Report(id="x", step=step.number, told=told, reason="the switch does not answer")
    after, answer = UNDER_WAY.take(said)
    assert after.steps == UNDER_WAY.steps
    assert answer.why == (
        f"step {step.number}: an automatic step, which the fabric does and reports: {step}. "
        "Report manual steps; ask what comes next, and the fabric does its part."
    )


def test_a_port_is_not_blocked_for_hands_that_can_do_nothing_there_until_it_is_given_again() -> (
    None
):
    block = first(Do.BLOCK, guarded=True)
    frame = [s for s in ORDER.steps if s.at == block.at]
    progress = UNDER_WAY
    for step in frame[1:-1]:
        said = Report(id=f"no {step.number}", step=step.number, told=Told.CANNOT, reason="silent")
        assert progress.steps[block.number - 1] == StepIs.WAITING
        progress, answer = progress.take(said)
        assert answer.taken, answer.why
    assert (frame[0].do, frame[-1].do) == (Do.BLOCK, Do.RELEASE)
    ends = [progress.steps[step.number - 1] for step in (frame[0], frame[-1])]
    assert ends == [StepIs.NOT_DUE, StepIs.NOT_DUE]
    assert not {step.number for step in frame} & {step.number for step in progress.left}

    again = progress.again(progress.undone)
    assert [s for s in again.left if s.at == block.at] == frame
