"""Lists whose filters name only what the user may see."""

from typing import Any

from nautobot.apps.models import RestrictedQuerySet


class SeenFiltersMixin:
    """A key in the address shows no name of a record that one may not see."""

    def filter_queryset(self, queryset: Any) -> Any:
        """The rows; what a filter is shown by is looked up among what the user may see."""
        rows = super().filter_queryset(queryset)  # type: ignore[misc]
        user = self.request.user  # type: ignore[attr-defined]
        for asked in self.filterset.filters.values():  # type: ignore[attr-defined]
            if isinstance(getattr(asked, "queryset", None), RestrictedQuerySet):
                asked.queryset = asked.queryset.restrict(user, "view")
        return rows
