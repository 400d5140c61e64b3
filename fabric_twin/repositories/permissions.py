"""What a user may do, asked of the database for sets of rows as Nautobot asks for one."""

from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import Model, QuerySet
from nautobot.users.models import User

from fabric_twin.core.errors import NotPermitted


def require(user: User | None, action: str, model: type[Model], keys: Collection[Any]) -> None:
    """Refuse unless the user may do this to every one of these rows; nobody is the system."""
    if not _may_everything(user) and keys:
        require_of(user, action, [model._default_manager.filter(pk__in=list(keys))])


def require_of(user: User | None, action: str, sets: Iterable[QuerySet[Any]]) -> None:
    """Refuse unless the user may do this to every row of these sets; nobody is the system."""
    if _may_everything(user):
        return
    for rows in sets:
        keys = rows.order_by().values("pk").distinct()
        allowed = rows.model.objects.restrict(user, action).order_by().values("pk")
        if beyond := keys.difference(allowed).count():
            raise _refusal(user, action, rows.model, f"{beyond:,} of {keys.count():,} ")


def require_kinds(user: User | None, action: str, models: Iterable[type[Model]]) -> None:
    """Refuse who may do this to no row at all of one of these kinds.

    Asked before anything is written; of which rows, only the rows themselves can say.
    """
    for model in models:
        if user is not None and not user.has_perm(_permission(action, model)):
            raise _refusal(user, action, model, "")


def _may_everything(user: User | None) -> bool:
    return user is None or bool(user.is_superuser)


def _refusal(user: User | None, action: str, model: type[Model], many: str) -> NotPermitted:
    what = model._meta.verbose_name_plural
    done = "shown" if action == "view" else "written"
    return NotPermitted(
        f"{user} may not {action} {many}{what}",
        where="permissions",
        remedy=f"Ask for the permission {_permission(action, model)} for these {what}. "
        f"Nothing was {done}",
    )


def _permission(action: str, model: type[Model]) -> str:
    return f"{model._meta.app_label}.{action}_{model._meta.model_name}"
