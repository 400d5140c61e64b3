"""Slices on a server: made, released and listed."""

import json
from dataclasses import dataclass
from typing import Any

from fabric_twin.remote.jobs import AppJob, Done, do_job
from fabric_twin.remote.pods import RemotePod
from fabric_twin.remote.refusals import NotThere
from fabric_twin.remote.server import Progress, Server, reading

MAKE = AppJob("fabric_twin.tasks.make_slice", "MakeSlice", "Make slice")
RELEASE = AppJob("fabric_twin.tasks.release_slice", "ReleaseSlice", "Release slice")
_FIELDS = "name shape twisted status { name } parts { place cube { slot } }"


@dataclass(frozen=True)
class RemoteSlice:
    """A slice that stands."""

    pk: str
    name: str
    shape: str
    twisted: bool
    #: Empty where the user may see no statuses.
    status: str
    #: The slots of its cubes that the user may see, in the order of their places.
    slots: tuple[int, ...]

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "id": self.pk,
            "name": self.name,
            "shape": self.shape,
            "twisted": self.twisted,
            "status": self.status,
            "slots": list(self.slots),
        }


@reading
def slices(pod: RemotePod, progress: Progress, *named: str) -> list[RemoteSlice]:
    """The slices of a pod by name, or those of some names."""
    wanted = {"name": list(named)} if named else {}
    rows = pod.server.rows("slices", _FIELDS, progress, "slices", pod=[pod.pk], **wanted)
    found = [
        RemoteSlice(
            row["id"],
            row["name"],
            row["shape"],
            row["twisted"],
            (row["status"] or {}).get("name", ""),
            tuple(
                part["cube"]["slot"]
                for part in sorted(row["parts"], key=lambda part: part["place"])
                if part["cube"]
            ),
        )
        for row in rows
    ]
    return sorted(found, key=lambda one: one.name)


def find_slice(pod: RemotePod, name: str, progress: Progress) -> RemoteSlice:
    """A slice of a pod by its name."""
    for found in slices(pod, progress, name):
        if found.name == name:  # a server that is asked for no name tells of all
            return found
    raise NotThere(
        f"there is no slice {name} in pod {pod.name}, or you may not see it",
        where=pod.server.address,
        remedy="Check its name, and that you have the permission fabric_twin.view_slice",
    )


def make(pod: RemotePod, wish: dict[str, Any], seconds: float, progress: Progress) -> Done:
    """Find cubes for a slice, and record the circuits that join them."""
    return do_job(pod.server, MAKE, {"pod": pod.pk, **wish}, seconds, progress)


@reading
def made_by(server: Server, done: Done) -> dict[str, Any] | None:
    """The slice that a job made, as the command line writes it; None for who may read no files."""
    for file in server.seen("extras/file-proxies/", job_result_id=done.job_result):
        return dict(json.loads(server.get(f"extras/file-proxies/{file['id']}/download/")))
    return None


def release(
    pod: RemotePod, made: RemoteSlice, seconds: float, progress: Progress, *, dry_run: bool
) -> Done:
    """Free the cubes and circuits of a slice."""
    return do_job(pod.server, RELEASE, {"slice": made.pk, "dryrun": dry_run}, seconds, progress)
