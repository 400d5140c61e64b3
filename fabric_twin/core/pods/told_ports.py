"""Ports by what cubes and blocks call them, of themselves and of whom they hear."""

from collections.abc import Mapping

from fabric_twin.core.fabric.columns import NOT_OF_DESIGN
from fabric_twin.core.pods.names import Names


class ToldPorts:
    """The numbers of told ports; `names` are of the plant by strand."""

    def __init__(self, names: Names) -> None:
        self._devices, self._per_cube = names.devices, names.layout.ports_per_cube
        #: By its name, a port's place among those of its cube or block.
        self.local: Mapping[str, int] = {port: at for at, port in enumerate(names.told_ports)}
        self._device_at = names.layout.device[: names.layout.cube_ports].tolist()
        trays = names.layout.cube.trays
        #: By tray or block: the first port of its cube, or of the block.
        self._first = {
            self._devices[tray]: self.of(slots).start
            for slots in names.answering.values()
            for tray in range((slots.start - 1) * trays, (slots.stop - 1) * trays)
        }

    def of(self, slots: range) -> range:
        """The ports of a cube or a block, by its slots."""
        return range((slots.start - 1) * self._per_cube, (slots.stop - 1) * self._per_cube)

    def number(self, device: str, port: str) -> int:
        """A port that somebody hears; NOT_OF_DESIGN where there is none of these names."""
        first, local = self._first.get(device), self.local.get(port)
        if first is None or local is None or first + local >= len(self._device_at):
            return NOT_OF_DESIGN
        # A tray holds only the ports of its own chips, a block those of its own places.
        its = self._devices[self._device_at[first + local]] == device
        return first + local if its else NOT_OF_DESIGN
