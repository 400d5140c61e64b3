"""What of a pod needs somebody's attention: a count each, and the list that has the rows."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from urllib.parse import urlencode

import numpy as np
from django.db.models import Count, Exists, OuterRef, Q
from django.urls import reverse
from nautobot.dcim.models import CableToCableTermination

from fabric_twin.core.cube import FACES
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.fabric.columns import NO_PORT
from fabric_twin.core.slots import format_slots
from fabric_twin.models import Block, OpticalCircuit, Port, Slice, Switch
from fabric_twin.operations.audits.findings_of import heard_there
from fabric_twin.operations.pods.ask_sync import can_be_read
from fabric_twin.presenters.networks.network import NetworkSight
from fabric_twin.presenters.visible_pod import Sight
from fabric_twin.repositories.permissions import hides
from fabric_twin.repositories.pod_record import BAD_PORT
from fabric_twin.repositories.ports import with_status

#: Statuses of cubes whose cables all should be there.
_CABLED = ("active", "draining")
#: How bad a status of a cube or a block is.
_LEVELS = {"out": "danger", "draining": "warning", "installing": "info", "planned": "info"}


@dataclass(frozen=True)
class Matter:
    """Something to look at."""

    many: int
    what: str
    #: The list of exactly these rows.
    url: str
    #: `danger` where something is broken, `warning` where something is unfinished, else `info`.
    level: str


def attention(sight: Sight) -> list[Matter]:
    """What needs attention, the worst first; nothing where all is well."""
    found: list[Matter] = []
    for part in (_design, _findings, _cubes, _blocks, _switches, _lost, _ports, _circuits, _slices):
        with suppress(FabricTwinError):  # nobody knows what a design wants that is gone
            found += part(sight)
    order = ("danger", "warning", "info")
    counted = (_counted(matter) for matter in found if matter.many)
    return sorted(counted, key=lambda m: order.index(m.level))


def sees_all(sight: Sight) -> bool:
    """Whether nothing is hidden that could need attention: only then is all well."""
    pod = sight.pod
    there = [pod.findings, pod.switches, pod.ports, pod.slices, pod.members]
    circuits = OpticalCircuit.objects.filter(switch__pod=pod)
    return not any(hides(rows, sight.user) for rows in (*(of.all() for of in there), circuits))


def _counted(matter: Matter) -> Matter:
    """One of them is not several: what is counted is the first word."""
    if matter.many != 1:
        return matter
    first, _, rest = matter.what.partition(" ")
    one = {"switches": "switch", "entries": "entry"}.get(first, first.removesuffix("s"))
    return replace(matter, what=f"{one} {rest}")


def _rows(sight: Sight, model: str, **filters: object) -> str:
    query = urlencode({"pod": sight.pod.name, **filters}, doseq=True)
    return f"{reverse(f'plugins:fabric_twin:{model}_list')}?{query}"


def _design(sight: Sight) -> Iterator[Matter]:
    """Whether the rule of the pod can be asked."""
    try:
        sight.pod.to_core()
    except FabricTwinError:
        url = reverse("plugins:fabric_twin:pod_list") + f"?{urlencode({'name': sight.pod.name})}"
        yield Matter(1, "design that is gone or changed, or whose file is wrong", url, "danger")


def _findings(sight: Sight) -> Iterator[Matter]:
    """What audits found, but for what somebody silenced."""
    there = heard_there(sight.user).filter(pod=sight.pod)
    counts = Counter(there.values_list("severity", flat=True))
    for severity, level in (("error", "danger"), ("warning", "warning")):
        url = _rows(sight, "finding", severity=severity, is_there="True", silenced="False")
        yield Matter(counts[severity], f"{severity}s found", url, level)


def _cubes(sight: Sight) -> Iterator[Matter]:
    if sight.pod.is_network:
        return
    slots = sight.pod.to_core().slots
    empty = slots - len(sight.cubes) - len(sight.hidden_slots)
    what = "group" if sight.pod.is_cluster else "cube"
    yield Matter(empty, f"slots without a {what}", _rows(sight, "cube"), "info")
    standing = [stand.status for _, stand in sight.cubes.values()]
    for status, level in _LEVELS.items():
        url = _rows(sight, "cube", status=status.capitalize())
        yield Matter(standing.count(status), f"{what}s {_being(status)}", url, level)


def _blocks(sight: Sight) -> Iterator[Matter]:
    """Blocks that do not carry what they should, and pairs that ask for more than they have."""
    if not sight.pod.is_network:
        return
    blocks = sight.of(Block).filter(pod=sight.pod).order_by()
    standing = Counter(blocks.values_list("status__name", flat=True))
    for status, level in _LEVELS.items():
        url = _rows(sight, "block", status=status.capitalize())
        yield Matter(standing[status.capitalize()], f"blocks {_being(status)}", url, level)
    ends = CableToCableTermination.objects.filter(interface=OuterRef("interface"))
    awaited = sight.ports.filter(block__status__name__in=("Active", "Draining"))
    bare = awaited.filter(~Exists(ends)).count()
    url = _rows(sight, "port", is_connected="False")
    yield Matter(bare, "strands without a cable", url, "warning")
    pairs = NetworkSight(sight.pod, sight.user).stands.pairs()
    many = sum(pair.load > 1 for pair in pairs)
    what = "pairs of blocks with more demand than their links carry"
    yield Matter(many, what, _rows(sight, "demand"), "danger")


def _being(status: str) -> str:
    return {"out": "out of service", "installing": "being installed"}.get(status, status)


def _switches(sight: Sight) -> Iterator[Matter]:
    core = sight.pod.to_core()
    missing = len(core.layout.switches) - Switch.objects.filter(pod=sight.pod).count()
    level = "warning" if sight.standing else "info"
    yield Matter(missing, "switches of the design not recorded", _rows(sight, "switch"), level)
    standing = [status for _, _, status in sight.switches.values()]
    for status in sorted(set(standing) - {"active"}):
        level = "info" if status == "planned" else "danger"
        url = _rows(sight, "switch", status=status.capitalize())
        yield Matter(standing.count(status), f"switches {_being(status)}", url, level)


def _lost(sight: Sight) -> Iterator[Matter]:
    """Ports that nobody bound, or that went with a record: of cubes, and where their cables go."""
    layout = sight.pod.to_core().layout
    there = Port.objects.filter(pod=sight.pod, number__lt=len(layout.mate)).order_by()
    absent = np.ones(len(layout.mate), dtype=bool)
    absent[list(there.values_list("number", flat=True))] = False
    stands = np.zeros(layout.slots + 1, dtype=bool)
    stands[list(sight.cubes)] = True
    cubes = np.flatnonzero(stands[layout.slot])
    ends = layout.mate[cubes]
    ends = ends[(ends != NO_PORT) & (layout.slot[ends] == 0)]
    lost, on = cubes[absent[cubes]], ends[absent[ends]] - layout.cube_ports
    url = _rows(sight, "cube", slots=format_slots(np.unique(layout.slot[lost]).tolist()))
    yield Matter(len(lost), "ports of cubes not recorded", url, "danger")
    # A switch that is not there at all is counted as one, above.
    on = on[np.isin(on // layout.ports_per_switch, list(sight.switches))]
    url = _rows(sight, "switch", number=np.unique(on // layout.ports_per_switch).tolist())
    yield Matter(len(on), "ports of switches not recorded, where cables of cubes go", url, "danger")


def _ports(sight: Sight) -> Iterator[Matter]:
    """Cables that are missed, but for cubes that are to come or out; and ports out of service."""
    cabled = [slot for slot, (_, stand) in sight.cubes.items() if stand.status in _CABLED]
    ends = CableToCableTermination.objects.filter(interface=OuterRef("interface"))
    bare = sight.ports.filter(~Exists(ends), cube__slot__in=cabled).count()
    asked = {"slots": format_slots(cabled)} if cabled else {}
    url = _rows(sight, "port", is_connected="False", face=FACES, **asked)
    of = "groups" if sight.pod.is_cluster else "cubes"
    yield Matter(bare, f"ports of {of} without a cable", url, "warning")
    out = with_status(sight.ports, BAD_PORT).count()
    url = _rows(sight, "port", interface_status=BAD_PORT)
    yield Matter(out, "ports out of service", url, "warning")


def _circuits(sight: Sight) -> Iterator[Matter]:
    count = sight.circuits.aggregate(
        unseen=Count("pk", filter=Q(wanted=True, seen=False)),
        unwanted=Count("pk", filter=Q(wanted=False, seen=True)),
        answered=Count("pk", filter=Q(seen=True)),
    )
    url = _rows(sight, "opticalcircuit", wanted="True", seen="False")
    called = "entries" if sight.pod.is_cluster else "circuits"
    if sight.pod.is_network and not can_be_read(sight.pod):
        return  # nobody asks its switches
    if count["unseen"] and not count["answered"]:
        whose = sight.pod.kind.noun
        what = f"{called} wanted; no switch of the {whose} has been asked yet"
        yield Matter(count["unseen"], what, url, "info")
    else:
        yield Matter(count["unseen"], f"{called} wanted and not seen", url, "danger")
    url = _rows(sight, "opticalcircuit", wanted="False", seen="True")
    yield Matter(count["unwanted"], f"{called} seen and not wanted", url, "warning")


def _slices(sight: Sight) -> Iterator[Matter]:
    slots = {slot: stand.status for slot, (_, stand) in sight.cubes.items()}
    down = {
        name for slot, names in sight.taken.items() if slots.get(slot) == "out" for name in names
    }
    called, at = ("jobs", "group") if sight.pod.is_cluster else ("slices", "cube")
    url = _rows(sight, "slice")
    yield Matter(
        len(down & set(sight.slices.values())), f"{called} on a {at} that is out", url, "danger"
    )
    resting = sight.of(Slice).filter(pod=sight.pod).exclude(status__name="Active").count()
    yield Matter(resting, f"{called} not active", url, "info")
