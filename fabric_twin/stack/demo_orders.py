"""The work orders that a newcomer finds: a cube being installed, and a repair that is planned."""

from collections.abc import Callable
from itertools import takewhile
from typing import Any

from fabric_twin.stack.demo_api import post

#: The cube that comes, and how many of its cables hands have plugged into it so far.
SLOT, PLUGGED = "65", 24
#: What the repair mends; the others are left to whoever looks around.
CODES = ("dark", "fan-lost", "high-loss", "wrong-part")


def make_orders(nautobot: Any, pod: Any, tick: Callable[[], None]) -> str:
    """Wish for an installation and do its first steps; wish for a repair of what was found."""
    wish = {"pod": pod.id, "kind": "install", "slots": SLOT, "reason": "The pod grows by a cube"}
    begun = post(nautobot, "work-orders/", **wish)
    tick()
    path = f"work-orders/{begun['id']}/"
    post(nautobot, f"{path}assign/", assignee="admin")
    post(nautobot, f"{path}start/")
    post(nautobot, f"{path}reports/", reports=_first_reports(nautobot, begun["id"]))
    tick()
    findings = nautobot.plugins.fabric_twin.findings.filter(pod=pod.name, is_there=True)
    wish = {
        "pod": pod.id,
        "kind": "repair",
        "findings": [finding.key for finding in findings if finding.code in CODES],
        "reason": "What the first audit found",
    }
    planned = post(nautobot, "work-orders/", **wish)
    return f"{begun['name']} under way, {planned['name']} {planned['state']['value']}"


def _first_reports(nautobot: Any, order: str) -> list[dict[str, Any]]:
    """What hands say of the first steps: every label is the right one."""
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
