"""What lists of Nautobot's own records can be filtered by, besides: pages, REST and GraphQL."""

from typing import ClassVar

from nautobot.apps.filters import FilterExtension

from fabric_twin.filters.cable import light_filters
from fabric_twin.forms.cable import light_fields


class CableFilters(FilterExtension):
    """By when light last agreed with a cable."""

    model = "dcim.cable"
    filterset_fields: ClassVar = light_filters()
    filterform_fields: ClassVar = light_fields()


filter_extensions = [CableFilters]
