"""TPU v4 without switches: the baseline of the figures on availability."""

from fabric_twin.core.cube import STANDARD_CUBE
from fabric_twin.core.static_torus import static_torus

DESIGN = static_torus(
    "static-3d", "TPU v4 without switches, a static 3D torus", (4, 4, 4), STANDARD_CUBE
)
