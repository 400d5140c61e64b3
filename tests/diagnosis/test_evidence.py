"""Findings are closed by evidence and by nothing else, and a fault keeps its finding for life."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.audit.findings import Finding
from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.findings.proof import Look, Proof
from fabric_twin.core.pods.own_names import OwnNames
from tests.examples import examples

from .bench import Bench
from .histories import ACTS, Act, History, lived, turned
from .memory import Memory
from .places import FINDINGS, UNSEEN, Places
from .planted import PLANTED, JoinsWithoutMemory

#: Not what no diagnosis can see, nor what a cable of one strand cannot have.
KINDS = sorted(kind for kind, code in FINDINGS.items() if code and kind != "crossed")


# One fault


@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_keeps_its_finding_through_a_drain_and_until_it_is_seen_to_be_mended(
    kind: str,
) -> None:
    history = History()
    ring, other = turned(history.bench, 1), turned(history.bench, 3)
    history.want(ring)
    fault = history.bench.break_it(kind, **Places("tpu-v4-cwdm8").wish(kind))
    if kind == "switch-rebooting":
        history.bench.book.mend(fault.number)
        wish = {**Places("tpu-v4-cwdm8").wish(kind), "for": 1e6}
        fault = history.bench.break_it(kind, **wish)
    history.look()
    if kind in UNSEEN:
        # Who does not do as it is told is found out by a change.
        history.want(other)
    history.look()
    [name] = history.memory.told
    assert history.memory.open[name].codes == {FINDINGS[kind]}

    history.want(Circuits.none())
    history.look()
    assert [*history.memory.open] == [name]

    history.want(other)
    history.look()
    assert [*history.memory.told] == [*history.memory.open] == [name]

    history.bench.book.mend(fault.number)
    history.want(ring)
    history.look()
    assert not history.memory.open
    assert [finding.id for finding in history.memory.mended] == [name]


def test_a_circuit_that_came_is_seen_whatever_the_inventory_calls_its_ports() -> None:
    bench = Bench.build()
    ring = turned(bench, 1)
    bench.want(ring)
    switch, a, b = next(iter(ring.named(bench.intended.names)))
    names, layout = bench.intended.names, bench.intended.names.layout
    ports = range(layout.cube_ports, layout.cube_ports + layout.ports_per_switch)
    called = {port: (names.port(port)[0], f"front {port}") for port in ports}
    bench.intended = replace(bench.intended, names=OwnNames(layout, "p1", {}, {}, called))
    diagnosis = bench.diagnose_read(bench.switches(), bench.cubes())
    assert diagnosis.well(Proof(Look.CARRIES, switch, f"{a} {b}"))
    assert not diagnosis.well(Proof(Look.CARRIES, switch, f"{a} 136B"))


# Any history


@settings(max_examples=examples(5))
@given(st.lists(ACTS, max_size=12))
def test_whatever_happens_each_fault_that_was_seen_is_told_until_it_is_mended(
    acts: list[Act],
) -> None:
    lived(acts)


# The law notices mistakes


@pytest.mark.parametrize("mistake", PLANTED)
def test_the_law_fails_for_a_planted_mistake(mistake: type[Memory]) -> None:
    lived(PLANTED[mistake])
    with pytest.raises(AssertionError):
        lived(PLANTED[mistake], mistake())


def test_two_that_are_joined_and_part_again_keep_their_ids() -> None:
    history = lived([*PLANTED[JoinsWithoutMemory], ("circuits", 1, 0, 0)])
    assert len({name for names in history.ids.values() for name in names}) == 2


def test_what_lies_behind_a_wrong_module_is_not_put_down_to_the_cable_across() -> None:
    """What comes back is thrown back at either end, and the far one tells nothing of it."""
    lived([("wrong-transceiver", 13, 0, 0), ("dirty", 13, 0, 0)])


def test_a_wrong_module_of_which_nothing_is_told_any_more_is_no_broken_cable() -> None:
    """A cube is joined to itself, and no longer tells of its modules."""
    lived([("circuits", 23, 0, 0), ("wrong-transceiver", 12, 0, 0), ("absent", 0, 0, 0)])


# Several looks

#: c1 X+ is joined to c2 X- in the first ring, to c3 X- in the second, to c4 X- in the third.
OUT, OTHER = "p1-c001:4.1.1/X+", "p1-c003:4.1.1/X+"


def test_a_cable_that_is_dark_with_others_too_is_named_and_they_are_not() -> None:
    history = History()
    history.want(turned(history.bench, 1))
    history.do(("broken", 0, 0, 0))
    [first] = history.memory.told.values()
    assert (first.cables, first.evidence["sure"]) == ((OUT, "p1-c002:1.1.1/X-"), False)
    history.do(("circuits", 2, 0, 0))
    [again] = history.memory.told.values()
    assert again.cables == (OUT,)
    assert again.cause == (
        f"{OUT} lets no light through, nor did it over another circuit: it is unplugged or broken"
    )
    assert {step.as_json()["cable"] for step in again.remedy if step.do == "unplug"} == {OUT}
    # Its partner has still to be seen: it may be out as well.
    [kept] = history.memory.open.values()
    assert len(kept.proof) == 2
    assert stays_so(history, again)


def test_of_a_swap_only_what_explains_every_look_is_told() -> None:
    history = History()
    history.want(turned(history.bench, 1))
    history.do(("swapped", 0, 2, 0))
    [first] = history.memory.told.values()
    assert len(first.evidence["explanations"]) == 2
    history.do(("circuits", 2, 0, 0))
    [again] = history.memory.told.values()
    assert [*again.evidence["explanations"]] == [
        f"{OUT} is in p1-ocs-x-1-1 port 3A and {OTHER} is in p1-ocs-x-1-1 port 1A"
    ]
    assert again.cables == (OUT, OTHER)
    assert stays_so(history, again)


def test_a_cable_that_was_cleared_is_not_blamed_when_it_is_beside_the_bad_one_again() -> None:
    history = History()
    ring = turned(history.bench, 1)
    history.want(ring)
    history.do(("broken", 0, 0, 0))
    # Nothing else is joined, and its first partner cannot be seen well.
    history.want(Circuits(ring.switch[:1], ring.a[:1], ring.b[:1] + 1))
    history.look()
    history.do(("circuits", 1, 0, 0))
    [again] = history.memory.told.values()
    assert again.cables == (OUT,)


def test_a_new_fault_of_a_cleared_cable_is_told_and_named_once_the_first_is_seen_well() -> None:
    history = History()
    history.want(turned(history.bench, 1))
    for act in (("broken", 0, 0, 0), ("circuits", 2, 0, 0), ("broken", 10, 0, 0)):
        history.do(act)
    # The same path stays dark: nobody can see which of the two it is by now.
    history.do(("mend", 0, 0, 0))
    [(name, told)] = history.memory.told.items()
    assert told.cables == (OUT,)
    history.do(("circuits", 3, 0, 0))
    [(again, told)] = history.memory.told.items()
    assert (again, told.cables) == (name, ("p1-c003:1.1.1/X-",))
    assert stays_so(history, told)


@pytest.mark.parametrize("kind", ["broken", "lossy-mirror"])
def test_a_light_test_adds_nothing_to_what_has_to_be_seen(kind: str) -> None:
    """It is at c1 X+; idle ports of c3 and c4 show that it is not at c2 X-."""
    history = History()
    ring = turned(history.bench, 1)
    only = Circuits(ring.switch[:1], ring.a[:1], ring.b[:1])
    history.want(only)
    history.do((kind, 0, 0, 0))
    [before] = history.memory.open.values()
    history.want(Circuits.none())
    history.look()
    tested = Circuits(ring.switch[[0, 3]], ring.a[[0, 3]], ring.b[[1, 0]])
    history.want(tested)
    history.bench.more["tested"] = tested
    history.look()
    [after] = history.memory.open.values()
    assert after.id == before.id
    assert {*after.proof} < {*before.proof}
    history.bench.more["tested"] = Circuits.none()
    history.do(("drain", 0, 0, 0))
    assert [*history.memory.open] == [before.id]
    history.want(only)
    history.do(("mend", 0, 0, 0))
    assert not history.memory.open


def stays_so(history: History, told: Finding) -> bool:
    """Whether later looks at the same circuits say the same."""
    for _ in range(3):
        history.look()
        [later] = history.memory.told.values()
        if (later.cause, later.remedy) != (told.cause, told.remedy):
            return False
    return True
