"""Whether a stage can take links away now: what is left carries what pairs ask for by now."""

from typing import Any
from uuid import UUID

from nautobot.users.models import User

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.proposals.proposal import TOPOLOGY
from fabric_twin.core.tickets.course import Course, Position
from fabric_twin.models import Demand, Multislice, Ticket
from fabric_twin.operations.networks.demand import demand_of
from fabric_twin.operations.networks.rings import running_jobs


def check_kept(ticket: Ticket, course: Course, position: Position, user: User) -> None:
    """Refuse a stage that takes circuits away that a pair needs.

    A topology takes those of blocks that leave, whatever they ask for. Who may not view demand
    or the jobs that run hears of no
    figures.
    """
    # Its solver is slow to load, and most processes never plan a topology.
    from fabric_twin.core.proposals.links import check_without
    from fabric_twin.operations.networks.topology import read_network

    pod, day = ticket.pod, ticket.plan.get("demand")
    now, own = read_network(pod, day), course.own.keys()
    asked = now.asked_of(now.takes) if ticket.kind == TOPOLOGY else now.asked
    there = [circuit for circuit in now.circuits if circuit.key not in own]
    first, before = ([*there, *course.states[state].values()] for state in (0, position.stage - 1))
    gone = {circuit.key for circuit in course.stages[position.stage - 1].remove}
    left = [circuit for circuit in before if circuit.key not in gone]
    try:
        check_without(now, asked, first, left, str(position))
    except NotPossible as refusal:
        demand = demand_of(pod, day)
        asking: list[tuple[Any, set[UUID]]] = [
            (Demand, {demand.pk} if demand else set()),
            (Multislice, {job.multislice.pk for job in running_jobs(pod)}),
        ]
        if all(
            model.objects.restrict(user, "view").filter(pk__in=keys).count() == len(keys)
            for model, keys in asking
        ):
            raise
        raise NotPossible(
            "a pair of blocks would have too few links for what it asks for",
            where=refusal.where,
            remedy=refusal.remedy,
        ) from None
