"""The findings of a record: those that are at it or, of a slice, by which it lacks links."""

from collections.abc import Collection
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Count, Expression, IntegerField, Model, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce
from nautobot.dcim.models import Cable, Device, Rack
from nautobot.users.models import User

from fabric_twin.core.findings.noted import Noted
from fabric_twin.models import AuditRun, Block, Cube, Finding, Pod, Port, Slice, Switch
from fabric_twin.models.finding import FindingStateChoices, SeverityChoices
from fabric_twin.repositories.permissions import count_in_sight
from fabric_twin.repositories.silences import heard

#: The ports of the cable that a place's port is on: what is wrong at one end is so at the other.
_ENDS = "places__port__interface__cable_termination__cable__terminations__interface"
#: The ways from a finding to a record of each kind, and what of the record stands at their end.
_WAYS: dict[type[Model], tuple[tuple[str, str], ...]] = {
    Cube: (("places__rack", "rack"), (f"{_ENDS}__device__rack", "rack")),
    **dict.fromkeys(
        (Switch, Block), (("places__device", "device"), (f"{_ENDS}__device", "device"))
    ),
    Port: (("places__port", "pk"), (f"{_ENDS}__fabric_port", "pk")),
    Slice: (("slices", "pk"),),
    Rack: (("places__rack", "pk"),),
    Device: (("places__device", "pk"),),
    Cable: (("places__cable", "pk"),),
}


def is_at(model: type[Model], records: Any) -> Q:
    """Whether a finding is at one of some records, or at the other end of a cable of theirs."""
    ways = (Q(**{f"{way}__in": records.values(field)}) for way, field in _WAYS[model])
    return reduce(or_, ways)


def findings_of(record: Any, user: User) -> Any:
    """All findings of a record that the user may see, mended ones too."""
    return Finding.objects.restrict(user, "view").filter(_is_of(record)).distinct()


def hides_some(record: Any, user: User) -> bool:
    """Whether a record has findings that the user may not see."""
    if user.is_superuser:
        return False
    seen = Finding.objects.restrict(user, "view")
    return bool(Finding.objects.filter(_is_of(record)).exclude(pk__in=seen.values("pk")).exists())


def _is_of(record: Any) -> Q:
    model = type(record)
    return is_at(model, model.objects.filter(pk=record.pk))


def heard_there(user: User) -> Any:
    """What tells of a fault that is there, is not silenced, and the user may see."""
    found = Finding.objects.restrict(user, "view").filter(state__in=FindingStateChoices.THERE)
    return heard(found).order_by()


def keys_of(run: AuditRun, *kinds: str) -> list[str]:
    """The keys of a run's findings: those `found`, `new`, `gone` or `not_seen`."""
    return [key for kind in kinds for key in run.keys.get(kind, ())]


def hides_findings(pod: Pod, user: User, keys: Collection[str] | None = None) -> bool:
    """Whether a user may not see findings of a pod, or not all that are there (or of some keys)."""
    if user.is_superuser:
        return False
    wanted = (
        heard(pod.findings.filter(state__in=FindingStateChoices.THERE))
        if keys is None
        else pod.findings.filter(key__in=keys)
    )
    seen = Finding.objects.restrict(user, "view").filter(pod=pod)
    return not user.has_perm("fabric_twin.view_finding") or bool(
        wanted.exclude(pk__in=seen.values("pk")).exists()
    )


def count_of(model: type[Model], user: User) -> Expression:
    """How many of those each row of a list has, within the list's own query; None: hidden."""
    here = reduce(or_, (Q(**{way: OuterRef(field)}) for way, field in _WAYS[model]))
    # By pod first: whatever stands in another need not be looked through.
    there = heard(Finding.objects.filter(state__in=FindingStateChoices.THERE)).order_by()
    return count_in_sight(there.filter(here, pod=OuterRef("pod")), user, _count)


def _count(rows: Any) -> Coalesce:
    counted = rows.annotate(one=Value(1)).values("one")
    counted = counted.annotate(many=Count("pk", distinct=True)).values("many")
    return Coalesce(Subquery(counted, output_field=IntegerField()), Value(0))


def told_by_slot(pod: Pod, user: User) -> dict[int, list[Noted]]:
    """Those of each cube of a pod, all at once: errors first."""
    there, found = heard_there(user).filter(pod=pod), set()
    for way, _ in _WAYS[Cube]:
        cube = f"{way}__fabric_cube"
        rows = there.filter(**{f"{cube}__pod": pod})
        columns = f"{cube}__slot", "severity", "code", "cause", "seen", "pk"
        found.update(rows.values_list(*columns).distinct())
    told: dict[int, list[Noted]] = {}
    for slot, severity, code, cause, seen, _ in sorted(found):
        noted = Noted(code, cause, severity == SeverityChoices.ERROR, seen)
        told.setdefault(slot, []).append(noted)
    return told
