"""The life of a finding, line by line."""

import pytest

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.findings.life import (
    BY_ACT,
    MOVES,
    Actor,
    FindingAct,
    FindingIs,
    Forgotten,
    after,
)

OPEN, ACKNOWLEDGED = FindingIs.OPEN, FindingIs.ACKNOWLEDGED
WORKING, JOINED, MENDED = FindingIs.WORKING, FindingIs.JOINED, FindingIs.MENDED
#: What follows each state, by each act that is possible then.
FOLLOWS = {
    FindingAct.ACKNOWLEDGE: {OPEN: ACKNOWLEDGED},
    FindingAct.TAKE: {OPEN: WORKING, ACKNOWLEDGED: WORKING},
    FindingAct.RELEASE: {WORKING: OPEN, JOINED: JOINED},
    FindingAct.JOIN: {OPEN: JOINED, ACKNOWLEDGED: JOINED, WORKING: JOINED, JOINED: JOINED},
    FindingAct.PART: {JOINED: OPEN},
    FindingAct.MEND: {OPEN: MENDED, ACKNOWLEDGED: MENDED, WORKING: MENDED, JOINED: MENDED},
    FindingAct.COME_BACK: {MENDED: OPEN},
    FindingAct.REOPEN: {ACKNOWLEDGED: OPEN, WORKING: OPEN, MENDED: OPEN},
}


def test_every_act_has_one_line() -> None:
    assert [move.act for move in MOVES] == list(FindingAct) == list(FOLLOWS)


@pytest.mark.parametrize("act", FindingAct)
@pytest.mark.parametrize("state", FindingIs)
def test_what_follows_a_state(state: FindingIs, act: FindingAct) -> None:
    if state in FOLLOWS[act]:
        assert after("x", state, act, acknowledged=False) is FOLLOWS[act][state]
        return
    with pytest.raises(NotPossible, match=r"^finding x: it is \w"):
        after("x", state, act, acknowledged=False)


def test_what_was_acknowledged_is_so_again_when_it_is_given_back() -> None:
    assert after("x", WORKING, FindingAct.RELEASE, acknowledged=True) is ACKNOWLEDGED


def test_what_was_joined_is_again_what_it_was_when_it_parts() -> None:
    assert after("x", JOINED, FindingAct.PART, acknowledged=True) is ACKNOWLEDGED
    for acknowledged in (True, False):
        state = after("x", JOINED, FindingAct.PART, acknowledged=acknowledged, held=True)
        assert state is WORKING


def test_what_is_opened_is_as_if_nobody_had_said_anything_of_it() -> None:
    opens = {move.act: move.forgets for move in MOVES if move.to is OPEN}
    assert opens == {
        FindingAct.RELEASE: {Forgotten.HOLDER},
        FindingAct.PART: set(),
        FindingAct.COME_BACK: set(Forgotten),
        FindingAct.REOPEN: {Forgotten.ACKNOWLEDGEMENT, Forgotten.HOLDER},
    }


def test_people_neither_mend_nor_take() -> None:
    of_people = {move.act for move in MOVES if move.actor is Actor.PERSON}
    assert of_people == {FindingAct.ACKNOWLEDGE, FindingAct.REOPEN}
    assert BY_ACT[FindingAct.MEND].actor is Actor.AUDIT
