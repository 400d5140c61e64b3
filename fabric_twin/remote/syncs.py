"""The job that asks a pod's fabric how it is."""

from dataclasses import dataclass
from typing import Any

from fabric_twin.remote.jobs import await_job, run_job
from fabric_twin.remote.pods import RemotePod
from fabric_twin.remote.server import Progress

_JOB = "Sync pod"
_MODULE, _CLASS = "fabric_twin.tasks.sync_pod", "SyncPod"


@dataclass(frozen=True)
class Synced:
    """What the job said when it was done."""

    pod: str
    job_result: str
    lines: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "version": 1,
            "pod": self.pod,
            "job_result": self.job_result,
            "said": list(self.lines),
        }


def sync(
    pod: RemotePod,
    seconds: float,
    progress: Progress,
) -> Synced:
    """Let the server sync a pod, and wait until it is done."""
    key = run_job(pod.server, _MODULE, _CLASS, _JOB, {"pod": pod.pk})
    result = await_job(pod.server, key, _JOB, seconds, progress)
    return Synced(pod.name, key, tuple(str(result["result"] or "").splitlines()))
