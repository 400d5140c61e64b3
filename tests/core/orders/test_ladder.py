"""A remedy rung by rung: the next is due only when light refuses what was done before it."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.orders.finding import Found
from fabric_twin.core.orders.life import Act, StepIs
from fabric_twin.core.orders.materials import Stock, used
from fabric_twin.core.orders.measure import measure
from fabric_twin.core.orders.order import WorkOrder
from fabric_twin.core.orders.planning.repairing import repair
from fabric_twin.core.orders.port_lock import PortSeen
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.reports import Report, Told
from fabric_twin.core.orders.steps import BY_FABRIC, Do, Step
from tests.examples import examples

from .pods import pod

WHOLE = pod(slots=range(1, 3))
NEAR, FAR = ["p1-c001-t02", "4.1.1/X+"], ["p1-ocs-x-1-1", "1A"]
CABLE = "p1-c001:4.1.1/X+"


def finding(code: str, *remedy: dict[str, object], name: str = "f") -> Found:
    return Found.from_json({"id": name, "code": code, "cables": [CABLE], "remedy": list(remedy)})


def at(place: list[str], do: str, **more: str) -> dict[str, object]:
    return {"do": do, "device": place[0], "port": place[1], **more}


DIRTY = finding("high-loss", at(NEAR, "clean"), at(FAR, "clean"))
DARK = finding(
    "dark",
    {"do": "move", "cable": CABLE, "end": "b", "to": FAR},
    at(FAR, "replace", part="cable"),
)
ERRORS = finding("high-ber", at(NEAR, "reseat"))
MIRROR = finding("high-loss", *(at([FAR[0], p], "replace", part="mirror") for p in ("1A", "2B")))
FAN = finding("fan-lost", {"do": "replace", "device": FAR[0], "port": "", "part": "fan"})


def order_for(*found: Found, stock: Stock | None = None) -> WorkOrder:
    return repair(WHOLE.intended, found, WHOLE.floor, WHOLE.plugs(), stock=stock)


def later(order: WorkOrder) -> list[str]:
    return [f"{s.rung}: {s}" for s in sorted(order.steps, key=lambda s: s.rung) if s.rung]


def begun(order: WorkOrder) -> Progress:
    return Progress.of(order).after(Act.ASSIGN, "ann").after(Act.START)


def due(progress: Progress) -> list[Step]:
    """What hands, or the fabric for them, have before them."""
    return [s for s in progress.left if s.do != Do.GO]


def carried_out(progress: Progress) -> tuple[Progress, list[Step]]:
    """All that is due done, ports read as they should be; and what that was."""
    did = progress.left
    for step in did:
        if step.do in BY_FABRIC:
            progress = progress.did(step)
            continue
        progress, _ = progress.read(step.number, {step.at: PortSeen(True, False)})
        scanned = step.cable if step.do == Do.SCAN else ""
        said = f"{step.number} {len(progress.reports)}"
        report = Report(id=said, step=step.number, told=Told.DONE, scanned=scanned)
        progress, answer = progress.take(report)
        assert answer.taken, answer.why
    return progress, did


@pytest.mark.parametrize(
    ("found", "rungs"),
    [
        (
            DIRTY,
            [
                "1: reseat p1-c001-t02 port 4.1.1/X+",
                "1: reseat p1-ocs-x-1-1 port 1A",
                "2: replace cable, one strand, 25 m of p1-ocs-x-1-1 port 1A",
            ],
        ),
        (DARK, ["1: replace cable, one strand, 25 m of p1-ocs-x-1-1 port 1A"]),
        (ERRORS, ["1: replace OSFP 800G bidi, 8 wavelengths of p1-c001-t02 port 4.1.1/X+"]),
        (MIRROR, ["1: replace mirror of p1-ocs-x-1-1 port 2B"]),
        (FAN, []),
    ],
    ids=["dirty", "dark", "errors", "mirror", "fan"],
)
def test_the_gentle_thing_comes_first_and_a_part_last(found: Found, rungs: list[str]) -> None:
    order = order_for(found)
    assert later(order) == rungs
    perhaps = Counter({p.name: p.perhaps for p in order.materials if p.perhaps})
    parts = [s.part for s in order.steps if s.rung and s.do == Do.REPLACE]
    assert perhaps == Counter(parts)
    assert WorkOrder.from_json(order.as_json()) == order


def test_a_rung_is_due_when_light_refuses_the_one_below_and_its_port_is_dark_again() -> None:
    order = order_for(DIRTY)
    progress, _ = carried_out(begun(order))
    assert due(progress) == []
    progress = progress.light("f", agrees=False)
    assert [str(step) for step in due(progress)] == [
        "reseat p1-c001-t02 port 4.1.1/X+",
        "block p1-ocs-x-1-1 port 1A",
        "reseat p1-ocs-x-1-1 port 1A",
        "release p1-ocs-x-1-1 port 1A",
    ]
    reseat = due(progress)[2]
    assert progress.steps[reseat.number - 1] == StepIs.LOCKED
    progress, _ = carried_out(progress)
    progress = progress.light("f", agrees=False)
    assert [step.rung for step in due(progress)] == [0, 2, 0]
    progress, _ = carried_out(progress)
    progress = progress.light("f", agrees=True).after(Act.FINISH).after(Act.CLOSE)
    assert progress.steps[order.steps[-1].number - 1] == StepIs.VERIFIED


def test_above_the_last_rung_the_first_is_done_again_and_no_part_is_taken_twice() -> None:
    progress = begun(order_for(DARK))
    for _ in range(2):
        progress, _ = carried_out(progress)
        progress = progress.light("f", agrees=False)
    assert Do.PLUG in {step.do for step in due(progress)}
    assert Do.REPLACE not in {step.do for step in due(progress)}


def test_a_rung_whose_part_is_nowhere_is_left_out_and_the_rest_goes() -> None:
    order = order_for(DIRTY, stock=Stock.of({}))
    assert [s.rung for s in order.steps if s.do == Do.REPLACE] == []
    assert {s.rung for s in order.steps} == {0, 1}
    assert (order.materials, order.deferred) == ((), ())


def test_two_findings_at_one_port_are_framed_once_whichever_of_them_light_refuses() -> None:
    one, other = (finding("high-loss", at(FAR, "clean"), name=name) for name in ("first", "second"))
    order = order_for(one, other)
    assert [s.do for s in order.steps if s.do in (Do.BLOCK, Do.RELEASE)] == [Do.BLOCK, Do.RELEASE]
    for name in ("first", "second"):
        progress, _ = carried_out(begun(order))
        refused = due(progress.light(name, agrees=False))
        assert [s.do for s in refused] == [Do.BLOCK, Do.RESEAT, Do.RELEASE]
        assert refused[1].finding == name


FOUND = st.lists(st.sampled_from((DIRTY, DARK, ERRORS, MIRROR, FAN)), min_size=1, unique=True)


@settings(max_examples=examples(25))
@given(FOUND, st.dictionaries(st.sampled_from(("mirror", "fan")), st.integers(0, 2)), st.data())
def test_however_often_light_refuses_parts_are_taken_once_and_what_is_not_used_comes_back(
    found: list[Found], here: dict[str, int], dice: st.DataObject
) -> None:
    cables = {"cable, one strand, 25 m": 2, "OSFP 800G bidi, 8 wavelengths": 1}
    named = [Found.from_json(f.__dict__ | {"id": f"f{n}"}) for n, f in enumerate(found)]
    shelf = Stock.of({**cables, **here})
    order = order_for(*named, stock=shelf)
    promised = Counter({p.name: p.needed for p in order.materials})
    assert shelf.on_hand + promised == +Counter({**cables, **here})

    progress, done = begun(order), Counter[int]()
    open_ = set(order.by_bundle)
    while open_:
        progress, did = carried_out(progress)
        done.update(step.number for step in did)
        for name in sorted(open_):
            agrees = dice.draw(st.booleans()) or done.total() > 200
            before = {s.rung for s in order.steps if s.finding == name and done[s.number]}
            progress = progress.light(name, agrees=agrees)
            after = {s.rung for s in due(progress) if s.finding == name}
            # One rung at a time, and none is skipped.
            assert agrees or max(after) <= max(before) + 1
            open_ -= {name} if agrees else set()
    assert not due(progress)
    assert progress.after(Act.FINISH).after(Act.CLOSE)

    tried = Counter(s.part for s in order.steps if s.rung and s.do == Do.REPLACE and done[s.number])
    took = used(order.materials, tried)
    assert all(took[name] <= promised[name] for name in promised)
    sure = Counter(
        s.part for s in order.steps if not s.rung and s.do == Do.REPLACE and done[s.number]
    )
    assert +took == +(sure + tried)
    assert measure(order, done).hands >= measure(order).hands


@settings(max_examples=examples(25))
@given(FOUND)
def test_nobody_walks_for_a_rung_that_may_never_be_due(found: list[Found]) -> None:
    named = [Found.from_json(f.__dict__ | {"id": f"f{n}"}) for n, f in enumerate(found)]
    order = order_for(*named)
    for _, *steps in order.visits():
        assert any(not s.rung for s in steps if s.do not in (Do.BLOCK, Do.RELEASE))
    framed = begun(order)
    for step in order.steps:
        if step.do in (Do.BLOCK, Do.RELEASE):
            assert framed.steps[step.number - 1] == StepIs.WAITING
