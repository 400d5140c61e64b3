"""What the cabling crew of a network has in hand: cut list, labels, maps of blocks and switches.

A map of a block says where each of its strands goes; a map of a switch what is on each port.
"""

from collections.abc import Iterator
from itertools import groupby

import numpy as np

from fabric_twin.core.counted import counted
from fabric_twin.core.fabric.columns import NO_PORT
from fabric_twin.core.fabric.plant import IntendedPlant
from fabric_twin.documents.pods.labels import COLUMNS
from fabric_twin.documents.sheet import Document, Table, table

#: Kinds of documents, and whether there is one for each block, each switch, or the network.
DOCUMENTS = {
    "block-map": "block",
    "switch-map": "switch",
    "cut-list": "network",
    "labels": "network",
}
CABLED = "cabled"


def documents_of(intended: IntendedPlant, kind: str, device: str | None) -> Iterator[Document]:
    """The documents of a kind: of one device where it is named, else of all."""
    fabric, names = intended.fabric, intended.names
    of = DOCUMENTS[kind]
    kept = intended.a if of == "block" else fabric.unit == 0
    numbers = np.unique(fabric.device[kept]).tolist()
    if of == "network":
        rows = np.arange(len(intended.a))
        if device:
            at = [names.device(int(number)) == device for number in fabric.device]
            mine = np.array(at, np.bool_)
            rows = np.flatnonzero(mine[intended.a] | mine[intended.b])
        make = _labels if kind == "labels" else _cut_list
        yield make(intended, device or intended.pod, rows.tolist())
        return
    for number in numbers:
        if device in (None, names.device(number)):
            yield _map(intended, kind, number)


def _map(intended: IntendedPlant, kind: str, number: int) -> Document:
    """Every port of a device, and what is across its cable; ports without one in runs."""
    ports = np.flatnonzero(intended.fabric.device == number).tolist()
    name, used = intended.names.device(number), 0
    rows: list[tuple[str, ...]] = []
    for (state, _), run in groupby(ports, lambda port: _state(intended, port)):
        here = list(run)
        if state == CABLED:
            used += len(here)
            rows += [_cabled(intended, port) for port in here]
        else:
            ends = dict.fromkeys(intended.names.port(port)[1] for port in (here[0], here[-1]))
            rows.append((" to ".join(ends), state, "", "", ""))
    return Document(
        kind=kind,
        name=name,
        title=f"{'Block' if kind == 'block-map' else 'Switch'} map of {name}",
        lines=(f"Network {intended.pod}", f"{used:,} of {len(ports):,} ports have a cable"),
        tables=(table("Ports", "port,state,to,port there,cable", rows),),
    )


def _state(intended: IntendedPlant, port: int) -> tuple[str, int]:
    """What a port is for, and its panel: neighbours of which it is the same are one row."""
    fabric = intended.fabric
    state = "spare" if fabric.spare[port] else "free"
    return CABLED if intended.want[port] != NO_PORT else state, int(fabric.panel[port])


def _cabled(intended: IntendedPlant, port: int) -> tuple[str, ...]:
    names, far = intended.names, int(intended.want[port])
    near = port if intended.fabric.unit[port] else far
    return names.port(port)[1], CABLED, *names.port(far), names.cable(near)


def _cut_list(intended: IntendedPlant, name: str, rows: list[int]) -> Document:
    lines = [(*near, *far, cable) for cable, near, far in _cables(intended, rows)]
    return Document(
        kind="cut-list",
        name=name,
        title=f"Cut list of {name}",
        lines=(f"Network {intended.pod}", counted(len(lines), "cable")),
        tables=(table("Cables", "block,port,to,port there,cable", lines),),
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
