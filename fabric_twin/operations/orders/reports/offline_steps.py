"""The next steps of a crew, as a phone keeps them: enough to go on without a network.

OrderStep rows of one crew --> the next of them, each with where it is and what is meant
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import Q
from django.utils import timezone

from fabric_twin.core.cube import AXES, SIGNS
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.fabric.medium import Medium
from fabric_twin.core.orders.in_the_aisle import (
    Fault,
    StillWrong,
    fabric_does,
    still_wrong,
    without_key,
)
from fabric_twin.core.orders.life import SETTLED, StepIs
from fabric_twin.core.orders.order import check_crew
from fabric_twin.core.orders.steps import BY_FABRIC, TOUCHES, Do, Step
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.pods.port_place import port_place
from fabric_twin.first_records import RACK_PLACE, RACK_ROW
from fabric_twin.models import Finding, OrderStep, Pod, WorkOrder
from fabric_twin.models.pod import DESIGN_GONE
from fabric_twin.operations.orders.reports.rack_places import RackPlaces, rack_places
from fabric_twin.operations.orders.unfinished import left_of

#: Steps that a phone keeps: a few racks' work.
TAKEN_ALONG = 240


def ahead(order: WorkOrder, crew: int = 1, many: int = TAKEN_ALONG) -> dict[str, Any]:
    """The steps that a crew has before it, and how far the order is."""
    check_crew(crew, order.crews)
    # A phone has something older, or newer, in store. Before anything is read: what it heard of
    # meanwhile is newer than this.
    at = timezone.now().timestamp()
    # Steps that only a failed light test makes due are left out.
    rows = OrderStep.objects.filter(order=order, crew=crew).exclude(state=StepIs.NOT_DUE)
    settled = rows.filter(state__in=SETTLED).count()
    left = rows.exclude(state__in=SETTLED).select_related("rack", "device__device_type", "port")
    laid = {row["cable"]: row for row in order.facts.get("cables", ())}
    layout = _layout(order.pod)
    rows_ahead = list(left.defer("device__local_config_context_data").order_by("number")[:many])
    faults = faults_of(order, {row.bundle for row in rows_ahead if row.do == Do.CHECK})
    wrong, places = _still_wrong(order), rack_places(order.pod)
    steps = [
        _told(row, laid.get(row.cable), layout, faults) | _where(row, laid.get(row.cable), places)
        for row in rows_ahead
    ]
    for step in steps:
        failed = wrong.get(step["bundle"]) or wrong.get(step["finding"])
        step["still_wrong"] = {"seen": failed.seen, "try": failed.try_} if failed else None
    return {
        "id": str(order.pk),
        "name": order.name,
        "title": order.title,
        "state": order.state,
        "at": at,
        "crew": crew,
        "crews": order.crews,
        "done": settled,
        "all": rows.count(),
        "steps": steps,
        "cannot": [
            {"number": row.number, "words": str(Step.from_json(row.facts)), "why": row.why}
            for row in left_of(order)
            if row.crew == crew
        ],
    }


def asked_step(order: WorkOrder, number: int) -> dict[str, Any]:
    """The step that an address or a code on paper asks for; without a state where there is none."""
    row = OrderStep.objects.filter(order=order, number=number).first()
    if row is None:
        return {"number": number, "crew": 0, "words": "", "state": "", "why": ""}
    step, faults = Step.from_json(row.facts), faults_of(order, {row.bundle} - {""})
    by_fabric = step.do in BY_FABRIC
    return {
        "number": number,
        "crew": row.crew,
        "words": fabric_does(step, faults.get(step.bundle)) if by_fabric else str(step),
        "state": row.state,
        "why": without_key(step.bundle, row.why),
    }


def _layout(pod: Pod) -> Layout | None:
    """The pod's ports by its design; a technician goes on without one that is gone."""
    try:
        return pod.to_core().layout
    except FabricTwinError:
        return None


def states_of(order: WorkOrder, numbers: Iterable[int]) -> dict[int, dict[str, str]]:
    """Where some steps stand now, and why."""
    rows = OrderStep.objects.filter(order=order, number__in=list(numbers))
    return {
        number: {"state": state, "why": why}
        for number, state, why in rows.values_list("number", "state", "why")
    }


def faults_of(order: WorkOrder, keys: Collection[str]) -> dict[str, Fault]:
    """The findings of some keys, as a person calls them: by what they are and where."""
    if not keys:
        return {}
    # One that was deleted meanwhile is said in words too: its key tells nobody anything.
    faults = {
        bundle["name"]: Fault("a finding that is not recorded any more", ("", ""))
        for bundle in order.facts.get("bundles", ())
        if bundle.get("finding") and bundle["name"] in keys
    }
    return faults | faults_in(order.pod_id, keys)


