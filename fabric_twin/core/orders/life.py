"""The life of an order, and of a step: what may follow what, and nothing else.

order   drafted -> assigned -> under way <-> paused
                               under way -> awaiting light -> done
                               awaiting light, done -> reopened -> under way
        withdrawn: from every state before done

step    locked <-> waiting -> done -> verified
                   waiting -> cannot     done -> failed by light -> done (mended)
                   cannot -> locked, waiting: given again
        not due -> locked, waiting: light refused the rung below

A bundle of which something cannot be done is set aside: its check is `cannot` too, and the order is
done without it. What is left is named, and its findings are released.
"""

from collections.abc import Mapping
from enum import StrEnum

from fabric_twin.core.errors import NotPossible


class OrderIs(StrEnum):
    """Where an order stands."""

    DRAFTED = "drafted"
    ASSIGNED = "assigned"
    UNDER_WAY = "under way"
    PAUSED = "paused"
    #: No manual step is left; a light test and an audit have yet to confirm the work.
    AWAITING_LIGHT = "awaiting light"
    DONE = "done"
    REOPENED = "reopened"
    WITHDRAWN = "withdrawn"


class Act(StrEnum):
    """What is done with an order."""

    ASSIGN = "assign"
    START = "start"
    PAUSE = "pause"
    #: No manual step is left.
    FINISH = "finish"
    #: The audit agrees.
    CLOSE = "close"
    REOPEN = "reopen"
    WITHDRAW = "withdraw"


class StepIs(StrEnum):
    """Where a step stands."""

    #: Not to be touched: its port carries light, or is not blocked, or was not read.
    LOCKED = "locked"
    WAITING = "waiting"
    DONE = "done"
    CANNOT = "cannot"
    VERIFIED = "verified"
    FAILED = "failed by light"
    #: To be done only if light refuses what was done before it; or no more: its fault is gone.
    NOT_DUE = "not due"


class Deed(StrEnum):
    """What becomes of a step."""

    LOCK = "lock"
    UNLOCK = "unlock"
    DO = "do"
    CANNOT = "cannot"
    VERIFY = "verify"
    FAIL = "fail"
    #: It turned out not to be done.
    UNDO = "undo"


_O, _S = OrderIs, StepIs

_ORDER: Mapping[Act, Mapping[OrderIs, OrderIs]] = {
    Act.ASSIGN: {
        _O.DRAFTED: _O.ASSIGNED,
        # Taken over: by another person, and nothing else changes.
        **{s: s for s in (_O.ASSIGNED, _O.UNDER_WAY, _O.PAUSED, _O.REOPENED, _O.AWAITING_LIGHT)},
    },
    Act.START: dict.fromkeys((_O.ASSIGNED, _O.PAUSED, _O.REOPENED, _O.UNDER_WAY), _O.UNDER_WAY),
    Act.PAUSE: dict.fromkeys((_O.UNDER_WAY, _O.PAUSED), _O.PAUSED),
    Act.FINISH: {_O.UNDER_WAY: _O.AWAITING_LIGHT},
    Act.CLOSE: {_O.AWAITING_LIGHT: _O.DONE},
    Act.REOPEN: dict.fromkeys((_O.AWAITING_LIGHT, _O.DONE), _O.REOPENED),
    Act.WITHDRAW: {s: _O.WITHDRAWN for s in OrderIs if s not in (_O.DONE, _O.WITHDRAWN)},
}

_STEP: Mapping[Deed, Mapping[StepIs, StepIs]] = {
    Deed.LOCK: dict.fromkeys((_S.WAITING, _S.LOCKED), _S.LOCKED),
    Deed.UNLOCK: dict.fromkeys((_S.LOCKED, _S.WAITING), _S.WAITING),
    Deed.DO: dict.fromkeys((_S.WAITING, _S.CANNOT, _S.FAILED, _S.DONE), _S.DONE),
    Deed.CANNOT: dict.fromkeys((_S.WAITING, _S.LOCKED, _S.FAILED, _S.CANNOT), _S.CANNOT),
    Deed.VERIFY: dict.fromkeys((_S.DONE, _S.FAILED, _S.VERIFIED), _S.VERIFIED),
    Deed.FAIL: dict.fromkeys((_S.DONE, _S.VERIFIED, _S.FAILED), _S.FAILED),
    Deed.UNDO: dict.fromkeys((_S.DONE, _S.CANNOT, _S.FAILED), _S.WAITING),
}

#: What a deed does to a step, in a sentence about the step.
_PASSIVE: Mapping[Deed, str] = {
    Deed.LOCK: "locked",
    Deed.UNLOCK: "unlocked",
    Deed.DO: "done",
    Deed.CANNOT: "given up",
    Deed.VERIFY: "verified",
    Deed.FAIL: "failed by light",
    Deed.UNDO: "taken back",
}

#: The permission that an act asks for, of this very order; who takes it over needs only `do`.
PERMISSION: Mapping[Act, str] = {
    Act.ASSIGN: "change",
    Act.START: "do",
    Act.PAUSE: "do",
    Act.FINISH: "do",
    Act.CLOSE: "change",
    Act.REOPEN: "change",
    Act.WITHDRAW: "change",
}
#: What is done with an order for a reason, which its history keeps.
NEEDS_REASON = frozenset({Act.REOPEN, Act.WITHDRAW})
#: Steps on which no manual work is left.
SETTLED = frozenset({StepIs.DONE, StepIs.CANNOT, StepIs.VERIFIED, StepIs.NOT_DUE})


def states_for(act: Act) -> frozenset[OrderIs]:
    """The states out of which an act leads; to hand an order on changes it in any."""
    return frozenset(
        state for state, after in _ORDER[act].items() if state != after or act is Act.ASSIGN
    )


def order_after(state: OrderIs, act: Act) -> OrderIs:
    """Where an order stands after an act, or a refusal."""
    after = _ORDER[act].get(state)
    if after is None:
        able = [str(other) for other in OrderIs if other in _ORDER[act]]
        raise NotPossible(
            f"an order that is {state} cannot {act}",
            where="work order",
            remedy=f"An order can {act} when it is {' or '.join(able)}",
        )
    return after


def step_after(state: StepIs, deed: Deed) -> StepIs:
    """Where a step stands after a deed, or a refusal."""
    after = _STEP[deed].get(state)
    if after is None:
        raise NotPossible(
            f"a {state} step cannot be {_PASSIVE[deed]}",
            where="step",
            remedy="Read the port again"
            if state == StepIs.LOCKED
            else "Look at the order as it is now",
        )
    return after
