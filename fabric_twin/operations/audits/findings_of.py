"""The findings of a record: those that are at it or, of a slice, by which it lacks links."""

from typing import Any

from django.db.models import Count, IntegerField, Model, OuterRef, Subquery, Value
from django.db.models.functions import Coalesce
from nautobot.dcim.models import Cable, Device, Rack
from nautobot.users.models import User

from fabric_twin.models import Cube, Finding, Port, Slice, Switch
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.repositories.silences import heard

#: The way from a finding to a record of each kind, and what of the record stands at its end.
_WAYS: dict[type[Model], tuple[str, str]] = {
    Cube: ("places__rack", "rack_id"),
    Switch: ("places__device", "device_id"),
    Port: ("places__port", "pk"),
    Slice: ("slices", "pk"),
    Rack: ("places__rack", "pk"),
    Device: ("places__device", "pk"),
    Cable: ("places__cable", "pk"),
}


def findings_of(record: Any, user: User) -> Any:
    """All findings of a record that the user may see, mended ones too."""
    way, field = _WAYS[type(record)]
    found = Finding.objects.restrict(user, "view").filter(**{way: getattr(record, field)})
    return found.distinct()


def heard_there(user: User) -> Any:
    """What tells of a fault that is there, is not silenced, and the user may see."""
    found = Finding.objects.restrict(user, "view").filter(state__in=FindingStateChoices.THERE)
    return heard(found).order_by()


def count_of(model: type[Model], user: User) -> Coalesce:
    """How many of those each row of a list has, within the list's own query."""
    way, field = _WAYS[model]
    rows = heard_there(user).filter(**{way: OuterRef(field)}).values(way)
    counted = rows.annotate(many=Count("pk", distinct=True)).values("many")
    return Coalesce(Subquery(counted, output_field=IntegerField()), Value(0))
