"""A user who sees one pod of two: what tests of pages are looked at with."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.contenttypes.models import ContentType
from nautobot.users.models import ObjectPermission


def see_one_pod(
    user: Any,
    pod: str,
    pod_of: Mapping[type, str],
    more: Mapping[type, Sequence[str]] | None = None,
) -> None:
    """An administrator no more: sees what `pod_of` ties to the pod, and may do more to some."""
    user.is_superuser = False
    user.save()
    for model, field in pod_of.items():
        leave, _ = ObjectPermission.objects.update_or_create(
            name=f"{model.__name__} of {pod}",
            defaults={
                "actions": ["view", *(more or {}).get(model, ())],
                "constraints": {field: pod},
            },
        )
        leave.users.add(user)
        leave.object_types.add(ContentType.objects.get_for_model(model))
