"""What the cabling crew of a network or a cluster has in hand: cut list, labels, maps of devices.

A map of a block or a group says where each of its ports goes; a map of a switch what is on each.
"""

from collections.abc import Iterator

import numpy as np

from fabric_twin.core.counted import counted
from fabric_twin.core.fabric.plant import IntendedPlant
from fabric_twin.documents.pods.labels import COLUMNS
from fabric_twin.documents.sheet import Document, Table, table
from fabric_twin.documents.topology.device_map import device_maps

#: Kinds of documents, and whether there is one for each block, each switch, or the network.
DOCUMENTS = {
    "block-map": "block",
    "switch-map": "switch",
    "cut-list": "network",
    "labels": "network",
}
#: The same of a cluster of groups.
OF_CLUSTER = {
    "group-map": "group",
    **{kind: of for kind, of in DOCUMENTS.items() if of != "block"},
}


def documents_of(
    intended: IntendedPlant, kind: str, device: str | None, *, every: bool = False
) -> Iterator[Document]:
    """The documents of a kind: of one device where it is named, else of all.

    Lists of cables are one for all, or one for `every` device that they begin at.
    """
    fabric, names = intended.fabric, intended.names
    if kind in {"labels", "cut-list"}:
        make = _labels if kind == "labels" else _cut_list
        near, far = fabric.device[intended.a], fabric.device[intended.b]
        if every:
            for number in np.unique(near).tolist():
                yield make(intended, names.device(number), np.flatnonzero(near == number).tolist())
            return
        rows = np.arange(len(intended.a))
        if device:
            named = [n for n in np.unique(fabric.device).tolist() if names.device(n) == device]
            rows = np.flatnonzero(np.isin(near, named) | np.isin(far, named))
        yield make(intended, device or intended.pod, rows.tolist())
        return
    yield from device_maps(intended, kind, device)


def _cut_list(intended: IntendedPlant, name: str, rows: list[int]) -> Document:
    begins = "block" if intended.noun == "Network" else "device"
    lines = [(*near, *far, cable) for cable, near, far in _cables(intended, rows)]
    return Document(
        kind="cut-list",
        name=name,
        title=f"Cut list of {name}",
        lines=(f"{intended.noun} {intended.pod}", counted(len(lines), "cable")),
        tables=(table("Cables", f"{begins},port,to,port there,cable", lines),),
    )


def _labels(intended: IntendedPlant, name: str, rows: list[int]) -> Document:
    cells = []
    for cable, near, far in _cables(intended, rows):
        cells += [(cable, "a", cable, *near, *far), (cable, "b", cable, *far, *near)]
    return Document(
        kind="labels",
        name=name,
        title=f"Labels of {name}",
        lines=(f"{len(cells):,} labels for {counted(len(rows), 'cable')}",),
        tables=(Table("Labels", COLUMNS, cells),),
    )


def _cables(
    intended: IntendedPlant, rows: list[int]
) -> Iterator[tuple[str, tuple[str, str], tuple[str, str]]]:
    names = intended.names
    for row in rows:
        near, far = int(intended.a[row]), int(intended.b[row])
        yield names.cable(near), names.port(near), names.port(far)
