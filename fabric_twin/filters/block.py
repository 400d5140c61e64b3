"""Filters of blocks."""

from django.db.models import Q
from nautobot.apps.filters import MultiValueCharFilter, StatusModelFilterSetMixin

from fabric_twin.core.record_names import tidy
from fabric_twin.filters import related
from fabric_twin.filters.known_values import RecordFilterSet
from fabric_twin.filters.named import NameSearch
from fabric_twin.models import Block


def _block_named(text: str) -> Q | None:
    """The block of a name, as its device is called, or as its page is: `dc1 ab01`."""
    if (whole := tidy(text)) is None:
        return None
    pod, _, name = whole.rpartition(" ")
    named = Q(name__iexact=name, **({"pod__name__iexact": pod} if pod else {}))
    return named | Q(device__name__iexact=whole)


class BlockFilterSet(RecordFilterSet, StatusModelFilterSetMixin):
    """By network and owner, by where the block stands, and by its uplinks."""

    q = NameSearch(
        named=_block_named,
        filter_predicates={
            "name": "icontains",
            "device__name": "icontains",
            "pod__name": "icontains",
            "owner": "icontains",
            "address": "icontains",
            "target": "icontains",
            "description": "icontains",
        },
    )
    pod = related.pods()
    serves = related.pods("serves")
    design = MultiValueCharFilter(field_name="pod__design", label="Design")
    location = related.locations("device__location")
    rack = related.racks("device__rack")
    device = related.devices("device")

    class Meta:
        model = Block
        fields = [
            "id",
            "pod",
            "name",
            "device",
            "first_port",
            "strands",
            "rate_gbps",
            "serves",
            "owner",
            "status",
            "address",
            "target",
            "description",
            "tags",
        ]
