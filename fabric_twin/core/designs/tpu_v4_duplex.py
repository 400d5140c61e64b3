"""TPU v4 with plain duplex optics: two fibre pairs a port, each lane group on its own switch."""

import numpy as np

from fabric_twin.core.design import Design
from fabric_twin.core.designs.tpu_v4 import SLOTS, SPARES
from fabric_twin.core.rule import CubePorts, Plant, SwitchPorts


def rule(port: CubePorts) -> SwitchPorts:
    """As in tpu-v4, with one switch for each of a port's two cables.

    cube 7, X+ 3,2 /1 ==== 7 [ ocs-x-3-2-1 ]
    cube 7, X+ 3,2 /2 ==== 7 [ ocs-x-3-2-2 ]
    """
    return SwitchPorts(
        axis=port.axis,
        number=np.column_stack([port.index, port.lane]),
        side=np.zeros_like(port.sign),
        port=port.slot + SLOTS * port.sign,
    )


DESIGN = Design(
    name="tpu-v4-duplex",
    title="TPU v4, two fibre pairs a port",
    slots=SLOTS,
    plant=Plant.PAIRED,
    lanes=2,
    radix=136,
    spares=SPARES,
    transceiver="CWDM4 duplex",
    rule=rule,
    assumptions=("`+` of slot k on duplex port k, `-` on port 64+k",),
)
