"""What stands in the racks: transceivers, trays and the copper inside cubes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.fabric.medium import Medium
from fabric_twin.core.pods.names import Names

Levels = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: Wavelengths of a port, all strands together.
LANES = 8
#: dBm that a lane sends when new, and dB it loses in a year [A].
LAUNCH, AGEING = 2.0, 0.15
#: The grid of a module that does not belong here, and one that does.
FOREIGN, OWN = 1, 0
YEAR = 365.25 * 86400


@dataclass(eq=False)
class Parts:
    """Columns are indexed by cube port, by tray, or by copper link."""

    names: Names
    serials: list[str]
    parts: list[str]
    #: Whether the module's wavelengths are the pod's.
    grid: NDArray[np.int8]
    #: dBm of each lane when new.
    launch: Levels
    #: dB that a dying module has lost, and degrees it is too warm.
    faded: Levels
    warm: Levels
    #: Gbit/s that a port runs at most, whatever its rate; without a limit as a rule.
    slowed: Levels
    #: One entry a tray of the pod, slot by slot.
    trays: Mask
    #: One entry a slot, then one a packet switch: whether what stands there has power.
    cubes: Mask
    #: One row a cube, one entry a copper link of it.
    copper: Mask
    version: int = 0

    @classmethod
    def new(cls, names: Names, part: str, slots: tuple[int, ...], seed: int) -> "Parts":
        """Everything as delivered, in the cubes that are there."""
        layout, pod = names.layout, names.pod[:3].upper()
        ports, each = layout.cube_ports, names.cables_a_module
        random = np.random.default_rng([seed, 3])
        packet = len(layout.switches) if layout.medium is Medium.PACKET else 0
        cubes = np.arange(layout.slots + packet) >= layout.slots
        cubes[np.array(slots, dtype=np.int32) - 1] = True
        # Serials are of no order: a list of cubes must not let one guess them.
        serials = random.permutation(16 * ports)[:ports].tolist()
        return cls(
            names,
            [f"{pod}{serials[port - port % each]:08X}" for port in range(ports)],
            [part or "optical module"] * ports,
            np.full(ports, OWN, np.int8),
            random.normal(LAUNCH, 0.35, (ports, LANES)),
            faded=np.zeros(ports),
            warm=np.zeros(ports),
            slowed=np.full(ports, np.inf),
            trays=np.ones(layout.slots * layout.cube.trays, np.bool_),
            cubes=cubes,
            copper=np.ones((layout.slots, len(layout.cube.copper_links)), np.bool_),
        )

    def changed(self) -> None:
        """Some part was replaced, lost or mended."""
        self.version += 1

    @property
    def running(self) -> Mask:
        """By cube port: whether the tray it is on runs."""
        layout = self.names.layout
        trays = self.trays & np.repeat(self.cubes[: layout.slots], layout.cube.trays)
        return trays[layout.device[: layout.cube_ports]]

    def of_module(self, port: int) -> list[int]:
        """The cube ports of the module that one of them is of."""
        each = self.names.cables_a_module
        return list(range(port - port % each, port - port % each + each))
