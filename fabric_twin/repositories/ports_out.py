"""Ports of switches that are out of service by the record, as the diagnosis counts ports; and
switches that are dead.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from uuid import UUID

import numpy as np
from django.db.models import Q

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
    whole = {number for number, (_, _, status) in record.switches.items() if status in DOWN}
    rows = with_status(record.pod.ports.filter(number__gte=layout.cube_ports), (MAINTAINED,))
    ports = set(rows.order_by().values_list("number", flat=True))
    ports.update(*map(layout.ports_of_switch, whole))
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


def dead_switches_in(pods: Collection[UUID]) -> Mapping[UUID, dict[str, str]]:
    """Switches of which the last audit had no answer and saw no light: by pod, and by finding.

    One that is out of service by the record is no fault to an audit: it is as it was seen last.
    """
    rows = Finding.objects.filter(
        Q(seen=True) | Q(places__device__fabric_switch__status__name__in=DOWN),
        pod__in=pods,
        code=SWITCH_DOWN,
        state__in=FindingStateChoices.THERE,
        places__device__isnull=False,
    )
    columns = "pod", "key", "code", "evidence_now", "places__device__name"
    found: dict[UUID, dict[str, str]] = defaultdict(dict)
    for pod, key, code, evidence, name in rows.order_by().values_list(*columns):
        if is_dead(code, evidence):
            found[pod][key] = name
    return found


def dead_switches(pod: UUID) -> dict[str, str]:
    """The same of one pod: the names of its switches that are dead, by finding."""
    return dead_switches_in([pod])[pod]
