"""Which drains that an order needs are still to come: circuits on the ports where hands will be."""

from collections.abc import Iterable, Mapping

from fabric_twin.core.orders.order import Need
from fabric_twin.core.orders.ports import simplex
from fabric_twin.models import OpticalCircuit, WorkOrder


def busy(order: WorkOrder, needs: Iterable[Need]) -> Mapping[str, str]:
    """By the name of each drain that is not done: a circuit that is in the way, wanted or seen."""
    drains = [need for need in needs if need.what == "drain"]
    switches = {device for need in drains for device, _ in need.ports}
    if not switches:
        return {}
    rows = OpticalCircuit.objects.filter(
        switch__pod=order.pod_id, switch__device__name__in=switches
    ).order_by("switch__number", "a")
    on: dict[tuple[str, str], str] = {}
    for switch, a, b, owner in rows.values_list("switch__device__name", "a", "b", "slice__name"):
        whose = f" of slice {owner}" if owner else ""
        on[switch, f"{a}A"] = on[switch, f"{b}B"] = (
            f"a circuit{whose} is on {switch} ({a}A to {b}B)"
        )
    found: dict[str, str] = {}
    for need in drains:
        ports = (one for end in need.ports for one in simplex(end))
        if why := next((on[port] for port in ports if port in on), ""):
            found[need.name] = why
    return found
