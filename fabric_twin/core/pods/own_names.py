"""The names that an operator gave to a pod's racks, devices and ports."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

import numpy as np

from fabric_twin.core.fabric.columns import NOT_KNOWN, NOT_OF_DESIGN, Column
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.pods.names import Names

#: The device and the port, by number.
PortNames = Mapping[int, tuple[str, str]]


class OwnNames(Names):
    """Names as an inventory has them; what it does not name keeps the name by the rule.

    `iw1-c007-t03 4.3.2/X+` may be `row4-host12 eth3`: what it is in the pod is told by its number.
    """

    def __init__(
        self,
        layout: Layout,
        pod: str,
        racks: Mapping[int, str],
        switches: Mapping[int, str],
        ports: PortNames,
    ) -> None:
        super().__init__(layout, pod)
        self._racks, self._switches, self._ports = racks, switches, ports

    def laid_out(
        self, layout: Layout, name: Callable[[int, str], Iterable[tuple[int, str]]]
    ) -> "OwnNames":
        """The same names in another layout; `name` says what becomes of a port and its name."""
        ports = {
            number: (device, called)
            for port, (device, own) in self._ports.items()
            for number, called in name(port, own)
        }
        return OwnNames(layout, self.pod, self._racks, self._switches, ports)

    @cached_property
    def devices(self) -> list[str]:
        """The name of every device, trays first: that of the first of its ports."""
        layout = self.layout
        first = layout.slots * layout.cube.trays
        found = super().devices
        numbers = sorted(self._ports, reverse=True)
        for device, number in zip(layout.device[numbers].tolist(), numbers, strict=True):
            found[device] = self._ports[number][0]
        for number, name in self._switches.items():
            found[first + number] = name
        return found

    def device(self, number: int) -> str:
        """The name of one device."""
        return self.devices[number]

    def ends(self, ports: Column) -> tuple[list[str], list[str]]:
        """The devices of some ports, and the ports' names on them."""
        devices, names = self._columns
        numbers = ports.tolist()
        return [devices[number] for number in numbers], [names[number] for number in numbers]

    def port(self, port: int) -> tuple[str, str]:
        """The device of one port, and the port's name on it."""
        return self._ports.get(port) or super().port(port)

    def cube(self, slot: int) -> str:
        """The rack that stands in a slot."""
        return self._racks.get(slot) or super().cube(slot)

    def cable(self, port: int) -> str:
        """What a cable that begins at a cube port is called if nobody named it."""
        return f"{self.cube(int(self.layout.slot[port]))}:{self.port(port)[1]}"

    def cables(self, ports: Column) -> list[str]:
        """The same of some cube ports."""
        return [self.cable(port) for port in ports.tolist()]

    def find(self, devices: Sequence[str], ports: Sequence[str]) -> Column:
        """Number ports by name: NOT_KNOWN where both cells are empty, else NOT_OF_DESIGN."""
        known, pairs = self._numbers, zip(devices, ports, strict=True)
        return np.fromiter(
            (known.get(pair, NOT_OF_DESIGN) for pair in pairs), np.int32, len(devices)
        )

    @cached_property
    def _columns(self) -> tuple[list[str], list[str]]:
        """The device and the name of every port."""
        devices, names = super().ends(np.arange(len(self.layout.mate), dtype=np.int32))
        for number, (device, name) in self._ports.items():
            devices[number], names[number] = device, name
        return devices, names

    @cached_property
    def _numbers(self) -> dict[tuple[str, str], int]:
        numbers = {pair: number for number, pair in enumerate(zip(*self._columns, strict=True))}
        return (
            numbers | {pair: number for number, pair in self._ports.items()} | {_EMPTY: NOT_KNOWN}
        )


_EMPTY = ("", "")
