"""Tickets on a server: asked for, followed, and done with."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fabric_twin.remote.pods import RemotePod
from fabric_twin.remote.records import RemoteRecord
from fabric_twin.remote.refusals import JobFailed
from fabric_twin.remote.server import APP, reading

#: Seconds between two looks at a ticket: more as it takes longer.
FIRST_LOOK, RAREST_LOOK = 0.5, 5.0
#: States out of which nothing leads without somebody.
ENDED = frozenset({"done", "undone", "withdrawn", "failed"})

#: Told each line of a ticket's history, once.
Tell = Callable[[Mapping[str, Any]], None]


@dataclass(frozen=True)
class RemoteTicket(RemoteRecord):
    """A ticket as the server last showed it."""

    KIND = "tickets"
    ONE, CALLED, MODEL = "a ticket", "ticket", "ticket"
    NAME = re.compile(r"(?P<pod>.+)-t(?P<number>\d+)(?:\.(?P<revision>\d+))?")
    EXAMPLE = "Write a name like iw1-t12, or iw1-t12.2 for its second revision"

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
