"""Ironwood (TPU v7): one strand a port, 144 cubes, and not a port to spare."""

from fabric_twin.core.design import Design
from fabric_twin.core.rule import CubePorts, SwitchPorts


def rule(port: CubePorts) -> SwitchPorts:
    """`+` to the A side and `-` to the B side of the index's own switch; port = slot.

    cube 7, X+ 3,2 ---- 7A [ ocs-x-3-2 ] 7B ---- cube 7, X- 3,2
    """
    return SwitchPorts(axis=port.axis, number=port.index, side=port.sign, port=port.slot)


DESIGN = Design(
    name="ironwood",
    title="Ironwood (TPU v7), one strand a port",
    slots=144,
    radix=144,
    transceiver="OSFP 800G bidi, 8 wavelengths",
    largest_offer=2048,
    rule=rule,
    assumptions=(
        "the cube in slot k uses port k of every switch",
        "none of the 288 ports of a switch is spare: the source counts none",
    ),
)
