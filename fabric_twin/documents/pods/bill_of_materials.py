"""The bill of materials: what is bought to build a pod, or the cubes of these slots."""

from collections import Counter

from fabric_twin.core.orders.parts import STRANDS
from fabric_twin.core.pods.grid import closes_ring
from fabric_twin.core.rule import Plant
from fabric_twin.documents.pods.fabric import Fabric
from fabric_twin.documents.sheet import Document, table


def bill_of_materials(fabric: Fabric) -> Document:
    """Count everything, and cables by length."""
    design, layout = fabric.intended.design, fabric.layout
    cubes = len(fabric.intended.slots)
    ports = cubes * layout.ports_per_cube // layout.lanes
    switch = f"switch, {layout.radix} ports" + (" a side" if layout.plant is Plant.SPLIT else "")
    parts: list[tuple[str, int, str]] = [
        ("cube (rack)", cubes, f"{' x '.join(map(str, design.cube.chips))} chips"),
        ("tray", cubes * design.cube.trays, f"{' x '.join(map(str, design.cube.tray))} chips"),
        ("chip", cubes * design.cube.size, ""),
        ("optical port", ports, f"{ports // cubes if cubes else 0} a cube"),
        ("transceiver", ports, design.transceiver),
    ]
    cables = [(STRANDS[layout.plant], len(fabric.cables), "")]
    if design.optical_wraps:
        intended = fabric.intended
        optical = int(closes_ring(layout, intended.a, intended.b).sum())
        parts[-2:] = [
            ("port", ports, f"{ports // cubes if cubes else 0} a cube"),
            ("transceiver", 2 * optical, "one at each end of an optical cable"),
        ]
        cables = [
            ("cable, copper", len(intended.a) - optical, "from a cube to the next one"),
            ("cable, optical", optical, "from the last cube of a row to the first one"),
        ]
    if layout.switches:
        parts.append((switch, len(layout.switches), f"spare ports: {len(design.spares)} a side"))
    parts += cables
    lengths = Counter(fabric.cables.length_m)
    return Document(
        kind="bill-of-materials",
        name=fabric.pod,
        title=f"Bill of materials of {fabric.pod}",
        lines=(f"{design.title}: {cubes:,} of {design.slots:,} slots hold cubes",),
        tables=(
            table("Parts", "part,count,what", parts),
            table(
                "Cables by length",
                "length m,cables",
                (
                    (length or "not known", lengths[length])
                    for length in sorted(lengths, key=_metres)
                ),
            ),
        ),
    )


def _metres(length: str) -> tuple[float, str]:
    try:
        return float(length), length
    except ValueError:
        return float("inf"), length
