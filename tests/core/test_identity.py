"""Who answers: a law over all that may be recorded and told."""

from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.identity import Answering, ConfirmedBy, Known, Told, in_words, who_answers

NAMES = st.sampled_from(["", "sonic", "ocs-1", "OCS-1.example.com", "ocs-2"])
SERIALS = st.sampled_from(["", "S1", "S2"])


@given(NAMES.filter(bool), SERIALS, st.sampled_from(ConfirmedBy), NAMES, SERIALS)
def test_only_who_is_known_to_be_right_is_spoken_to(
    name: str, serial: str, by: ConfirmedBy, told_name: str, told_serial: str
) -> None:
    known, told = Known(name, serial, by), Told(told_name, told_serial)
    answering = who_answers(known, told)
    vouched = serial or by
    if not vouched:
        assert answering is Answering.NOT_CONFIRMED
    elif serial and told_serial:
        assert answering is (Answering.RIGHT if serial == told_serial else Answering.ANOTHER)
    elif answering is Answering.RIGHT:
        # By its name, or because it cannot tell and somebody looked.
        same = told_name.partition(".")[0].lower() == name.partition(".")[0].lower()
        looked = by in (ConfirmedBy.PERSON, ConfirmedBy.ORDER, ConfirmedBy.TEST_CIRCUIT)
        assert same or looked
    assert bool(in_words(known, told, answering)) == (answering is not Answering.RIGHT)


def test_what_a_device_does_not_tell_is_never_held_against_it() -> None:
    for known in (Known("ocs-1", "S1", ConfirmedBy.PERSON), Known("ocs-1", by=ConfirmedBy.LOAD)):
        for told in (Told(), Told("sonic"), Told("localhost")):
            assert who_answers(known, told) is not Answering.ANOTHER
