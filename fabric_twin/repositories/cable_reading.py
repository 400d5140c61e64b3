"""The recorded plant: cables, and where both of their ends are.

    Cable --+-- CableToCableTermination -- Interface -- Port    a number of the layout
            +-- WrittenEnd                                      what somebody wrote

A path through a patch panel is one cable here, as in a cut sheet: Nautobot's trace knows its end.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
from django.contrib.contenttypes.models import ContentType
from django.db.models import QuerySet, TextField
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from nautobot.dcim.models import Cable, CablePath, CableToCableTermination, Device, Interface

from fabric_twin.core.cabling.plant import numbered_plant
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.fabric.plant import Recorded
from fabric_twin.core.pods.layout import Layout
from fabric_twin.core.pods.names import Names
from fabric_twin.core.rule import Plant
from fabric_twin.first_records import PRINTED_LABEL
from fabric_twin.models import Pod
from fabric_twin.repositories.cable_lengths import metres
from fabric_twin.repositories.ports import CableFacts, cable_ends

#: In both of its ports; not yet.
CONNECTED, PLANNED = "Connected", "Planned"
_NOWHERE = ("", "")
_BOTH = 2

#: The number of a port, or a device and a port as written.
End = int | tuple[str, str]
#: By the key of a cable and which end it is; cables are in the order of their ports.
_Ends = dict[str, dict[str, End]]


class CableRecord(NamedTuple):
    """A cable as the inventory has it."""

    pk: str
    name: str
    status: str
    length_m: str
    printed: str
    #: The strands of the pair are exchanged.
    crossed: bool
    a: End
    b: End
    #: The cable at the other end of a path through panels.
    last: str = ""


class BegunCable(NamedTuple):
    """A cable of which one end is in a port."""

    port: int
    pk: UUID
    label: str
    length_m: str
    printed: str

    def cube_port(self, layout: Layout) -> int:
        """The cube port that it is in, or is meant for; negative where there is none."""
        return self.port if self.port < layout.cube_ports else int(layout.mate[self.port])

    def name(self, names: Names) -> str:
        """What it is called: its label, or its name by the rule."""
        port = self.cube_port(names.layout)
        return self.label or (names.cable(port) if port >= 0 else f"#{self.pk}")


def read_cables(pod: Pod, names: Names) -> list[CableRecord]:
    """Every cable with an end in the pod, of any status, in the order of its ports."""
    ends: _Ends = {}
    facts: dict[str, CableFacts] = {}
    for number, cable, end, *told in cable_ends(pod):
        if cable not in facts:
            facts[cable], ends[cable] = CableFacts(*told), {}
        ends[cable][end] = number
    key = Cast("cable_id", TextField())  # 40,000 UUIDs cost more than all the rest of a pod
    written = pod.written_ends.order_by("cable__label", "cable_id", "cable_end")
    for cable, end, device, port, *told in written.values_list(
        *(key, "cable_end", "device", "port"), *_FACTS
    ):
        facts.setdefault(cable, CableFacts(*told))
        ends.setdefault(cable, {})[end] = (device, port)
    half = [cable for cable, its in ends.items() if len(its) < _BOTH]
    far = _follow(pod, half, ends) if half else {}
    records = [record for record in _records(names, ends, facts) if record.pk not in far]
    if not far:
        return records
    last = {first: cable for cable, first in far.items()}
    return [record._replace(last=last.get(record.pk, "")) for record in records]


def begun_cables(pod: Pod) -> list[BegunCable]:
    """Cables of which one end is in a port of the pod, and the other hangs loose."""
    rows = CableToCableTermination.objects.filter(
        interface__fabric_port__pod=pod,
        cable__status__name=PLANNED,
        cable__in=pod.written_ends.filter(device="", port="").order_by().values("cable"),
    ).order_by("interface__fabric_port__number")
    printed = KeyTextTransform(PRINTED_LABEL, "cable___custom_field_data")
    return [
        BegunCable(port, cable, label, metres(length, unit), printed or "")
        for port, cable, label, length, unit, printed in rows.values_list(
            "interface__fabric_port__number", "cable", *_FACTS[:1], *_FACTS[2:4], printed
        )
    ]


def behind_cables(pod: Pod) -> Iterator[QuerySet[Any]]:
    """The cables with an end in the pod, then interfaces and devices at both ends of their paths.

    Unions, not an OR: PostgreSQL would look at every cable and interface there is.
    """
    ports = pod.ports.order_by().values_list("interface_id")
    near = CableToCableTermination.objects.filter(interface__in=ports).order_by()
    written = pod.written_ends.order_by().values_list("cable_id")
    yield Cable.objects.filter(pk__in=near.values_list("cable_id").union(written))
    kind = ContentType.objects.get_for_model(Interface)
    reached = CablePath.objects.filter(
        origin_type=kind, origin_id__in=ports, destination_type=kind
    ).order_by()
    # Asked for here, for two sets stand on it, and few paths or none end outside of the pod.
    outside = [pk for (pk,) in reached.values_list("destination_id").difference(ports)]
    ends = ports.union(Interface.objects.filter(pk__in=outside).order_by().values_list("pk"))
    interfaces = Interface.objects.filter(pk__in=ends)
    yield interfaces
    yield Device.objects.filter(pk__in=interfaces.order_by().values("device_id"))


def recorded(names: Names, cables: Iterable[CableRecord]) -> Recorded:
    """The plant of the cables that are connected."""
    rows = [cable for cable in cables if cable.status == CONNECTED]
    plain = [row for row in rows if isinstance(row.a, int) and isinstance(row.b, int)]
    plant = Recorded(
        [row.name for row in plain],
        _column(row.a for row in plain),
        _column(row.b for row in plain),
        crossed=tuple(n for n, row in enumerate(plain) if row.crossed),
    )
    odd = [row for row in rows if not (isinstance(row.a, int) and isinstance(row.b, int))]
    if not odd:
        return plant
    a, b = ([as_text(names, getattr(row, end)) for row in odd] for end in ("a", "b"))
    columns = (list(column) for pairs in (a, b) for column in zip(*pairs, strict=True))
    more = numbered_plant(names, [row.name for row in odd], tuple(columns))  # type: ignore[arg-type]
    crossed = {row.name for row in odd if row.crossed}
    first = len(plain)
    return Recorded(
        [*plant.cables, *more.cables],
        np.concatenate([plant.a, more.a]),
        np.concatenate([plant.b, more.b]),
        {first + row: ends for row, ends in more.written.items()},
        (
            *plant.crossed,
            *(first + row for row in more.crossed),
            *(first + n for n, name in enumerate(more.cables) if name in crossed),
        ),
        loose=more.loose,
    )


def _records(names: Names, ends: _Ends, facts: Mapping[str, CableFacts]) -> Iterator[CableRecord]:
    paired = names.layout.plant is Plant.PAIRED
    taken: set[str] = set()
    for pk, its in ends.items():
        label, status, length, unit, shuffled, printed = facts[pk]
        a, b = its.get("A", _NOWHERE), its.get("B", _NOWHERE)
        name = label or _default_name(names, a, b) or f"#{pk}"
        if name in taken:
            name = f"{name} #{pk}"
        taken.add(name)
        crossed = paired and bool(shuffled)
        yield CableRecord(pk, name, status, metres(length, unit), printed or "", crossed, a, b)


def _follow(pod: Pod, half: list[str], ends: _Ends) -> dict[str, str]:
    """Find the far ends of cables that leave the pod's ports; say which cables end a path.

    The cable at the cube, or else the one at the A end, stands for the whole path.
    """
    near = {(its, cable, end) for cable in half for end, its in ends[cable].items()}
    ports = dict(
        pod.ports.filter(interface__cable_termination__cable__in=half).values_list(
            "interface_id", "number"
        )
    )
    on = {number: (cable, end) for number, cable, end in near if isinstance(number, int)}
    interface = ContentType.objects.get_for_model(Interface)
    paths = CablePath.objects.filter(origin_type=interface, origin_id__in=ports).values_list(
        "origin_id", "destination_type_id", "destination_id"
    )
    reached = {origin: to for origin, kind, to in paths if kind == interface.pk and to}
    of_pod = dict(
        pod.ports.filter(interface__in=reached.values()).values_list("interface", "number")
    )
    outside = {
        pk: (device or "", name)
        for pk, device, name in Interface.objects.filter(
            pk__in=set(reached.values()) - of_pod.keys()
        ).values_list("pk", "device__name", "name")
    }
    ended: dict[str, str] = {}
    for origin, number in sorted(ports.items(), key=lambda row: row[1]):
        cable, end = on[number]
        if cable in ended or origin not in reached:
            continue
        to = reached[origin]
        ends[cable]["B" if end == "A" else "A"] = of_pod.get(to, outside.get(to, _NOWHERE))
        if to in of_pod and (last := on.get(of_pod[to])) and last[0] != cable:
            ended[last[0]] = cable
    return ended


#: Of the cable of a written end, what `CableFacts` are made of.
_FACTS = (
    "cable__label",
    "cable__status__name",
    "cable__length",
    "cable__length_unit",
    "cable__cable_type__is_shuffle",
    KeyTextTransform(PRINTED_LABEL, "cable___custom_field_data"),
)


def _default_name(names: Names, *ends: End) -> str:
    numbers, layout = [end for end in ends if isinstance(end, int)], names.layout
    near = [port for port in numbers if port < layout.cube_ports]
    if not near and layout.joins_switches:
        near = sorted(numbers)
    return names.cable(near[0]) if near else ""


def as_text(names: Names, end: End) -> tuple[str, str]:
    """Device and port of an end, as a cut sheet writes them."""
    return names.port(end) if isinstance(end, int) else end


def _column(numbers: Iterable[object]) -> Column:
    return np.array(list(numbers), dtype=np.int32)
