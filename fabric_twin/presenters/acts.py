"""What pages and REST say of an act: its label, a sentence, an icon and a colour."""

from collections.abc import Mapping
from dataclasses import dataclass

from fabric_twin.core.orders.life import Act
from fabric_twin.core.tickets.life import State
from fabric_twin.models import Ticket
from fabric_twin.operations.orders.actions import ASK, CORRECT


@dataclass(frozen=True)
class Shown:
    """An act, as a button and as the page that asks whether it is meant."""

    label: str
    #: What happens, in a sentence, where it is confirmed.
    told: str
    icon: str
    color: str


TICKET_ACTS: Mapping[str, Shown] = {
    "submit": Shown(
        "Submit", "Somebody else decides about it; it changes no more.", "mdi-send", "primary"
    ),
    "approve": Shown(
        "Approve", "It may be carried out as it is told here.", "mdi-check-bold", "success"
    ),
    "deny": Shown(
        "Deny",
        "It is withdrawn, and a new draft goes back to its author.",
        "mdi-close-thick",
        "danger",
    ),
    "emergency": Shown(
        "Emergency",
        "It is approved at once, by you; somebody else reviews it afterwards.",
        "mdi-alert",
        "danger",
    ),
    "review": Shown(
        "Review", "You looked at what was done in the emergency.", "mdi-eye-check", "primary"
    ),
    "confirm-drained": Shown(
        "Confirm drained",
        "The slices that it interrupts run nothing.",
        "mdi-pause-octagon",
        "primary",
    ),
    "schedule": Shown(
        "Schedule", "It begins by itself in its window.", "mdi-calendar-clock", "primary"
    ),
    "start": Shown("Start now", "A worker carries it out, stage by stage.", "mdi-play", "success"),
    "stop": Shown(
        "Stop", "It is held as it is; it can be resumed, or undone.", "mdi-stop", "danger"
    ),
    "resume": Shown("Resume", "It goes on where it was held.", "mdi-play-pause", "primary"),
    "ask-undo": Shown(
        "Ask for Undo",
        "It is done: somebody else decides whether it goes back.",
        "mdi-undo-variant",
        "secondary",
    ),
    "undo": Shown(
        "Undo",
        "It goes back stage by stage, and every circuit is as it was.",
        "mdi-undo",
        "warning",
    ),
    "revise": Shown(
        "Revise",
        "It is planned again from its wish, as a new draft of yours.",
        "mdi-file-replace-outline",
        "secondary",
    ),
    "withdraw": Shown(
        "Withdraw", "It is let be, and all that it holds is free.", "mdi-cancel", "secondary"
    ),
}
#: What happens with a ticket that is done, and is asked to be undone.
_TOLD_OF_DONE = {
    "approve": "It may go back: what it brought goes, and what it took away comes again.",
    "deny": "It stays done.",
    "emergency": "It may go back at once; somebody else reviews that afterwards.",
    "confirm-drained": "The slices that are interrupted on the way back run nothing.",
}
ORDER_ACTS: Mapping[str, Shown] = {
    Act.ASSIGN: Shown(
        "Assign",
        "It is given to a person, a team, or both; who has it now has it no more.",
        "mdi-account-arrow-right",
        "primary",
    ),
    Act.START: Shown(
        "Start", "Hands begin, or go on; time is counted from now.", "mdi-play", "success"
    ),
    Act.PAUSE: Shown(
        "Pause",
        "Hands rest; time is not counted, and its ports stay its own.",
        "mdi-pause",
        "secondary",
    ),
    Act.FINISH: Shown(
        "Hands are done",
        "No step is left for hands: light, and an audit, have to agree.",
        "mdi-hand-okay",
        "success",
    ),
    Act.CLOSE: Shown(
        "Close",
        "It is done, and gives its ports back. Audits that agree close it by themselves.",
        "mdi-check-all",
        "success",
    ),
    Act.REOPEN: Shown(
        "Reopen",
        "Something is not as it should be: it takes its ports again.",
        "mdi-refresh",
        "warning",
    ),
    Act.WITHDRAW: Shown(
        "Withdraw",
        "It is not done any more; it gives its ports back, and its findings are given back.",
        "mdi-close",
        "danger",
    ),
    ASK: Shown(
        "Tickets for its needs",
        "Drafts are made of the tickets that its steps and checks wait for: they are approved as "
        "any. Slices in the way are moved elsewhere.",
        "mdi-swap-horizontal",
        "primary",
    ),
    CORRECT: Shown(
        "Correct the record",
        "Light looks again; where it still says so, what is there is written into the inventory.",
        "mdi-file-document-edit",
        "primary",
    ),
}


def told_of(act: str, ticket: Ticket) -> str:
    """What happens to this ticket, in a sentence, where it is confirmed."""
    told = _TOLD_OF_DONE if ticket.state == State.DONE else {}
    return told.get(act, TICKET_ACTS[act].told)
