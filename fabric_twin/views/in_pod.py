"""The way to a record leads through its pod."""

from typing import Any

from nautobot.apps.ui import Breadcrumbs, InstanceBreadcrumbItem, ModelBreadcrumbItem
from nautobot.apps.views import get_obj_from_context

from fabric_twin.models import Pod


def breadcrumbs(*path: str) -> Breadcrumbs:
    """Pods, the pod, the list; `path` leads from the record to its pod."""

    def pod(context: Any) -> Any:
        found = get_obj_from_context(context)
        for step in path:
            found = getattr(found, step)
        return (
            found
            if Pod.objects.restrict(context["request"].user, "view").filter(pk=found.pk).exists()
            else None
        )

    return Breadcrumbs(
        items={
            "detail": [
                ModelBreadcrumbItem(model=Pod),
                InstanceBreadcrumbItem(instance=pod),
                ModelBreadcrumbItem(),
            ]
        }
    )
