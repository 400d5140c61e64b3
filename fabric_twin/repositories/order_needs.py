"""What must be so before hands come: drained slices, spares that stand in, records put right."""

from typing import Any

from django.db.models import Q

from fabric_twin.core.orders.order import Need
from fabric_twin.core.orders.ports import simplex
from fabric_twin.models import OpticalCircuit, WorkOrder
from fabric_twin.repositories.order_rows import core_of


def unmet(order: WorkOrder, name: str) -> str:
    """Why a need is not met yet; empty where it is, or where there is none."""
    need = next((need for need in core_of(order).needs if need.name == name), None)
    if need is None or need.what != "drain":
        return ""
    busy = _circuits(order, need).select_related("slice", "switch__device").first()
    if busy is None:
        return ""
    whose = f" of slice {busy.slice.name}" if busy.slice else ""
    ticket = order.tickets.order_by("-number", "-revision").first()
    by = f", until ticket {ticket} is done" if ticket else ""
    return f"a circuit{whose} is on {busy.switch} ({busy.a}A to {busy.b}B){by}"


def _circuits(order: WorkOrder, need: Need) -> Any:
    """The circuits on the ports of a need, wanted or seen."""
    chosen = Q()
    for device, port in (one for end in need.ports for one in simplex(end)):
        side = {port[-1].lower(): int(port[:-1])}
        chosen |= Q(switch__device__name=device, **side)
    rows = OpticalCircuit.objects.filter(switch__pod=order.pod)
    return rows.filter(chosen) if chosen else rows.none()
