"""What a hand that does the remedies finds."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from .bench.hands import carry_out
from .bench.mixtures import Mixture, mixtures
from .bench.product import audit


@given(mixtures(full=True), st.randoms())
def test_all_remedies_in_any_order_leave_the_intended_plant(mixture: Mixture, chance) -> None:
    plant = mixture.plant
    findings = audit(plant)["findings"]
    chance.shuffle(findings)
    for finding in findings:
        carry_out(plant, finding)
    assert plant.is_right()
    assert audit(plant)["findings"] == []


@given(mixtures(least=2), st.data())
def test_a_remedy_mends_its_own_finding_and_no_other(mixture: Mixture, data: st.DataObject) -> None:
    plant = mixture.plant
    findings = audit(plant)["findings"]
    if not findings:
        return
    mended = data.draw(st.sampled_from(findings))
    carry_out(plant, mended)
    left = {finding["id"]: finding["code"] for finding in audit(plant)["findings"]}
    before = {finding["id"]: finding["code"] for finding in findings}
    del before[mended["id"]]
    assert left.keys() == before.keys()
    # Of two cables on a free port the other is doubled no more.
    assert all(left[name] == code for name, code in before.items() if code != "doubled-port")


@given(mixtures())
def test_the_fewest_cable_ends_are_touched(mixture: Mixture) -> None:
    plant = mixture.plant
    fewest = plant.fewest_ends()
    assert sum(carry_out(plant, finding) for finding in audit(plant)["findings"]) == fewest


@given(mixtures())
def test_a_remedy_touches_only_the_cables_of_its_finding(mixture: Mixture) -> None:
    for finding in audit(mixture.plant)["findings"]:
        named = Counter(step["cable"] for step in finding["remedy"] if "cable" in step)
        assert named.keys() <= set(finding["cables"])
