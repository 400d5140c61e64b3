"""Documents of one switch or cube, printed from its page."""

from nautobot.users.models import User

from fabric_twin.core.kinds import Verb
from fabric_twin.models import Cube, Switch
from fabric_twin.presenters.pod_fabric import whole_fabric_of
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.services.pods.render import render_fabric
from fabric_twin.services.pods.which import Which

#: What is printed of each, as it is named on the button.
OF_A_SWITCH = {"port-map": "Print port map", "labels": "Print labels"}
OF_A_CUBE = {"face-map": "Print face map", "labels": "Print labels"}


def can_be_printed(record: Switch | Cube, kind: str) -> bool:
    """Whether a pod of its kind has such a document."""
    return kind != "port-map" or record.pod.can(Verb.PORT_MAP)


def printed(record: Switch | Cube, kind: str, user: User) -> tuple[str, bytes]:
    """The name of a PDF, and the PDF; refused where the user may not view all that is on it."""
    fabric = whole_fabric_of(PodRecord(record.pod), user)
    if isinstance(record, Switch):
        which = Which(switch=fabric.switches[record.number])
    else:
        which = Which(cube=record.slot)
    [(name, content)] = render_fabric(kind, "pdf", fabric, which).files
    return name, content
