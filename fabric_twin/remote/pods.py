"""A pod that the App of a server knows."""

import json
from dataclasses import dataclass

from fabric_twin.remote.refusals import NotThere
from fabric_twin.remote.server import APP, Progress, Server, reading

#: Statuses of cubes whose cables should be there, as the App has it.
IN_SERVICE = frozenset({"Installing", "Active", "Draining"})


@dataclass(frozen=True)
class RemotePod:
    """A record of the App, by its key."""

    server: Server
    pk: str
    name: str
    design: str

    @property
    def path(self) -> str:
        """Its address below /api/."""
        return f"{APP}pods/{self.pk}/"

    def cut_sheet(self) -> bytes:
        """Its cables as a cut sheet: all of them, or the App's refusal."""
        return self.server.get(f"{self.path}cut-sheet/")

    @reading
    def slots(self, progress: Progress) -> tuple[int, ...]:
        """The slots with a cube in service."""
        cubes = self.server.rows("cubes", "slot status { name }", progress, "cubes", pod=[self.pk])
        return tuple(sorted(row["slot"] for row in cubes if row["status"]["name"] in IN_SERVICE))

    @reading
    def circuits(self, progress: Progress) -> bytes:
        """The circuits that are wanted and may be seen, as a circuit file."""
        fields = "a b wanted switch { device { name } } slice { name }"
        rows = self.server.rows("optical_circuits", fields, progress, "circuits", pod=[self.pk])
        circuits = [
            {
                "switch": row["switch"]["device"]["name"],
                "a": f"{row['a']}A",
                "b": f"{row['b']}B",
                "owner": (row["slice"] or {}).get("name", ""),
            }
            for row in rows
            if row["wanted"] and row["switch"] and row["switch"]["device"]
        ]
        return json.dumps({"version": 1, "circuits": circuits}).encode()


@reading
def find_pod(server: Server, name: str) -> RemotePod:
    """A pod of the App by its name."""
    for found in server.read(f"{APP}pods/", name=name)["results"]:
        return RemotePod(server, found["id"], found["name"], found["design"])
    raise NotThere(
        f"there is no pod {name}, or not for you",
        where=server.address,
        remedy="Check --pod, and that you have the permission fabric_twin.view_pod",
    )
