"""The cut sheet of a pod on a server, by the App or out of core records."""

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric_twin.cli.messages import progress, tell
from fabric_twin.core.cabling.plant import intended_plant, recorded_plant
from fabric_twin.core.counted import counted
from fabric_twin.core.design import Design
from fabric_twin.core.slots import parse_slots
from fabric_twin.inventory.cutsheet import read_cut_sheet, write_rows

if TYPE_CHECKING:
    from fabric_twin.remote.pods import RemotePod
    from fabric_twin.remote.server import Server


@dataclass(frozen=True)
class RemoteSheet:
    """A cut sheet, and where it is from."""

    content: bytes
    source: str
    #: The App's record of the pod, where there is an App.
    pod: "RemotePod | None"


def fetch_sheet(server: "Server", pod: str) -> RemoteSheet:
    """Read a pod's sheet, and say what of it may be hidden."""
    from fabric_twin.remote.core_cables import read_core_cables
    from fabric_twin.remote.pods import find_pod

    source = f"{server.address}, pod {pod}"
    if server.has_app:
        known = find_pod(server, pod)
        return RemoteSheet(known.cut_sheet(), source, known)
    with progress() as advance:
        read = read_core_cables(server, pod, advance)
    if not read.cables:
        tell(f"{source}: its devices have no cables, or none that you may see.")
    if read.half_hidden:
        tell(
            f"{source}: {_cables(read.half_hidden)} {_end(read.half_hidden)} that you may not see; "
            "it is written as not known."
        )
    if read.strands_hidden:
        tell(
            f"{source}: no cable has a type that you may see, so exchanged strands are not told "
            "(permission dcim.view_cabletype)."
        )
    text = io.StringIO()
    write_rows(read.rows(), text)
    return RemoteSheet(text.getvalue().encode(), source, None)


def say_what_is_not_seen(sheet: RemoteSheet, kind: Design, pod: str, slots: str | None) -> None:
    """Say how many cables of the design are not in a sheet of core records.

    A server leaves out what the user may not see, so it looks as if it were not there.
    """
    chosen = parse_slots(slots, kind.slots) if slots is not None else None
    intended = intended_plant(kind, pod, chosen)
    rows = read_cut_sheet(sheet.content, sheet.source, lambda _: None, every=True)
    recorded = recorded_plant(intended.names, *rows.columns)
    seen = {*recorded.a.tolist(), *recorded.b.tolist()}
    ends = zip(intended.a.tolist(), intended.b.tolist(), strict=True)
    absent = sum(a not in seen and b not in seen for a, b in ends)
    if absent:
        tell(
            f"{sheet.source}: {absent:,} of {_cables(len(intended.a))} of the design are not "
            "recorded, or not visible to you."
        )


def _cables(count: int) -> str:
    return counted(count, "cable")


def _end(count: int) -> str:
    return "has an end" if count == 1 else "have an end"
