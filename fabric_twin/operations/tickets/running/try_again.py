"""Look again at a ticket that waits: could it begin, or go on, by now?

It reads switches and sends nothing; one failed job says why the ticket waits, and a hundred more
would say the same.
"""

from fabric_twin.core.errors import FabricTwinError, NotPermitted
from fabric_twin.core.tickets.life import State
from fabric_twin.models import Ticket
from fabric_twin.operations.tickets.running.carry_out import check_ready
from fabric_twin.operations.tickets.running.due import answer_call, carry_out_soon
from fabric_twin.operations.tickets.running.waiting import runner_of, say_stalled, say_waiting


def try_again(ticket: Ticket) -> str:
    """Call for its job where it could begin or go on; else say what it waits for."""
    ticket = Ticket.objects.select_related("pod", "author", "job_result").get(pk=ticket.pk)
    if State(ticket.state) not in (State.SCHEDULED, State.RUNNING):
        return f"{ticket.name} is {ticket.state}"
    try:
        _check_runner(ticket)
        if State(ticket.state) is State.SCHEDULED:
            check_ready(ticket)
        carry_out_soon(ticket)
    except NotPermitted as refusal:
        say_stalled(ticket, refusal)
        return str(refusal)
    except FabricTwinError as refusal:
        say_waiting(ticket, refusal)
        return str(refusal)
    finally:
        answer_call(ticket.pk)
    return f"{ticket.name}: its job is queued"


def _check_runner(ticket: Ticket) -> None:
    runner = runner_of(ticket)
    if not Ticket.objects.restrict(runner, "run").filter(pk=ticket.pk).exists():
        raise NotPermitted(
            f"{runner}, who set it going, may not run it",
            where=f"ticket {ticket.name}",
            remedy="Ask for the permission fabric_twin.run_ticket, or let somebody else start it",
        )
