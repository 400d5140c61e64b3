"""TPU v4 with CWDM8 optics: one strand a port, and two indices share a switch."""

import numpy as np

from fabric_twin.core.design import Design
from fabric_twin.core.designs.tpu_v4 import SLOTS, SPARES
from fabric_twin.core.rule import CubePorts, SwitchPorts


def rule(port: CubePorts) -> SwitchPorts:
    """`+` to A and `-` to B; odd j on ports 1..64 and even j on 65..128 of one switch.

    cube 7, X+ 3,1 ---- 7A  [ ocs-x-3-1 ]
    cube 7, X+ 3,2 ---- 71A [ ocs-x-3-1 ]
    cube 7, X+ 3,3 ---- 7A  [ ocs-x-3-2 ]
    """
    i, j = port.index.T
    return SwitchPorts(
        axis=port.axis,
        number=np.column_stack([i, (j + 1) // 2]),
        side=port.sign,
        port=port.slot + SLOTS * (1 - j % 2),
    )


DESIGN = Design(
    name="tpu-v4-cwdm8",
    title="TPU v4, one strand a port",
    slots=SLOTS,
    radix=136,
    spares=SPARES,
    transceiver="CWDM8 bidi",
    rule=rule,
    assumptions=("odd j on ports 1..64, even j on ports 65..128",),
)
