"""Ports by thousands: the few with a status, what is plugged in, and those of hosts."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Q
from nautobot.dcim.models import Device, Interface
from nautobot.extras.models import Status

from fabric_twin.first_records import PRINTED_LABEL
from fabric_twin.models import Block, Pod

#: What the port of a tray into a network is called.
DCN = "dcn"


class CableFacts(NamedTuple):
    """What a cable says of itself."""

    label: str
    status: str
    length: int | None
    unit: str
    shuffled: bool | None
    printed: str | None


_ENDS = """
SELECT port.number, cable.id::text, plugged.cable_end, cable.label, status.name, cable.length,
       cable.length_unit, kind.is_shuffle, cable._custom_field_data ->> %(printed)s
FROM fabric_twin_port port
JOIN dcim_cabletocabletermination plugged ON plugged.interface_id = port.interface_id
JOIN dcim_cable cable ON cable.id = plugged.cable_id
JOIN extras_status status ON status.id = cable.status_id
LEFT JOIN dcim_cabletype kind ON kind.id = cable.cable_type_id
WHERE port.pod_id = %(pod)s
ORDER BY port.number
"""

_TRANSCEIVERS = """
SELECT port.number, module.serial, kind.part_number
FROM fabric_twin_port port
JOIN dcim_module module ON module.parent_module_bay_id = port.module_bay_id
JOIN dcim_moduletype kind ON kind.id = module.module_type_id
WHERE port.pod_id = %(pod)s AND port.switch_id IS NULL
"""


def with_status(ports: Any, names: Sequence[str]) -> Any:
    """Those of some ports whose interface has a status of one of these names.

    PostgreSQL knows how few rows have a status that it is given; by the name it joins all ports.
    """
    statuses = Status.objects.filter(name__in=names).order_by().values_list("pk", flat=True)
    return ports.filter(interface__status__in=list(statuses))


def cable_ends(pod: Pod) -> list[tuple[Any, ...]]:
    """By number of the port: the key of the cable there, which end it is, and `CableFacts`."""
    return _rows(_ENDS, pod=pod.pk, printed=PRINTED_LABEL)


def transceivers(pod: Pod) -> list[tuple[int, str | None, str]]:
    """The number of each cube port that has one, its serial and its part number."""
    return _rows(_TRANSCEIVERS, pod=pod.pk)


def _rows(query: str, **given: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, given)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def host_ports_of(pod: Pod) -> Any:
    """The ports of a pod's hosts and their sockets at blocks; of a network, the sockets alone."""
    sockets = Interface.objects.filter(fabric_port=None)
    if pod.is_network:
        hosts = Interface.objects.filter(name=DCN).values("device__name")
        at_blocks = pod.blocks.values("device")
        return sockets.filter(device__in=at_blocks, name__in=hosts).order_by()
    trays = trays_of(pod)
    at_blocks = Block.objects.values("device")
    mine = Q(device__in=trays.values("pk"), name=DCN)
    return sockets.filter(mine | Q(device__in=at_blocks, name__in=trays.values("name"))).order_by()


def trays_of(pod: Pod) -> Any:
    """The trays of a pod of cubes."""
    return Device.objects.filter(interfaces__fabric_port__cube__pod=pod).distinct()
