"""Odd but legal ways to answer: order, grouping and grain of notifications are the server's."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import grpc
from pygnmi.spec.v080 import gnmi_pb2 as gnmi

from tests.upstream.patch import TODAY, Release
from tests.upstream.words import as_value

Grain = Literal["asked", "row", "leaf"]


@dataclass(frozen=True)
class Manner:
    """How this server answers where the specification leaves the choice to it."""

    name: str = "strict"
    #: Notifications in another order than the paths of the request (backwards).
    shuffled: bool = False
    #: All updates in one notification.
    together: bool = False
    #: A table as one value, or every row, or every leaf, as an update of its own.
    grain: Grain = "asked"
    #: A Set is made and then answered with this, as when it cannot be saved to the disk.
    unsaved: grpc.StatusCode | None = None
    #: No table of ports or circuits in CONFIG_DB at first.
    bare: bool = False
    #: A table without rows is left out of the answer. Upstream does so only while another table's
    #: rows begin with the same words; else it refuses the whole Get: "Failed to find ...".
    quiet: bool = False
    #: How long a Set takes (it is saved to disk). Meanwhile a Get reads the checkpoint.
    set_seconds: float = 0
    release: Release = TODAY

    def notifications(
        self, prefix: gnmi.Path, updates: list[tuple[gnmi.Path, Any]], timestamp: int
    ) -> list[gnmi.Notification]:
        """The answer's notifications, each with the prefix as it was asked."""
        several = [list(self.split(path, content)) for path, content in updates]
        if self.shuffled:
            several = [list(reversed(updates)) for updates in reversed(several)]
        if self.together:
            several = [[update for group in several for update in group]]
        return [
            gnmi.Notification(timestamp=timestamp, prefix=prefix, update=group) for group in several
        ]

    def split(self, path: gnmi.Path, content: Any) -> Iterator[gnmi.Update]:
        """One update as asked, or one for every row or leaf under it."""
        deepest = self.grain == "leaf"
        inner = isinstance(content, dict) and (
            deepest or any(isinstance(below, dict) for below in content.values())
        )
        if self.grain == "asked" or not inner or not content:
            yield gnmi.Update(path=path, val=as_value(content))
            return
        for name in content:
            longer = gnmi.Path(origin=path.origin, elem=[*path.elem, gnmi.PathElem(name=name)])
            yield from self.split(longer, content[name])


STRICT = Manner()
BARE = Manner("bare", bare=True)
QUIET = Manner("quiet", bare=True, quiet=True)
SHUFFLED = Manner("shuffled", shuffled=True)
TOGETHER = Manner("together", shuffled=True, together=True, grain="row")
BY_ROW = Manner("by_row", grain="row")
BY_LEAF = Manner("by_leaf", grain="leaf")
CHECKPOINT = Manner("checkpoint", set_seconds=1)
OLD_RELEASE = Manner("old_release", bare=True, release=Release(makes_tables=False))
BY_SOURCE = Manner("by_source", release=Release(root_replaces=False))
MANNERS = [
    *(STRICT, BARE, QUIET, SHUFFLED, TOGETHER, BY_ROW, BY_LEAF, CHECKPOINT),
    *(OLD_RELEASE, BY_SOURCE),
]
