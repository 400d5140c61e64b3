"""The jobs that bring a pod's records into a Nautobot, and take them out again."""

from fabric_twin.remote.jobs import AppJob, Done, do_job
from fabric_twin.remote.pods import RemotePod
from fabric_twin.remote.server import Progress

LOAD = AppJob("fabric_twin.tasks.load_pod", "LoadPod", "Load pod")
ADOPT = AppJob("fabric_twin.tasks.adopt_pod", "AdoptPod", "Adopt pod")
REMOVE = AppJob("fabric_twin.tasks.remove_pod", "RemovePod", "Remove pod")


def remove(
    pod: RemotePod, seconds: float, progress: Progress, *, hardware: bool, dry_run: bool
) -> Done:
    """Take a pod's records out, and its hardware if that is asked for."""
    wish = {"pod": pod.pk, "hardware": hardware, "dryrun": dry_run}
    return do_job(pod.server, REMOVE, wish, seconds, progress)
