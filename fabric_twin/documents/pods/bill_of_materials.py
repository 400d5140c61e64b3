"""The bill of materials: what is bought to build a pod, or the cubes of these slots."""

from collections import Counter

from fabric_twin.core.rule import Plant
from fabric_twin.documents.pods.fabric import Fabric
from fabric_twin.documents.sheet import Document, table

STRANDS = {
    Plant.SPLIT: "cable, one strand",
    Plant.PAIRED: "cable, a fibre pair",
    Plant.STATIC: "cable, cube to cube",
}


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
    if layout.switches:
        parts.append((switch, len(layout.switches), f"spare ports: {len(design.spares)} a side"))
    parts.append((STRANDS[layout.plant], len(fabric.cables), ""))
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
