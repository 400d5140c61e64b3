"""The job that carries out a ticket."""

from django.db import DatabaseError
from nautobot.apps.jobs import DryRunVar, ObjectVar

from fabric_twin.core.errors import FabricTwinError, LeaseLost
from fabric_twin.core.tickets.life import State
from fabric_twin.models import Ticket
from fabric_twin.operations.tickets.running.carry_out import How, carry_out_ticket, try_ticket
from fabric_twin.operations.tickets.running.due import answer_call
from fabric_twin.operations.tickets.running.ticket_lease import WAITS
from fabric_twin.operations.tickets.running.waiting import say_stalled, say_waiting
from fabric_twin.tasks.refusing import RefusingJob

#: Where the job is listed.
name = "Fabric Twin"

#: Seconds: thousands of circuits tune for minutes, switches restart for minutes. What is not done
#: then is gone on with by the next worker.
SOFT_LIMIT, LIMIT = 3600, 3660


class CarryOutTicket(RefusingJob):
    """Go on with a ticket that is scheduled or runs, from what its switches show, to its end."""

    to_fabric = True

    ticket = ObjectVar(
        model=Ticket, description="A ticket whose window has begun, or that is running"
    )

    dryrun = DryRunVar(description="Say whether it could begin now, and switch nothing")

    class Meta:
        name = "Carry out ticket"
        description = "Switch a ticket's circuits stage by stage, each read back and qualified."
        soft_time_limit = SOFT_LIMIT
        time_limit = LIMIT
        has_sensitive_variables = False

    def do(self, *, ticket: Ticket, dryrun: bool = False) -> str:
        """Carry it out, and say how it ended."""
        try:
            ticket = self.visible(ticket, "run")
        except FabricTwinError as refusal:
            say_stalled(ticket, refusal)
            raise
        how = How(user=self.user, job_result=self.job_result, progress=self.say_step)
        if dryrun:
            would = try_ticket(ticket, how)
            self.logger.info("%s", would, extra={"object": ticket})
            return would
        try:
            ended = carry_out_ticket(ticket, how)
        except LeaseLost as lost:
            ended = Ticket.objects.select_related("pod").get(pk=ticket.pk)
            if State(ended.state) is State.RUNNING and ended.message != WAITS:
                raise lost from None
        except FabricTwinError as refusal:
            say_waiting(ticket, refusal)
            raise
        finally:
            answer_call(ticket.pk)
        said = f"{ended.name}: {ended.get_state_display().lower()}. {ended.message}".strip()
        if State(ended.state) is State.DONE:
            self.logger.success(said, extra={"object": ended})
        else:
            self.logger.warning(said, extra={"object": ended})
        return said

    def say_step(self, what: str, circuits: int) -> None:
        """One line for each step; a line that cannot be written stops nothing."""
        many = f" ({circuits:,} circuit{'s' * (circuits != 1)})" if circuits else ""
        try:
            self.logger.info("%s%s", what, many)
        except DatabaseError:
            return
