"""A filter that asks for yes or no refuses other words, instead of leaving out what was asked."""

from typing import Any

from django.forms.utils import ErrorList
from django_filters import BooleanFilter
from nautobot.apps.filters import BaseFilterSet, NautobotFilterSet

#: Words for no answer, besides an empty one: Nautobot's forms have such a choice.
_NO_ANSWER = ("unknown",)


class _KnownValuesMixin:
    """Says of what is neither true nor false that it is not, as of any other wrong value."""

    def is_valid(self) -> bool:
        """Whether nothing is wrong."""
        return super().is_valid() and not self.errors  # type: ignore[misc]

    @property
    def errors(self) -> Any:
        """What Nautobot finds wrong, and these."""
        found = super().errors  # type: ignore[misc]
        for name, asked in self.filters.items():  # type: ignore[attr-defined]
            given = self.form.data.get(name)  # type: ignore[attr-defined]
            if not isinstance(asked, BooleanFilter) or not given or given in _NO_ANSWER:
                continue
            if name not in found and self.form.cleaned_data.get(name) is None:  # type: ignore[attr-defined]
                found[name] = ErrorList(["It is neither true nor false."])
        return found


class PartFilterSet(_KnownValuesMixin, BaseFilterSet):
    """Filters of what is a part of records, and has no tags."""


class RecordFilterSet(_KnownValuesMixin, NautobotFilterSet):
    """Filters of records."""
