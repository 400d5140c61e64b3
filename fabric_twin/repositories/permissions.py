"""What a user may do and see, asked of the database for sets of rows as Nautobot asks for one.

What a user may not see is never told as 0: a figure asks what is hidden.
"""

from collections.abc import Callable, Collection, Iterable
from enum import Enum, auto
from typing import Any

from django.db.models import (
    Case,
    Exists,
    Expression,
    IntegerField,
    Model,
    QuerySet,
    Value,
    When,
)
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


class _Sees(Enum):
    """How much a user may see of a model."""

    ALL = auto()
    #: By the constraints of permissions.
    SOME = auto()
    NONE = auto()


def _sees(model: Any, user: User) -> _Sees:
    """How much a user may see of a model, without a look at its rows."""
    query = model.objects.restrict(user, "view").query
    if query.is_empty():
        return _Sees.NONE
    return _Sees.SOME if query.where else _Sees.ALL


def hides(there: Any, user: User) -> bool:
    """Whether a user may not see some of these rows, or none of their kind."""
    how = _sees(there.model, user)
    if how is not _Sees.SOME:
        return how is _Sees.NONE
    seen = there.model.objects.restrict(user, "view")
    return bool(there.exclude(pk__in=seen.values("pk")).exists())


def count_in_sight(there: Any, user: User, count: Callable[[Any], Expression]) -> Expression:
    """Within the query of a list: how many rows belong to each of its own.

    None to who may see no such record, and where all that belong to a row are hidden.
    """
    how = _sees(there.model, user)
    if how is _Sees.NONE:
        return Value(None, output_field=IntegerField())
    seen = there.restrict(user, "view")
    if how is _Sees.ALL:
        return count(seen)
    hidden = When(Exists(there) & ~Exists(seen), then=Value(None))
    return Case(hidden, default=count(seen), output_field=IntegerField())


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
