"""What passes, worse than before: held against the last good reading of the same cables."""

import re

import numpy as np
import pytest

from fabric_twin.core.circuits.circuits import Circuits
from fabric_twin.core.diagnosis.last_good import PARTNERS
from fabric_twin.core.diagnosis.limits import Limits
from fabric_twin.core.findings.proof import Look, Proof
from fabric_twin.core.tickets.qualification import Qualified
from fabric_twin.dialects.sonic import UPSTREAM
from fabric_twin.simulator import optics
from tests.diagnosis.remembering import KEEN, SWITCH, Drift, Remembering

#: A cable: its plug at the cube, and its switch.
PLUG = ("p1-c002-t01", "1.1.1/X-")


@pytest.fixture
def keen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules that make one error in 1e10 bits, and many more with a little less light."""
    for name, value in KEEN.items():
        monkeypatch.setattr(optics, name, value)


def test_a_connector_soiled_while_circuits_were_away_is_named_when_they_are_back(
    keen: None,
) -> None:
    known = Remembering()
    for turn in (1, 2):
        known.turn(turn)
        assert known.look().findings == ()
    known.dirty(0.4, back=-36.5)
    known.turn(1)
    assert known.qualify() == Qualified(worse=known.qualify().worse)
    [worse] = (re.sub("on [-0-9]+ [:0-9]+ UTC", "then", str(one)) for one in known.qualify().worse)
    assert worse == (
        "1A to 2B on p1-ocs-x-1-1 of s1 passes, worse than before: its path loses 0.4 dB more "
        "than then; p1-c001-t02 4.1.1/X+ corrects 1.7e-11 of its bits, 17 times as many as then; "
        "p1-c002-t01 1.1.1/X- corrects 1.8e-09 of its bits, 962 times as many as then"
    )
    [finding] = known.look().findings
    assert (finding.code, finding.severity) == ("worse-than-before", "warning")
    assert finding.ports == (PLUG, (SWITCH, "2B"))
    assert [step.as_json() for step in finding.remedy] == [
        {"do": "clean", "device": PLUG[0], "port": PLUG[1]},
        {"do": "clean", "device": SWITCH, "port": "2B"},
    ]


def test_it_stays_until_light_is_as_before(keen: None) -> None:
    known = Remembering()
    known.turn(1)
    known.look()
    fault = known.dirty(0.4)
    proof = Proof(Look.AS_BEFORE, *PLUG)
    [first], [again] = known.look().findings, known.look().findings
    assert (first.id, first.cause) == (again.id, again.cause)
    assert not known.look().well(proof)
    known.switch(Circuits.none())
    assert not known.look().well(proof)
    known.bench.book.mend(fault)
    known.turn(1)
    told = known.look()
    assert (told.findings, told.well(proof)) == ((), True)


def test_cables_that_never_met_are_held_against_what_each_lost_with_others(keen: None) -> None:
    slots = (1, 2, 3, 4, 5, 6)
    known = Remembering(slots=slots)
    for turn in (1, 2, 3, 4):
        known.turn(turn)
        assert known.look().findings == ()
    known.dirty(0.5)
    known.turn(5)
    [worse] = map(str, known.qualify().worse)
    assert worse == (
        "3A to 2B on p1-ocs-x-1-1 of s1 passes, worse than before: its path loses 0.4 dB more "
        "than with other cables"
    )


def test_where_a_switch_does_not_measure_only_the_same_path_is_held_against_itself(
    keen: None,
) -> None:
    known = Remembering(dialect=UPSTREAM, slots=(1, 2, 3, 4, 5))
    for turn in (1, 2, 3):
        known.turn(turn)
        assert known.look().findings == ()
    known.dirty(0.5)
    known.turn(4)
    assert known.qualify() == Qualified()
    assert not known.look().well(Proof(Look.AS_BEFORE, *PLUG))
    known.turn(1)
    [finding] = known.look().findings
    assert finding.cause.endswith(
        "may be dirty, or a mirror of its switch, which does not measure, has moved"
    )


def test_a_path_that_is_no_better_than_doubt_closes_nothing(keen: None) -> None:
    """What two cables that never met lose together is not known so well."""
    known = Remembering(slots=(1, 2, 3, 4, 5, 6))
    for turn in (1, 2):
        known.turn(turn)
        known.look()
    fault = known.dirty(0.4)
    known.turn(1)
    assert len(known.look().findings) == 1
    known.turn(3)
    told = known.look()
    assert (told.findings, told.well(Proof(Look.AS_BEFORE, *PLUG))) == ((), False)
    known.bench.book.mend(fault)
    known.turn(1)
    assert known.look().well(Proof(Look.AS_BEFORE, *PLUG))


def test_of_cables_that_nobody_knows_nothing_is_said(keen: None) -> None:
    known = Remembering()
    known.dirty(0.4)
    known.turn(1)
    assert known.qualify() == Qualified()


def test_another_module_has_no_before(keen: None) -> None:
    known = Remembering()
    known.turn(1)
    known.look()
    known.dirty(0.4)
    number = int(known.bench.intended.names.find([PLUG[0]], [PLUG[1]])[0])
    known.bench.pod.parts.serials[number] = known.bench.serials[number] = "NEW1"
    known.bench.pod.parts.changed()
    assert known.look().findings == ()
    assert known.look().well(Proof(Look.AS_BEFORE, *PLUG))


def test_a_mirror_that_stands_otherwise_is_told_from_a_connector() -> None:
    known = Remembering()
    known.turn(1)
    known.look()
    known.bench.break_it("lossy-mirror", device=SWITCH, port="2B", loss_db=0.5)
    [finding] = known.look().findings
    assert finding.code == "worse-than-before"
    assert finding.ports == ((SWITCH, "1A"), (SWITCH, "2B"))
    assert finding.remedy == ()
    assert "the switch loses 0.5 dB more than on " in finding.cause


def test_a_module_that_fades_is_told_by_who_hears_it(keen: None) -> None:
    known = Remembering()
    known.turn(1)
    known.look()
    number = int(known.bench.intended.names.find([PLUG[0]], [PLUG[1]])[0])
    known.bench.pod.parts.faded[number] = 1.2
    known.bench.pod.parts.changed()
    [finding] = known.look().findings
    assert (finding.code, finding.ports) == ("worse-than-before", (PLUG,))
    assert finding.cause.startswith("p1-c002-t01 port 1.1.1/X- sends less than before, and ")


def test_limits_are_those_of_the_site(keen: None) -> None:
    known = Remembering()
    known.turn(1)
    known.look()
    known.dirty(0.2)
    assert known.qualify().worse == ()
    known.more["limits"] = Limits(worse_loss=0.1)
    assert len(known.qualify().worse) == 1
    known.more["limits"] = Limits(worse_loss=0.1, reflection=-60.0)
    assert len(known.qualify().bad) == len(known.bench.wanted.circuits)


@pytest.mark.parametrize("design", ["ironwood", "tpu-v4", "tpu-v4-duplex", "tpu-v4-cwdm8"])
def test_drift_is_no_change(design: str) -> None:
    drift = Drift(1, design)
    for _ in range(5):
        drift.switch()
    assert (drift.named, drift.switched) == ([], 5 * drift.each)


def test_nor_is_it_where_a_little_less_light_makes_many_more_errors(keen: None) -> None:
    drift = Drift(2)
    for _ in range(10):
        drift.switch()
    assert drift.named == []


def test_of_a_cable_the_last_partners_are_remembered() -> None:
    slots = tuple(range(1, PARTNERS + 4))
    known = Remembering(slots=slots)
    for turn in range(1, len(slots)):
        known.turn(turn)
        known.look()
    for ends in (known.light.near, known.light.far):
        assert set(np.unique(ends, return_counts=True)[1].tolist()) == {PARTNERS}
    before = known.light
    known.look()
    assert [a.tolist() for a in vars(before).values()] == [
        a.tolist() for a in vars(known.light).values()
    ]
