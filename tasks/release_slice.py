"""The job that releases a slice."""

from nautobot.apps.jobs import DryRunVar, ObjectVar

from fabric_twin.models import Slice
from fabric_twin.operations.slices.release import release_slice
from fabric_twin.tasks.refusing import RefusingJob

#: Where the job is listed.
name = "Fabric Twin"


class ReleaseSlice(RefusingJob):
    """Release a slice: its cubes are free, and its circuits are no longer wanted."""

    slice = ObjectVar(model=Slice, description="The slice to release")
    dryrun = DryRunVar(description="Say what would be released, and change nothing")

    class Meta:
        name = "Release slice"
        description = "Free a slice's cubes and circuits."
        has_sensitive_variables = False
        dryrun_default = True
        soft_time_limit = 60
        time_limit = 120

    def do(self, *, slice: Slice, dryrun: bool = True) -> str:  # noqa: A002
        """Release the slice, or say why it stays."""
        pod = slice.pod
        parts = list(slice.parts.select_related("cube__pod").order_by("place"))
        released = release_slice(slice, self.user, keep=not dryrun)
        for part in parts:
            self.logger.info("Slot %d", part.cube.slot, extra={"object": part.cube})
        verb = "Would release" if dryrun else "Released"
        said = f"{verb} {released}" if released else f"{slice.name} is released already"
        self.logger.success(said, extra={"object": pod})
        return said
