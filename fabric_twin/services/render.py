"""Render documents of a pod from files: cables, circuits, what is unhealthy, a slice, a plan."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from fabric_twin.core.circuits import Circuits
from fabric_twin.core.design import Design
from fabric_twin.core.errors import DocumentRefused
from fabric_twin.core.names import Names, check_pod_name
from fabric_twin.core.plant import intended_plant, recorded_plant
from fabric_twin.core.unhealthy import Unhealthy, numbers_of
from fabric_twin.documents.bill_of_materials import bill_of_materials
from fabric_twin.documents.cut_list import cut_list
from fabric_twin.documents.fabric import Cables, Fabric
from fabric_twin.documents.face_map import face_map
from fabric_twin.documents.labels import labels
from fabric_twin.documents.light_path import light_path
from fabric_twin.documents.making import KINDS, check_format, file_name, make
from fabric_twin.documents.port_map import port_map
from fabric_twin.documents.reconfigurations import change_record, slice_sheet
from fabric_twin.documents.sheet import Document
from fabric_twin.inventory.circuits import numbered, read_circuits
from fabric_twin.inventory.cutsheet import read_cut_sheet
from fabric_twin.inventory.reconfigurations import read_plan, read_slice
from fabric_twin.inventory.unhealthy import read_unhealthy

#: The bytes of a file, and what to call it.
File = tuple[bytes, str]


@dataclass(frozen=True)
class Files:
    """What documents are made from; a file that is not given is empty."""

    cables: File | None = None
    circuits: File | None = None
    in_use: File | None = None
    slice: File | None = None
    plan: File | None = None


@dataclass(frozen=True)
class Which:
    """What documents are wanted of; nothing named means all there is."""

    cube: int | None = None
    switch: str | None = None
    port: str | None = None
    every: bool = False


@dataclass(frozen=True)
class Rendering:
    """Documents to come, how many, and how many cables they cannot show."""

    files: Iterator[tuple[str, bytes]]
    count: int
    left_out: int = 0


def render_documents(
    kind: str,
    form: str,
    design: Design,
    pod: str,
    which: Which,
    files: Files,
    *,
    slots: Iterable[int] | None = None,
    templates: Path | None = None,
    made: datetime | None = None,
) -> Rendering:
    """Read what there is, and make the documents one by one as they are asked for."""
    check_format(kind, form)
    check_pod_name(pod)
    _check_whole(kind, which)
    left_out, count = 0, 1
    documents: Iterable[Document]
    if KINDS[kind].of in {"slice", "plan"}:
        documents = [_from_file(kind, pod, files)]
    else:
        fabric, left_out = _fabric(design, pod, files, slots)
        documents, count = _documents(kind, fabric, which)
    return Rendering(
        ((file_name(d, form), make(d, form, pod, templates, made)) for d in documents),
        count,
        left_out,
    )


def render_fabric(kind: str, form: str, fabric: Fabric, which: Which) -> Rendering:
    """Make documents of a pod that is known already, one by one as they are asked for."""
    check_format(kind, form)
    _check_whole(kind, which)
    documents, count = _documents(kind, fabric, which)
    return Rendering(((file_name(d, form), make(d, form, fabric.pod)) for d in documents), count)


def _fabric(
    design: Design, pod: str, files: Files, slots: Iterable[int] | None
) -> tuple[Fabric, int]:
    intended = intended_plant(design, pod, slots)
    names, left_out = intended.names, 0
    cables = Cables.of_rule(intended)
    if files.cables:
        sheet = read_cut_sheet(*files.cables, lambda _rows: None, written=True)
        recorded = recorded_plant(names, *sheet.columns)
        rows = (recorded.cables, recorded.a, recorded.b)
        cables = Cables.recorded(design.layout, rows, sheet.written)
        left_out = len(recorded.cables) - len(cables)
    circuits, owner = (
        numbered(read_circuits(*files.circuits), names) if files.circuits else (Circuits.none(), [])
    )
    unhealthy = read_unhealthy(*files.in_use, names) if files.in_use else Unhealthy()
    fabric = Fabric(
        intended=intended,
        cables=cables,
        circuits=circuits,
        owner=owner,
        unhealthy_slots=unhealthy.slots,
        unhealthy_ports={n for port in unhealthy.ports for n in numbers_of(names, port)},
        recorded=files.cables is not None,
    )
    return fabric, left_out


def _documents(kind: str, fabric: Fabric, which: Which) -> tuple[Iterable[Document], int]:
    """The documents of a kind, made when they are looked at, and how many."""
    switch = _switch(fabric, which.switch) if which.switch is not None else None
    cube = _cube(fabric, which.cube) if which.cube is not None else None
    slots = fabric.intended.slots
    name = fabric.pod
    if cube is not None:
        name = fabric.names.cube(cube)
    elif switch is not None:
        name = fabric.switches[switch]
    match kind:
        case "port-map":
            _only(kind, which, "switch")
            if not fabric.switches:
                raise DocumentRefused(
                    "this design has no switches", where=kind, remedy="Render face maps"
                )
            switches = range(len(fabric.switches)) if switch is None else [switch]
            return (port_map(fabric, number) for number in switches), len(switches)
        case "face-map":
            _only(kind, which, "cube")
            cubes = slots if cube is None else [cube]
            return (face_map(fabric, slot) for slot in cubes), len(cubes)
        case "light-path":
            _only(kind, which, "port")
            return [light_path(fabric, _port(fabric.names, which.port or ""))], 1
        case "labels":
            return [labels(fabric, name, cube, switch)], 1
        case "cut-list":
            return [cut_list(fabric, name, cube, switch)], 1
    return [bill_of_materials(fabric)], 1


def _from_file(kind: str, pod: str, files: Files) -> Document:
    if kind == "slice-sheet":
        if not files.slice:
            raise _needs(kind, "--slice FILE, as `fabric-twin slice --json` writes it")
        wanted = read_slice(*files.slice)
        return slice_sheet(
            pod,
            name=wanted.name,
            shape=wanted.shape,
            twisted=wanted.twisted,
            cubes=wanted.cubes,
            chips=wanted.chips,
            circuits=wanted.circuits,
        )
    if not files.plan:
        raise _needs(kind, "--plan FILE, as `fabric-twin plan --json` writes it")
    plan = read_plan(*files.plan)
    return change_record(
        pod,
        keep=plan.keep,
        lower_bound=plan.lower_bound,
        stages=plan.stages,
        untouched_owners=plan.untouched_owners,
    )


def _needs(kind: str, what: str) -> DocumentRefused:
    return DocumentRefused(f"a {kind} is made from a file", where=kind, remedy=f"Give {what}")


def _check_whole(kind: str, which: Which) -> None:
    """Refuse a part of a document that is whole."""
    named = [name for name in ("cube", "switch", "port") if getattr(which, name) is not None]
    parts = {"labels": {"cube", "switch"}, "cut-list": {"cube", "switch"}}.get(kind, set())
    if KINDS[kind].of in {"pod", "slice", "plan"} and set(named) - parts:
        raise DocumentRefused(
            f"a {kind} is not of a {named[0]}", where=kind, remedy=f"Leave --{named[0]} out"
        )


def _only(kind: str, which: Which, of: str) -> None:
    """Refuse a document of one thing when another, or nothing, is named."""
    named = {"cube": which.cube, "switch": which.switch, "port": which.port}
    others = [f"--{name}" for name, value in named.items() if value is not None and name != of]
    all_of = "" if of == "port" else " or --all"
    if others or (named[of] is None and not (which.every and all_of)):
        what = f"is of a {of}, not of {' and '.join(others)}" if others else f"is of a {of}"
        raise DocumentRefused(f"a {kind} {what}", where=kind, remedy=f"Give --{of}{all_of}")


def _switch(fabric: Fabric, name: str) -> int:
    """Number a switch by its name, or the part after the pod's, or after `ocs-`."""
    for whole in (name, f"{fabric.pod}-{name}", f"{fabric.pod}-ocs-{name}"):
        if whole in fabric.switches:
            return fabric.switches.index(whole)
    near = next(iter(fabric.switches), "")
    raise DocumentRefused(
        f"the pod has no switch {name[:60]!r}",
        where="switch",
        remedy=f"Name one like {near.removeprefix(fabric.pod + '-ocs-')}"
        if near
        else "This design has no switches",
    )


def _cube(fabric: Fabric, slot: int) -> int:
    if slot not in fabric.intended.slots:
        raise DocumentRefused(
            f"no cube stands in slot {slot}", where="cube", remedy="Name one of --slots"
        )
    return slot


def _port(names: Names, text: str) -> int:
    """A port as a cable is named after it: `iw1-c007:4.3.2/X+`."""
    rack, _, port = text.partition(":")
    rack = rack if rack.startswith(f"{names.pod}-") else f"{names.pod}-{rack}"
    layout = names.layout
    locals_ = layout.port_names[: layout.ports_per_cube]
    for slot in range(1, layout.slots + 1):
        if rack == names.cube(slot) and port in locals_:
            return (slot - 1) * layout.ports_per_cube + locals_.index(port)
    raise DocumentRefused(
        f"the pod has no cube port {text[:60]!r}",
        where="port",
        remedy=f"Name one like c001:{locals_[0]}",
    )
