"""Lists that count what belongs to each row, in the query of the list."""

from typing import Any

from fabric_twin.tables.related_count import visible_count


class CountedMixin:
    """Adds the counts that the table shows, of what the user may see."""

    #: The name of each count, the model that is counted, and its foreign key to the row.
    counts: dict[str, tuple[Any, str]] = {}

    def alter_queryset(self, request: Any) -> Any:
        """The rows of the list with their counts."""
        queryset = super().alter_queryset(request)  # type: ignore[misc]
        if getattr(self, "action", "") != "list":
            return queryset
        return queryset.annotate(
            **{
                name: visible_count(model, field, request.user)
                for name, (model, field) in self.counts.items()
            }
        )
