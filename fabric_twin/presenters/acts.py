"""What pages and REST say of an act: its label, a sentence, an icon and a colour."""

from collections.abc import Mapping
from dataclasses import dataclass

from fabric_twin.core.orders.life import Act
from fabric_twin.core.tickets import drains
from fabric_twin.core.tickets.called import OF_CLUSTERS, called
from fabric_twin.core.tickets.life import State
from fabric_twin.models import Ticket
from fabric_twin.operations.orders.actions import ASK, CORRECT
from fabric_twin.operations.orders.finding_deeds import ACKNOWLEDGE, ASSIGN, REOPEN, SILENCE
from fabric_twin.operations.tickets.actions import CONFIRM_DRAINED, CONFIRM_LINKS
from fabric_twin.operations.tickets.changes.drains import not_drained
from fabric_twin.operations.tickets.changes.link_drains import DRAINS, awaits_link_drain


@dataclass(frozen=True)
class Shown:
    """An act, as a button and as the page that asks whether it is meant."""

    label: str
    #: What happens, in a sentence, where it is confirmed.
    told: str
    icon: str
    color: str
    #: What is said once it is done, where the record's state does not tell.
    done: str = ""
    #: What the button below a list says.
    for_many: str = ""

    @property
    def below_list(self) -> str:
        """The button below a list, which does it with what is ticked."""
        return self.for_many or f"{self.label} Selected"


TICKET_ACTS: Mapping[str, Shown] = {
    "submit": Shown(
        "Submit",
        "Somebody else decides about it; it can no longer be changed.",
        "mdi-send",
        "primary",
    ),
    "approve": Shown(
        "Approve", "It may be carried out as shown here.", "mdi-check-bold", "success"
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
        "The slices that it interrupts run nothing; the jobs of those that bear it can go on with "
        "fewer circuits.",
        "mdi-pause-octagon",
        "primary",
    ),
    "confirm-links-drained": Shown(
        "Confirm links drained",
        "The links that go with the stage that waits carry nothing; it begins at once.",
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
        "It is done: somebody else decides whether it is undone.",
        "mdi-undo-variant",
        "secondary",
    ),
    "undo": Shown(
        "Undo",
        "It is undone stage by stage, until every circuit is as it was.",
        "mdi-undo",
        "warning",
    ),
    "revise": Shown(
        "Revise",
        "It is planned again for the same request, as a new draft of yours.",
        "mdi-file-replace-outline",
        "secondary",
    ),
    "withdraw": Shown(
        "Withdraw",
        "The ticket ends undone and releases its ports and cubes.",
        "mdi-cancel",
        "secondary",
    ),
}
#: What happens with a ticket that is done, and is asked to be undone.
_TOLD_OF_DONE = {
    "approve": "It may be undone: what it added is removed, and what it removed is added again.",
    "deny": "It stays done.",
    "emergency": "It may be undone at once; somebody else reviews that afterwards.",
    "confirm-drained": "The slices that the undo interrupts run nothing.",
}
#: What is said of one in a cluster.
_TOLD_OF_CLUSTERS = {
    "undo": "It is undone stage by stage, until every flow entry is as it was.",
    "withdraw": "The ticket ends undone and releases its ports and groups.",
    "confirm-drained": "The jobs that it interrupts run nothing.",
}
#: What becomes of a ticket that is not drained, where it is started or scheduled.
_BEGINS = {
    "start": "It is scheduled, and begins by itself as soon as that is confirmed.",
    "schedule": "It begins by itself in its window, once that is confirmed.",
}
ORDER_ACTS: Mapping[str, Shown] = {
    Act.ASSIGN: Shown(
        "Assign",
        "The order is given to a person, a team, or both; the assignee until now loses it.",
        "mdi-account-arrow-right",
        "primary",
    ),
    Act.START: Shown(
        "Start", "Work starts or resumes, and its time is counted.", "mdi-play", "success"
    ),
    Act.PAUSE: Shown(
        "Pause",
        "Work pauses: its time is not counted, and its ports stay reserved.",
        "mdi-pause",
        "secondary",
    ),
    Act.FINISH: Shown(
        "Finish",
        "No manual step is left: a test and an audit confirm the work.",
        "mdi-hand-okay",
        "success",
    ),
    Act.CLOSE: Shown(
        "Close",
        "The order is done and releases its ports. An audit that finds nothing does this too.",
        "mdi-check-all",
        "success",
    ),
    Act.REOPEN: Shown(
        "Reopen",
        "Something is wrong: the order reserves its ports again.",
        "mdi-refresh",
        "warning",
    ),
    Act.WITHDRAW: Shown(
        "Withdraw",
        "The order ends undone; its ports and its findings are released.",
        "mdi-close",
        "danger",
    ),
    ASK: Shown(
        "Tickets for its needs",
        "Tickets are made of all that its steps and checks wait for; they are approved as any. "
        "Slices in the way move to other cubes; links of a network go once they are drained. When "
        "they are done the order goes on by itself.",
        "mdi-swap-horizontal",
        "primary",
        "its tickets are made; the table below says who acts next",
        "Tickets for Their Needs",
    ),
    CORRECT: Shown(
        "Correct the record",
        "A worker tests by light again; where the record is still wrong, what is there is written "
        "into the inventory. The order's history says what was written.",
        "mdi-file-document-edit",
        "primary",
        "a worker tests by light again, and corrects the record; see its history",
    ),
}
FINDING_ACTS: Mapping[str, Shown] = {
    ACKNOWLEDGE: Shown(
        "Acknowledge",
        "You know of it, and say what will be done. It stays in the list until an audit sees it "
        "mended.",
        "mdi-check",
        "primary",
        "Acknowledged",
    ),
    ASSIGN: Shown(
        "Assign",
        "It gets an owner, a due time, or both.",
        "mdi-account-arrow-right-outline",
        "primary",
        "Assigned",
    ),
    SILENCE: Shown(
        "Silence",
        "Each gets a silence of its own. Until it ends, the finding is still found and listed, and "
        "raises no alarm.",
        "mdi-bell-off-outline",
        "secondary",
        "Silenced",
    ),
    REOPEN: Shown(
        "Reopen",
        "It is open again: its acknowledgement, and the ticket or order that works on it, are "
        "removed. Its history keeps them.",
        "mdi-restore",
        "warning",
        "Reopened",
    ),
}


def told_of(act: str, ticket: Ticket) -> str:
    """What happens to this ticket, in a sentence, where it is confirmed."""
    told = _TOLD_OF_DONE if ticket.state == State.DONE else {}
    said = told.get(act, TICKET_ACTS[act].told)
    if called(ticket.plan) is OF_CLUSTERS:
        said = _TOLD_OF_CLUSTERS.get(act, said)
    if act == CONFIRM_DRAINED and act not in told:
        return drains.told(not_drained(ticket), ticket.plan)
    if act == CONFIRM_LINKS and (waits := awaits_link_drain(ticket)):
        return f"{waits.removeprefix(DRAINS).strip().capitalize()}. It begins at once then."
    if act in _BEGINS and (left := not_drained(ticket)):
        waits = drains.in_numbers(left, ticket.plan)
        return f"It cannot begin yet: nobody has confirmed that {waits}. {_BEGINS[act]}"
    return said
