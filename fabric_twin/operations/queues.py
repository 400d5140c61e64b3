"""Where jobs run: a pod names its queue, and the workers of that queue reach its switches.

Our own calls go there at once. What comes another way, from a page, REST or a schedule, is handed
on by the worker that gets it (`hand_on.py`).
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from fabric_twin.models import Block, Cube, Pod, Switch, Ticket, WorkOrder

#: What a job may be told that is of one pod, and where its pod is.
_OF_POD: dict[str, tuple[Any, str]] = {
    "pod": (Pod, "pk"),
    "ticket": (Ticket, "pod"),
    "order": (WorkOrder, "pod"),
    "switch": (Switch, "pod"),
    "cube": (Cube, "pod"),
    "block": (Block, "pod"),
}


def pod_of(wish: Mapping[str, Any]) -> Pod | None:
    """The pod that a job is about, by what it was told; none where it is about all or nothing."""
    for name, (model, column) in _OF_POD.items():
        key = getattr(wish.get(name), "pk", wish.get(name))
        if key and _is_key(key):
            keys = model.objects.filter(pk=key).values(column)
            pod: Pod | None = Pod.objects.filter(pk__in=keys).select_related("queue").first()
            return pod
    return None


def queue_of(pods: QuerySet[Pod]) -> dict[str, str]:
    """How a call names the queue of a pod; nothing where that is the default."""
    name = pods.values_list("queue__name", flat=True).first()
    return {"queue": name} if name else {}


def _is_key(given: object) -> bool:
    """A pod that is to be loaded is told by its name."""
    try:
        return bool(UUID(str(given)))
    except ValueError:
        return False
