"""Who is blamed, and how often."""

from collections import Counter

from hypothesis import given

from .bench.mistakes import (
    reversal,
    shift,
    swap_at_a_cube,
    swap_between_switches,
    swap_on_a_switch,
)
from .bench.mixtures import Mixture, mixtures
from .bench.more_mistakes import double, missing, move_to_free, recorded_twice, turned
from .bench.product import audit


@given(mixtures())
def test_every_wrong_cable_is_in_one_finding_and_no_right_cable_in_any(mixture: Mixture) -> None:
    blamed = Counter(
        cable for finding in audit(mixture.plant)["findings"] for cable in finding["cables"]
    )
    wrong, _ = mixture.plant.wrong_and_unmet()
    # A cable that is not there may be named as well.
    there = Counter({cable: n for cable, n in blamed.items() if cable in mixture.plant.rows})
    assert there == Counter(wrong)


@given(mixtures(apart=True))
def test_mistakes_apart_are_never_more_findings_than_mistakes(mixture: Mixture) -> None:
    assert len(audit(mixture.plant)["findings"]) <= len(mixture.made)


@given(mixtures(apart=False))
def test_mistakes_that_overlap_are_never_more_findings_than_they_explain(mixture: Mixture) -> None:
    assert len(audit(mixture.plant)["findings"]) <= mixture.weight


SMALL = (turned, swap_on_a_switch, swap_between_switches, swap_at_a_cube, move_to_free, missing)


@given(mixtures(apart=False, kinds=(*SMALL, double, recorded_twice, shift, reversal)))
def test_small_mistakes_over_runs_are_never_more_findings_than_mistakes(mixture: Mixture) -> None:
    if sum(name in {"shift", "reversal"} for name in mixture.made) < 2:
        assert len(audit(mixture.plant)["findings"]) <= len(mixture.made)
