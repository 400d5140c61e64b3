"""Laws of the simulated fabric that hold whatever its figures are."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import FabricTwinError, NotPossible, UnusableInput
from fabric_twin.simulator.clock import SteppedClock
from fabric_twin.simulator.configuration import Draft
from fabric_twin.simulator.faults.book import KINDS, FaultBook
from fabric_twin.simulator.faults.forwarding import FORWARDING
from fabric_twin.simulator.faults.rates import Chance, published
from fabric_twin.simulator.faults.script import MISTAKES, make_mistakes, read_script
from fabric_twin.simulator.openflow.flow_table import FlowRow
from fabric_twin.simulator.openflow.matching import Match
from fabric_twin.simulator.optics import CORRECTED, ratio_of_errors
from fabric_twin.simulator.pod import SimulatedPod
from tests.core.groups.examples import example
from tests.simulator.year import live_through

EXAMPLE = Path(__file__).parents[2] / "docs/examples/faults.json"
IRONWOOD = find_design("ironwood")


def small(seed: int = 1) -> SimulatedPod:
    return SimulatedPod.build(IRONWOOD, "iw1", SteppedClock(), seed=seed, slots=tuple(range(1, 9)))


def joined(design: str = "ironwood") -> SimulatedPod:
    """A whole pod, each cube joined to itself."""
    clock = SteppedClock()
    pod = SimulatedPod.build(find_design(design), "p", clock)
    for switch in range(pod.points.switches):
        draft = Draft.of(pod.mirrors, switch)
        for n in range(1, pod.mirrors.radix + 1):
            draft.add(f"{n}A-{n}B", f"{n}A", f"{n}B")
        pod.commit(switch, draft)
    clock.step(1.0)
    return pod


def test_a_healthy_pod_has_the_published_margin() -> None:
    light = joined().light()
    assert light.up.all()
    margin = np.log10(CORRECTED) - np.log10(light.ber)
    assert 1.5 < np.median(margin) < 2.2
    assert margin.min() > 1


def test_insertion_loss_is_typically_under_2_and_never_over_3_db() -> None:
    mirrors = small().mirrors
    a, b = np.repeat(np.arange(144), 144), np.tile(np.arange(144, 288), 144)
    loss = mirrors.factory_loss(np.zeros(len(a), np.int64), a, b)
    assert (loss < 2).mean() > 0.9
    assert loss.max() < 3
    assert (loss == mirrors.factory_loss(np.zeros(len(a), np.int64), a, b)).all()


def test_hearing_is_mutual() -> None:
    light = joined().light()
    strands = np.flatnonzero(light.heard)
    assert (light.far[light.far[strands]] == strands).all()
    assert light.heard[light.far[strands]].all()


@given(st.floats(-12, 2), st.floats(-60, -20), st.floats(0.1, 3))
def test_less_light_or_more_reflection_never_makes_fewer_errors(
    received: float, interference: float, less: float
) -> None:
    levels = np.array([received, received - less, received])
    stray = np.array([interference, interference, interference + less])
    errors = ratio_of_errors(levels, stray)
    assert errors[0] <= errors[1] + 1e-18
    assert errors[0] <= errors[2] + 1e-18


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), max_size=20), st.data())
def test_no_port_is_ever_in_two_circuits(pairs: list[tuple[int, int]], data: st.DataObject) -> None:
    draft = Draft({}, set(), 144)
    for a, b in pairs:
        key = f"{a}A-{b}B"
        if data.draw(st.booleans()):
            draft.delete(key)
            continue
        before = dict(draft.circuits)
        try:
            draft.add(key, f"{a}A", f"{b}B")
        except NotPossible as refusal:
            assert draft.circuits == before
            named = str(refusal).partition("existing cross-connect ")[2].split(".")[0]
            assert named in {f"{one}-{other}" for one, other in before.items()}
    assert len(set(draft.circuits.values())) == len(draft.circuits)


def with_circuits() -> SimulatedPod:
    """A small pod whose switches have circuits, and had others before."""
    pod = small()
    for switch in range(pod.points.switches):
        for shift in (1, 2):
            draft = Draft.of(pod.mirrors, switch)
            draft.clear()
            for n in range(1, 9):
                a, b = f"{n}A", f"{(n + shift) % 8 + 1}B"
                draft.add(f"{a}-{b}", a, b)
            pod.commit(switch, draft)
    return pod


#: Cubes do not tell their rate, so that none of their links is slower than it says.
OF_NETWORKS = "slow"
#: Kinds that move mirrors there and back: when these came to rest is another moment.
MOVING = ("boots-empty", "boots-old", "stale-circuit")


def cluster() -> SimulatedPod:
    """A small cluster whose packet switches have a flow entry each."""
    pod = SimulatedPod.of(example("one-switch"), SteppedClock())
    for switch in pod.packet_switches.values():
        row = FlowRow(100, Match.of_port(1), 7, 0, 0, 0, b"", 0.0)
        switch.table.add(row, may_overlap=False)
    return pod


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != OF_NETWORKS])
def test_mending_leaves_everything_as_it_was(kind: str) -> None:
    if kind == "crossed":
        pod = SimulatedPod.build(find_design("tpu-v4"), "p", SteppedClock(), slots=(1, 2))
    elif kind in {one.name for one in FORWARDING}:
        pod = cluster()
    else:
        pod = with_circuits() if kind in MOVING else small()
    moments = ("settles", "busy") if kind in MOVING else ()
    book, random = FaultBook(pod), np.random.default_rng(7)

    def all_there_is() -> list[object]:
        parts = (pod.plant, pod.mirrors, pod.parts)
        columns = [
            column.tolist()
            for part in parts
            for name, column in vars(part).items()
            if isinstance(column, np.ndarray) and not name.startswith("_") and name not in moments
        ]
        words = [pod.parts.serials, pod.parts.parts, pod.manners, pod.answers.tolist(), pod.configs]
        circuits = [
            sorted(map(tuple, pairs.tolist()))
            for pairs in (*pod.mirrors.carried, *pod.mirrors.stale)
        ]
        flows = [switch.as_json() for switch in pod.packet_switches.values()]
        return [*columns, *words, circuits, flows]

    before = json.dumps(all_there_is(), default=str)
    fault = book.make({"kind": kind, **KINDS[kind].anywhere(pod, random), "for": 600})
    assert json.dumps(all_there_is(), default=str) != before
    book.mend(fault.number)
    assert json.dumps(all_there_is(), default=str) == before
    assert not book.there


def test_the_same_seed_makes_the_same_mistakes_and_another_seed_others() -> None:
    def mistakes(seed: int) -> list[object]:
        book = FaultBook(small())
        make_mistakes(book, 30, seed)
        assert {fault.kind.name for fault in book.there.values()} <= set(MISTAKES)
        assert all(fault.by.startswith("technician ") for fault in book.there.values())
        return [fault.as_json() for fault in book.there.values()]

    assert len(mistakes(3)) == 30
    assert mistakes(3) == mistakes(3) != mistakes(4)


def test_a_script_breaks_and_mends_in_its_own_time() -> None:
    script = read_script(json.loads(EXAMPLE.read_text()), "faults.json")
    assert script.mistakes == 12
    assert script.rates == {}
    pod = small()
    book, clock = FaultBook(pod), pod.clock
    assert isinstance(clock, SteppedClock)
    script.begin(book, lambda _: True)
    seen = []
    for moment in (59, 61, 121, 659, 661):
        clock.step(moment - clock.now())
        pod.advance()
        seen.append([fault.kind.name for fault in book.there.values()])
    assert seen == [[], ["dirty"], ["dirty", "board-out"], ["dirty", "board-out"], ["board-out"]]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"fault": []}, "there is no 'fault' in a faults file"),
        ({"faults": [{"kind": "gremlin"}]}, "f.json, fault 1: there is no kind of fault 'gremlin'"),
        ({"faults": [{"kind": "dirty", "at": "noon"}]}, '"at" is not a number of seconds'),
        ({"rates": {"dirty": -1}}, "or its rate is not a number"),
        ({"mistakes": 1.5}, '"mistakes" is not a number'),
    ],
)
def test_a_script_that_cannot_be_read_is_refused(content: dict[str, object], words: str) -> None:
    with pytest.raises(UnusableInput, match=words.replace("(", r"\(")):
        read_script(content, "f.json")


def test_published_rates_are_those_of_the_published_figures() -> None:
    pod = SimulatedPod.build(find_design("tpu-v4"), "p", SteppedClock())
    rates = published(pod)
    assert rates["tray-down"] + rates["cube-down"] == pytest.approx(1024 * 0.0008)
    optical = ("dirty", "broken", "dying-transceiver", "missing", "misplugged")
    assert sum(rates[kind] for kind in optical) == pytest.approx(6144 * 0.00005)
    assert rates["copper-down"] == pytest.approx(64 * 144 * 0.00005)


#: Faults of switches: a static pod has none.
OF_SWITCHES = {
    *("stuck-mirror", "lossy-mirror", "board-out", "feed-lost", "fan-lost", "switch-down"),
    *("switch-rebooting", "addresses-exchanged", "boots-empty", "boots-old", "stale-circuit"),
    *("board-pulled", "answers-for-another", "saves-slowly", "idle-mirrors", "loses-answers"),
    *("ignores-changes", "halves-changes", "flows-lost", "table-full", "switch-replaced"),
}


def static(*slots: int) -> FaultBook:
    return FaultBook(SimulatedPod.build(find_design("tpu-v5e"), "p", SteppedClock(), slots=slots))


def test_rates_of_what_a_pod_does_not_have_are_refused_before_they_are_due() -> None:
    refused = set()
    for kind in KINDS.keys() - {OF_NETWORKS}:
        try:
            Chance(static(1, 2, 5), {kind: 1000.0}, seed=1)
        except UnusableInput as refusal:
            refused.add(kind)
            assert str(refusal) == (
                f"rates, {kind}: the pod has no switches. Break cables, trays or cubes."
            )
    assert refused == OF_SWITCHES
    Chance(static(*range(1, 17)), published(static(*range(1, 17)).pod), seed=1)


def test_a_cable_of_a_static_pod_is_plugged_into_a_free_port_of_a_cube() -> None:
    book = static(1, 2, 5)
    wish = KINDS["misplugged"].anywhere(book.pod, np.random.default_rng(1))
    fault = book.make({"kind": "misplugged", **wish})
    assert fault.memo["after"] == book.pod.points.find_port(wish["device"], wish["port"])
    assert wish["device"][:6] in {"p-c001", "p-c002", "p-c005"}
    with pytest.raises(NotPossible, match="every port is taken"):
        KINDS["misplugged"].anywhere(static(*range(1, 17)).pod, np.random.default_rng(1))


def test_a_fortnight_is_the_same_from_the_same_seed() -> None:
    one, again, other = (live_through(find_design("tpu-v4"), seed, days=14) for seed in (1, 1, 2))
    assert one.came == again.came
    assert (one.down == again.down).all()
    assert (one.down != other.down).any()
    assert 0 < one.down.mean() < 0.01 * one.ports


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"kind": "dirty", "device": "iw1-ocs-x-1-1", "port": "7A", "los_db": 3}, "no 'los_db'"),
        ({"kind": "dirty", "device": "iw1-ocs-x-1-1", "port": "7A", "loss_db": -3}, "from 0 to"),
        ({"kind": "answers-late", "device": "iw1-c001", "seconds": -1}, "from 0 to 3600"),
        ({"kind": "switch-down", "device": "iw1-ocs-x-1-1", "for": -1}, "for is -1"),
        (
            {"kind": "swapped", "cable": "iw1-c001:4.1.1/X+", "other": "iw1-c001:4.1.1/X+"},
            "not exchanged with itself",
        ),
        (
            {"kind": "addresses-exchanged", "device": "iw1-ocs-z-1-1", "other": "iw1-ocs-z-1-1"},
            "not exchanged with itself",
        ),
        ({"kind": "cube-down", "device": "iw1-c002"}, "it is so already: fault 1"),
        (
            {"kind": "addresses-exchanged", "device": "iw1-ocs-y-1-1", "other": "iw1-ocs-z-1-1"},
            "it is so already: fault 2",
        ),
    ],
)
def test_a_fault_that_cannot_be_is_refused_and_breaks_nothing(
    wish: dict[str, object], words: str
) -> None:
    book = FaultBook(small())
    book.make({"kind": "cube-down", "device": "iw1-c002"})
    exchanged = {"device": "iw1-ocs-x-1-1", "other": "iw1-ocs-y-1-1"}
    book.make({"kind": "addresses-exchanged", **exchanged})
    with pytest.raises(FabricTwinError, match=words):
        book.make(wish)
    assert list(book.there) == [1, 2]
    assert book.pod.plant.dirt.max() == 0
