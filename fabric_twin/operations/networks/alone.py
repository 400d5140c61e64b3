"""One change of links at a time: each ticket counts on those that another one would take away."""

from fabric_twin.core.errors import NotPossible
from fabric_twin.models import Pod, Ticket
from fabric_twin.models.ticket import ENDED


def check_alone(pod: Pod, but: Ticket | None = None) -> None:
    """Refuse a change of a network's links while another ticket of it is open."""
    there = Ticket.objects.filter(pod=pod).exclude(state__in=ENDED)
    other = there.exclude(pk=but.pk if but else None).select_related("pod").first()
    if other:
        raise NotPossible(
            f"ticket {other.name} ({other.title}) is open, and counts on the links that are there",
            where=f"network {pod.name}",
            remedy="Wait until it ends, or withdraw it",
        )
