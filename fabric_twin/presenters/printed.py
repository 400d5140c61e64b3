"""Documents of one switch, cube or group, printed from its page."""

from nautobot.users.models import User

from fabric_twin.core.kinds import Kind, Verb
from fabric_twin.models import Cube, Switch
from fabric_twin.presenters.clusters.device_maps import recorded_map
from fabric_twin.presenters.pod_fabric import whole_fabric_of
from fabric_twin.presenters.visible_pod import Sight
from fabric_twin.repositories.permissions import require_of
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.services.pods.render import Rendering, render_devices, render_fabric, render_one
from fabric_twin.services.pods.which import Which, device_of

#: What is printed of each, as it is named on the button.
OF_A_SWITCH = {
    "port-map": "Print port map",
    "switch-map": "Print switch map",
    "labels": "Print labels",
}
OF_A_CUBE = {
    "face-map": "Print face map",
    "group-map": "Print group map",
    "labels": "Print labels",
}
#: Of them, those of clusters alone, and those of pods alone.
_OF_CLUSTERS, _OF_CUBES = {"group-map", "switch-map"}, {"face-map", "port-map"}


def can_be_printed(record: Switch | Cube, kind: str) -> bool:
    """Whether a pod of its kind has such a document."""
    if record.pod.is_cluster:
        return kind not in _OF_CUBES
    return kind not in _OF_CLUSTERS and (kind != "port-map" or record.pod.can(Verb.PORT_MAP))


def printed(record: Switch | Cube, kind: str, user: User) -> tuple[str, bytes]:
    """The name of a PDF, and the PDF; refused where the user may not view all that is on it."""
    read = PodRecord(record.pod)
    if read.design.kind is Kind.GROUPS and kind in _OF_CLUSTERS:
        require_of(user, "view", read.behind_documents)
        document, _ = recorded_map(record, Sight(record.pod, user))
        [(name, content)] = render_one(document, "pdf", record.pod.name).files
        return name, content
    if read.design.kind is Kind.GROUPS:
        which = (
            Which(switch=read.switches[record.number][1])
            if isinstance(record, Switch)
            else Which(group=read.names.device(record.slot - 1))
        )
        [(name, content)] = render_recorded(read, kind, "pdf", which, user).files
        return name, content
    fabric = whole_fabric_of(read, user)
    if isinstance(record, Switch):
        which = Which(switch=fabric.switches[record.number])
    else:
        which = Which(cube=record.slot)
    [(name, content)] = render_fabric(kind, "pdf", fabric, which).files
    return name, content


def render_recorded(record: PodRecord, kind: str, form: str, which: Which, user: User) -> Rendering:
    """Documents of a network or a cluster: who may not see all of it gets none."""
    device = device_of(kind, which, record.names)
    require_of(user, "view", record.behind_documents)
    return render_devices(record.intended(), kind, form, device)
