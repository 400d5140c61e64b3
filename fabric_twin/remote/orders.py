"""Work orders on a server: wished for, handed out, and reported on step by step."""

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fabric_twin.remote.pods import RemotePod
from fabric_twin.remote.records import RemoteRecord
from fabric_twin.remote.server import APP, reading

#: Seconds between looks at what a worker has the fabric do.
_WAITS = (0.5, 1, 1.5, 2, 3, 4)


@dataclass(frozen=True)
class RemoteOrder(RemoteRecord):
    """An order as the server last showed it."""

    KIND = "work-orders"
    ONE, CALLED, MODEL = "an order", "work order", "workorder"
    NAME = re.compile(r"(?P<pod>.+)-w(?P<number>\d+)")
    EXAMPLE = "Write one like iw1-w3"

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
