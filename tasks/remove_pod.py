"""Take a pod back out."""

from nautobot.apps.jobs import BooleanVar, DryRunVar, ObjectVar

from fabric_twin.models import Pod
from fabric_twin.operations.pods.remove import remove_pod
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT, RefusingJob

#: Where the job is listed.
name = "Fabric Twin"


class RemovePod(RefusingJob):
    """Remove the App's records of a pod, and its hardware only if that is asked for."""

    pod = ObjectVar(model=Pod)
    hardware = BooleanVar(
        description="Also its racks, devices, transceivers, ports and cables: all that is bound"
    )
    dryrun = DryRunVar(default=True, description="Say what would be removed, and remove nothing")

    class Meta:
        name = "Remove pod"
        description = "Remove a pod's records; release its slices first."
        dryrun_default = True
        soft_time_limit = SOFT_LIMIT
        time_limit = LIMIT
        has_sensitive_variables = False

    def do(self, *, pod: Pod, hardware: bool = False, dryrun: bool = True) -> str:
        """Remove it; all or nothing."""
        pod, location = self.visible(pod), pod.location
        removed = remove_pod(
            pod.name, hardware=hardware, user=self.user, dry_run=dryrun, progress=self.say_rows
        )
        self.logger.info("%s", removed, extra={"object": pod if dryrun else location})
        return str(removed)
