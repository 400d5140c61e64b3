"""Carry out tickets: a job that goes on with one, and whoever calls for it."""

from contextlib import suppress
from typing import Any
from uuid import UUID

from celery.signals import worker_ready
from django.contrib.auth import get_user_model
from django.db import DatabaseError
from django.db.models import Q
from django.db.models.functions import Now
from django.dispatch import receiver
from nautobot.apps.jobs import DryRunVar, ObjectVar
from nautobot.extras.models import Job, JobResult

from fabric_twin.core.errors import FabricTwinError, LeaseLost, NotPossible
from fabric_twin.core.tickets.lifecycle import State
from fabric_twin.models import Ticket
from fabric_twin.repositories.due_tickets import answer_call, call_due, wanted
from fabric_twin.repositories.ticket_jobs import name_job
from fabric_twin.repositories.ticket_journal import WAITS
from fabric_twin.repositories.ticket_running import STALLED, How, carry_out_ticket, try_ticket
from fabric_twin.tasks.audit_touched import call_audit
from fabric_twin.tasks.refusing import RefusingJob

#: Where the job is listed.
name = "Fabric Twin"

#: Seconds: thousands of circuits tune for minutes, switches restart for minutes. What is not done
#: then is gone on with by the next worker.
SOFT_LIMIT, LIMIT = 3600, 3660
MODULE, CLASS = "fabric_twin.tasks.carry_out_ticket", "CarryOutTicket"


class CarryOutTicket(RefusingJob):
    """Go on with a ticket that is scheduled or runs, from what its switches show, to its end."""

    ticket = ObjectVar(model=Ticket, description="One whose window has begun, or that runs")

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
            _stall(ticket, refusal)
            raise
        how = How(
            call=call_audit, user=self.user, job_result=self.job_result, progress=self.say_step
        )
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
            _wait(ticket, refusal)
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


def _wait(ticket: Ticket, refusal: FabricTwinError) -> None:
    """A ticket that cannot begin now says what it waits for."""
    waiting = Ticket.objects.filter(pk=ticket.pk, state=State.SCHEDULED)
    waiting.update(message=str(refusal))


def _stall(ticket: Ticket, refusal: FabricTwinError) -> None:
    """A ticket with which nobody may go on says so, and who can."""
    _wait(ticket, refusal)
    alone = Q(lease_until__isnull=True) | Q(lease_until__lte=Now())
    silent = Q(message="") | Q(message__startswith=STALLED)
    running = Ticket.objects.filter(alone, silent, pk=ticket.pk, state=State.RUNNING)
    running.update(message=f"{STALLED} {refusal} Somebody who may run it stops and resumes it.")


def call_worker(ticket: UUID) -> None:
    """Have a ticket carried out by a worker, as the last person who set it going."""
    found = Ticket.objects.filter(pk=ticket).first()
    if found is None:
        return
    job = Job.objects.filter(module_name=MODULE, job_class_name=CLASS).first()
    user = runner_of(found)
    if job is None or not (job.enabled and job.installed):
        refusal = NotPossible(
            "the job Carry out ticket is not enabled",
            where=f"ticket {found.name}",
            remedy="Enable it on the page of the job",
        )
        _wait(found, refusal)
        raise refusal
    name_job(found, JobResult.enqueue_job(job, user, job_kwargs={"ticket": str(found.pk)}))


def runner_of(ticket: Ticket) -> Any:
    """Whoever scheduled, resumed or turned it last, as whom its job runs."""
    events = ticket.events.filter(who__isnull=False, what__in=("schedule", "resume", "undo"))
    last = events.order_by("-number").first()
    return last.who if last else get_user_model().objects.get(pk=ticket.author_id)


@receiver(wanted, dispatch_uid="fabric_twin.carry_out_ticket.wanted")
def _called_for(ticket: UUID, **_: Any) -> None:
    """Somebody wants it to begin or to go on now."""
    with suppress(FabricTwinError):  # the ticket says why it waits
        call_worker(ticket)


@worker_ready.connect(dispatch_uid="fabric_twin.carry_out_ticket")
def _look_for_tickets(**_: Any) -> None:
    """A worker that starts goes on with what another one left."""
    with suppress(DatabaseError, FabricTwinError):  # the watch looks again in a moment
        call_due(call_worker)
