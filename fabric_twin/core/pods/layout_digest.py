"""What tells two layouts apart: how ports are numbered and called, and what the rule joins.

A pod keeps it with its ports, whose numbers mean nothing by another layout.
"""

import hashlib
import json
from collections.abc import Iterable

from fabric_twin.core.cube import AXES
from fabric_twin.core.pods.layout import Layout


def digest_of(layout: Layout) -> str:
    """The same for the same ports, names and cables, in whatever form the design is written.

    Ports that are declared spare keep their numbers, so they are not in it.
    """
    facts = [
        [layout.slots, layout.radix, layout.lanes, layout.strands, layout.plant.value],
        [layout.cube.chips, layout.cube.tray],
        layout.switches,
        layout.port_names,
    ]
    said = hashlib.sha256(json.dumps(facts, default=int).encode())
    said.update(layout.mate.astype("<i4").tobytes())
    return said.hexdigest()[:32]


def may_have_numbered(
    layout: Layout, switches: Iterable[tuple[int, str, str]], last_slot: int, last_port: int
) -> bool:
    """Whether a layout may be the one of records, as far as they tell: switches by number, axis and
    index, the last slot of a cube, and the last port."""
    rule = {
        (number, AXES[axis].lower(), "-".join(map(str, index)))
        for number, (axis, index) in enumerate(layout.switches)
    }
    return last_slot <= layout.slots and last_port < len(layout.mate) and rule.issuperset(switches)
