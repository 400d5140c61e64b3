"""Ports of switches that are out of service by the record, as the diagnosis counts ports; and
switches that are dead.
"""

from collections.abc import Iterable
from uuid import UUID

import numpy as np

from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.findings.dead_switch import SWITCH_DOWN, is_dead
from fabric_twin.core.orders.ports import simplex
from fabric_twin.models import Finding
from fabric_twin.models.finding import FindingStateChoices
from fabric_twin.repositories.pod_record import DOWN, PodRecord, names_of
from fabric_twin.repositories.ports import with_status

#: What a port or switch out of service is.
MAINTAINED = "Maintenance"


def ports_out(record: PodRecord) -> Column:
    """Simplex ports of switches that are out by the record, counted from the first switch's 1A.

    A port that failed is not: that it fails is what an audit is to find.
    """
    layout, names = record.design.layout, names_of(record)
    number_of = {name: number for number, name in enumerate(names.switches)}
    first, each = layout.cube_ports, layout.ports_per_switch
    whole = {number for number, (_, _, status) in record.switches.items() if status in DOWN}
    rows = with_status(record.pod.ports.filter(number__gte=first), (MAINTAINED,))
    ports = set(rows.order_by().values_list("number", flat=True))
    ports.update(port for n in whole for port in range(first + n * each, first + (n + 1) * each))
    named = (names.port(port) for port in sorted(ports))
    return simplex_ports(record, ((number_of[device], port) for device, port in named))


def simplex_ports(record: PodRecord, ports: Iterable[tuple[int, str]]) -> Column:
    """Ports of switches, each by its switch's number and its name, counted from the first 1A."""
    layout = record.design.layout
    each = 2 * layout.radix
    found = [
        switch * each + (layout.radix if one[-1] == "B" else 0) + int(one[:-1]) - 1
        for switch, port in ports
        for _, one in simplex(("", port))
    ]
    return np.array(found, np.int32)


def dead_switches(pod: UUID) -> dict[str, str]:
    """Switches of which the last audit had no answer and saw no light, by the finding of each."""
    rows = Finding.objects.filter(
        pod=pod, code=SWITCH_DOWN, seen=True, state__in=FindingStateChoices.THERE
    ).filter(places__device__isnull=False)
    columns = rows.order_by().values_list("key", "code", "evidence_now", "places__device__name")
    return {key: name for key, code, evidence, name in columns if is_dead(code, evidence)}
