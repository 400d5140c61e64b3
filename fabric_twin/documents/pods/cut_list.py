"""The cut list for the cabling crew: in the order in which they walk, rack by rack."""

import numpy as np

from fabric_twin.documents.pods.fabric import Fabric
from fabric_twin.documents.sheet import Document, table

COLUMNS = "rack,tray,port,to,port there,length m,cable,label"


def cables_of(fabric: Fabric, cube: int | None, switch: int | None) -> list[int]:
    """The cables of a cube, of a switch, or of the pod, by rack, tray and port."""
    layout, (a, b) = fabric.layout, (fabric.cables.a, fabric.cables.b)
    wanted = np.ones(len(a), dtype=np.bool_)
    if cube is not None:
        wanted &= (layout.slot[a] == cube) | (layout.slot[b] == cube)
    if switch is not None:
        device = layout.slots * layout.cube.trays + switch
        wanted &= (layout.device[a] == device) | (layout.device[b] == device)
    rows = np.flatnonzero(wanted)
    order = np.lexsort((a[rows], layout.device[a[rows]]))  # stable: then as they are written
    return list(rows[order].tolist())


def label_text(fabric: Fabric, row: int) -> str:
    """What is printed on a cable: its label in the inventory, or its name."""
    return fabric.cables.label[row] or fabric.cables.name[row]


def cut_list(
    fabric: Fabric, name: str, cube: int | None = None, switch: int | None = None
) -> Document:
    """The cut list of a pod or a part of it."""
    rows = cables_of(fabric, cube, switch)
    (a_device, a_port), (b_device, b_port) = (
        fabric.names.ends(column[rows]) for column in (fabric.cables.a, fabric.cables.b)
    )
    slots = fabric.layout.slot[fabric.cables.a[rows]].tolist()
    lines = [
        (
            fabric.names.cube(slot) if slot else device,
            device,
            port,
            far,
            far_port,
            fabric.cables.length_m[row],
            fabric.cables.name[row],
            label_text(fabric, row),
        )
        for row, slot, device, port, far, far_port in zip(
            rows, slots, a_device, a_port, b_device, b_port, strict=True
        )
    ]
    unknown = sum(not line[5] for line in lines)
    racks = len({line[0] for line in lines})
    return Document(
        kind="cut-list",
        name=name,
        title=f"Cut list of {name}",
        lines=(
            f"Pod {fabric.pod} ({fabric.intended.design.name})",
            f"{len(lines):,} cables from {racks:,} rack{'s' * (racks != 1)}",
            f"Length not known of {unknown:,}: measure before cutting"
            if unknown
            else "All lengths are known",
        ),
        tables=(table("Cables", COLUMNS, lines),),
    )
