"""Release a multislice as one: its slices, and the links that only its rings asked for."""

from django.db import transaction
from nautobot.users.models import User

from fabric_twin.core.errors import NotPermitted, NotPossible
from fabric_twin.core.proposals.proposal import RELEASE, TOPOLOGY
from fabric_twin.core.tickets.life import Action, State, allowed
from fabric_twin.models import Demand, Multislice, Ticket
from fabric_twin.models.slice import RELEASING
from fabric_twin.operations.networks.rings import JobStands, jobs_of, running_jobs
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.operations.tickets.drafts.make import make_ticket
from fabric_twin.operations.tickets.drafts.propose import propose_ticket
from fabric_twin.operations.tickets.drafts.terms import Terms
from fabric_twin.operations.tickets.lifecycle import submit, withdraw
from fabric_twin.repositories.change_log import record_alone
from fabric_twin.repositories.pod_lock import lock_rows


def release_multislice(
    made: Multislice, user: User, said: str = "", *, keep: bool = True
) -> list[Ticket]:
    """Withdraw its tickets that did not begin, and ask for the release of all that there is.

    All of it in one transaction: what cannot be released leaves the others as they were.
    """
    with transaction.atomic():
        lock_rows(*{made.pod_id, *made.parts.order_by().values_list("pod", flat=True)})
        if not Multislice.objects.restrict(user, "change").filter(pk=made.pk).exists():
            raise NotPermitted(
                f"you may not release the multislice {made.name}",
                where="multislice",
                remedy="Ask for the permission to change it",
            )
        [job] = jobs_of([made])
        reason = said or f"Multislice {made.name} is released"
        tickets = [*_slices(job, user, reason), *_rings(job, user, reason)]
        if not tickets:
            raise NotPossible(
                "there is nothing left of it to release",
                where=f"multislice {made.name}",
                remedy="Delete its record if nobody needs it",
            )
        record_alone(made, f"release: {', '.join(one.name for one in tickets)}", user)
        transaction.set_rollback(not keep)
    return tickets


def _slices(job: JobStands, user: User, reason: str) -> list[Ticket]:
    """Withdrawn where their ticket has not begun; a ticket of their release where they stand."""
    tickets = []
    for member in job.members:
        if member.slice is None or member.slice.status.name == RELEASING:
            continue
        if member.ticket and Action.WITHDRAW in allowed(State(member.ticket.state)):
            tickets.append(withdraw(member.ticket, user, reason))
            continue
        wish = {"slice": member.slice.name}
        ticket = wish_ticket(member.part.pod, RELEASE, wish, user, Terms(reason=reason))
        tickets.append(submit(ticket, user))
    return tickets


def _rings(job: JobStands, user: User, reason: str) -> list[Ticket]:
    """Links as all others ask for them, without the rings."""
    network, ticket = job.multislice.pod, job.ticket
    if ticket and Action.WITHDRAW in allowed(State(ticket.state)):
        return [withdraw(ticket, user, reason)]
    if ticket is None or ticket.state != State.DONE:
        return []
    follows = running_jobs(network) or Demand.objects.filter(pod=network).exists()
    wish = {"topology": "engineered" if follows else "uniform"}
    found = propose_ticket(network, TOPOLOGY, wish, user=user)
    if not (found.plan.stages or found.effects):
        return []
    terms = Terms(title=f"Links without the rings of {job.multislice.name}"[:255], reason=reason)
    return [submit(make_ticket(network, found, user, terms), user)]
