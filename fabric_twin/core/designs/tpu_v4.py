"""TPU v4: a fibre pair a port, on duplex ports that are A and B together."""

import numpy as np

from fabric_twin.core.design import Design
from fabric_twin.core.rule import CubePorts, Plant, SwitchPorts

SLOTS = 64
SPARES = tuple(range(129, 137))


def rule(port: CubePorts) -> SwitchPorts:
    """`+` of slot k on duplex port k, `-` on port 64+k, of the index's own switch.

    cube 7, X+ 3,2 ==== 7  [ ocs-x-3-2 ]
    cube 7, X- 3,2 ==== 71 [ ocs-x-3-2 ]
    """
    return SwitchPorts(
        axis=port.axis,
        number=port.index,
        side=np.zeros_like(port.sign),
        port=port.slot + SLOTS * port.sign,
    )


DESIGN = Design(
    name="tpu-v4",
    title="TPU v4, a fibre pair a port",
    slots=SLOTS,
    plant=Plant.PAIRED,
    radix=136,
    spares=SPARES,
    transceiver="OSFP 2x CWDM4 bidi",
    rule=rule,
    assumptions=("`+` of slot k on duplex port k, `-` on port 64+k",),
)
