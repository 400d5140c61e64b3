"""What audits learn of orders: cables to come, ports kept dark, and who waits for their end."""

from functools import partial

from fabric_twin.models import Pod
from fabric_twin.operations.hooks import AfterAudit, InHand
from fabric_twin.operations.orders.expected_cables import awaited_cables, ports_in_hands
from fabric_twin.operations.orders.fabric.settle_after_audit import before_looking, settle_orders


def _before_audit(pod: Pod) -> AfterAudit:
    """How far work is before an audit looks; orders are settled when it is over."""
    return partial(settle_orders, worked=before_looking(pod))


ORDERS_IN_HAND = InHand(
    domain="orders", before_audit=_before_audit, ports=ports_in_hands, cables=awaited_cables
)
