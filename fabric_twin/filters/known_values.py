"""A filter refuses what it cannot ask for, instead of leaving it out or failing at the database."""

from typing import Any

from django.db import DataError, connection, transaction
from django.forms.utils import ErrorList
from django_filters import BooleanFilter
from nautobot.apps.filters import BaseFilterSet, NautobotFilterSet

#: Lookups of a part of a text, and of a pattern in it.
_PATTERNS = ("regex", "iregex")
_ENDS = ("contains", "startswith", "endswith")
_ENDS = ("contains", "startswith", "endswith")
_OF_TEXTS = (*_PATTERNS, *_ENDS, *(f"i{end}" for end in _ENDS))
#: Words for no answer, besides an empty one: Nautobot's forms have such a choice.
_NO_ANSWER = ("unknown",)


class _KnownValuesMixin:
    """Says of a value that cannot be asked for that it is wrong, as of any other wrong value."""

    def filter_queryset(self, queryset: Any) -> Any:
        """Nothing, where something is wrong: pages ask for rows before they ask for that."""
        return queryset.none() if self.errors else super().filter_queryset(queryset)  # type: ignore[misc]

    def is_valid(self) -> bool:
        """Whether nothing is wrong."""
        return super().is_valid() and not self.errors  # type: ignore[misc]

    @property
    def errors(self) -> Any:
        """What Nautobot finds wrong, and these."""
        found = super().errors  # type: ignore[misc]
        for name in self.form.data:  # type: ignore[attr-defined]
            asked = self.filters.get(name)  # type: ignore[attr-defined]
            if asked and name not in found and (why := self._why_not(name, asked)):
                found[name] = ErrorList([why])
        return found

    def _why_not(self, name: str, asked: Any) -> str:
        given = self.form.data.get(name)  # type: ignore[attr-defined]
        heard = self.form.cleaned_data.get(name)  # type: ignore[attr-defined]
        if isinstance(asked, BooleanFilter):
            unheard = given and given not in _NO_ANSWER and heard is None
            return "It is neither true nor false." if unheard else ""
        values = heard if isinstance(heard, list) else [heard]
        if asked.lookup_expr in _OF_TEXTS and getattr(asked, "null_value", None) in values:
            return "An empty value is not text: filter without `__`."
        if asked.lookup_expr in _PATTERNS and not all(_is_pattern(str(one)) for one in values):
            return "It is not a regular expression that PostgreSQL knows."
        return ""


def _is_pattern(text: str) -> bool:
    """Whether PostgreSQL, whose expressions are its own, can look for it."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT '' ~ %s", [text])
    except DataError:
        return False
    return True


class PartFilterSet(_KnownValuesMixin, BaseFilterSet):
    """Filters of what is a part of records, and has no tags."""


class RecordFilterSet(_KnownValuesMixin, NautobotFilterSet):
    """Filters of records."""
