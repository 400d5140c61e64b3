"""Types that tell more than the record's own fields; Nautobot looks for them here by name."""

from typing import Any

import graphene
from graphene.types.generic import GenericScalar
from nautobot.core.graphql.types import OptimizedNautobotObjectType

from fabric_twin.filters import SliceFilterSet
from fabric_twin.models import Slice
from fabric_twin.operations.slices.bearing import Left, left_of


class SliceType(OptimizedNautobotObjectType):
    """A slice, and what is left of it."""

    capacity = GenericScalar(description="What is left of each axis; null without circuits")
    slowest_link = graphene.Float(description="The share that its slowest link has")

    class Meta:
        model = Slice
        fields = "__all__"
        filterset_class = SliceFilterSet

    def resolve_capacity(self, info: Any) -> Any:
        """What is left of each axis."""
        left = _left(self, info)
        return left and left.capacity

    def resolve_slowest_link(self, info: Any) -> Any:
        """The share of its slowest link."""
        left = _left(self, info)
        return left and left.slowest_link


def _left(made: Any, info: Any) -> Left | None:
    """What is left of a slice, asked for once for all slices of its pod."""
    known: dict[Any, Left | None] = vars(info.context).setdefault("_left_of_slices", {})
    if made.pk not in known:
        slices = list(Slice.objects.filter(pod__slices=made.pk))
        found = left_of(slices)
        known.update({one.pk: found.get(one.pk) for one in slices})
    return known[made.pk]


graphql_types = [SliceType]
