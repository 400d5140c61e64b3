"""Pages of lists: the deeper their records are shown, the fewer."""

from typing import Any

from nautobot.core.api.pagination import OptionalLimitOffsetPagination
from rest_framework.request import Request

from fabric_twin.api.readable import MOST_NESTED, check_nested


class NestedPagination(OptionalLimitOffsetPagination):
    """Pages as Nautobot has them, but for how many records can be shown so deep."""

    depth = 0

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        """A page, as deep as its view shows it."""
        self.depth = view.get_serializer_context()["depth"]
        return super().paginate_queryset(queryset, request, view)

    def get_limit(self, request: Request) -> int:
        """As many as can be shown so deep; more are refused where they are asked for by number."""
        limit: int = super().get_limit(request)
        check_nested(self.depth, limit if _is_asked(request) else 1)
        if most := MOST_NESTED.get(self.depth):
            return min(limit or most, most)
        return limit


def _is_asked(request: Request) -> bool:
    try:
        return int(request.query_params["limit"]) > 0
    except (KeyError, ValueError):
        return False