def faults_in(pod: Any, keys: Collection[str]) -> dict[str, Fault]:
    """The findings of a pod that are recorded under some keys."""
    findings = Finding.objects.filter(pod=pod, key__in=keys).order_by("-places__number")
    places = ("places__device_name", "places__port_name", "places__cable_name")
    # The first place of each is the last that is written here.
    return {
        key: Fault(code, (device or cable or "", port or ""))
        for key, code, device, port, cable in findings.values_list("key", "code", *places)
    }


def _still_wrong(order: WorkOrder) -> dict[str, StillWrong]:
    """Why the last test of a bundle, or of what mends a finding, failed; and what to try."""
    failed = OrderStep.objects.filter(order=order, do=Do.CHECK, state=StepIs.FAILED)
    why = dict(failed.exclude(why="").order_by("number").values_list("bundle", "why"))
    if not why:
        return {}
    left: dict[str, list[Step]] = {name: [] for name in why}
    rows = OrderStep.objects.filter(order=order).exclude(state__in=SETTLED)
    of_these = rows.filter(Q(bundle__in=why) | Q(finding__key__in=why)).exclude(do__in=BY_FABRIC)
    for facts in of_these.order_by("number").values_list("facts", flat=True):
        step = Step.from_json(facts)
        left[step.bundle if step.bundle in left else step.finding].append(step)
    return {name: still_wrong(name, said, left[name]) for name, said in why.items()}


def _told(
    row: OrderStep,
    cable: Mapping[str, Any] | None,
    layout: Layout | None,
    faults: Mapping[str, Fault],
) -> dict[str, Any]:
    step = Step.from_json(row.facts)
    by_fabric = step.do in BY_FABRIC
    return {
        "number": step.number,
        "do": str(step.do),
        "words": fabric_does(step, faults.get(step.bundle)) if by_fabric else str(step),
        "state": row.state,
        "why": without_key(step.bundle, row.why),
        "device": step.device,
        "unit": step.unit,
        "height": int(row.device.device_type.u_height) if row.device else 0,
        "port": step.port,
        "place": _place(layout, row.port.number) if row.port else "",
        "panel": _panel(layout, row.port.number) if row.port and layout else None,
        "cable": step.cable,
        "length": (cable or {}).get("length_m", 0),
        "part": step.part,
        "bundle": step.bundle,
        "finding": step.finding,
        "need": step.need,
        "after": list(step.after),
        "fabric": by_fabric,
        # What a phone without a network cannot know: whether the port is dark.
        "guarded": step.guarded and step.do in TOUCHES,
        "failed": row.state == StepIs.FAILED,
    }


def _where(row: OrderStep, cable: Mapping[str, Any] | None, places: RackPlaces) -> dict[str, Any]:
    """The rack of a step and of its cable's other end, each with row and place."""
    step = Step.from_json(row.facts)
    other = _other(step, cable)
    far = places.rack(other[0]) if other else ""
    rack = _rack(step.rack, row.rack.cf if row.rack else {}, places)
    return {
        "rack": {**rack, "units": row.rack.u_height if row.rack else 0},
        "other": other,
        "other_rack": _rack(far, {}, places) if far else None,
    }


def _rack(name: str, written: Mapping[str, Any], places: RackPlaces) -> dict[str, Any]:
    spot = places.spots.get(name)
    return {
        "name": name,
        "row": spot.row if spot else written.get(RACK_ROW),
        "place": spot.place if spot else written.get(RACK_PLACE),
        "building": spot.building if spot else "",
    }


def _other(step: Step, cable: Mapping[str, Any] | None) -> list[str]:
    """The end of the cable that is not in hand."""
    if cable is None:
        return []
    ends = [list(cable["a"]), list(cable["b"])]
    return ends[1] if ends[0] == list(step.at) else ends[0]


def _place(layout: Layout | None, port: int) -> str:
    return port_place(layout, port) if layout else DESIGN_GONE


def _panel(layout: Layout, port: int) -> dict[str, Any] | None:
    """Where a port is on what people see: a cube's face as a grid, or a switch's two rows.

    Where a block has its modules, or a group its ports, is its maker's: their names have to do.
    """
    if port >= layout.cube_ports:
        at = (port - layout.cube_ports) % layout.ports_per_switch
        name = layout.port_names[layout.ports_per_cube + at]
        return {"of": "switch", "name": name, "ports": layout.ports_per_switch}
    if layout.cube.dimensions == 1 or layout.medium is Medium.PACKET:
        return None
    local = port % layout.ports_per_cube
    axis = int(layout.axis[local])
    indices = layout.cube.indices(axis)
    index = indices[int(layout.index[local])]
    sides = [max(side) for side in zip(*indices, strict=True)]
    return {
        "of": "face",
        "name": f"{AXES[axis]}{SIGNS[layout.sign[local]]}",
        "at": [*index, 1][:2],  # the ports of a flat cube's face stand in a row
        "size": [*sides, 1][:2],
        "index": ",".join(map(str, index)),
    }
