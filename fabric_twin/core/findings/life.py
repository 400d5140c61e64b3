"""The life of a finding: what is done with it, by whom, and what is forgotten then. One table.

    open -- acknowledge -> acknowledged         somebody knows of it, and says what comes of it
    open, acknowledged -- take -> working       a ticket or an order mends it, and no other does
    working -- release   -> as before           it ended, mended or not: the next audit looks
    open, acknowledged, working -- join -> joined   another finding tells of its fault now
    joined -- part       -> as before           it is seen by itself again, or left to be seen
    all but mended -- mend -> mended            all that would show it was seen, without it
    mended -- come back -> open                 a run finds it again: somebody has to look again
    acknowledged, working, mended -- reopen -> open   somebody takes back what was said of it

Who is joined keeps what it had: who acknowledged it, and what mends it.

What a run looks for and neither finds nor sees well stays as it is, *not seen since*; what shows
itself otherwise keeps its finding: see `after_look.py`.

Who acknowledged it is known until it is opened again, also while it is worked on and when it is
mended; who sees to it and by when, until a run finds it again after it was mended.
"""

from dataclasses import dataclass
from enum import StrEnum

from fabric_twin.core.errors import NotPossible


class FindingIs(StrEnum):
    """Where a finding stands."""

    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"
    WORKING = "working"
    JOINED = "joined"
    MENDED = "mended"


class FindingAct(StrEnum):
    """What is done with a finding."""

    ACKNOWLEDGE = "acknowledge"
    TAKE = "take"
    RELEASE = "release"
    JOIN = "join"
    PART = "part"
    MEND = "mend"
    COME_BACK = "come back"
    REOPEN = "reopen"


class Actor(StrEnum):
    """Who does something with a finding; permissions are asked besides."""

    PERSON = "a user who may change it"
    HOLDER = "the ticket or the order that mends it"
    AUDIT = "an audit"


class Forgotten(StrEnum):
    """What of a finding is forgotten."""

    ACKNOWLEDGEMENT = "who acknowledged it, when and why"
    HOLDER = "what mends it"
    OWNER = "who sees to it, and by when"


@dataclass(frozen=True)
class Move:
    """One line of the table."""

    act: FindingAct
    actor: Actor
    come_from: tuple[FindingIs, ...]
    to: FindingIs
    forgets: frozenset[Forgotten] = frozenset()


_I, _A = FindingIs, FindingAct
#: Somebody has to do something: each tells of a fault of its own.
THERE = (_I.OPEN, _I.ACKNOWLEDGED, _I.WORKING)
_SAID_OF_IT = frozenset({Forgotten.ACKNOWLEDGEMENT, Forgotten.HOLDER})

MOVES: tuple[Move, ...] = (
    Move(_A.ACKNOWLEDGE, Actor.PERSON, (_I.OPEN,), _I.ACKNOWLEDGED),
    Move(_A.TAKE, Actor.HOLDER, (_I.OPEN, _I.ACKNOWLEDGED), _I.WORKING),
    # Acknowledged, where somebody had acknowledged it: see `after`.
    Move(_A.RELEASE, Actor.HOLDER, (_I.WORKING, _I.JOINED), _I.OPEN, frozenset({Forgotten.HOLDER})),
    Move(_A.JOIN, Actor.AUDIT, (*THERE, _I.JOINED), _I.JOINED),
    # As it was before: see `after`.
    Move(_A.PART, Actor.AUDIT, (_I.JOINED,), _I.OPEN),
    Move(_A.MEND, Actor.AUDIT, (*THERE, _I.JOINED), _I.MENDED),
    Move(_A.COME_BACK, Actor.AUDIT, (_I.MENDED,), _I.OPEN, frozenset(Forgotten)),
    Move(_A.REOPEN, Actor.PERSON, (_I.ACKNOWLEDGED, _I.WORKING, _I.MENDED), _I.OPEN, _SAID_OF_IT),
)
BY_ACT = {move.act: move for move in MOVES}
#: What a ticket or an order may take.
FREE = BY_ACT[FindingAct.TAKE].come_from
#: What to do instead.
_REMEDY = {FindingAct.ACKNOWLEDGE: "Only an open finding is acknowledged"}


def after(
    name: str, state: FindingIs, act: FindingAct, *, acknowledged: bool, held: bool = False
) -> FindingIs:
    """Where a finding stands after an act, or a refusal."""
    move = BY_ACT[act]
    if state not in move.come_from:
        raise NotPossible(
            f"it is {_SAID[state]}",
            where=f"finding {name}",
            remedy=_REMEDY.get(act, "Nothing is left to do"),
        )
    if act is FindingAct.RELEASE and state is FindingIs.JOINED:
        return FindingIs.JOINED
    if act is FindingAct.PART and held:
        return FindingIs.WORKING
    if act in {FindingAct.RELEASE, FindingAct.PART} and acknowledged:
        return FindingIs.ACKNOWLEDGED
    return move.to


_SAID = {
    FindingIs.OPEN: "open",
    FindingIs.ACKNOWLEDGED: "acknowledged",
    FindingIs.WORKING: "being worked on",
    FindingIs.JOINED: "joined with another one",
    FindingIs.MENDED: "mended",
}
