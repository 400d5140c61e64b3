"""Filters of findings and of their places."""

import re
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from nautobot.apps.filters import (
    BooleanFilter,
    ModelMultipleChoiceFilter,
    MultipleChoiceFilter,
    MultiValueCharFilter,
    NaturalKeyOrPKMultipleChoiceFilter,
    SearchFilter,
)
from nautobot.users.models import User

from fabric_twin.core.record_names import tidy
from fabric_twin.filters import related
from fabric_twin.filters.known_values import PartFilterSet, RecordFilterSet
from fabric_twin.models import Finding, FindingPlace, Port
from fabric_twin.models.finding import FindingStateChoices, ImpactChoices, SeverityChoices
from fabric_twin.operations.audits.findings_of import is_at
from fabric_twin.repositories.silences import is_silenced

#: As the page of a finding is called: `swapped at iw1-ocs-x-3-2 7A`.
_TITLE = re.compile(r"(?:(?P<code>\S+)\s+at\s+)?(?P<place>.+)", re.IGNORECASE)
#: The same of one that is nowhere in particular: `stale in pod iw1`.
_IN_POD = re.compile(r"(?P<code>\S+) in pod (?P<pod>\S+)", re.IGNORECASE)
#: What stands before a port in a name, and the port.
_PLACE = re.compile(r"(?P<device>.+?)[\s:]+(?P<port>[^\s:]+)")


class FindingSearch(SearchFilter):
    """Findings by their words, by where they are, and by the serial of a transceiver there."""

    def generate_query(self, value: str, **_: Any) -> Q:
        """One question to findings, and one to places: no finding comes twice."""
        found: Q = super().generate_query(value)
        if (text := tidy(value)) is None or not (title := _TITLE.fullmatch(text)):
            return found
        if in_pod := _IN_POD.fullmatch(text):
            of_pod = Q(code__iexact=in_pod["code"], pod__name__iexact=in_pod["pod"])
            return found | (of_pod & Q(places=None))
        place = title["place"]
        there = Q(port__module_bay__installed_module__serial__iexact=place)
        there |= Q(device_name__iexact=place) | Q(cable_name__iexact=place)
        if named := _PLACE.fullmatch(place):
            there |= Q(device_name__iexact=named["device"], port_name__iexact=named["port"])
        at = Q(pk__in=FindingPlace.objects.filter(there).order_by().values("finding"))
        if title["code"]:
            at &= Q(code__iexact=title["code"])
        return found | at


class FindingFilterSet(RecordFilterSet):
    """By what it is, by where it is, by how long it is there, and by whom it hits."""

    q = FindingSearch(
        filter_predicates={"key": "icontains", "code": "icontains", "cause": "icontains"}
    )
    pod = related.pods()
    location = related.locations("pod__location")
    code = MultiValueCharFilter()
    severity = MultipleChoiceFilter(choices=SeverityChoices)
    state = MultipleChoiceFilter(choices=FindingStateChoices)
    impact = MultipleChoiceFilter(choices=ImpactChoices, method="of_impact")
    owner = NaturalKeyOrPKMultipleChoiceFilter(
        queryset=User.objects.all(), to_field_name="username", label="Owner (name or ID)"
    )
    overdue = BooleanFilter(method="that_is_overdue", label="Overdue")
    is_there = BooleanFilter(method="that_is_there", label="Is there")
    silenced = BooleanFilter(method="that_is_silenced", label="Is silenced")
    switch = related.switches(method="that_are_at")
    cube = related.cubes(method="that_are_at")
    block = related.blocks(method="that_are_at")
    port = ModelMultipleChoiceFilter(
        field_name="places__port",
        queryset=Port.objects.all(),
        label="Port (ID)",
        method="that_are_at",
    )
    device = related.devices("places__device")
    rack = related.racks("places__rack")
    cable = related.cables("places__cable")
    slice = related.slices("slices")

    class Meta:
        model = Finding
        fields = [
            "id",
            "pod",
            "key",
            "code",
            "severity",
            "state",
            "circuits_lost",
            "cubes_lost",
            "is_spared",
            "due",
            "observed",
            "first_seen",
            "opened",
            "last_seen",
            "seen",
            "mended_at",
            "joined_with",
            "reopened",
            "worked_on",
            "tags",
        ]

    def that_are_at(self, queryset: QuerySet[Any], _name: str, records: Sequence[Any]) -> Any:
        """Findings at some records, or at the other ends of their cables."""
        if not records:
            return queryset
        model = type(records[0])
        of = model._default_manager.filter(pk__in=[record.pk for record in records])
        return queryset.filter(is_at(model, of)).distinct()

    def that_is_there(self, queryset: QuerySet[Any], _name: str, there: bool) -> Any:
        """Findings that tell of a fault that is there; or those mended, or told by another."""
        states = {"state__in": FindingStateChoices.THERE}
        return queryset.filter(**states) if there else queryset.exclude(**states)

    def of_impact(self, queryset: QuerySet[Any], _name: str, value: list[str]) -> Any:
        """Findings that cost running slices, capacity, or nothing now."""
        costs = {
            ImpactChoices.CRITICAL: Q(circuits_lost__gt=0),
            ImpactChoices.MAJOR: Q(circuits_lost=0, cubes_lost__gt=0),
            ImpactChoices.MINOR: Q(circuits_lost=0, cubes_lost=0),
        }
        chosen = [costs[one] for one in value]
        return queryset.filter(reduce(or_, chosen)) if chosen else queryset

    def that_is_overdue(self, queryset: QuerySet[Any], _name: str, overdue: bool) -> Any:
        """Findings that should have been mended by now, or the others."""
        late = Q(state__in=FindingStateChoices.THERE, due__lte=timezone.now())
        return queryset.filter(late) if overdue else queryset.exclude(late)

    def that_is_silenced(self, queryset: QuerySet[Any], _name: str, silenced: bool) -> Any:
        """Findings that a rule keeps quiet now, or the others."""
        return queryset.filter(is_silenced()) if silenced else queryset.exclude(is_silenced())


class FindingPlaceFilterSet(PartFilterSet):
    """By finding, and by what is there."""

    q = SearchFilter(
        filter_predicates={
            "device_name": "icontains",
            "port_name": "icontains",
            "cable_name": "icontains",
        }
    )
    pod = related.pods("finding__pod")
    device = related.devices("device")
    rack = related.racks("rack")
    cable = related.cables("cable")

    class Meta:
        model = FindingPlace
        fields = ["id", "finding", "port", "device_name", "port_name", "cable_name"]
