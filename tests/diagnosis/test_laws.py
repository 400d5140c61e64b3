"""Laws: the healthy have no finding, silence accuses nobody else, and faults do not add up."""

from functools import cache

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.diagnosis import diagnose
from fabric_twin.core.errors import NoAnswer
from fabric_twin.dialects.sonic import DIALECTS
from fabric_twin.switches.fabric import Answers
from tests.examples import examples

from .bench import Bench
from .places import FINDINGS, SLOTS, UNSEEN, Places

DESIGNS = ("tpu-v4-cwdm8", "tpu-v4", "tpu-v4-duplex", "tpu-v5p", "ironwood")
QUIET = NoAnswer("it does not answer", where="here", remedy="Look at it")


@st.composite
def any_circuits(draw: st.DrawFn, bench: Bench) -> Circuits:
    """Some ports of some switches, joined as chance has it."""
    radix = bench.intended.names.layout.radix
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    share = draw(st.sampled_from([0.0, 0.03, 0.5, 1.0]))
    rows = []
    for switch in range(bench.pod.points.switches):
        many = int(radix * share)
        a, b = (random.permutation(radix)[:many] + 1 for _ in range(2))
        rows += [(switch, *pair) for pair in zip(a.tolist(), b.tolist(), strict=True)]
    table = np.array(rows, np.int32).reshape(-1, 3)
    return Circuits(table[:, 0], table[:, 1], table[:, 2])


@settings(max_examples=examples(8))
@given(st.data())
def test_a_healthy_pod_with_any_circuits_has_no_finding(data: st.DataObject) -> None:
    design = data.draw(st.sampled_from(DESIGNS))
    slots = data.draw(st.sets(st.integers(1, 64), min_size=1, max_size=12))
    seed, dialect = data.draw(st.integers(1, 99)), data.draw(st.sampled_from(list(DIALECTS)))
    bench = Bench.build(design, sorted(slots), ring=False, seed=seed, dialect=DIALECTS[dialect])
    bench.want(data.draw(any_circuits(bench)))
    assert bench.diagnose().findings == ()
    assert bench.diagnose(wanted=bench.wanted, inventory=None).findings == ()


@cache
def ring() -> tuple[Bench, Answers, Answers]:
    bench = Bench.build()
    return bench, bench.switches(), bench.cubes()


@settings(max_examples=examples(20))
@given(st.data())
def test_silence_accuses_nobody_else(data: st.DataObject) -> None:
    bench, switches, cubes = ring()
    mute = data.draw(st.sets(st.sampled_from([*switches.given, *cubes.given]), max_size=30))
    answers = [
        Answers(
            {name: state for name, state in some.given.items() if name not in mute},
            {name: QUIET for name in some.given if name in mute},
        )
        for some in (switches, cubes)
    ]
    diagnosis = diagnose(bench.pictures(*answers))
    assert {f.code for f in diagnosis.findings} <= {"stale", "switch-down", "cube-down"}
    accused = {device for f in diagnosis.findings for device, _ in f.ports}
    assert accused <= mute
    assert diagnosis.unobserved.keys() == mute


#: Kinds at one place, and others at another far from it.
HERE = sorted(FINDINGS.keys() - {*UNSEEN, "stale", "crossed", "answers-late", "loses-answers"})
THERE = {
    "dirty": {"device": "p1-c003-t15", "port": "2.4.4/Y+"},
    "broken": {"cable": "p1-c003:2.4.4/Y+"},
    "dying-transceiver": {"device": "p1-c003-t16", "port": "4.4.4/Z+"},
    "tray-down": {"device": "p1-c003-t10"},
    "fan-lost": {"device": "p1-ocs-z-4-2", "unit": 1},
    "board-out": {"device": "p1-ocs-z-4-2", "unit": 1},
    "silent": {"device": "p1-ocs-z-4-2"},
    "copper-down": {"device": "p1-c003", "link": "2.2.2/Z+"},
}


@settings(max_examples=examples(12))
@given(st.sampled_from(HERE), st.sampled_from(sorted(THERE)))
def test_two_independent_faults_are_two_findings(one: str, other: str) -> None:
    bench = Bench.build()
    bench.break_it(one, **Places("tpu-v4-cwdm8").wish(one))
    alone = {finding.id for finding in bench.diagnose().findings}
    bench.break_it(other, **THERE[other])
    both = bench.diagnose().findings
    assert sorted(f.code for f in both) == sorted([FINDINGS[one], FINDINGS[other]])
    assert alone < {finding.id for finding in both}


def test_the_slots_of_the_ring_are_those_of_the_faults() -> None:
    assert ring()[0].intended.slots == SLOTS
