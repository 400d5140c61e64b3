"""Of which stage somebody confirms that its links carry nothing, before it begins.

Who routes over a network moves traffic off the links of one stage at a time, so that the others go
on carrying it. What was confirmed holds for one step, once: not after a stop, nor on the way back.
"""

from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.tickets.course import Course, Position
from fabric_twin.core.tickets.drains import awaits_drain
from fabric_twin.core.tickets.life import State
from fabric_twin.core.tickets.words import some
from fabric_twin.models import Ticket
from fabric_twin.operations.networks.kept import check_kept
from fabric_twin.operations.tickets.changes.to_core import course_of, position_of
from fabric_twin.operations.tickets.history import note
from fabric_twin.operations.tickets.record import hold_ticket
from fabric_twin.repositories.change_log import record_alone

#: How a ticket begins to say that it waits for that, and for no worker.
DRAINS = "links to be drained:"


def forget_drains(ticket: Ticket) -> None:
    """What was confirmed of a step that is not done holds no more."""
    ticket.stages.filter(ended=None).update(drained_by=None, drained_at=None)


def undrained(ticket: Ticket, course: Course) -> str:
    """What has to be confirmed before the stage that comes next begins; empty: nothing."""
    position = position_of(ticket)
    if course.is_over(position):
        return ""
    stage = course.stages[position.stage - 1]
    row = ticket.stages.get(number=position.stage)
    # What was confirmed before it ended was of the step that it ended with.
    drained = bool(row.drained_at and row.ended is None)
    if not awaits_drain(position, stage, drained=drained, carries=row.carries):
        return ""
    going = stage.add if position.is_back else stage.remove
    of = ticket.plan["notes"][position.stage - 1]["links_back" if position.is_back else "links"]
    pairs = some(f"{pair}: {many}" for pair, many in of.items())
    carry = "carry" if len(going) > 1 else "carries"
    return (
        f"{DRAINS} {position} waits until somebody confirms that {counted(len(going), 'link')} "
        f"({pairs}) {carry} nothing"
    )


def awaits_link_drain(ticket: Ticket) -> str:
    """The same of any ticket: empty where it does not run, or is none of a network."""
    if ticket.state != State.RUNNING or not ticket.plan.get("drains_links"):
        return ""
    return undrained(ticket, course_of(ticket))


def confirm_links_drained(
    ticket: Ticket, step: Position | None, user: User, said: str = ""
) -> Ticket:
    """Write down that the links of a step carry nothing: of the one that waits, and no other.

    Refused on the way forward where what is left would not carry what pairs ask for by now, as far
    as they had it before the ticket. Back it is always possible.
    """
    there = hold_ticket(ticket, user, "drain")
    if not awaits_link_drain(there):
        raise NotPossible(
            "no stage of it waits until its links carry nothing",
            where=f"ticket {there.name}",
            remedy="Look at its page: it says what it waits for",
        )
    course, position = course_of(there), position_of(there)
    if step is None or step.again != position.again:
        raise UnusableInput(
            f"{position} waits, and {f'not {step.again}' if step else 'no stage is named'}",
            where=f"ticket {there.name}",
            remedy="Look at its page: it says which links to drain now",
        )
    if not position.is_back:
        check_kept(there, course, position, user)
    there.stages.filter(number=position.stage).update(
        drained_by=user, drained_at=timezone.now(), ended=None
    )
    # On its way back it says why it turned.
    turned = there.events.filter(what="turn").order_by("-number").first()
    why = turned.said if turned and position.is_back else ""
    Ticket.objects.filter(pk=there.pk).update(message=why, last_updated=timezone.now())
    words = f"the links of {position} carry nothing. {said}".strip()
    note(there, "drained", user, words)
    record_alone(there, words, user)
    there.refresh_from_db(fields=["message", "last_updated"])
    return there
