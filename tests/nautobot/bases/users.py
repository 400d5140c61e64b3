"""Users of the tests, and what they may do."""

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from nautobot.users.models import ObjectPermission


def allow(user: Any, actions: list[str], *models: Any, **constraints: Any) -> None:
    """Let a user do this to rows of some models."""
    permission = ObjectPermission.objects.create(
        name=f"{user} {actions} {len(ObjectPermission.objects.all())}",
        actions=actions,
        constraints=constraints or None,
    )
    permission.users.add(user)
    permission.object_types.set(ContentType.objects.get_for_models(*models).values())


def admin() -> Any:
    """Somebody who may do everything."""
    return get_user_model().objects.get_or_create(username="admin of api", is_superuser=True)[0]


def somebody(name: str) -> Any:
    """Somebody who may do nothing yet."""
    return get_user_model().objects.create_user(name)
