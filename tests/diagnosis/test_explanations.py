"""What a finding says it may be, against every single fault and every pair of faults.

The search here knows plugs, ports and circuits, and nothing of the diagnosis.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from random import Random

import numpy as np
import pytest

from fabric_twin.core.circuits.circuits import Circuits
from tests.examples import examples

from .bench import Bench

SWITCH = 0
NAME = "p1-ocs-x-1-1"
#: By cable: its port. Beside them are ports of cubes that are not there.
HOME = {f"p1-c00{n}:4.1.1/X+": f"{n}A" for n in range(1, 5)} | {
    f"p1-c00{n}:1.1.1/X-": f"{n}B" for n in range(1, 5)
}
FREE = ("10A", "11A", "10B", "11B")
#: What so much may also look like: a switch that is out, or that joins what it does not tell of.
NOT_OF_PLUGS = {"circuit-unexpected", "switch-down"}
#: Worlds that are looked at through the same circuits.
SOME = 12
#: The port of each plug that gives light.
State = dict[str, str]
Fault = tuple[str, ...]
Pair = tuple[str, str]


def faults() -> Iterator[Fault]:
    """Every single fault of the cabling of one switch."""
    yield from (("swapped", *pair) for pair in combinations(HOME, 2))
    yield from (("misplugged", *pair) for pair in product(HOME, FREE))
    yield from ((kind, cable) for kind in ("missing", "broken") for cable in HOME)


def after(state: State, out: frozenset[str], fault: Fault) -> tuple[State, frozenset[str]] | None:
    """What a fault makes of a plant, where it can be."""
    kind, cable, *other = fault
    if kind == "misplugged" and (other[0] in state.values() or cable not in state):
        return None
    if cable not in state or (kind == "swapped" and other[0] not in state):
        return None
    if kind == "broken":
        return None if cable in out else (state, out | {cable})
    if kind == "swapped":
        return state | {cable: state[other[0]], other[0]: state[cable]}, out
    rest = {name: port for name, port in state.items() if name != cable}
    return (rest if kind == "missing" else rest | {cable: other[0]}), out


def heard(state: State, out: frozenset[str], circuits: tuple[Pair, ...]) -> frozenset[Pair]:
    """Who hears whom."""
    at = {port: cable for cable, port in state.items() if cable not in out}
    return frozenset(
        (at[port], at[to]) for a, b in circuits for port, to in ((a, b), (b, a)) if {a, b} <= {*at}
    )


def said(state: State, out: frozenset[str], circuits: tuple[Pair, ...]) -> frozenset[str]:
    """What a finding would say of it: where cables are that are heard, and who gives no light."""
    hears = dict(heard(state, out, circuits))
    expected = dict(heard(HOME, frozenset(), circuits))
    lit = {state[cable] for cable in hears}
    words = set()
    for cable, home in HOME.items():
        if state.get(cable) == home and cable not in out:
            continue
        if cable in hears:
            if state[cable] != home:
                words.add(f"{cable} is in {NAME} port {state[cable]}")
        elif cable in expected or home in lit:
            words.add(f"{cable} gives no light")
    return frozenset(words)


@cache
def every(circuits: tuple[Pair, ...]) -> dict[frozenset[Pair], tuple[int, set, list]]:
    """By who hears whom: the fewest faults, what is said of them, and the faults themselves."""
    found: dict[frozenset[Pair], tuple[int, set, list]] = {}
    healthy = heard(HOME, frozenset(), circuits)
    singles = [(fault,) for fault in faults()]
    for history in [*singles, *product(faults(), repeat=2)]:
        world = HOME, frozenset[str]()
        for fault in history:
            if (world := after(*world, fault)) is None:
                break
        if world is None:
            continue
        shown = heard(*world, circuits)
        if shown == healthy:
            continue
        many, words, ways = found.setdefault(shown, (len(history), set(), []))
        if len(history) == many:
            words.add(said(*world, circuits))
            ways.append(history)
    return found


def drawn(seed: int) -> tuple[Pair, ...]:
    """Random circuits, over ports of cubes that are not there as well."""
    random = Random(seed)
    a = random.sample([*(f"{n}A" for n in range(1, 5)), "10A", "11A"], random.randint(2, 5))
    b = random.sample([*(f"{n}B" for n in range(1, 5)), "10B", "11B"], len(a))
    return tuple(zip(a, b, strict=True))


def wish(fault: Fault) -> dict[str, str]:
    """A fault as the simulator is asked for it."""
    kind, cable, *other = fault
    more = {"other": other[0]} if kind == "swapped" else {}
    if kind == "misplugged":
        more = {"device": NAME, "port": other[0]}
    return {"kind": kind, "cable": cable, **more}


def shown(bench: Bench) -> set[frozenset[str]]:
    """What the findings say it may be, all together."""
    parts = {tuple(finding.evidence["explanations"]) for finding in bench.diagnose().findings}
    return {
        frozenset(word for one in whole for word in one.split(" and ")) for whole in product(*parts)
    }


def want(bench: Bench, circuits: tuple[Pair, ...]) -> None:
    """Make these circuits on the switch, and no others."""
    ends = np.array([[int(a[:-1]), int(b[:-1])] for a, b in circuits], np.int32)
    bench.want(Circuits(np.full(len(ends), SWITCH, np.int32), ends[:, 0], ends[:, 1]))


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench.build("ironwood")


@pytest.mark.parametrize("seed", range(examples(3)))
def test_findings_say_all_that_it_may_be_and_nothing_else(bench: Bench, seed: int) -> None:
    circuits = drawn(seed)
    want(bench, circuits)
    assert not bench.diagnose().findings
    worlds = every(circuits)
    for many, words, ways in Random(seed).sample([*worlds.values()], min(SOME, len(worlds))):
        history = Random(seed).choice(ways)
        made = [bench.break_it(**wish(fault)) for fault in history]
        told = shown(bench)
        for fault in reversed(made):
            bench.book.mend(fault.number)
        assert told == words, f"{many} faults {history} through {circuits}"


@pytest.mark.parametrize("seed", range(examples(10)))
def test_however_much_is_wrong_no_port_holds_two_plugs_and_no_plug_is_twice(
    bench: Bench, seed: int
) -> None:
    random, world, made = Random(seed), (HOME, frozenset[str]()), []
    want(bench, drawn(seed))
    for fault in random.sample([*faults()], random.randint(3, 6)):
        if (then := after(*world, fault)) is not None:
            world = then
            made.append(bench.break_it(**wish(fault)))
    findings = bench.diagnose().findings
    for fault in reversed(made):
        bench.book.mend(fault.number)
    for finding in findings:
        if finding.code in NOT_OF_PLUGS:
            assert "explanations" not in finding.evidence
            continue
        for whole in finding.evidence["explanations"]:
            words = [word.partition(" ") for word in whole.split(" and ")]
            ports = [where for _, _, where in words if where != "gives no light"]
            assert len({cable for cable, *_ in words}) == len(words), whole
            assert len({*ports}) == len(ports), whole
        assert not (finding.evidence["sure"] and len(finding.evidence["explanations"]) > 1)
