"""What is fitted where a cube or a block comes, from below: what stands, then its transceivers.

tray    itself, and a transceiver for every port
block   itself, its cords for power and network, and a module for each two strands
group   itself: its ports are its own
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.cube import Cube
from fabric_twin.core.kinds import Kind


class Fitted(NamedTuple):
    """A part, and the cage that it is for; none where it is of the whole device."""

    port: str
    part: str


def fitted_at(intended: Intended, slots: Sequence[int]) -> Mapping[str, Sequence[Fitted]]:
    """By device, in the order of slots."""
    names, layout = intended.names, intended.design.layout
    trays = layout.cube.trays
    numbers = [(slot - 1) * trays + tray for slot in slots for tray in range(trays)]
    ports = np.flatnonzero(np.isin(layout.slot[: layout.cube_ports], slots)).astype(np.int32)
    a_cage = max(layout.lanes, names.cables_a_module)
    cages: dict[str, dict[str, None]] = {names.device(number): {} for number in numbers}
    strands = dict.fromkeys(cages, 0)
    for device, port in zip(*names.ends(ports), strict=True):
        cages[device][_cage(port, a_cage)] = None
        strands[device] += 1
    design = intended.design
    if design.kind is Kind.GROUPS:
        return {device: [Fitted("", _group(design.cube))] for device in cages}
    part = design.transceiver or "transceiver"
    of_network = design.kind is Kind.NETWORK
    return {
        device: [
            *(Fitted("", whole) for whole in (_block(strands[device]) if of_network else _TRAY)),
            *(Fitted(port, part) for port in at),
        ]
        for device, at in cages.items()
    }


_TRAY = ("tray",)


def _block(strands: int) -> Collection[str]:
    return f"block of {strands} strands", "cords for power and network"


def _group(cube: Cube) -> str:
    return f"group of {'x'.join(map(str, cube.chips))} processors"


def taken_out(intended: Intended, slots: Sequence[int]) -> Mapping[str, str]:
    """By device, what is taken out where a cube or a block goes: the whole of it."""
    return {device: parts[0].part for device, parts in fitted_at(intended, slots).items()}


def _cage(port: str, cables: int) -> str:
    """The cage behind a port; cables of one cage share its module."""
    return port.rpartition("/")[0] if cables > 1 else port
