"""The job that asks a pod's fabric how it is."""

from fabric_twin.remote.jobs import AppJob, Done, do_job
from fabric_twin.remote.pods import RemotePod
from fabric_twin.remote.refusals import never_findings
from fabric_twin.remote.server import Progress

SYNC = AppJob("fabric_twin.tasks.sync_pod", "SyncPod", "Sync pod")


def sync(
    pod: RemotePod,
    seconds: float,
    progress: Progress,
) -> Done:
    """Let the server sync a pod, and wait until it is done."""
    with never_findings():
        return do_job(pod.server, SYNC, {"pod": pod.pk}, seconds, progress)
