"""The light path of a port, as a user may see it: for drawings, and for programs."""

from typing import Any

from nautobot.users.models import User

from fabric_twin.core.errors import NotPermitted
from fabric_twin.documents.pods.legend import NOBODY
from fabric_twin.documents.pods.light_path import light_path
from fabric_twin.documents.sheet import Document
from fabric_twin.models import Pod, Port
from fabric_twin.presenters.detours import detours_of
from fabric_twin.presenters.neighbourhood import Neighbourhood
from fabric_twin.presenters.visible_pod import Sight


def follow_light(sight: Sight, port: int) -> tuple[Document, Neighbourhood]:
    """Follow the light from a port of a cube; from a switch, from the cube on its cable.

    Where a slice does without its circuit, follow the detour.
    """
    around = Neighbourhood(sight, [port])
    start = port if port < around.layout.cube_ports else around.far.get(port, port)
    if not around.circuits and (detour := detours_of(sight.pod, sight.user).get(start)):
        ports = [start, detour.by, detour.end]
        around = Neighbourhood(sight, ports, {start: detour})
    return light_path(around.fabric, start), around


def light_path_json(port: Port, user: User) -> dict[str, Any]:
    """What the light passes, in its order; a record that is hidden has its name by the rule.

    `page` is where a record has its page, if it has one and the user may see it.
    """
    if not Pod.objects.restrict(user, "view").filter(pk=port.pod_id).exists():
        raise NotPermitted(
            "you may not see the pod of this port",
            where="port",
            remedy="Ask for the permission to view the pod",
        )
    document, around = follow_light(Sight(port.pod, user), port.number)
    path, pages = document.drawing, around.links()
    return {
        "version": 1,
        "pod": port.pod.name,
        "arrives": path.arrives,
        "wrong": path.wrong or path.waits,
        "findings_hidden": around.fabric.findings_hidden,
        "slice": path.owner.name if path.owner and path.owner.name != NOBODY else None,
        "stations": [
            {"what": s.what, "name": s.name, "more": s.more, "page": pages.get(s.name)}
            for s in path.stations
        ],
    }
