"""Release a multislice as one: its slices, and the links that only its rings asked for."""

from django.db import transaction
from nautobot.users.models import User

from fabric_twin.core.errors import NotPermitted, NotPossible
from fabric_twin.core.proposals.proposal import RELEASE, TOPOLOGY
from fabric_twin.core.tickets.life import Action, State, allowed
from fabric_twin.models import Demand, Multislice, Ticket
from fabric_twin.models.slice import RELEASING
from fabric_twin.operations.networks.last_topology import ISOLATED, last_kind
from fabric_twin.operations.networks.rings import JobIs, JobStands, jobs_of, running_jobs
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.operations.tickets.drafts.make import make_ticket
from fabric_twin.operations.tickets.drafts.propose import propose_ticket
from fabric_twin.operations.tickets.drafts.terms import Terms
from fabric_twin.operations.tickets.lifecycle import submit, withdraw
from fabric_twin.repositories.change_log import record_alone
from fabric_twin.repositories.pod_lock import lock_rows
from fabric_twin.repositories.pod_record import USABLE


def release_multislice(
    made: Multislice, user: User, said: str = "", *, keep: bool = True
) -> list[Ticket]:
    """Withdraw its tickets that did not begin, and ask for the release of all that there is.

    All of it in one transaction: what cannot be released leaves the others as they were.
    """
    with transaction.atomic():
        lock_rows(*{made.pod_id, *made.parts.order_by().values_list("pod", flat=True)})
        there = Multislice.objects.restrict(user, "change").filter(pk=made.pk).first()
        if there is None:
            raise NotPermitted(
                f"you may not release the multislice {made.name}",
                where="multislice",
                remedy="Ask for the permission to change it",
            )
        [job] = jobs_of([there])
        reason = said or f"Multislice {made.name} is released"
        given_up = _give_up(there)
        tickets = [*_slices(job, user, reason), *_rings(job, user, reason)]
        if not (tickets or given_up):
            ended = job.state is JobIs.ENDED
            raise NotPossible(
                "there is nothing left of it to release" if ended else "its release is asked for",
                where=f"multislice {made.name}",
                remedy="Delete its record if nobody needs it" if ended else "Carry its tickets out",
            )
        named = ", ".join(one.name for one in tickets)
        record_alone(made, f"release: {named or 'its rings are given up'}", user)
        transaction.set_rollback(not keep)
    return tickets


def _give_up(made: Multislice) -> bool:
    """Give rings up at once where no block takes links: no topology could do it."""
    if not made.keeps_rings or made.pod.blocks.filter(status__name__in=USABLE).exists():
        return False
    made.keeps_rings = False
    made.save(update_fields=["keeps_rings", "last_updated"])
    return True


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
    if job.is_asked_for and ticket:
        if Action.WITHDRAW in allowed(State(ticket.state)):
            return [withdraw(ticket, user, reason)]
        raise NotPossible(
            f"ticket {ticket.name} of its rings is {ticket.state}",
            where=f"multislice {job.multislice.name}",
            remedy="Finish or undo that ticket first",
        )
    if not job.multislice.keeps_rings:
        return []
    if (kind := last_kind(network)) != ISOLATED:
        follows = running_jobs(network) or Demand.objects.filter(pod=network).exists()
        kind = "engineered" if follows else "uniform"
    found = propose_ticket(network, TOPOLOGY, {"topology": kind}, user=user)
    terms = Terms(title=f"Links without the rings of {job.multislice.name}"[:255], reason=reason)
    return [submit(make_ticket(network, found, user, terms), user)]
