"""The cables that a cut sheet says a network has."""

from collections.abc import Sequence

import numpy as np

from fabric_twin.core.fabric.columns import NOT_OF_DESIGN
from fabric_twin.core.fabric.plant import Recorded
from fabric_twin.core.pods.names import Names


def recorded_network(
    names: Names,
    cables: Sequence[str],
    a_device: Sequence[str],
    a_port: Sequence[str],
    b_device: Sequence[str],
    b_port: Sequence[str],
) -> Recorded:
    """Number the ends of recorded cables; rows wholly of others are counted and left out."""
    a, b = names.find(a_device, a_port), names.find(b_device, b_port)
    ours = f"{names.pod}-"
    ends = list(zip(a_device, a_port, b_device, b_port, strict=True))
    begins = ((one.startswith(ours), other.startswith(ours)) for one, _, other, _ in ends)
    named = (bool(one or other) for one, _, other, _ in ends)
    keep = np.array([any(b) or not n for b, n in zip(begins, named, strict=True)], np.bool_)
    odd = np.flatnonzero((a == NOT_OF_DESIGN) | (b == NOT_OF_DESIGN)).tolist()
    whole = Recorded(cables, a, b, {row: ends[row] for row in odd}, others=int((~keep).sum()))
    return whole.only(keep) if ends else whole
