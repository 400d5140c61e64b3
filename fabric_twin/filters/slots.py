"""Slots in a filter, as people write them: `1-4,7`."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django_filters import Filter
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.slots import parse_slots

#: More slots than a record can have; a filter may ask for what is not there.
LAST = 32_767


class SlotsField(forms.CharField):
    """Reads a set of slots, or says what is wrong with it."""

    def clean(self, value: Any) -> tuple[int, ...]:
        """The slots of the set; none where nothing is asked."""
        text = super().clean(value)
        try:
            return parse_slots(text, LAST) if text else ()
        except FabricTwinError as refusal:
            # The page that shows it fills in what follows a %, and the text may hold one.
            raise ValidationError("%(why)s", params={"why": refusal}) from None


@extend_schema_field(OpenApiTypes.STR)
class SlotsFilter(Filter):
    """Records whose slot is one of a set."""

    field_class = SlotsField

    def filter(self, queryset: QuerySet[Any], value: tuple[int, ...]) -> Any:
        """Keep what stands in one of the slots."""
        if not value:
            return queryset
        found = queryset.filter(**{f"{self.field_name}__in": value})
        return found.distinct() if self.distinct else found
