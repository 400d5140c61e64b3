"""The slices that a finding hits, as a field of the finding that is only read."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import Finding
from fabric_twin.operations.audits.slices_hit import HitBy, may_hit, slices_hit
from fabric_twin.presenters.asking_user import user_of


@extend_schema_field(serializers.ListField(child=serializers.DictField(), allow_null=True))
class SlicesHitField(serializers.Field[Any, Any, Any, Finding]):
    """The capacity of each slice before and after, as they are now.

    Null in webhooks and in the change log, which no user asks for, and where the design of the pod
    is not installed.
    """

    def __init__(self, **how: Any) -> None:
        """It is of the whole record, and nobody writes it."""
        super().__init__(**how, source="*", read_only=True)

    def to_representation(self, finding: Finding) -> list[dict[str, Any]] | None:
        """One object for each slice."""
        if not (request := self.context.get("request")):
            return None
        if not may_hit(finding):
            return []
        # The rows of a list share this context, so a pod is read once.
        by_pod: dict[Any, HitBy | None] = self.context.setdefault("slices_hit", {})
        if finding.pod_id not in by_pod:
            try:
                by_pod[finding.pod_id] = slices_hit(finding.pod, user_of(request))
            except FabricTwinError:
                by_pod[finding.pod_id] = None
        known = by_pod[finding.pod_id]
        return None if known is None else [hit.as_json() for hit in known.get(finding.pk, ())]
