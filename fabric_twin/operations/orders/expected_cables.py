"""Cables that open orders put in or take away, which nobody misses meanwhile."""

from datetime import datetime
from math import inf

import numpy as np
from django.db.models import Q

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.fabric.columns import Column
from fabric_twin.core.orders.life import SETTLED, OrderIs
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.steps import Do
from fabric_twin.models import OrderStep, WorkOrder
from fabric_twin.repositories.cable_reading import CONNECTED
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.ports_out import simplex_ports

#: Orders that are worked on, or will be again.
AT_WORK = (OrderIs.UNDER_WAY, OrderIs.PAUSED, OrderIs.REOPENED)


def awaited_cables(record: PodRecord, intended: Intended) -> dict[int, float]:
    """By cube port: until when nobody misses its cable, in seconds since 1970.

    Of a cube that is taken away, nobody misses what is out until the order has ended, however late
    it is; what is still in is looked at like any other.
    """
    rows = OrderStep.objects.filter(
        order__pod=record.pod,
        order__state__in=AT_WORK,
        do__in=(Do.PLUG, Do.UNPLUG),
        port__isnull=False,
    ).exclude(state__in=SETTLED)
    until: dict[int, float] = {}
    for number, due in rows.order_by().values_list("port__number", "order__due"):
        at = number if number < record.design.layout.cube_ports else int(intended.mate[number])
        if at >= 0:
            until[at] = max(until.get(at, 0.0), due.timestamp() if due else inf)
    leaving = leaving_ports(record, intended)
    cabled = record.pod.ports.filter(
        number__in=leaving, interface__cable_termination__cable__status__name=CONNECTED
    )
    out = set(leaving).difference(cabled.order_by().values_list("number", flat=True))
    return until | dict.fromkeys(out, inf)


def leaving_ports(record: PodRecord, intended: Intended) -> list[int]:
    """The cube ports of cubes that are being taken away, and those that are joined to them."""
    orders = WorkOrder.objects.filter(
        pod=record.pod, kind=Kind.DECOMMISSION, state__in=(*AT_WORK, OrderIs.AWAITING_LIGHT)
    )
    told = orders.order_by().values_list("facts__slots", flat=True)
    slots = [slot for slots in told for slot in slots]
    if not slots:
        return []
    layout = record.design.layout
    ports = np.flatnonzero(np.isin(layout.slot[: layout.cube_ports], slots))
    mates = intended.mate[ports]
    mates = mates[(mates >= 0) & (mates < layout.cube_ports)]
    return sorted({*ports.tolist(), *mates.tolist()})


def ports_in_hands(record: PodRecord, since: datetime) -> Column:
    """Simplex ports of switches that orders keep dark now, or did since a moment.

    They are counted from the first switch's 1A.
    """
    at_work = Q(order__state__in=(*AT_WORK, OrderIs.AWAITING_LIGHT)) | Q(order__ended__gt=since)
    rows = OrderStep.objects.filter(
        at_work, order__pod=record.pod, port__switch__isnull=False
    ).order_by("order", "number")
    kinds = (Do.BLOCK, Do.RELEASE)
    dark: dict[tuple[object, int, str], bool] = {}
    for order, switch, port, do, at in (
        rows.filter(do__in=kinds, state__in=SETTLED)
        .values_list("order", "port__switch__number", "port__interface__name", "do", "done_at")
        .iterator()
    ):
        dark[order, switch, port] = do == Do.BLOCK or bool(at and at > since)
    return simplex_ports(record, ((s, p) for (_, s, p), is_dark in dark.items() if is_dark))
