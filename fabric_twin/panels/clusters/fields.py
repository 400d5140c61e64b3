"""The fields of a record that is of a pod or of a cluster, called as it is there."""

from typing import Any

from nautobot.apps.ui import ObjectFieldsPanel
from nautobot.apps.views import get_obj_from_context

from fabric_twin.models import Pod


class KindFieldsPanel(ObjectFieldsPanel):
    """The fields, without those that mean nothing in a cluster."""

    #: What the record is called in a cluster.
    in_cluster = ""
    not_in_cluster: tuple[str, ...] = ()
    only_in_cluster: tuple[str, ...] = ()

    def render_label(self, context: Any) -> str:
        """What the record is."""
        return self.in_cluster if _in_cluster(context) else str(super().render_label(context))

    def get_data(self, context: Any) -> dict[str, Any]:
        """The fields that mean something."""
        fields = super().get_data(context)
        left_out = self.not_in_cluster if _in_cluster(context) else self.only_in_cluster
        return {name: value for name, value in fields.items() if name not in left_out}


def _in_cluster(context: Any) -> bool:
    record = get_obj_from_context(context)
    pod = record if isinstance(record, Pod) else record.pod
    return bool(pod.is_cluster)
