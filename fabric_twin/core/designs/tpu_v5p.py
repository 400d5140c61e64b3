"""TPU v5p: 140 cubes on Ironwood's plan, with four spare ports a side."""

from fabric_twin.core.design import Design
from fabric_twin.core.designs.ironwood import rule

DESIGN = Design(
    name="tpu-v5p",
    title="TPU v5p, one strand a port",
    slots=140,
    radix=144,
    spares=(141, 142, 143, 144),
    transceiver="bidi, one strand per link",
    rule=rule,
    assumptions=(
        "48 switches of 144x144, split, spares 141..144 on both sides",
        "one bidirectional strand per link",
        "the cube in slot k uses port k of every switch",
    ),
)
