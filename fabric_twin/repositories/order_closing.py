"""An order closes when an audit of its places agrees, and what does not is opened again."""

from fabric_twin.models import AuditRun


def settle_orders(run: AuditRun) -> None:
    """What a run says of orders whose places it looked at."""
    raise NotImplementedError
