"""What a page says of an order before there is one: whom it interrupts, and what it takes."""

from collections.abc import Mapping
from typing import Any

from django.utils.safestring import mark_safe
from nautobot.users.models import User

from fabric_twin.core.orders.mending import points_of
from fabric_twin.documents import embed
from fabric_twin.documents.orders.route_curve import route_curve
from fabric_twin.models import Pod
from fabric_twin.operations.orders.drain_impact import drain_choices
from fabric_twin.operations.orders.propose import OrderWish, propose_order, whole_wish
from fabric_twin.presenters.order_needs import impact_note, impact_table
from fabric_twin.presenters.work_order import proposed_tables


def curve_of(measure: Mapping[str, Any], name: str, chosen: str) -> dict[str, Any]:
    """The routes of a repair, drawn and as a table; nothing where one finding leaves no choice."""
    points = tuple(points_of(measure.get("routes", ())))
    if len({(point.mean, point.metres) for point in points}) < 2:
        return {}
    document = route_curve(name, points, chosen)
    return {
        "curve": mark_safe(embed.svg(document, "", {})),  # noqa: S308 - our templates escape names
        "curve_style": mark_safe(embed.style()),  # noqa: S308
        "curve_table": document.tables[0],
    }


def looked_at(pod: Pod, wish: OrderWish, user: User) -> dict[str, Any]:
    """The order that a wish would make, for the page that asks; nothing is written.

    It is empty for a user who may not see the pod.
    """
    if not Pod.objects.restrict(user, "view").filter(pk=pod.pk).exists():
        return {}
    proposed = propose_order(pod, whole_wish(pod, wish, user))
    impact = drain_choices(pod, proposed.order, proposed.order.needs)
    curve = curve_of(proposed.measure, proposed.order.name, str(wish.route))
    return curve | {
        "proposed": proposed.order.title,
        "impact": impact_table(pod, impact, user, interrupt=wish.interrupt),
        "note": impact_note(pod, impact, user, interrupt=wish.interrupt),
        "sections": proposed_tables(proposed, pod),
    }
