"""The face map of a cube: six faces, and where the cable of every place on them goes.

X+   y 1  2  3  4        a place: chip, switch and port there, circuit and owner
z 4 [ ][ ][ ][ ]
...
z 1 [ ][ ][ ][ ]
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from fabric_twin.core.cube import AXES
from fabric_twin.core.findings.noted import Noted
from fabric_twin.documents.pods.fabric import NOWHERE, Fabric
from fabric_twin.documents.pods.legend import Owner
from fabric_twin.documents.pods.ports import (
    FIXED,
    NO_CABLE,
    ONE_END_IN,
    UNHEALTHY,
    CubePort,
    SwitchPort,
    alarms,
    cube_port,
    switch_port,
    tally,
)
from fabric_twin.documents.sheet import Document, table

COLUMNS = "face,port,tray,cable,goes to,port there,state,to,to cube,owner,unhealthy,wrong"


@dataclass(frozen=True)
class Place:
    """A place on a face: its chip, and what is at the far end of each of its cables."""

    across: int
    up: int
    chip: str
    ports: tuple[CubePort, ...]
    ends: tuple[SwitchPort, ...]


@dataclass(frozen=True)
class FaceDrawing:
    """One face; `across` and `up` name its axes (`up` is empty in a cube of two dimensions)."""

    name: str
    across: str
    up: str
    columns: int
    rows: int
    places: tuple[Place, ...]


@dataclass(frozen=True)
class FaceMap:
    """The drawing's facts."""

    faces: tuple[FaceDrawing, ...]
    owners: tuple[tuple[Owner, int], ...]
    counts: dict[str, int]
    #: What is wrong at ports, each thing once.
    alarms: tuple[str, ...]
    unhealthy: bool
    #: What audits found of the whole cube, or of a tray of it.
    found: Sequence[Noted]


def face_map(fabric: Fabric, slot: int) -> Document:
    """The face map of the cube in a slot."""
    cube, lanes = fabric.layout.cube, fabric.layout.lanes
    first = (slot - 1) * fabric.layout.ports_per_cube
    faces = []
    for face in cube.faces:
        others = [axis for axis in range(cube.dimensions) if axis != face.axis]
        places = []
        for index in cube.indices(face.axis):
            numbers = range(first, first + lanes)
            first += lanes
            ends = tuple(_far(fabric, number) for number in numbers)
            ports = tuple(filter(None, (cube_port(fabric, number) for number in numbers)))
            up = index[1] if len(index) > 1 else 1
            places.append(Place(index[0], up, ports[0].chip, ports, ends))
        sides = [cube.chips[axis] for axis in others]
        named = [AXES[axis].lower() for axis in others]
        faces.append(
            FaceDrawing(
                name=str(face),
                across=named[0],
                up=named[1] if len(named) > 1 else "",
                columns=sides[0],
                rows=sides[1] if len(sides) > 1 else 1,
                places=tuple(places),
            )
        )
    return _document(fabric, slot, faces)


def _document(fabric: Fabric, slot: int, faces: list[FaceDrawing]) -> Document:
    both = [
        (face.name, port, end)
        for face in faces
        for place in face.places
        for port, end in zip(place.ports, place.ends, strict=True)
    ]
    counts = tally([end for _, _, end in both])
    owners = Counter(end.owner for _, _, end in both if end.owner)
    unhealthy = slot in fabric.unhealthy_slots
    found = fabric.cube_findings.get(slot, ())
    rack = fabric.names.cube(slot)
    words = ", ".join(f"{many} {state}" for state, many in counts.items() if many)
    coming = fabric.to_come.get((slot - 1) * fabric.layout.ports_per_cube, "")
    state = ", unhealthy" if unhealthy else f", {coming}" if coming else ""
    return Document(
        kind="face-map",
        name=rack,
        title=f"Face map of {rack}",
        lines=(
            f"Pod {fabric.pod} ({fabric.intended.design.name}): cube in slot {slot}{state}",
            f"Ports: {words}",
            *(f"Wrong: {one}" for one in found),
            *fabric.gaps,
        ),
        tables=(table("Ports", COLUMNS, (_row(*row) for row in both)),),
        drawing=FaceMap(
            faces=tuple(faces),
            owners=tuple((o, owners[o]) for o in fabric.owners.values() if o in owners),
            counts=counts,
            alarms=alarms((port.port, end) for _, port, end in both),
            unhealthy=unhealthy,
            found=found,
        ),
        gaps=fabric.gaps,
    )


def _far(fabric: Fabric, port: int) -> SwitchPort:
    """The far end of a cube port's cable, or the port itself where there is no cable."""
    far = fabric.far_end(port)
    if far != NOWHERE:
        return switch_port(fabric, far)
    wanted, coming = fabric.want[port], fabric.coming(port)
    unhealthy = fabric.is_unhealthy(port)
    missing = wanted >= 0 and not coming
    wrong = f"the cable to {' '.join(fabric.names.port(wanted))} is missing" if missing else ""
    state, plug = coming or NO_CABLE, fabric.plug_of.get(port, NOWHERE)
    if half_in := fabric.half_in(port):
        state, wrong = ONE_END_IN, f"only one end of {half_in} is in" if missing else ""
    if astray := fabric.astray.get(port):
        state, wrong = FIXED, f"its cable {astray} ends at no port of the pod"
    device, name = fabric.names.port(plug) if plug not in {NOWHERE, port} else ("", "")
    return SwitchPort(
        device=device,
        name=name,
        state=UNHEALTHY if unhealthy else state,
        cable=astray or half_in,
        at=None,
        to="",
        beyond=None,
        owner=None,
        unhealthy=unhealthy,
        mismatch=wrong if fabric.recorded else "",
        found=fabric.noted(port),
    )


def _row(face: str, port: CubePort, end: SwitchPort) -> tuple[str, ...]:
    return (
        face,
        port.port,
        port.tray,
        end.cable,
        end.device,
        end.name,
        end.state,
        end.to,
        end.beyond.rack if end.beyond else "",
        end.owner.name if end.owner else "",
        "unhealthy" if end.unhealthy else "",
        end.wrong,
    )
