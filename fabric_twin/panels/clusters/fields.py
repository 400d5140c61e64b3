"""The fields of a record that is of a pod or of a cluster, called as it is there."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from nautobot.apps.ui import ObjectFieldsPanel
from nautobot.apps.views import get_obj_from_context
from nautobot.users.models import User

from fabric_twin.models import OpticalCircuit, Pod, Slice
from fabric_twin.presenters.visible_pod import HIDDEN


class KindFieldsPanel(ObjectFieldsPanel):
    """The fields, without those that mean nothing in a cluster."""

    #: What the record is called in a cluster.
    in_cluster = ""
    not_in_cluster: tuple[str, ...] = ()
    only_in_cluster: tuple[str, ...] = ()
    #: What fields are called in a cluster, where it is something else.
    called_in_cluster: Mapping[str, str] = MappingProxyType({})

    def render_label(self, context: Any) -> str:
        """What the record is."""
        return self.in_cluster if _in_cluster(context) else str(super().render_label(context))

    def get_data(self, context: Any) -> dict[str, Any]:
        """The fields that mean something."""
        user = context["request"].user
        fields = {
            name: HIDDEN if isinstance(value, Slice) and not _may_see(user, value) else value
            for name, value in super().get_data(context).items()
        }
        left_out = self.not_in_cluster if _in_cluster(context) else self.only_in_cluster
        return {name: value for name, value in fields.items() if name not in left_out}

    def render_key(self, key: str, value: Any, context: Any) -> str:
        """What the field is called."""
        called = self.called_in_cluster.get(key) if _in_cluster(context) else None
        return called or str(super().render_key(key, value, context))


def _may_see(user: User, made: Slice) -> bool:
    return bool(Slice.objects.restrict(user, "view").filter(pk=made.pk).exists())


def _in_cluster(context: Any) -> bool:
    record = get_obj_from_context(context)
    if isinstance(record, OpticalCircuit):
        record = record.switch
    pod = record if isinstance(record, Pod) else record.pod
    return bool(pod.is_cluster)
