"""The cut list for the cabling crew: in the order in which they walk, rack by rack."""

from collections import Counter

import numpy as np

from fabric_twin.core.cabling.cable_kinds import cable_kind
from fabric_twin.core.counted import counted
from fabric_twin.documents.pods.fabric import Cables, Fabric
from fabric_twin.documents.pods.ports import FIXED, ONE_END_IN
from fabric_twin.documents.sheet import Document, table

COLUMNS = "rack,tray,port,to,port there,length m,cable,label"


def cables_of(fabric: Fabric, cube: int | None, switch: int | None) -> list[int]:
    """The cables to lay of a cube, of a switch, or of the pod, by rack, tray and port."""
    layout, (a, b) = fabric.layout, (fabric.to_lay.a, fabric.to_lay.b)
    wanted = np.ones(len(a), dtype=np.bool_)
    if cube is not None:
        wanted &= (layout.slot[a] == cube) | (layout.slot[b] == cube)
    if switch is not None:
        device = layout.slots * layout.cube.trays + switch
        wanted &= (layout.device[a] == device) | (layout.device[b] == device)
    rows = np.flatnonzero(wanted)
    order = np.lexsort((a[rows], layout.device[a[rows]]))  # stable: then as they are written
    return list(rows[order].tolist())


def label_text(cables: Cables, row: int) -> str:
    """What is printed on a cable: its label in the inventory, or its name."""
    return cables.label[row] or cables.name[row]


def cut_list(
    fabric: Fabric, name: str, cube: int | None = None, switch: int | None = None
) -> Document:
    """The cut list of a pod or a part of it."""
    rows, cables = cables_of(fabric, cube, switch), fabric.to_lay
    (a_device, a_port), (b_device, b_port) = (
        fabric.names.ends(column[rows]) for column in (cables.a, cables.b)
    )
    slots = fabric.layout.slot[cables.a[rows]].tolist()
    design = fabric.intended.design
    kinds = [cable_kind(design, int(cables.a[row]), int(cables.b[row])) for row in rows]
    kinds = kinds if design.optical_wraps else []
    states = [_state(fabric, row) for row in rows] if fabric.recorded else []
    lines = [
        (
            fabric.names.cube(slot) if slot else device,
            device,
            port,
            far,
            far_port,
            cables.length_m[row],
            cables.name[row],
            label_text(cables, row),
            *kinds[n : n + 1],
            *states[n : n + 1],
        )
        for n, (row, slot, device, port, far, far_port) in enumerate(
            zip(rows, slots, a_device, a_port, b_device, b_port, strict=True)
        )
    ]
    unknown = sum(not line[5] for line in lines)
    racks = len({line[0] for line in lines})
    words = ", ".join(f"{many:,} {state}" for state, many in sorted(Counter(states).items()))
    left = f": {words}" if set(states) - {FIXED} else ""
    return Document(
        kind="cut-list",
        name=name,
        title=f"Cut list of {name}",
        lines=(
            f"Pod {fabric.pod} ({fabric.intended.design.name})",
            f"{counted(len(lines), 'cable')} from {counted(racks, 'rack')}{left}",
            f"Length not known of {unknown:,}: measure before cutting"
            if unknown
            else "All lengths are known",
        ),
        tables=(
            table("Cables", COLUMNS + ",kind" * bool(kinds) + ",state" * fabric.recorded, lines),
        ),
    )


def _state(fabric: Fabric, row: int) -> str:
    """How far a cable is: in, with one end in, or what its ports wait for it as."""
    if row < len(fabric.cables):
        return FIXED
    a, b = int(fabric.to_lay.a[row]), int(fabric.to_lay.b[row])
    return ONE_END_IN if a in fabric.plug_of else fabric.coming(a) or fabric.coming(b)
