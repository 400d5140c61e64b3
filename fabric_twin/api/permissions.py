"""Who may ask over REST, where what is asked for has a permission of its own."""

from collections.abc import Mapping
from typing import Any

from nautobot.core.api.authentication import TokenPermissions
from rest_framework.request import Request

from fabric_twin.presenters.asking_user import user_of


class ViewPermission(TokenPermissions):
    """Who may see it may ask; the job says who may run it."""

    perms_map = {"POST": ["%(app_label)s.view_%(model_name)s"]}


class ReleasePermission(TokenPermissions):
    """To release a slice is to delete it."""

    perms_map = {"POST": ["%(app_label)s.delete_%(model_name)s"]}


class MayAsk:
    """A view with actions that many may ask for: what is done asks for its own permission."""

    #: What somebody may do with a record who asks for an action, by the action.
    may_ask: Mapping[str, str] = {}

    def restrict_queryset(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """The records of which the user may ask it."""
        least = self.may_ask.get(self.action)  # type: ignore[attr-defined]
        if request.user.is_authenticated and least:
            self.queryset = self.queryset.restrict(user_of(request), least)  # type: ignore[has-type]
        else:
            super().restrict_queryset(request, *args, **kwargs)  # type: ignore[misc]
