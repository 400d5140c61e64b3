"""Jobs on a server: asked for, and waited for."""

import time
from typing import Any

from fabric_twin.core.errors import NotPermitted
from fabric_twin.remote.refusals import JobFailed, JobRefused, TooOld
from fabric_twin.remote.server import Progress, Server, reading

#: Seconds between two looks at a job: more as it takes longer.
FIRST_LOOK, RAREST_LOOK = 0.2, 5.0
_ENDED = frozenset({"SUCCESS", "FAILURE", "REVOKED"})
_BAD = ("error", "critical", "failure")
#: Lines of a job's log that say why it failed.
_MOST_LINES = 5


@reading
def run_job(server: Server, module: str, kind: str, name: str, wish: dict[str, Any]) -> str:
    """Ask for a job, which an administrator may have given a name of his own; its result's key."""
    found = server.read("extras/jobs/", module_name=module, job_class_name=kind)["results"]
    if not found:
        raise TooOld(
            f"there is no job {name}, or not for you",
            where=server.address,
            remedy="Ask for the permission to view and run it, or bring the App up to date",
        )
    job = found[0]
    if not (job["enabled"] and job["installed"]):
        raise JobRefused(
            f"the job {name} is not enabled",
            where=server.address,
            remedy="Enable it on its page in Nautobot",
        )
    asked = server.do(f"extras/jobs/{job['id']}/run/", {"data": wish})
    return str((asked.get("job_result") or asked["scheduled_job"])["id"])


@reading
def await_job(
    server: Server,
    key: str,
    name: str,
    seconds: float,
    progress: Progress,
) -> dict[str, Any]:
    """Wait until a job ended well; its result."""
    began, look = time.monotonic(), FIRST_LOOK
    while True:
        result = server.read(f"extras/job-results/{key}/")
        status = result["status"]["value"]
        if status in _ENDED:
            break
        waited = time.monotonic() - began
        progress(f"seconds that {name} takes", int(waited))
        if waited >= seconds:
            never = "nobody began it" if status == "PENDING" else "it has not ended"
            raise JobFailed(
                f"the job {name} was waited for {seconds:g} s, and {never}",
                where=_page(server, key),
                remedy="See that a worker runs, or wait longer with --wait; the job goes on",
            )
        time.sleep(look)
        look = min(look * 1.5, RAREST_LOOK)
    if status != "SUCCESS":
        raise JobFailed(
            f"the job {name} ended as {status.lower()}{_why(server, key)}",
            where=_page(server, key),
            remedy="See its log in Nautobot",
        )
    return result


def _page(server: Server, key: str) -> str:
    return f"{server.address}/extras/job-results/{key}/"


def _why(server: Server, key: str) -> str:
    """What the job's log says went wrong, where the user may read it."""
    try:
        said = server.read("extras/job-logs/", job_result=key, log_level=_BAD)["results"]
    except NotPermitted:
        return ""
    lines = [" ".join(str(line["message"]).split()).rstrip(".") for line in said[:_MOST_LINES]]
    return f": {'; '.join(lines)}" if lines else ""
