"""What the page of a switch shows."""

from collections.abc import Mapping
from typing import Any

from nautobot.users.models import User

from fabric_twin.documents.pods.port_map import port_map
from fabric_twin.models import Port, Switch
from fabric_twin.panels.clusters.device import draw_device, tell_packet_switch
from fabric_twin.panels.drawing import Drawn
from fabric_twin.panels.seeing import sight_of, tell_cabled, tell_on_switch
from fabric_twin.presenters.neighbourhood import Neighbourhood
from fabric_twin.repositories.pod_record import BAD_PORT, DOWN
from fabric_twin.repositories.ports import with_status


def may_have_parts_out(switch: Switch, _user: Any) -> bool:
    """Whether it or a port of it can be returned to service; in a network also ports of blocks."""
    if not switch.pod.is_cluster or switch.status.name in DOWN:
        return True
    return bool(with_status(Port.objects.filter(switch=switch), BAD_PORT).exists())


def tell_use(switch: Switch, user: User) -> Mapping[str, Any]:
    """What is cabled, what is wanted, and what the switch said."""
    if switch.pod.is_cluster:
        return tell_packet_switch(switch, user)
    sight = sight_of(switch.pod, user)
    ports = switch.pod.to_core().layout.ports_per_switch
    return {
        "Ports with a cable": tell_cabled(sight, ports, switch=switch),
        **tell_on_switch(switch, sight, "Circuits"),
    }


def draw_ports(switch: Switch, user: User) -> Drawn:
    """The ports of the switch, and its circuits."""
    if switch.pod.is_cluster:
        return draw_device(switch, user)
    layout = switch.pod.to_core().layout
    first = layout.cube_ports + switch.number * layout.ports_per_switch
    around = Neighbourhood(
        sight_of(switch.pod, user), range(first, first + layout.ports_per_switch)
    )
    return Drawn(port_map(around.fabric, switch.number), switch.pod.name, around.links())
