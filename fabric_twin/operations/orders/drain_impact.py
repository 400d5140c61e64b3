"""Which slices the drains of an order interrupt or move, planned before tickets are asked for."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any
from uuid import UUID

from nautobot.users.models import User

from fabric_twin.core.orders.impact import Impact, impact_of
from fabric_twin.core.orders.measure import measure
from fabric_twin.core.orders.order import Need
from fabric_twin.core.orders.order import WorkOrder as CoreOrder
from fabric_twin.core.orders.ports import simplex
from fabric_twin.core.orders.steps import End
from fabric_twin.core.proposals.proposal import MAINTENANCE
from fabric_twin.models import Pod, Slice
from fabric_twin.operations.orders.unmet_needs import DRAIN
from fabric_twin.operations.tickets.drafts.propose import propose_ticket


def ports_to_drain(needs: Iterable[Need]) -> list[End]:
    """The ports of switches that these needs want without circuits, as a switch names them."""
    drains = (need for need in needs if need.what == DRAIN)
    return sorted({one for need in drains for end in need.ports for one in simplex(end)})


def drain_wish(ports: Iterable[End], *, interrupt: bool, bear: int = 0) -> dict[str, Any]:
    """The wish for the ticket that clears some ports."""
    return {"ports": [list(port) for port in ports], "interrupt": interrupt, "bear": bear}


def names_seen(pod: Pod, impact: Impact, user: User) -> frozenset[str]:
    """The slices of an impact that a user may see."""
    rows = Slice.objects.restrict(user, "view").filter(pod=pod, name__in=impact.names)
    return frozenset(rows.values_list("name", flat=True) if impact.names else ())


def drain_impact(
    pod: Pod,
    core: CoreOrder,
    needs: Iterable[Need],
    lent: Collection[UUID] = (),
    *,
    bear: int = 0,
) -> Impact:
    """What the drains among some needs of an order do to slices; `lent` the order would lend.

    `bear` is how many switches a join of two cubes may lack in a slice that stays.
    """
    ports = ports_to_drain(needs)
    if not ports:
        return Impact()
    proposal = propose_ticket(pod, MAINTENANCE, drain_wish(ports, interrupt=True, bear=bear), lent)
    return impact_of(proposal, ports, measure(core).seconds)


def drain_choices(
    pod: Pod, core: CoreOrder, needs: Sequence[Need], lent: Collection[UUID] = ()
) -> Impact:
    """The same for slices that bear nothing, with what the pod would let them bear."""
    impact = drain_impact(pod, core, needs, lent)
    if not impact.hits or not pod.bear:
        return impact
    return impact.offering(drain_impact(pod, core, needs, lent, bear=pod.bear))
