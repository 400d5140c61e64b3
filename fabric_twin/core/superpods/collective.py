"""How long a collective takes over the chips of several pods.

    within a pod   reduce-scatter, then all-gather, over its axes both ways   2 V / (A b)
    between pods   each chip's part of V around the rings, half on each       2 (P-1)/P (V/C) / d

V bytes, A axes of b bytes a second both ways, P pods of C chips, d bytes a second of a chip into
the network. Published formulas of a torus whose links are all used at once; nothing is measured.
"""

from dataclasses import dataclass
from typing import Any

from fabric_twin.core.errors import UnusableInput

#: What a number may be: no network has more.
MOST = 1e18


@dataclass(frozen=True)
class Collective:
    """What decides how long it takes; all rates in bytes a second."""

    bytes: float
    #: Of one pod's slice.
    chips: int
    axes: int
    ici_bytes_s: float
    dcn_bytes_s: float

    def __post_init__(self) -> None:
        """Refuse what is no number of bytes, chips or axes."""
        for name, value in vars(self).items():
            if not 0 < value <= MOST:
                raise UnusableInput(
                    f"{name} is no number over 0 that can be reckoned with",
                    where="collective",
                    remedy=f"Write at most {MOST:g}",
                )

    @property
    def gbps(self) -> float:
        """Gbit/s that a pod can send on each of the two rings."""
        return self.chips * self.dcn_bytes_s / 2 * 8 / 1e9

    @property
    def within_s(self) -> float:
        """Seconds within each pod.

        >>> round(Collective(140e9, 4096, 3, 9e10, 6.25e9).within_s, 4)
        1.037
        """
        return 2 * self.bytes / (self.axes * self.ici_bytes_s)

    def between_s(self, pods: int, ring_gbps: float | None = None) -> float:
        """Seconds between pods; slower where the weakest pair of a ring carries less.

        >>> round(Collective(140e9, 4096, 3, 9e10, 6.25e9).between_s(4), 4)
        0.0082
        """
        a_ring = self.gbps if ring_gbps is None else min(self.gbps, ring_gbps)
        if a_ring <= 0:
            return float("inf")
        rate = 2 * a_ring * 1e9 / 8 / self.chips
        return 2 * (pods - 1) / pods * self.bytes / self.chips / rate

    def as_json(self) -> dict[str, Any]:
        """As it was given."""
        return dict(vars(self))
