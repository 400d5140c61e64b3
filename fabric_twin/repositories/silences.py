"""Which findings are silenced now: by a rule that fits them and has not ended."""

from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Now
from nautobot.dcim.models import Cable, Device
from nautobot.extras.models import TaggedItem

from fabric_twin.models import Finding, FindingPlace, Silence


def is_silenced() -> Exists:
    """A condition on findings, for a filter or an annotation; the database evaluates it."""
    mine, of_rule = OuterRef(OuterRef("pk")), OuterRef
    places = FindingPlace.objects.filter(finding=mine)
    tagged = TaggedItem.objects.filter(tag=of_rule("tag"), object_id=mine)
    tag = of_rule("tag")
    on_tagged = places.filter(Q(device__tags=tag) | Q(rack__tags=tag) | Q(cable__tags=tag))
    return Exists(
        Silence.objects.filter(
            Q(finding=None) | Q(finding=OuterRef("pk")),
            Q(code="") | Q(code=OuterRef("code")),
            Q(device=None) | Exists(places.filter(device=of_rule("device"))),
            Q(cable=None) | Exists(places.filter(cable=of_rule("cable"))),
            Q(tag=None) | Exists(tagged) | Exists(on_tagged),
            pod=OuterRef("pod"),
            until__gt=Now(),
        )
    )


def heard(findings: Any) -> Any:
    """Those of some findings that no rule silences."""
    return findings.exclude(is_silenced())


def rules_for(finding: Finding) -> Any:
    """The rules that silence one finding now."""
    of_finding = {"finding_places__finding": finding}
    places = finding.places.order_by()
    on = [places.values(field) for field in ("device", "rack", "cable")]
    tagged = Q(object_id=finding.pk)
    for keys in on:
        tagged |= Q(object_id__in=keys)
    return Silence.objects.filter(
        Q(finding=None) | Q(finding=finding),
        Q(code="") | Q(code=finding.code),
        Q(device=None) | Q(device__in=Device.objects.filter(**of_finding)),
        Q(cable=None) | Q(cable__in=Cable.objects.filter(**of_finding)),
        Q(tag=None) | Q(tag__in=TaggedItem.objects.filter(tagged).values("tag")),
        pod=finding.pod_id,
        until__gt=Now(),
    )
