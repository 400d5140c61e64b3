"""Tickets on a server: asked for, followed, and done with."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fabric_twin.core.errors import UnusableInput
from fabric_twin.remote.pods import RemotePod
from fabric_twin.remote.records import RemoteRecord
from fabric_twin.remote.refusals import JobFailed, NotThere
from fabric_twin.remote.server import APP, Server, reading

_NAME = re.compile(r"(?P<pod>.+)-t(?P<number>\d+)(?:\.(?P<revision>\d+))?")
#: Seconds between two looks at a ticket: more as it takes longer.
FIRST_LOOK, RAREST_LOOK = 0.5, 5.0
#: States out of which nothing leads without somebody.
ENDED = frozenset({"done", "undone", "withdrawn", "failed"})

#: Told each line of a ticket's history, once.
Tell = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True)
class RemoteTicket(RemoteRecord):
    """A ticket as the server last told of it."""

    KIND = "tickets"

    @reading
    def history(self) -> list[dict[str, Any]]:
        """What was done and said, in order."""
        rows = self.server.read(
            f"{APP}ticket-events/", ticket=str(self.facts["id"]), limit="500", depth="1"
        )["results"]
        return sorted(rows, key=lambda row: row["number"])

    def told(self, done: dict[str, Any]) -> Mapping[str, Any]:
        """The ticket, or its revision; beside it may be the job that carries it out."""
        return dict(done.get("ticket", done))


@reading
def ask(pod: RemotePod, kind: str, wish: Mapping[str, Any], **terms: Any) -> RemoteTicket:
    """Ask for a change; a draft comes of it, or a ticket that is submitted."""
    asked = {"pod": pod.pk, "kind": kind, "wish": dict(wish), **terms}
    return RemoteTicket(pod.server, pod.server.do(f"{APP}tickets/", asked))


@reading
def tickets(server: Server, pod: str, states: Sequence[str]) -> list[RemoteTicket]:
    """The tickets of a pod, the newest first; only those that are open where no state is named."""
    wanted: dict[str, Any] = {"state": list(states)} if states else {"is_open": "true"}
    rows = server.read(f"{APP}tickets/", pod=pod, limit="500", **wanted)["results"]
    return [RemoteTicket(server, row) for row in rows]


@reading
def find_ticket(server: Server, name: str) -> RemoteTicket:
    """A ticket by its name; without a revision it is the last one."""
    match = _NAME.fullmatch(name)
    if match is None:
        raise UnusableInput(
            f"{name[:60]!r} is not a ticket's name",
            where="ticket",
            remedy="Write a name like iw1-t12, or iw1-t12.2 for its second revision",
        )
    wanted = {"pod": match["pod"], "number": match["number"]}
    if match["revision"]:
        wanted["revision"] = match["revision"]
    rows = server.read(f"{APP}tickets/", **wanted)["results"]
    if not rows:
        raise NotThere(
            f"there is no ticket {name}, or not for you",
            where=server.address,
            remedy="Check its name, and that you have the permission fabric_twin.view_ticket",
        )
    return RemoteTicket(server, max(rows, key=lambda row: row["revision"]))


def follow(ticket: RemoteTicket, until: Sequence[str], seconds: float, tell: Tell) -> RemoteTicket:
    """Wait until a ticket is in one of these states, or where only somebody can help.

    Every line of its history is told once, as it comes.
    """
    began, look, told = time.monotonic(), FIRST_LOOK, 0
    ends = ENDED | frozenset(until)
    while True:
        ticket = ticket.again()
        for line in ticket.history():
            if line["number"] > told:
                tell(line)
                told = line["number"]
        if ticket.state in ends:
            return ticket
        if time.monotonic() - began >= seconds:
            raise JobFailed(
                f"{ticket.name} was waited for {seconds:g} s, and is {ticket.state}",
                where=ticket.server.address,
                remedy="Wait longer with --wait; the ticket goes on",
            )
        time.sleep(look)
        look = min(look * 1.3, RAREST_LOOK)
