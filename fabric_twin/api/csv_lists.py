"""Lists as CSV, written while they are read: however many records, some at a time.

Nautobot makes all of a list first, and answers nothing before the last of it.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.http import StreamingHttpResponse
from nautobot.core.api.renderers import NautobotCSVRenderer
from nautobot.extras.models import CustomField
from rest_framework.fields import ReadOnlyField
from rest_framework.request import Request

#: Records at a time.
AT_ONCE = 500


class _Line:
    """A file that hands back what is written to it."""

    def write(self, line: str) -> str:
        """Hand it back."""
        return line


class CsvListsMixin:
    """A view whose list comes as CSV line by line."""

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """The list; as CSV it is all of it, and line by line where it is long."""
        if request.accepted_renderer.format == "csv":
            rows = self.filter_queryset(self.get_queryset())  # type: ignore[attr-defined]
            if len(keys := list(rows.values_list("pk", flat=True))) > AT_ONCE:
                lines = self._lines(rows, keys)
                return StreamingHttpResponse(lines, content_type="text/csv; charset=UTF-8")
        return super().list(request, *args, **kwargs)  # type: ignore[misc]

    def _lines(self, rows: Any, keys: Sequence[Any]) -> Iterator[str]:
        renderer, write, headers = NautobotCSVRenderer(), csv.writer(_Line()).writerow, None
        for first in range(0, len(keys), AT_ONCE):
            some = rows.filter(pk__in=keys[first : first + AT_ONCE])
            page = _whole(self.get_serializer(some, many=True))  # type: ignore[attr-defined]
            for record in _quick(page).data:
                if headers is None:
                    headers = renderer.get_headers([_with_custom_fields(record, rows.model)])
                    yield write(headers)
                yield write(renderer.object_to_row_elements(record, headers=headers))


def _whole(page: Any) -> Any:
    """A page without the records that were deleted while it was read: half of each is there."""
    one = page.child
    named = set(one._get_related_fields_natural_key_field_lookups())  # noqa: SLF001
    found = one.natural_keys_values = one.natural_keys_values or {}
    page.instance = [row for row in page.instance if named <= found.get(row.pk, {}).keys()]
    return page


def _quick(page: Any) -> Any:
    """A page without the addresses of what its rows name by natural keys: nobody sees them."""
    one = page.child
    named = {key.partition("__")[0] for row in one.natural_keys_values.values() for key in row}
    for name in named & one.fields.keys():
        one.fields[name] = ReadOnlyField(source="pk")
        one.fields[name].bind(name, one)
    one.fields.pop("url", None)
    return page


def _with_custom_fields(record: Mapping[str, Any], model: Any) -> dict[str, Any]:
    """A record with each custom field there is: another may have what the first lacks."""
    known = CustomField.objects.get_for_model(model, get_queryset=False)
    fields = {"custom_fields": {field.key: None for field in known}}
    return {**record, **(fields if "custom_fields" in record else {})}
