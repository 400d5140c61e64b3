"""Where a rack, a device, an interface or a cable stands in the fabric.

`X+ 3,2 of cube 7, to iw1-ocs-x-3-2 7A, slice train-12`: told only of pods that the user may see.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.html import format_html
from nautobot.apps.ui import ObjectFieldsPanel
from nautobot.dcim.models import Cable, Device, Interface, Module, Rack
from nautobot.users.models import User

from fabric_twin.core.pods.port_place import port_place
from fabric_twin.documents.pods.ports import switch_port
from fabric_twin.models import Block, Cube, Finding, Pod, Port, Slice, Switch
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.operations.pods.light_agreed import light_told
from fabric_twin.panels.clusters.device import tell_group, tell_packet_switch
from fabric_twin.panels.cube import tell_slot
from fabric_twin.panels.drawing import Drawn
from fabric_twin.panels.facts import link, links
from fabric_twin.panels.light import draw_light
from fabric_twin.panels.networks.block import tell_uplinks
from fabric_twin.panels.networks.network import is_network
from fabric_twin.panels.seeing import sight_of
from fabric_twin.presenters.neighbourhood import Neighbourhood
from fabric_twin.presenters.visible_pod import HIDDEN, page

#: Ports of a device that its page names; a tray has fewer, a switch has a page of its own.
MOST_PORTS = 32


class PortFieldsPanel(ObjectFieldsPanel):
    """Fields of a port, which is of a cube, a block or a switch."""

    def get_data(self, context: Any) -> dict[str, Any]:
        """The fields, of the three only that which it is of."""
        fields = super().get_data(context)
        return {
            name: value
            for name, value in fields.items()
            if value or name not in {"cube", "block", "switch"}
        }


def visible(model: Any, user: User) -> Any:
    """Records of a kind in pods that the user may see."""
    pods = Pod.objects.restrict(user, "view")
    return model.objects.restrict(user, "view").filter(pod__in=pods).select_related("pod")


def port_of(record: Interface | Cable, user: User) -> Port | None:
    """The port that an interface is, or that a cable is on: the cube's, where it has one."""
    field = "interface" if isinstance(record, Interface) else "interface__cable_termination__cable"
    of_record = visible(Port, user).filter(**{field: record}).order_by("number")
    port: Port | None = of_record.select_related("pod", "interface__device").first()
    return port


def tell_place_of_end(record: Interface | Cable, user: User) -> Mapping[str, Any]:
    """Where an interface or a cable stands, and where the light goes from there."""
    port = port_of(record, user)
    return tell_place_of_port(port, user) if port else {}


def tell_place_of_cable(cable: Cable, user: User) -> Mapping[str, Any]:
    """Where a cable is, and when light last agreed with that."""
    told = tell_place_of_end(cable, user)
    light = light_told([cable.pk], user)
    return {**told, "Light agreed": light[cable.pk] or "never"} if cable.pk in light else told


def tell_place_of_port(port: Port, user: User) -> Mapping[str, Any]:
    """Where a port stands, and where the light goes from there."""
    around = Neighbourhood(sight_of(port.pod, user), [port.number])
    fabric, pages = around.fabric, around.links()
    told: dict[str, Any] = {
        "Place": link(page("port", port.pk), port_place(around.layout, port.number)),
        port.pod.kind.noun.capitalize(): link(page("pod", port.pod_id), port.pod),
    }
    far = around.far.get(port.number)
    told["Cable to"] = _port(fabric, far, pages) if far is not None else "no cable"
    if port.pod.is_cluster:
        wrong = fabric.noted(*(one for one in (port.number, far) if one is not None))
        return told | ({"Wrong": str(wrong[0])} if wrong else {})
    on_switch = max(port.number, far if far is not None else 0)
    if on_switch >= around.layout.cube_ports:
        end = switch_port(fabric, on_switch)
        if end.to:
            told["Circuit"] = link(
                pages.get(f"{end.name} to {end.to}", ""), f"{end.name} to {end.to}"
            )
        if end.beyond:
            there = end.beyond
            port_there = f"{there.tray} {there.port}"
            face = "" if is_network(port.pod) else f"{there.face} of cube {there.slot}, "
            told["Light goes to"] = link(pages.get(port_there, ""), face + port_there)
        if end.owner:
            told["Slice"] = link(pages.get(f"slice {end.owner.name}", ""), end.owner.name)
        if end.wrong:
            told["Wrong"] = end.wrong
    return told


def tell_place_of_module(module: Module, user: User) -> Mapping[str, Any]:
    """The port that a transceiver is in, and what is wrong there: its serial leads to both."""
    if not module.parent_module_bay_id:
        return {}
    rows = visible(Port, user).filter(module_bay=module.parent_module_bay_id)
    ports = list(rows.select_related("interface__device").order_by("number")[:MOST_PORTS])
    if not ports:
        return {}
    found = Finding.objects.restrict(user, "view").filter(
        places__port__in=ports, state__in=FindingStateChoices.THERE
    )
    told: dict[str, Any] = {"Port": links((page("port", port.pk), port) for port in ports)}
    if len(ports) == 1:
        told |= tell_place_of_port(ports[0], user)
    told["Findings"] = (
        links((page("finding", one.pk), one) for one in found.order_by("key").distinct()) or "none"
    )
    return told


