"""The demo's fabric on another port: the records that say where its devices answer follow it.

Only records of the demo's pods with the very address that the fabric had. Where that fails, the
next start tries again, so each address that they may still have is remembered until they follow.
"""

from collections.abc import Sequence
from typing import Any

from fabric_twin.stack.console import Console
from fabric_twin.stack.folder import StateFolder

_MOVED_FROM = "fabric moved from"


def remember_move(folder: StateFolder, before: str) -> None:
    """The fabric does not answer at an address any more that records may have."""
    folder.mark_done(_MOVED_FROM, f"{folder.done.get(_MOVED_FROM, '')} {before}".strip())


def move_records(
    folder: StateFolder, nautobot: Any, pods: Sequence[str], now: str, console: Console
) -> None:
    """Have the records of some pods follow their fabric to where it is now, unless they have."""
    before = set(folder.done.get(_MOVED_FROM, "").split())
    if not before:
        return
    with console.step("Moved fabric"):
        moved = [
            f"{sum(_follow(records, pod, before - {now}, now) for pod in there)} {kind}"
            for there in (_there(nautobot, pods),)
            for kind, records in (
                ("switches", nautobot.plugins.fabric_twin.switches),
                ("cubes", nautobot.plugins.fabric_twin.cubes),
                ("blocks", nautobot.plugins.fabric_twin.blocks),
            )
        ]
        console.tell(f"{', '.join(moved)} of {' and '.join(pods)} are at {now} now")
    folder.mark_done(_MOVED_FROM)


def _there(nautobot: Any, pods: Sequence[str]) -> list[str]:
    """Those of some pods that are recorded: a filter by another name is refused."""
    return [pod for pod in pods if nautobot.plugins.fabric_twin.pods.get(name=pod)]


def _follow(records: Any, pod: str, before: set[str], now: str) -> int:
    there = records.filter(pod=pod)
    moved = [{"id": one.id, "address": now} for one in there if one.address in before]
    return len(records.update(moved)) if moved else 0
