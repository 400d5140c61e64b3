"""Work orders on a server: wished for, handed out, and reported on step by step."""

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fabric_twin.core.errors import UnusableInput
from fabric_twin.remote.pods import RemotePod
from fabric_twin.remote.records import RemoteRecord
from fabric_twin.remote.refusals import NotThere
from fabric_twin.remote.server import APP, Server, reading

#: Seconds between looks at what a worker has the fabric do.
_WAITS = (0.5, 1, 1.5, 2, 3, 4)
_NAME = re.compile(r"(?P<pod>.+)-w(?P<number>\d+)")


@dataclass(frozen=True)
class RemoteOrder(RemoteRecord):
    """An order as the server last told of it."""

    KIND = "work-orders"

    @reading
    def next(self, crew: int) -> dict[str, Any]:
        """A crew's next step, after the fabric did its part; or why the crew must wait."""
        for wait in (*_WAITS, None):
            told = self.server.do(f"{self.path}next/?crew={crew}", {})
            if wait is None or not told["called"]:
                break
            time.sleep(wait)
        steps = {step["number"]: step for step in told["steps"]}
        return {"step": steps.get(told["next"]), "why": told["why"], "live": told["live"]}

    @reading
    def report(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Say what became of a step; what the server made of it."""
        [answer] = self.server.do(f"{self.path}reports/", {"reports": [dict(said)]})["answers"]
        return dict(answer)


@reading
def make(pod: RemotePod, kind: str, **wish: Any) -> RemoteOrder:
    """Wish for an order."""
    asked = {"pod": pod.pk, "kind": kind, **wish}
    return RemoteOrder(pod.server, pod.server.do(f"{APP}work-orders/", asked))


@reading
def orders(server: Server, pod: str, states: Sequence[str]) -> list[RemoteOrder]:
    """The orders of a pod, the newest first; only those that are open where no state is named."""
    wanted: dict[str, Any] = {"state": list(states)} if states else {"is_open": "true"}
    rows = server.read(f"{APP}work-orders/", pod=pod, limit="500", **wanted)["results"]
    return [RemoteOrder(server, row) for row in rows]


@reading
def find_order(server: Server, name: str) -> RemoteOrder:
    """An order by its name."""
    match = _NAME.fullmatch(name)
    if match is None:
        raise UnusableInput(
            f"{name[:60]!r} is not an order's name", where="order", remedy="Write one like iw1-w3"
        )
    wanted = {"pod": match["pod"], "number": match["number"]}
    rows = server.read(f"{APP}work-orders/", **wanted)["results"]
    if not rows:
        raise NotThere(
            f"there is no work order {name}, or not for you",
            where=server.address,
            remedy="Check its name, and that you have the permission fabric_twin.view_workorder",
        )
    return RemoteOrder(server, rows[0])
