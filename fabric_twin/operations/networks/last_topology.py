"""The topology that a network has: that of its last ticket that was carried out."""

from fabric_twin.core.proposals.proposal import TOPOLOGY
from fabric_twin.core.tickets.life import State
from fabric_twin.models import Pod, Ticket

ISOLATED = "isolated"


def last_kind(network: Pod) -> str:
    """Its kind; empty where no ticket made it."""
    done = Ticket.objects.filter(pod=network, kind=TOPOLOGY, state=State.DONE)
    wish = done.order_by("-ended").values_list("wish", flat=True).first()
    return str(wish["topology"]) if wish else ""
