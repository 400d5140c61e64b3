"""The work orders that a newcomer finds: a cube being installed, and a repair that is planned."""

from itertools import takewhile
from typing import Any

from fabric_twin.stack.demo.api import post

#: The cube that comes, and how many of its cables are plugged in so far.
SLOT, PLUGGED = "65", 24
#: What the repair mends; the other faults are left for visitors to find.
CODES = ("dark", "fan-lost", "high-loss", "wrong-part")


def make_orders(nautobot: Any, pod: Any) -> str:
    """Wish for an installation and do its first steps; wish for a repair of what was found.

    An earlier start may have been stopped anywhere here: what it asked for goes on from its state.
    """
    begun = _asked(nautobot, pod, "install", "The pod grows by a cube", slots=SLOT)
    path = f"work-orders/{begun['id']}/"
    if begun["state"]["value"] == "drafted":
        post(nautobot, f"{path}assign/", assignee="admin")
    if begun["state"]["value"] in {"drafted", "assigned"}:
        post(nautobot, f"{path}start/")
    # A report that comes again is taken once: its id says which it is.
    post(nautobot, f"{path}reports/", reports=_first_reports(nautobot, begun["id"]))
    findings = nautobot.plugins.fabric_twin.findings.filter(pod=pod.name, is_there=True)
    keys = [finding.key for finding in findings if finding.code in CODES]
    planned = _asked(nautobot, pod, "repair", "What the first audit found", findings=keys)
    return f"{begun['name']} under way, {planned['name']} {planned['state']['value']}"


def _asked(nautobot: Any, pod: Any, kind: str, reason: str, **wish: Any) -> Any:
    """The order that was asked for with this reason; asked for now if none was."""
    for order in nautobot.plugins.fabric_twin.work_orders.filter(pod=pod.name, kind=kind):
        if order.reason == reason:
            return dict(order)
    return post(nautobot, "work-orders/", pod=pod.id, kind=kind, reason=reason, **wish)


def _first_reports(nautobot: Any, order: str) -> list[dict[str, Any]]:
    """Reports of the first steps: every label is the right one."""
    plugged = 0

    def is_early(step: dict[str, Any]) -> bool:
        nonlocal plugged
        before, plugged = plugged, plugged + (step["do"] == "plug")
        return before < PLUGGED

    url = f"{nautobot.base_url}/plugins/fabric-twin/work-orders/{order}/facts/"
    headers = {"Authorization": f"Token {nautobot.token}"}
    steps = nautobot.http_session.get(url, headers=headers).json()["steps"]
    return [
        {
            "id": f"demo-{step['number']}",
            "step": step["number"],
            "told": "done",
            "scanned": step["cable"] if step["do"] == "scan" else "",
        }
        for step in takewhile(is_early, steps)
    ]
