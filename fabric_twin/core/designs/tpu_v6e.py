"""TPU v6e: 256 chips as a static 2D torus, cabled as TPU v5e."""

from fabric_twin.core.cube import Cube
from fabric_twin.core.static_torus import static_torus

DESIGN = static_torus(
    "tpu-v6e", "TPU v6e, a static 2D torus", (4, 4), Cube(chips=(4, 4), tray=(4, 2))
)