def _port(fabric: Any, number: int, pages: Mapping[str, str]) -> str:
    name = " ".join(fabric.names.port(number))
    by_rule = " ".join(fabric.intended.design.names(fabric.pod).port(number))
    told = name if name == by_rule else f"{name} ({port_place(fabric.layout, number)})"
    return link(pages.get(name, ""), told)


def tell_place_of_rack(rack: Rack, user: User) -> Mapping[str, Any]:
    """The cube that the rack is, or the blocks and switches that stand in it."""
    cube = visible(Cube, user).filter(rack=rack).select_related("pod", "status").first()
    if cube:
        return _tell_cube(cube, user)
    blocks = visible(Block, user).filter(device__rack=rack).order_by("pod__name", "name")
    rows = visible(Switch, user).filter(device__rack=rack).select_related("device")
    switches = rows.order_by("pod__name", "number")
    told = {"Blocks": links((page("block", block.pk), block) for block in blocks)}
    told["Switches"] = _switches(switches)
    return {name: value for name, value in told.items() if value}


def _switches(switches: Iterable[Switch]) -> str:
    return links(
        (page("switch", s.pk), s if s.pod.is_cluster else f"{s} ({s.axis.upper()} {s.index})")
        for s in switches
    )


def _tell_cube(cube: Cube, user: User) -> Mapping[str, Any]:
    if cube.pod.is_cluster:
        return {
            "Group": link(page("cube", cube.pk), cube),
            "Cluster": link(page("pod", cube.pod_id), cube.pod),
            "Status": cube.status,
            **tell_group(cube, user),
        }
    sight = sight_of(cube.pod, user)
    there = Slice.objects.restrict(user, "view").filter(parts__cube=cube).order_by("name")
    return {
        "Place": link(page("cube", cube.pk), f"cube {cube.slot} of pod {cube.pod}"),
        "Pod": link(page("pod", cube.pod_id), cube.pod),
        "Status": cube.status,
        **tell_slot(cube, user),
        "Slices": links((page("slice", s.pk), s) for s in there)
        or (HIDDEN if sight.taken.get(cube.slot) else "none"),
    }


def tell_place_of_device(device: Device, user: User) -> Mapping[str, Any]:
    """The switch or the block that the device is, or the ports of the tray."""
    switch = visible(Switch, user).filter(device=device).first()
    if switch and switch.pod.is_cluster:
        return {
            "Switch": link(page("switch", switch.pk), switch),
            "Cluster": link(page("pod", switch.pod_id), switch.pod),
            **tell_packet_switch(switch, user),
        }
    if switch:
        index = switch.index.replace("-", ",")
        what = f"joins {switch.axis.upper()} faces at index {index}"
        what = "blocks" if is_network(switch.pod) else what
        return {
            "Place": link(page("switch", switch.pk), f"switch {switch.number} of pod {switch.pod}"),
            "Pod": link(page("pod", switch.pod_id), switch.pod),
            "What it joins": what,
        }
    if block := visible(Block, user).filter(device=device).first():
        return {
            "Place": link(page("block", block.pk), f"block {block.name} of network {block.pod}"),
            "Pod": link(page("pod", block.pod_id), block.pod),
            **tell_uplinks(block, user),
        }
    ports = list(
        visible(Port, user).filter(interface__device=device).order_by("number")[:MOST_PORTS]
    )
    if not ports:
        return {}
    if ports[0].pod.is_cluster and ports[0].cube:
        return _tell_cube(ports[0].cube, user)
    return _tell_tray(device, ports, user)


def _tell_tray(device: Device, ports: list[Port], user: User) -> Mapping[str, Any]:
    pod = ports[0].pod
    around = Neighbourhood(sight_of(pod, user), [port.number for port in ports])
    pages = around.links()
    cube = Cube.objects.restrict(user, "view").filter(rack=device.rack, pod=pod).first()
    block = Block.objects.restrict(user, "view").filter(device=device, pod=pod).first()
    told: dict[str, Any] = {}
    if block:
        told["Place"] = link(page("block", block.pk), f"block {block.name} of network {pod}")
    if cube:
        told["Place"] = link(page("cube", cube.pk), f"a tray of cube {cube.slot} of pod {pod}")
    told["Pod"] = link(page("pod", pod.pk), pod)
    for port in ports:
        far = around.far.get(port.number)
        text = port_place(around.layout, port.number)
        told[text] = _port(around.fabric, far, pages) if far is not None else "no cable"
        if far is not None and (owner := switch_port(around.fabric, far).owner):
            told[text] = format_html("{}, {}", told[text], owner.name)
    return told


def draw_light_of_end(record: Interface | Cable, user: User) -> Drawn | None:
    """The light path of an interface or a cable; packet switches forward no light."""
    port = port_of(record, user)
    return draw_light(port, user) if port and not port.pod.is_cluster else None
