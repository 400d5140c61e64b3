"""What a day leaves in a pod: fibres break, audits find them, an order and a ticket are made."""

import tempfile
from pathlib import Path

from simulated import Simulated, connect
from sizes import Size
from workers import audit

AUDITS = 3


def add_a_days_work(pod: str, size: Size) -> None:
    """Findings of broken fibres, the runs that found them, an order to mend them, and a ticket."""
    from django.contrib.auth import get_user_model

    from fabric_twin.core.orders.order import Kind
    from fabric_twin.models import Pod
    from fabric_twin.operations.orders.lifecycle import make_order
    from fabric_twin.operations.orders.propose import OrderWish
    from fabric_twin.operations.tickets.create import wish_ticket

    with tempfile.TemporaryDirectory(prefix="fabric-twin-bench-") as folder:
        fabric = Simulated(Path(folder), pod, slots=size.slots)
        try:
            connect(fabric, pod)
            fabric.break_fibres(pod, size.broken)
            for _ in range(AUDITS):
                audit(pod)
        finally:
            fabric.stop()
    admin = get_user_model().objects.get(username="sees all")
    there = Pod.objects.get(name=pod)
    make_order(there, OrderWish(kind=Kind.REPAIR), admin)
    wish_ticket(there, "maintenance", {"switches": [f"{pod}-ocs-z-4-4"]}, admin)
