"""The light path of a port or a circuit: Nautobot's own trace stops at the switch."""

from collections.abc import Mapping
from typing import Any

from fabric_twin.documents.light_path import light_path
from fabric_twin.documents.sheet import Document
from fabric_twin.models import OpticalCircuit, Port
from fabric_twin.panels.seeing import sight_of
from fabric_twin.repositories.neighbourhood import Neighbourhood


def draw_light(port: Port, user: Any) -> tuple[Document, Mapping[str, str]]:
    """Follow the light from a port of a cube; from a switch, from the cube on its cable."""
    around = Neighbourhood(sight_of(port.pod, user), [port.number])
    start = port.number
    if start >= around.layout.cube_ports:
        start = around.far.get(start, start)
    return light_path(around.fabric, start), around.links()


def draw_light_of_circuit(circuit: OpticalCircuit, user: Any) -> tuple[Document, Mapping[str, str]]:
    """Follow the light through a circuit, from the cube behind its A port."""
    switch = circuit.switch
    layout = switch.pod.to_core().layout
    a = layout.cube_ports + switch.number * layout.ports_per_switch + circuit.a - 1
    around = Neighbourhood(sight_of(switch.pod, user), [a])
    return light_path(around.fabric, around.far.get(a, a)), around.links()
