"""The same fault is the same finding however the record is written."""

from hypothesis import given
from hypothesis import strategies as st

from .bench import words
from .bench.mistakes import (
    cycle,
    reversal,
    shift,
    shift_around,
    swap_at_a_cube,
    swap_between_switches,
    swap_on_a_switch,
)
from .bench.mixtures import Mixture, hand_of, make, mixtures, plants
from .bench.more_mistakes import (
    double,
    missing,
    move_to_free,
    move_to_other_side,
    move_to_spare,
    recorded_twice,
    unknown_end,
    unknown_port,
)
from .bench.plant import Plant
from .bench.product import Report, audit

#: Mistakes that stay on the axis of the cables they are given.
LOCAL = (
    *(swap_on_a_switch, swap_between_switches, swap_at_a_cube, cycle, shift, shift_around),
    *(reversal, move_to_free, move_to_spare, move_to_other_side, double, recorded_twice),
    *(missing, unknown_end, unknown_port),
)


def _told(report: Report, turned: frozenset[str] = frozenset()) -> list[dict]:
    """A report's findings with the letters of some rows' ends exchanged."""
    findings = [
        finding | {"remedy": [dict(step) for step in finding["remedy"]]}
        for finding in report["findings"]
    ]
    for finding in findings:
        for step in finding["remedy"]:
            if step.get("cable") in turned and "end" in step:
                step["end"] = {"a": "b", "b": "a"}[step["end"]]
    return sorted(findings, key=lambda finding: finding["id"])


@given(mixtures(), st.randoms())
def test_the_order_of_rows_says_nothing(mixture: Mixture, chance) -> None:
    order = list(mixture.plant.rows)
    chance.shuffle(order)
    assert _told(audit(mixture.plant, order)) == _told(audit(mixture.plant))


@given(mixtures(), st.randoms())
def test_the_order_of_ends_says_nothing(mixture: Mixture, chance) -> None:
    before = audit(mixture.plant)
    turned = frozenset(cable for cable in mixture.plant.rows if chance.random() < 0.5)
    for cable in turned:
        mixture.plant.rows[cable].reverse()
    assert _told(audit(mixture.plant), turned) == _told(before)


@given(mixtures(), st.randoms())
def test_ids_do_not_hang_on_the_names_of_cables(mixture: Mixture, chance) -> None:
    before = audit(mixture.plant)["findings"]
    names = [f"w{number:05d}" for number in range(len(mixture.plant.rows))]
    chance.shuffle(names)
    mixture.plant.rows = dict(zip(names, mixture.plant.rows.values(), strict=True))
    after = audit(mixture.plant)["findings"]
    assert {(f["id"], f["code"]) for f in after} == {(f["id"], f["code"]) for f in before}


@given(mixtures())
def test_ids_are_all_different(mixture: Mixture) -> None:
    ids = [finding["id"] for finding in audit(mixture.plant)["findings"]]
    assert len(set(ids)) == len(ids)


@given(plants(), st.data())
def test_ids_stay_when_faults_far_away_come_and_go(plant: Plant, data: st.DataObject) -> None:
    homes = words.homes(plant.kind, plant.slots)
    near, far = ([c for c in plant.right if homes[c].axis == axis] for axis in "XZ")
    make(data.draw, hand_of(data.draw, plant, near), LOCAL, 3, 1)
    first = plant.copy()
    make(data.draw, hand_of(data.draw, plant, far), LOCAL, 3, 1)
    second = plant.copy()
    second.rows = {
        cable: list(plant.right[cable]) if cable in near else ends
        for cable, ends in (plant.rows | {cable: [] for cable in near}).items()
        if cable in near or cable not in first.rows or cable in plant.right
    }
    assert _ids(first) | _ids(second) == _ids(plant)
    assert not _ids(first) & _ids(second)


def _ids(plant: Plant) -> set[tuple[str, str]]:
    return {(finding["id"], finding["code"]) for finding in audit(plant)["findings"]}
