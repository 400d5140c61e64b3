"""Letters of slices: short, told apart, and at rest for a while before they are given again."""

from hypothesis import given
from hypothesis import strategies as st

from fabric_twin.core.slices.letters import LETTERS, letter_of, next_letter, number_of


@given(st.integers(0, 100_000))
def test_a_letter_and_its_place_say_each_other(number: int) -> None:
    assert number_of(letter_of(number)) == number


@given(st.sets(st.integers(0, 60)), st.integers(-1, 60))
def test_a_new_letter_is_nobodys_and_as_short_as_can_be(taken: set[int], last: int) -> None:
    letters = {letter_of(number) for number in taken}
    new = next_letter(letters, letter_of(last) if last >= 0 else "")
    assert new not in letters
    assert len(new) == 1 or letters >= set(LETTERS)


def test_a_released_letter_rests_until_the_others_had_their_turn() -> None:
    given_last, letters = "", []
    for _ in range(len(LETTERS) + 1):  # made and released at once, again and again
        given_last = next_letter([], given_last)
        letters.append(given_last)
    assert letters == [*LETTERS, "C"]
