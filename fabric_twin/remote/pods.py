"""A pod that the App of a server knows."""

import json
from collections.abc import Collection
from dataclasses import dataclass

from fabric_twin.core.design import Design
from fabric_twin.core.errors import DesignRefused
from fabric_twin.documents.pods.fabric import Fabric
from fabric_twin.documents.pods.fabric_json import fabric_from_json
from fabric_twin.remote.refusals import NotThere
from fabric_twin.remote.server import APP, Server, reading


@dataclass(frozen=True)
class RemotePod:
    """A record of the App, by its key."""

    server: Server
    pk: str
    name: str
    design: str
    #: The key of where it stands.
    location: str = ""
    #: What tells the layout by which its ports are numbered; empty where the App does not say.
    layout: str = ""

    @property
    def path(self) -> str:
        """Its address below /api/."""
        return f"{APP}pods/{self.pk}/"

    def check_design(self, design: Design) -> None:
        """Refuse a design that is called alike here and is not the one of the server."""
        if self.layout and self.layout != design.digest:
            raise DesignRefused(
                f"the one of this machine is not the one that pod {self.name} follows at "
                f"{self.server.address}",
                where=f"design {design.name}",
                remedy="Install the same version here, or give --design the server's design file",
            )

    def cut_sheet(self) -> bytes:
        """Its cables as a cut sheet: all of them, or the App's refusal."""
        return self.server.get(f"{self.path}cut-sheet/")

    @reading
    def fabric(self, design: Design, slots: Collection[int] | None = None) -> Fabric:
        """All that its maps show, as the App knows it; or of some of its slots."""
        return fabric_from_json(json.loads(self.server.get(f"{self.path}drawn/")), design, slots)


@reading
def known_pod(server: Server, name: str) -> RemotePod | None:
    """A pod of the App by its name, if it is there and the user may see it."""
    for found in server.seen(f"{APP}pods/", name=name):
        if found["name"] != name:  # a server that is asked for no name tells of all
            continue
        at = found.get("location") or {}
        facts = found["id"], found["name"], found["design"]
        return RemotePod(server, *facts, at.get("id", ""), found.get("layout", ""))
    return None


def find_pod(server: Server, name: str) -> RemotePod:
    """A pod of the App by its name."""
    if pod := known_pod(server, name):
        return pod
    raise NotThere(
        f"there is no pod {name}, or you may not see it",
        where=server.address,
        remedy="Check --pod, and that you have the permission fabric_twin.view_pod",
    )
