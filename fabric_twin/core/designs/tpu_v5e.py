"""TPU v5e: 256 chips as a static 2D torus."""

from fabric_twin.core.cube import Cube
from fabric_twin.core.static_torus import static_torus

DESIGN = static_torus(
    "tpu-v5e", "TPU v5e, a static 2D torus", (4, 4), Cube(chips=(4, 4), tray=(4, 2))
)
