"""What is made from a wish and changed by its actions: tickets and work orders."""

from typing import Any

from nautobot.apps.api import ReadOnlyModelViewSet
from nautobot.extras.api.views import NotesViewSetMixin
from rest_framework.mixins import CreateModelMixin
from rest_framework.request import Request

from fabric_twin.api.locked import LockedUpdateMixin
from fabric_twin.api.refusals import Refusing


class WishedViewSet(
    Refusing, NotesViewSetMixin, CreateModelMixin, LockedUpdateMixin, ReadOnlyModelViewSet
):
    """POST makes one from a wish; POST on one of its actions asks for that action's permission."""

    http_method_names = ["get", "head", "options", "patch", "post"]
    queryset: Any
    makes_many = False
    #: How a wish is written.
    wish_class: type
    #: Fields that lists leave where they are: they are long.
    long: tuple[str, ...] = ()

    def get_queryset(self) -> Any:
        """Lists without what is long."""
        rows = super().get_queryset()
        return rows.defer(*self.long) if self.action == "list" else rows

    def get_serializer_class(self) -> Any:
        """A wish where one is to be made."""
        if self._makes():
            return self.wish_class
        return super().get_serializer_class()

    def restrict_queryset(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Who may see one may ask; what is done asks for its own permission."""
        asks = request.method == "POST" and not self._makes()
        if request.user.is_authenticated and asks:
            self.queryset = self.queryset.restrict(request.user, "view")
        else:
            super().restrict_queryset(request, *args, **kwargs)

    def _makes(self) -> bool:
        """Whether the request makes one, or asks how."""
        posted = bool(self.request) and self.request.method == "POST"
        return posted and self.action in {"create", "metadata"}
