"""TPU v2: 256 chips as a static 2D torus."""

from fabric_twin.core.cube import Cube
from fabric_twin.core.static_torus import static_torus

DESIGN = static_torus(
    "tpu-v2",
    "TPU v2, a static 2D torus",
    (4, 4),
    Cube(chips=(4, 4), tray=(2, 2)),
    ("a pod has 256 chips: TPU v3 has four times as many as TPU v2",),
)
