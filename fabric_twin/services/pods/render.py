"""Render documents of a pod from files: cables, circuits, what is unhealthy, a slice, a plan."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from fabric_twin.core.cabling.plant import Intended, Substitution, intended_plant, recorded_plant
from fabric_twin.core.circuits.circuits import numbered
from fabric_twin.core.circuits.unhealthy import Unhealthy, numbers_of
from fabric_twin.core.counted import counted
from fabric_twin.core.design import Design
from fabric_twin.core.errors import DocumentRefused
from fabric_twin.core.kinds import Verb
from fabric_twin.core.pods.names import Names, check_pod_name, pod_of
from fabric_twin.core.slices.bearing import Bearing
from fabric_twin.documents.formats import KINDS, check_format, file_name, make
from fabric_twin.documents.pods.bill_of_materials import bill_of_materials
from fabric_twin.documents.pods.cut_list import cut_list
from fabric_twin.documents.pods.detours import PortDetour, detours_by_port
from fabric_twin.documents.pods.fabric import Cables, Fabric
from fabric_twin.documents.pods.face_map import face_map
from fabric_twin.documents.pods.labels import labels
from fabric_twin.documents.pods.light_path import light_path
from fabric_twin.documents.pods.port_map import port_map
from fabric_twin.documents.sheet import Document
from fabric_twin.documents.slices.reconfigurations import change_record, slice_sheet
from fabric_twin.documents.topology.wiring import DOCUMENTS, OF_CLUSTER, documents_of
from fabric_twin.inventory.circuits import read_circuits
from fabric_twin.inventory.cutsheet import read_cut_sheet
from fabric_twin.inventory.plans import read_plan
from fabric_twin.inventory.slices import WrittenSlice, read_slice
from fabric_twin.inventory.unhealthy import read_unhealthy
from fabric_twin.services.pods.which import Which, check_only, check_whole

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
class Rendering:
    """Documents to come, how many, and what of the files they cannot show or find odd."""

    files: Iterator[tuple[str, bytes]]
    count: int
    warnings: tuple[str, ...] = ()


def render_documents(
    kind: str,
    form: str,
    design: Design,
    pod: str,
    which: Which,
    files: Files,
    *,
    slots: Iterable[int] | None = None,
    substitutions: Iterable[Substitution] = (),
    templates: Path | None = None,
    made: datetime | None = None,
) -> Rendering:
    """Read what there is, and make the documents one by one as they are asked for."""
    check_format(kind, form)
    check_pod_name(pod)
    check_whole(kind, which)
    intended = intended_plant(design, pod, slots, substitutions)
    warnings: list[str] = []
    documents: Iterable[Document]
    if KINDS[kind].of in {"slice", "plan"}:
        documents, count = [_from_file(kind, intended, files, warnings)], 1
    else:
        written = None
        if files.slice and kind == "light-path":
            written = read_slice(*files.slice, intended)
            warnings.append(written.warning)
        fabric = _fabric(intended, files, warnings, written)
        documents, count = _documents(kind, fabric, which)
    return Rendering(
        ((file_name(d, form), make(d, form, pod, templates, made)) for d in documents),
        count,
        tuple(filter(None, warnings)),
    )


def render_fabric(
    kind: str, form: str, fabric: Fabric, which: Which, made: datetime | None = None
) -> Rendering:
    """Make documents of a pod that is known already, one by one as they are asked for."""
    check_format(kind, form)
    check_whole(kind, which)
    documents, count = _documents(kind, fabric, which)
    files = ((file_name(d, form), make(d, form, fabric.pod, made=made)) for d in documents)
    return Rendering(files, count)


def render_devices(
    intended: Intended,
    kind: str,
    form: str,
    device: str | None = None,
    made: datetime | None = None,
    *,
    every: bool = False,
) -> Rendering:
    """Documents of a network of blocks or a cluster of groups.

    They are of one device where it is named, else of all; cables are listed for `every` one by
    itself where that is asked for.
    """
    noun, part = intended.names.noun, intended.names.part
    kinds = DOCUMENTS if noun == "network" else OF_CLUSTER
    if kind not in kinds:
        if kind == "port-map":
            intended.design.check_can(Verb.PORT_MAP, DocumentRefused)
        raise DocumentRefused(
            f"a {noun} has no {kind}", where=kind, remedy=f"Use one of {', '.join(kinds)}"
        )
    check_format(kind, form)
    documents = list(documents_of(intended, kind, device, every=every))
    if not documents or not all(document.tables[0].rows for document in documents):
        of = part if kind == f"{part}-map" else "switch" if kind == "switch-map" else "device"
        what = f"{of} {device[:60]!r}" if device else "cable"
        raise DocumentRefused(
            f"{intended.pod} has no {what}",
            where="device",
            remedy=f"Name a {part} or a switch as a cut sheet does",
        )
    files = ((file_name(d, form), make(d, form, intended.pod, made=made)) for d in documents)
    return Rendering(files, len(documents))


def render_one(document: Document, form: str, pod: str, made: datetime | None = None) -> Rendering:
    """A document that is made already."""
    check_format(document.kind, form)
    content = make(document, form, pod, made=made)
    return Rendering(iter([(file_name(document, form), content)]), 1)


def _fabric(
    intended: Intended, files: Files, warnings: list[str], written: WrittenSlice | None = None
) -> Fabric:
    """The pod by its files; a slice has its circuits, unless a file of circuits is given."""
    names = intended.names
    cables = Cables.of_rule(intended)
    if files.cables:
        sheet = read_cut_sheet(*files.cables, lambda _rows: None, written=True)
        recorded = recorded_plant(names, *sheet.columns)
        rows = (recorded.cables, recorded.a, recorded.b)
        cables = Cables.recorded(intended.design.layout, rows, sheet.written)
        if left := len(recorded.cables) - len(cables):
            warnings.append(
                f"left out: {counted(left, 'cable')} with an end that is not known or not of the "
                "design; `fabric-twin audit` names them"
            )
    given = read_circuits(*files.circuits) if files.circuits else []
    if written and not files.circuits:
        given = [replace(circuit, owner=written.made.name) for circuit in written.circuits]
    circuits, rows_kept = numbered(given, names)
    kept = set(rows_kept)
    left_out = [circuit for circuit in given if circuit not in kept]
    ours = [c for c in left_out if pod_of(c.switch) in {intended.pod, None}]
    if others := len(left_out) - len(ours):
        warnings.append(f"left out: {counted(others, 'circuit')} on switches of other pods")
    if ours:
        warnings.append(
            f"left out: {counted(len(ours), 'circuit')} that no switch of the pod can have, first "
            f"{ours[0]} ({ours[0].where}); `fabric-twin plan` says which rule it breaks"
        )
    unhealthy = read_unhealthy(*files.in_use, names) if files.in_use else Unhealthy()
    return Fabric(
        intended=intended,
        cables=cables,
        circuits=circuits,
        owner=[circuit.owner for circuit in rows_kept],
        unhealthy_slots=unhealthy.slots,
        unhealthy_ports={n for port in unhealthy.ports for n in numbers_of(names, port)},
        detours=_detours(intended, written) if written else {},
        recorded=files.cables is not None,
    )


def _detours(intended: Intended, written: WrittenSlice) -> dict[int, PortDetour]:
    """The detours of a slice, with the reasons that its file gives."""
    named, rows = numbered([circuit for circuit, _ in written.without], intended.names)
    said = {circuit.key: why for circuit, why in written.without}
    columns = zip(named.switch.tolist(), named.a.tolist(), named.b.tolist(), strict=True)
    why = {row: said[circuit.key] for row, circuit in zip(columns, rows, strict=True)}
    return detours_by_port(Bearing(intended, written.made), why)


def _documents(kind: str, fabric: Fabric, which: Which) -> tuple[Iterable[Document], int]:
    """The documents of a kind, made when they are looked at, and how many."""
    switch = _switch(fabric, which.switch) if which.switch is not None else None
    cube = _cube(fabric, which.cube) if which.cube is not None else None
    slots = fabric.intended.slots
    name = fabric.pod
    if KINDS[kind].of in {"block", "group", "network"} or kind == "switch-map":
        of_group = kind == "group-map"
        raise DocumentRefused(
            f"a {kind} is of a {'cluster of groups' if of_group else 'network of blocks'}",
            where=kind,
            remedy=f"Ask for a {'face' if of_group else 'port'} map",
        )
    if cube is not None:
        name = fabric.names.cube(cube)
    elif switch is not None:
        name = fabric.switches[switch]
    match kind:
        case "port-map":
            check_only(kind, which, "switch")
            fabric.intended.design.check_can(Verb.PORT_MAP, DocumentRefused)
            switches = range(len(fabric.switches)) if switch is None else [switch]
            return (port_map(fabric, number) for number in switches), len(switches)
        case "face-map":
            check_only(kind, which, "cube")
            cubes = slots if cube is None else [cube]
            return (face_map(fabric, slot) for slot in cubes), len(cubes)
        case "light-path":
            check_only(kind, which, "port")
            return [light_path(fabric, _port(fabric.names, which.port or ""))], 1
        case "labels" | "cut-list":
            make_one = labels if kind == "labels" else cut_list
            if which.every:  # a file a rack: nobody prints a pod's 1,317 sheets of labels at once
                racks = ((fabric.names.cube(slot), slot) for slot in slots)
                return (make_one(fabric, rack, slot) for rack, slot in racks), len(slots)
            return [make_one(fabric, name, cube, switch)], 1
    return [bill_of_materials(fabric)], 1


def _from_file(kind: str, intended: Intended, files: Files, warnings: list[str]) -> Document:
    if kind == "slice-sheet":
        if not files.slice:
            raise _needs(kind, "--slice FILE, as `fabric-twin slice --json` writes it")
        written = read_slice(*files.slice, intended)
        warnings.append(written.warning)
        return slice_sheet(
            intended, written.made, written.circuits, written.warning, written.without
        )
    if not files.plan:
        raise _needs(kind, "--plan FILE, as `fabric-twin plan --json` writes it")
    plan = read_plan(*files.plan, intended.names)
    return change_record(
        intended.pod,
        keep=plan.keep,
        lower_bound=plan.lower_bound,
        stages=plan.stages,
        untouched_owners=plan.untouched_owners,
    )


def _needs(kind: str, what: str) -> DocumentRefused:
    return DocumentRefused(f"a {kind} is made from a file", where=kind, remedy=f"Give {what}")


def _switch(fabric: Fabric, name: str) -> int:
    """Number a switch by its name, or the part after the pod's, or after `ocs-`."""
    for whole in (name, f"{fabric.pod}-{name}", f"{fabric.pod}-ocs-{name}"):
        if whole in fabric.switches:
            return fabric.switches.index(whole)
    fabric.intended.design.check_can(Verb.RENDER_SWITCH, DocumentRefused)
    raise DocumentRefused(
        f"the pod has no switch {name[:60]!r}",
        where="switch",
        remedy=f"Name one like {fabric.switches[0].removeprefix(fabric.pod + '-ocs-')}",
    )


def _cube(fabric: Fabric, slot: int) -> int:
    if slot not in fabric.intended.slots:
        raise DocumentRefused(
            f"no cube stands in slot {slot}", where="cube", remedy="Name a slot that holds one"
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
