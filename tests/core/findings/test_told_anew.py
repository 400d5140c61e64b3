"""What the change log says of a finding that is told otherwise than before."""

import pytest

from fabric_twin.core.findings.told_anew import Told, told_anew

BEFORE = Told("dark", "No light passes a and b", ("a gives no light", "b gives no light"))


def test_another_code_is_said_by_both() -> None:
    assert told_anew(BEFORE, Told("swapped", "a is elsewhere")) == "seen as swapped, before as dark"


def test_another_cause_is_said() -> None:
    now = Told("dark", "a lets no light through", ("a gives no light",))
    assert told_anew(BEFORE, now) == "its cause is now: a lets no light through"


def test_other_explanations_of_the_same_cause_are_said() -> None:
    now = Told("dark", BEFORE.cause, ("a gives no light", "c gives no light"))
    assert told_anew(BEFORE, now) == "it may be now: a gives no light; or c gives no light"


@pytest.mark.parametrize(
    ("was", "now"),
    [
        (BEFORE.cause, BEFORE.cause),
        ("a:4.1.1/X+ loses 3.9 dB too much", "a:4.1.1/X+ loses 4.0 dB too much"),
        ("s loses 2.1 dB, where it lost 0.9", "s loses 2.2 dB, where it lost 1.0"),
        ("a corrects 1.0e-05 of its bits", "a corrects 1.2e-05 of its bits"),
        ("a sends -2.1 dBm and runs at 71 degrees", "a sends -2.0 dBm and runs at 70 degrees"),
        ("what s tells is 400 seconds old", "what s tells is 2.1 hours old"),
    ],
)
def test_nothing_is_said_where_only_levels_moved(was: str, now: str) -> None:
    assert told_anew(Told("x", was), Told("x", now)) == ""


def test_a_port_is_no_level() -> None:
    assert told_anew(Told("x", "a:4.1.1/X+ loses 1 dB"), Told("x", "a:4.2.1/X+ loses 1 dB"))
