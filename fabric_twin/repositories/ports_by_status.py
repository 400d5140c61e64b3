"""The few ports whose interface has one of some statuses."""

from collections.abc import Sequence
from typing import Any

from nautobot.extras.models import Status


def with_status(ports: Any, names: Sequence[str]) -> Any:
    """Those of some ports whose interface has a status of one of these names.

    PostgreSQL knows how few rows have a status that it is given; by the name it joins all ports.
    """
    statuses = Status.objects.filter(name__in=names).order_by().values_list("pk", flat=True)
    return ports.filter(interface__status__in=list(statuses))
