"""The default names of a pod's devices and ports, and numbers for names.

Names are read from the right (`a-b-c007-t03` is tray 3 of cube 7 of pod `a-b`), because a pod's
own name may hold a hyphen.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.fabric.columns import NOT_KNOWN, NOT_OF_DESIGN, Column
from fabric_twin.core.fabric.fabric import Fabric
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.pods.wiring import switch_label
from fabric_twin.core.slots import format_slots

_POD = re.compile(r"[a-z0-9-]{1,32}")
_CUBE, _OCS = r"c\d{3,}(?:-t\d{2,})?", r"ocs-[a-z](?:-\d+)+"
_GROUP, _PACKET_SWITCH = r"r\d\dc\d\d", r"(?:row|col)-(?:t1|\d\d)(?:-\d+)+"
_DEVICE = re.compile(rf"(.{{1,32}})-(?:{_CUBE}|{_OCS}|{_GROUP}|{_PACKET_SWITCH})")


def check_pod_name(pod: str, noun: str = "pod") -> str:
    """Return a pod's name, or that of another thing that is named alike, or refuse it."""
    if not _POD.fullmatch(pod):
        raise UnusableInput(
            f"{pod[:60]!r} cannot name a {noun}",
            where=noun,
            remedy="Use 1 to 32 of a-z, 0-9 and -",
        )
    return pod


def pod_of(device: str) -> str | None:
    """The pod that a device's name says it is of, if it says so.

    >>> pod_of("iw1-c007-t03"), pod_of("a-b-ocs-x-3-2"), pod_of("patch panel 4")
    ('iw1', 'a-b', None)
    >>> pod_of("pg1-r02c03"), pod_of("pg1-row-02-1-2"), pod_of("pg1-col-t1-1-2-8")
    ('pg1', 'pg1', 'pg1')
    """
    match = _DEVICE.fullmatch(device)
    return match[1] if match and _POD.fullmatch(match[1]) else None


