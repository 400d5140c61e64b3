"""A plan's preconditions in the records, and whether they still hold.

Noted with the draft and held against the records just before it runs. Circuits are compared by
`circuits.py`, and what switches show by `services/tickets/carry_out.py`.
"""

import json
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.tickets.course import Course
from fabric_twin.models import Cube, Multislice, Pod, Port, Slice, SlicePart, Substitution, Switch
from fabric_twin.operations.networks.demand import demand_of
from fabric_twin.operations.networks.rings import jobs_of, running_jobs
from fabric_twin.operations.networks.standing import NetworkRecord
from fabric_twin.operations.tickets.changes.effects import Effects
from fabric_twin.operations.tickets.changes.to_core import Changes
from fabric_twin.repositories.pod_record import BAD_PORT, DOWN, TO_COME, USABLE, PodRecord
from fabric_twin.repositories.ports import with_status

Present = dict[str, Any]


def present_of(pod: Pod, course: Course, effects: Effects, plan: Mapping[str, Any]) -> Present:
    """What the plan of a ticket takes for granted."""
    slices = Slice.objects.filter(pk__in=effects.of_slices).order_by("name")
    parts = SlicePart.objects.filter(slice__in=slices).order_by("slice__name", "place")
    return {
        "design": pod.design,
        "slices": list(slices.values_list("name", flat=True)),
        "parts": [list(row) for row in parts.values_list("slice__name", "cube__slot", "chips")],
        "not_usable": _not_usable(pod, effects),
        "bad_ports": sorted(_bad_ports(pod, course)),
        "substitutions": Substitution.objects.filter(port__pod=pod).count(),
        "accepted": effects.accepted.as_told,
        **(_of_network(pod, plan, effects) if plan.get("drains_links") else {}),
    }


def _of_network(pod: Pod, plan: Mapping[str, Any], effects: Effects) -> Present:
    """What stages of a network were held against: blocks, dead strands, the demand that a topology
    follows, and jobs: how those stand whose rings it makes."""
    network = NetworkRecord(PodRecord(pod))
    demand = demand_of(pod, plan["demand"]) if "demand" in plan else None
    # One that is to come has no links yet.
    making = Multislice.objects.filter(pk__in=effects.makes_rings_of).order_by("name")
    there = pod.blocks.exclude(status__name__in=TO_COME)
    blocks = there.order_by("first_port").values_list("name", "status__name")
    return {
        "blocks": dict(blocks),
        "out": sorted(map(list, network.out)),
        "demand": fingerprint({"rows": demand.gbps}) if demand else "",
        "rings": [job.multislice.name for job in running_jobs(pod)],
        "lost": {job.multislice.name: [m.lost for m in job.members] for job in jobs_of(making)},
    }


def fingerprint(present: Present) -> str:
    """Equal where nothing changed."""
    return blake2b(json.dumps(present, sort_keys=True).encode(), digest_size=16).hexdigest()


def moved(pod: Pod, changes: Changes) -> list[str]:
    """Why a plan does not fit the records any more; empty where it does."""
    try:
        plan = {"drains_links": changes.drains_links, **changes.follows}
        now = json.loads(json.dumps(present_of(pod, changes.course, changes.effects, plan)))
        circuit = changes.circuits.is_at(0)
    except FabricTwinError as refusal:
        return [str(refusal)]
    return [*([circuit] if circuit else ()), *_differences(changes.present, now)]


def _differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    if before["design"] != now["design"]:
        yield "the pod has another design"
    for name in sorted(set(before["slices"]) - set(now["slices"])):
        yield f"slice {name} is gone, or has another name"
    if before["slices"] == now["slices"] and before["parts"] != now["parts"]:
        yield "a slice stands on other cubes"
    for slot in sorted(set(now["not_usable"]) - set(before["not_usable"])):
        yield f"the cube in slot {slot} takes no slice any more"
    bad = sorted(set(now["bad_ports"]) - set(before["bad_ports"]))
    if bad:
        more = f", and {len(bad) - 1:,} more" if len(bad) > 1 else ""
        yield f"{bad[0]} has failed since{more}"
    if before["substitutions"] != now["substitutions"]:
        yield "other spares stand in for ports"
    yield from _in_network(before, now)
    if before.get("accepted", []) != now["accepted"]:
        yield "switches show other circuits than those that are to be wanted"


def _in_network(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    blocks = before.get("blocks", {})
    for name, status in now.get("blocks", {}).items():
        if blocks.get(name, status) != status:
            yield f"block {name} is {status} now"
    if blocks.keys() != now.get("blocks", {}).keys():
        yield "the network has other blocks"
    known = set(map(tuple, before.get("out", ())))
    if any(tuple(end) not in known for end in now.get("out", ())):
        yield "a port or a strand is out that was not"
    if before.get("rings", []) != now.get("rings", []):
        yield "the rings of other multislices are to be kept"
    if before.get("lost", now.get("lost", {})) != now.get("lost", {}):
        yield "a slice or a block is gone of the multislice whose rings it makes"
    if before.get("demand", "") != now.get("demand", ""):
        yield "what pairs ask for has changed"


def _not_usable(pod: Pod, effects: Effects) -> list[int]:
    """Slots whose cube would be needed, and takes no slice."""
    needed = {
        cube["slot"]
        for one in effects.all
        for facts in (one.get("slice") if one["do"] == "make-slice" else None, one.get("to"))
        if isinstance(facts, dict)
        for cube in facts["cubes"]
    }
    rows = Cube.objects.filter(pod=pod, slot__in=needed).exclude(status__name__in=USABLE)
    return sorted(rows.values_list("slot", flat=True))


def _bad_ports(pod: Pod, course: Course) -> set[str]:
    """Ports of switches that get a circuit, and that have failed, alone or with their switch."""
    added = {c.key for stage in course.stages for c in stage.add}
    needed: dict[str, set[int]] = {}
    for switch, *ports in added:
        needed.setdefault(switch, set()).update(int(port[:-1]) for port in ports)
    rows = Switch.objects.filter(pod=pod, device__name__in=needed, status__name__in=DOWN)
    found = set(rows.values_list("device__name", flat=True))
    on_switches = Port.objects.filter(pod=pod, switch__isnull=False)
    failed = with_status(on_switches, BAD_PORT).select_related("interface", "switch__device")
    for port in failed.order_by("number"):
        radix = pod.to_core().radix
        number = (port.number - pod.to_core().layout.cube_ports) % radix + 1
        if number in needed.get(port.switch.device.name, ()):
            found.add(f"{port.interface.name} of {port.switch.device.name}")
    return found
