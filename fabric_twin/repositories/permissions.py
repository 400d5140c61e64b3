"""What a user may do, asked of the database for sets of rows as Nautobot asks for one."""

from collections.abc import Collection
from typing import Any

from django.db.models import Model

from fabric_twin.repositories.pod_lock import PodRefused


def require(user: Any, action: str, model: type[Model], keys: Collection[Any]) -> None:
    """Refuse unless the user may do this to every one of these rows; nobody is the system."""
    if user is None or user.is_superuser or not keys:
        return
    allowed = model.objects.restrict(user, action).order_by().filter(pk__in=list(keys)).count()
    if allowed < len(set(keys)):
        what = str(model._meta.verbose_name_plural)
        raise PodRefused(
            f"{user} may not {action} {len(set(keys)) - allowed:,} of {len(set(keys)):,} {what}",
            where="permissions",
            remedy=f"Ask for the permission to {action} these {what}. Nothing was written",
        )
