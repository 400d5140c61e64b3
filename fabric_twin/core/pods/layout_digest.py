"""What tells two layouts apart: how ports are numbered and called, and what the rule joins.

A pod keeps it with its ports, whose numbers mean nothing by another layout.
"""

import hashlib
import json

from fabric_twin.core.pods.layout import Layout


def digest_of(layout: Layout) -> str:
    """The same for the same ports, names and cables, whoever wrote the design and however."""
    facts = [
        [layout.slots, layout.radix, layout.lanes, layout.strands, layout.plant.value],
        [layout.cube.chips, layout.cube.tray],
        layout.switches,
        layout.port_names,
        layout.spare.nonzero()[0].tolist(),
    ]
    said = hashlib.sha256(json.dumps(facts, default=int).encode())
    said.update(layout.mate.astype("<i4").tobytes())
    return said.hexdigest()[:32]
