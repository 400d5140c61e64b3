"""What can be done with a ticket, when, and by whom: one table.

    draft -- submit -> submitted -- approve -> approved -- schedule -> scheduled -- start -> running
      |                    '-- deny -> withdrawn                                             |
      '-- withdraw -> withdrawn   (until it runs)               done <- finish --------------+
                                                                failed <- fail, stop --------+
                                                                undone <- take-back ---------'

A ticket that runs is turned round by `undo`, and runs back. `failed` is stopped and held until
somebody resumes or undoes it. To undo one that is `done` is a change of its own: it is
asked for (`ask-undo`), and somebody else decides. Nothing leads out of `undone` and `withdrawn`.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from fabric_twin.core.errors import NotPermitted, NotPossible


class State(StrEnum):
    """Where a ticket stands."""

    DRAFT = "draft"
    SUBMITTED = "submitted"
    APPROVED = "approved"
    SCHEDULED = "scheduled"
    RUNNING = "running"
    #: All of it is carried out, and verified.
    DONE = "done"
    #: Stopped, and held as it is: an operator is needed.
    FAILED = "failed"
    #: Everything is as it was before.
    UNDONE = "undone"
    WITHDRAWN = "withdrawn"

    @property
    def is_open(self) -> bool:
        """Whether it holds its ports and cubes, so that no other ticket can take them."""
        return self not in _CLOSED


_CLOSED = {State.DONE, State.UNDONE, State.WITHDRAWN}


class Action(StrEnum):
    """What can be done with a ticket."""

    SUBMIT = "submit"
    APPROVE = "approve"
    DENY = "deny"
    #: Submitted and approved at once, by a permission of its own; somebody else looks at it later.
    HASTEN = "hasten"
    SCHEDULE = "schedule"
    WITHDRAW = "withdraw"
    #: The world is not as the plan took it: a new draft goes back to its author.
    OUTDATE = "outdate"
    START = "start"
    FINISH = "finish"
    FAIL = "fail"
    #: Held as it is, by somebody who looked on.
    STOP = "stop"
    #: It ran back to where it began.
    TAKE_BACK = "take-back"
    RESUME = "resume"
    UNDO = "undo"
    #: It is done, and somebody would have it undone: somebody else decides, as about a new one.
    ASK_UNDO = "ask-undo"


class Who(StrEnum):
    """Who may do something: `PERMISSION` says by which permission."""

    #: A user who may change the ticket.
    EDITOR = "a user who may change it"
    #: Somebody who may approve, and did not write it.
    ANOTHER = "another person, who may approve"
    #: A user with the permission for emergencies.
    EMERGENCY = "a user who may approve in an emergency"
    #: A user who may run tickets.
    OPERATOR = "a user who may run tickets"
    #: Nobody: who carries it out does it.
    WORKER = "who carries it out"


@dataclass(frozen=True)
class Move:
    """One line of the table."""

    action: Action
    who: Who
    come_from: tuple[State, ...]
    to: State


_S, _A = State, Action
_BEFORE_IT_RUNS = (_S.DRAFT, _S.SUBMITTED, _S.APPROVED, _S.SCHEDULED)

MOVES: tuple[Move, ...] = (
    Move(_A.SUBMIT, Who.EDITOR, (_S.DRAFT,), _S.SUBMITTED),
    Move(_A.APPROVE, Who.ANOTHER, (_S.SUBMITTED,), _S.APPROVED),
    Move(_A.DENY, Who.ANOTHER, (_S.SUBMITTED,), _S.WITHDRAWN),
    Move(_A.HASTEN, Who.EMERGENCY, (_S.DRAFT,), _S.APPROVED),
    Move(_A.SCHEDULE, Who.OPERATOR, (_S.APPROVED, _S.SCHEDULED), _S.SCHEDULED),
    Move(_A.WITHDRAW, Who.EDITOR, _BEFORE_IT_RUNS, _S.WITHDRAWN),
    Move(_A.OUTDATE, Who.WORKER, (_S.APPROVED, _S.SCHEDULED), _S.WITHDRAWN),
    Move(_A.START, Who.WORKER, (_S.SCHEDULED,), _S.RUNNING),
    Move(_A.FINISH, Who.WORKER, (_S.RUNNING,), _S.DONE),
    Move(_A.FAIL, Who.WORKER, (_S.RUNNING,), _S.FAILED),
    Move(_A.STOP, Who.OPERATOR, (_S.RUNNING,), _S.FAILED),
    Move(_A.TAKE_BACK, Who.WORKER, (_S.RUNNING,), _S.UNDONE),
    Move(_A.RESUME, Who.OPERATOR, (_S.FAILED,), _S.RUNNING),
    Move(_A.UNDO, Who.OPERATOR, (_S.RUNNING, _S.FAILED, _S.DONE), _S.RUNNING),
    Move(_A.ASK_UNDO, Who.OPERATOR, (_S.DONE,), _S.DONE),
)
_BY_ACTION = {move.action: move for move in MOVES}
#: What decides about the undo of a ticket that is done, as before about the ticket: it stays done.
_DECIDE = (_A.APPROVE, _A.DENY, _A.HASTEN)
#: What is done afterwards with one of an emergency; it leads nowhere.
REVIEW = "review"
#: The permission that each takes, beside what its state allows; a worker has been let in.
_NEEDS = {
    Who.EDITOR: "change",
    Who.ANOTHER: "view",
    Who.EMERGENCY: "emergency",
    Who.OPERATOR: "run",
}
PERMISSION: Mapping[str, str] = {
    move.action: _NEEDS[move.who] for move in MOVES if move.who in _NEEDS
} | {REVIEW: "change"}
#: What is done with a ticket for a reason, which its history keeps.
NEEDS_REASON: frozenset[str] = frozenset({_A.DENY, _A.HASTEN, _A.ASK_UNDO, REVIEW})
#: What people are told that they may do instead.
_PEOPLE = {move.action for move in MOVES if move.who is not Who.WORKER}


class NotNow(NotPossible):
    """Something that cannot be done with a ticket in the state it is in.

    What is undone or withdrawn stays so, and is planned again as another revision.
    """

    def __init__(self, ticket: str, action: Action, state: State) -> None:
        self.action, self.state = action, state
        instead = [other for other in allowed(state) if other in _PEOPLE]
        super().__init__(
            f"it is {state}, and so cannot be {_PASSIVE[action]}",
            where=f"ticket {ticket}",
            remedy=f"What can be done with it now: {', '.join(instead)}"
            if instead
            else "Revise the newest revision of it: that makes a new draft",
        )


def allowed(state: State) -> tuple[Action, ...]:
    """What can be done with a ticket in a state, in the order of the table."""
    return tuple(
        move.action
        for move in MOVES
        if state in move.come_from or (state is State.DONE and move.action in _DECIDE)
    )


def who_may(action: Action) -> Who:
    """Who does it."""
    return _BY_ACTION[action].who


def moved(ticket: str, state: State, action: Action) -> State:
    """The state that an action leads to, or a refusal that says what is possible instead."""
    if action not in allowed(state):
        raise NotNow(ticket, action, state)
    return State.DONE if state is State.DONE and action in _DECIDE else _BY_ACTION[action].to


def check_another(ticket: str, person: str, authors: Collection[str], action: Action) -> None:
    """Refuse somebody who would decide about a ticket of their own.

    `authors` are all who wrote or submitted it, in this revision or one before.
    """
    if who_may(action) is Who.ANOTHER and person in authors:
        raise NotPermitted(
            f"it is of {person}, and nobody decides about their own ticket",
            where=f"ticket {ticket}",
            remedy="Ask somebody else who may approve",
        )


_PASSIVE = {
    Action.SUBMIT: "submitted",
    Action.APPROVE: "approved",
    Action.DENY: "denied",
    Action.HASTEN: "hastened",
    Action.SCHEDULE: "scheduled",
    Action.WITHDRAW: "withdrawn",
    Action.OUTDATE: "outdated",
    Action.START: "started",
    Action.FINISH: "finished",
    Action.FAIL: "failed",
    Action.STOP: "stopped",
    Action.TAKE_BACK: "taken back",
    Action.RESUME: "resumed",
    Action.UNDO: "undone",
    Action.ASK_UNDO: "asked to be undone",
}
