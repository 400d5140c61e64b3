"""The tickets that a newcomer finds: one that was carried out, and one that waits for approval."""

import secrets
import time
from typing import Any

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.demo.api import post

#: The slice that comes by a ticket, its shape and its cubes, and the one that is to go by another.
MADE, SHAPE, SLOTS, TO_GO = "eval-4", "4x4x8", "60-61", "eval-3"
APPROVER, GROUP = "approver", "Fabric approvers"
OWN_TOKENS = "Own tokens of the approver"
_ENDED = {"done", "failed", "undone", "withdrawn"}


def make_tickets(nautobot: Any, pod: Any) -> str:
    """Ask for a slice, have it approved by another person, see it done; ask for a release.

    An earlier start may have been stopped anywhere here: what it asked for goes on from its state.
    """
    wish = {"shape": SHAPE, "name": MADE, "slots": SLOTS}
    made = _asked(nautobot, pod, "slice", wish, "A second bench for the evaluation")
    if made["state"]["value"] == "submitted":
        _do(_approver(nautobot), made["id"], "approve", said="Free cubes only")
    if made["state"]["value"] in {"submitted", "approved"}:
        _do(nautobot, made["id"], "start")
    done = _ended(nautobot, made["id"])
    waits = _asked(nautobot, pod, "release", {"slice": TO_GO}, "Its run has ended")
    return f"{done['name']} {done['state']['value']}, {waits['name']} {waits['state']['value']}"


def _asked(nautobot: Any, pod: Any, kind: str, wish: dict[str, str], reason: str) -> Any:
    """The ticket that was asked for with this reason; asked for now if none was."""
    tickets = nautobot.plugins.fabric_twin.tickets
    for ticket in tickets.filter(pod=pod.name, kind=kind):
        if ticket.reason == reason:
            return dict(ticket)
    return dict(tickets.create(pod=pod.id, kind=kind, wish=wish, submit=True, reason=reason))


def _do(nautobot: Any, ticket: str, deed: str, **given: str) -> None:
    post(nautobot, f"tickets/{ticket}/{deed}/", **given)


def _ended(nautobot: Any, ticket: str) -> Any:
    """Follow it to its end."""
    while True:
        found = dict(nautobot.plugins.fabric_twin.tickets.get(ticket))
        state = found["state"]["value"]
        if state in _ENDED:
            break
        time.sleep(0.5)
    if state != "done":
        raise StackRefused(
            f"the ticket {found['name']} ended as {state}: {found['message']}",
            where=str(found["url"]),
            remedy="See its history in Nautobot, or start with --no-demo",
        )
    return found


def _approver(nautobot: Any) -> Any:
    """A client of another person, who may approve: nobody approves their own."""
    import pynautobot
    import requests

    users, password = nautobot.users.users, secrets.token_urlsafe(24)
    group = nautobot.users.groups.get(name=GROUP)
    facts = {"password": password, "is_active": True, "groups": [group.id]}
    person = users.get(username=APPROVER)
    if person:
        # Not `person.update()`: it leaves out what the record does not show, such as a password.
        users.update(person.id, facts)
    else:
        person = users.create(username=APPROVER, **facts)
    permissions = nautobot.users.permissions
    if not permissions.get(name=OWN_TOKENS):
        permissions.create(
            name=OWN_TOKENS,
            object_types=["users.token"],
            actions=["view", "add"],
            constraints={"user": "$user"},
            users=[person.id],
        )
    answer = requests.post(
        f"{nautobot.base_url}/users/tokens/", json={}, auth=(APPROVER, password), timeout=30
    )
    answer.raise_for_status()
    return pynautobot.api(nautobot.base_url.removesuffix("/api"), token=answer.json()["key"])
