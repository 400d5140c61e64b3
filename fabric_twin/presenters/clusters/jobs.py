"""The jobs of a cluster as a user may see them: what is hidden has no name, and stays drawn."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from nautobot.users.models import User

from fabric_twin.core.errors import NotPermitted
from fabric_twin.core.rings.job import Job
from fabric_twin.core.rings.state import State
from fabric_twin.models import Pod, Slice
from fabric_twin.operations.slices.bearing import may_see_switches
from fabric_twin.operations.slices.rings import RingsRecord, read_rings
from fabric_twin.presenters.visible_pod import HIDDEN, Sight


class JobsSight:
    """A cluster's jobs in the eyes of a user; each part is read once, when it is asked for."""

    def __init__(self, pod: Pod, user: User) -> None:
        self.sight = Sight(pod, user)

    @cached_property
    def record(self) -> RingsRecord:
        """All of it: not to be shown."""
        return read_rings(self.sight.pod)

    @property
    def whole(self) -> State:
        """All jobs with their names: not to be shown."""
        return self.record.state

    @cached_property
    def slices(self) -> Mapping[str, Slice]:
        """The jobs that the user may see, by name."""
        rows = self.sight.of(Slice).filter(pod=self.sight.pod).select_related("status")
        return {made.name: made for made in rows}

    @cached_property
    def jobs(self) -> list[Job]:
        """Those that the user may see."""
        return [job for job in self.whole.jobs if job.name in self.slices]

    @property
    def hidden(self) -> int:
        """How many others there are."""
        return len(self.whole.jobs) - len(self.jobs)

    @cached_property
    def drawn(self) -> State:
        """All jobs, without the names of those that the user may not see.

        A drawing tells which groups and switches are out, so who may not see them all sees none.
        """
        if self.sight.hidden_slots or not may_see_switches(self.sight.pod, self.sight.user):
            raise NotPermitted(
                "you may not see all groups and switches of the cluster",
                where=f"cluster {self.sight.pod.name}",
                remedy="Ask for the permission to view cubes and switches",
            )
        jobs = (
            job if job.name in self.slices else replace(job, name=HIDDEN) for job in self.whole.jobs
        )
        return replace(self.whole, jobs=tuple(jobs))
