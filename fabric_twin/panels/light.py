"""The light path of a port or a circuit: Nautobot's own trace stops at the switch."""

from collections.abc import Collection

from nautobot.users.models import User

from fabric_twin.documents.pods.light_path import mark
from fabric_twin.models import OpticalCircuit, Port
from fabric_twin.panels.drawing import Drawn
from fabric_twin.panels.seeing import sight_of
from fabric_twin.presenters.light_paths import follow_light


def draw_light(port: Port, user: User, names: Collection[str] = (), why: str = "") -> Drawn:
    """Follow the light from a port of a cube; from a switch, from the cube on its cable.

    Stations of these names are marked, with a word why.
    """
    document, around = follow_light(sight_of(port.pod, user), port.number)
    return Drawn(mark(document, names, why), port.pod.name, around.links())


def draw_light_of_circuit(circuit: OpticalCircuit, user: User) -> Drawn:
    """Follow the light through a circuit, from the cube behind its A port."""
    switch = circuit.switch
    layout = switch.pod.to_core().layout
    a = layout.cube_ports + switch.number * layout.ports_per_switch + circuit.a - 1
    document, around = follow_light(sight_of(switch.pod, user), a)
    return Drawn(document, switch.pod.name, around.links())
