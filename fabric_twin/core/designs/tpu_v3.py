"""TPU v3: 1,024 chips as a static 2D torus."""

from fabric_twin.core.cube import Cube
from fabric_twin.core.static_torus import static_torus

DESIGN = static_torus(
    "tpu-v3", "TPU v3, a static 2D torus", (8, 8), Cube(chips=(4, 4), tray=(4, 2))
)
