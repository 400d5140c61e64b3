"""The laws of the audit hold where cables join cubes and there is no switch."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from .bench.hands import carry_out
from .bench.product import audit
from .bench.tori import TORI, Torus


@st.composite
def broken(draw: st.DrawFn) -> Torus:
    """A torus with a few cable ends exchanged, pulled or doubled, and cables taken away."""
    plant = Torus(draw(st.sampled_from(sorted(TORI))))
    names = sorted(plant.rows)
    # Often of one corner, where mistakes meet.
    some = st.integers(0, draw(st.sampled_from((8, len(names) - 1)))).map(names.__getitem__)
    spots = st.tuples(some, st.integers(0, 1))
    for what in draw(st.lists(st.sampled_from(("swap", "pull", "double", "take")), max_size=4)):
        (one, side), (other, end) = draw(spots), draw(spots)
        rows = plant.rows
        if one not in rows or other not in rows:
            continue
        if what == "swap":
            rows[one][side], rows[other][end] = rows[other][end], rows[one][side]
        elif what == "pull":
            rows[one][side] = None
        elif what == "double" and (one, side) != (other, end):
            rows[one][side] = rows[other][end]
        elif what == "take":
            del rows[one]
    return plant


@pytest.mark.parametrize("design", TORI)
def test_a_right_torus_has_no_findings(design: str) -> None:
    plant = Torus(design)
    report = audit(plant)
    assert report["findings"] == []
    assert report["cables"] == report["expected"] == len(plant.right)


@given(broken())
def test_a_torus_is_clean_just_when_it_is_right(plant: Torus) -> None:
    assert (not audit(plant)["findings"]) == plant.is_right()


@given(broken(), st.randoms())
def test_all_remedies_in_any_order_leave_the_intended_torus(plant: Torus, chance) -> None:
    findings, fewest = audit(plant)["findings"], plant.fewest_ends()
    chance.shuffle(findings)
    assert sum(carry_out(plant, finding) for finding in findings) == fewest
    assert plant.is_right()
    assert audit(plant)["findings"] == []


@given(broken(), st.randoms())
def test_a_finding_is_the_same_whatever_the_order_of_rows_and_of_their_ends(
    plant: Torus, chance
) -> None:
    before = [(f["id"], f["code"], f["cause"]) for f in audit(plant)["findings"]]
    order = sorted(plant.rows)
    chance.shuffle(order)
    for cable in order[::2]:
        plant.rows[cable].reverse()
    assert [(f["id"], f["code"], f["cause"]) for f in audit(plant, order)["findings"]] == before


@pytest.mark.parametrize("slot", [1, 6, 16])
def test_the_cables_of_a_unit_that_is_not_there_are_one_finding(slot: int) -> None:
    plant = Torus("tpu-v5e")
    plant.slots = tuple(set(plant.slots) - {slot})
    (finding,) = audit(plant)["findings"]
    assert (finding["code"], len(finding["cables"])) == ("unexpected", 16)


@pytest.mark.parametrize("design", TORI)
def test_two_cables_exchanged_are_one_finding(design: str) -> None:
    plant = Torus(design)
    one, *_, other = sorted(plant.rows)
    plant.rows[one][1], plant.rows[other][1] = plant.rows[other][1], plant.rows[one][1]
    (finding,) = audit(plant)["findings"]
    assert (finding["code"], finding["cables"]) == ("swapped", [one, other])


@pytest.mark.parametrize("design", TORI)
def test_the_cables_of_a_face_exchanged_with_another_are_one_finding(design: str) -> None:
    plant = Torus(design)
    faces = [
        sorted(c for c in plant.rows if c.startswith(f"p1-c00{n}:") and c.endswith("Y+"))
        for n in (1, 2)
    ]
    for one, other in zip(*faces, strict=True):
        plant.rows[one][1], plant.rows[other][1] = plant.rows[other][1], plant.rows[one][1]
    (finding,) = audit(plant)["findings"]
    assert (finding["code"], len(finding["cables"])) == ("bundle-swapped", 2 * len(faces[0]))