class Names:
    """Names of one pod's devices and ports."""

    #: What the fabric is called, and what its switches join.
    noun, part = "pod", "cube"
    #: How the names of racks of switches begin.
    switch_racks = "ocs"
    #: How many cables a module of a cube takes.
    cables_a_module = 1

    def __init__(self, layout: Layout, pod: str) -> None:
        self.layout = layout
        self.pod = check_pod_name(pod)

    @property
    def fabric(self) -> Fabric:
        """The pod as a fabric."""
        return self.layout.fabric

    @cached_property
    def devices(self) -> list[str]:
        """The name of every device, trays first."""
        layout, pod = self.layout, self.pod
        trays = [f"-t{tray:02d}" for tray in range(1, layout.cube.trays + 1)]
        cubes = [self.cube(slot) for slot in range(1, layout.slots + 1)]
        switches = [f"{pod}-{switch_label(name)}" for name in layout.switches]
        return [cube + tray for cube in cubes for tray in trays] + switches

    @property
    def switches(self) -> list[str]:
        """The names of the switches."""
        first = self.layout.slots * self.layout.cube.trays
        return [self.device(first + number) for number in range(len(self.layout.switches))]

    def device(self, number: int) -> str:
        """The name of one device."""
        layout = self.layout
        slot, tray = divmod(number, layout.cube.trays)
        if slot < layout.slots:
            return f"{self.cube(slot + 1)}-t{tray + 1:02d}"
        return (
            f"{self.pod}-{switch_label(layout.switches[number - layout.slots * layout.cube.trays])}"
        )

    def ends(self, ports: Column) -> tuple[list[str], list[str]]:
        """The devices of some ports, and the ports' names on them."""
        layout = self.layout
        per_cube, per_switch = layout.ports_per_cube, max(1, layout.ports_per_switch)
        on_switch = per_cube + (ports - layout.cube_ports) % per_switch
        local = np.where(ports < layout.cube_ports, ports % per_cube, on_switch)
        return (
            [self.devices[device] for device in layout.device[ports].tolist()],
            [layout.port_names[port] for port in local.tolist()],
        )

    def port(self, port: int) -> tuple[str, str]:
        """The device of one port, and the port's name on it."""
        layout = self.layout
        local = port % layout.ports_per_cube
        if port >= layout.cube_ports:
            local = layout.ports_per_cube + (port - layout.cube_ports) % layout.ports_per_switch
        return self.device(int(layout.device[port])), layout.port_names[local]

    def cube(self, slot: int) -> str:
        """The rack that stands in a slot."""
        return f"{self.pod}-c{slot:03d}"

    @cached_property
    def answering(self) -> Mapping[str, range]:
        """Who answers for cube ports, by name, and for those of which slots."""
        return {self.cube(slot): range(slot, slot + 1) for slot in range(1, self.layout.slots + 1)}

    @cached_property
    def told_ports(self) -> Sequence[str]:
        """What they call their ports when they answer, in the order of their numbers."""
        return self.layout.port_names[: self.layout.ports_per_cube]

    def short(self, slot: int) -> str:
        """What stands in a slot, within the pod."""
        return f"c{slot:03d}"

    def in_words(self, slots: Sequence[int]) -> str:
        """What stands in some slots, for people: `cubes 5-12`."""
        return f"cube{'s' * (len(slots) > 1)} {format_slots(slots)}"

    def unit(self, number: int) -> str:
        """The rack of a cube, by its slot."""
        return self.cube(number)

    def bundled(self, noun: str, numbers: Sequence[int]) -> Sequence[str]:
        """Cubes and faces of cubes by number, for people: `1-4,7` or `X+ of cube 7`."""
        if noun == "cube":
            return [format_slots(numbers)]
        kinds = self.layout.cube.faces
        places = [divmod(number, len(kinds)) for number in numbers]
        return [f"{kinds[kind]} of cube {cube + 1}" for cube, kind in places]

    def cable(self, port: int) -> str:
        """The default name of the cable that begins at a cube port."""
        layout = self.layout
        return (
            f"{self.cube(int(layout.slot[port]))}:{layout.port_names[port % layout.ports_per_cube]}"
        )

    def cables(self, ports: Column) -> list[str]:
        """The default names of the cables that begin at some cube ports."""
        layout = self.layout
        local = ports % layout.ports_per_cube
        return [
            f"{self.cube(slot)}:{layout.port_names[port]}"
            for slot, port in zip(layout.slot[ports].tolist(), local.tolist(), strict=True)
        ]

    def find(self, devices: Sequence[str], ports: Sequence[str]) -> Column:
        """Number ports by name: NOT_KNOWN where both cells are empty, else NOT_OF_DESIGN."""
        layout = self.layout
        device = _codes(self._device_codes, devices)
        local = _codes(self._port_codes, ports)
        per_cube, per_switch = layout.ports_per_cube, layout.ports_per_switch
        trays = layout.slots * layout.cube.trays
        slot = device // layout.cube.trays
        on_cube = (device >= 0) & (device < trays) & (local >= 0) & (local < per_cube)
        on_switch = (device >= trays) & (local >= per_cube)
        found = np.where(on_cube, slot * per_cube + local, NOT_OF_DESIGN)
        # A tray holds only the ports of its own chips.
        found[on_cube & (layout.device[np.where(on_cube, found, 0)] != device)] = NOT_OF_DESIGN
        far = layout.cube_ports + (device - trays) * per_switch + local - per_cube
        found = np.where(on_switch, far, found)
        found[(device == NOT_KNOWN) & (local == NOT_KNOWN)] = NOT_KNOWN
        return found.astype(np.int32)

    @cached_property
    def _device_codes(self) -> dict[str, int]:
        return {"": NOT_KNOWN} | {name: code for code, name in enumerate(self.devices)}

    @cached_property
    def _port_codes(self) -> dict[str, int]:
        return {"": NOT_KNOWN} | {name: code for code, name in enumerate(self.layout.port_names)}


def _codes(codes: dict[str, int], names: Sequence[str]) -> Column:
    found: Iterable[int | None] = map(codes.get, names)
    return np.fromiter(
        (NOT_OF_DESIGN if code is None else code for code in found), np.int32, len(names)
    )
