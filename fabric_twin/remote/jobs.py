"""Jobs on a server: asked for, and waited for."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from fabric_twin.remote.refusals import JobFailed, JobRefused, TooOld, refused_by_job
from fabric_twin.remote.server import Progress, Server, reading

#: Seconds between two looks at a job: more as it takes longer.
FIRST_LOOK, RAREST_LOOK = 0.2, 5.0
_ENDED = frozenset({"SUCCESS", "FAILURE", "REVOKED"})
_BAD = ("error", "critical", "failure")
#: Lines of a job's log that say why it failed.
_MOST_LINES = 5
#: Lines that an answer holds.
_PAGE = "200"

#: Files by the field of a job's form: what each is called, and what is in it.
Files = Mapping[str, tuple[str, bytes]]


class AppJob(NamedTuple):
    """A job of the App: its module and class, and its name unless an administrator changed it."""

    module: str
    kind: str
    name: str


@dataclass(frozen=True)
class Done:
    """What a job said when it had ended well."""

    #: The key of its result.
    job_result: str
    lines: tuple[str, ...]
    #: What is odd, and was done all the same; nothing where the user may not read its log.
    warnings: tuple[str, ...]

    def as_json(self, pod: str, *, dry_run: bool | None = None) -> dict[str, Any]:
        """For programs."""
        tried = {} if dry_run is None else {"dry_run": dry_run}
        return {
            "version": 1,
            "pod": pod,
            "job_result": self.job_result,
            **tried,
            "said": list(self.lines),
            "warnings": list(self.warnings),
        }


@reading
def do_job(
    server: Server,
    job: AppJob,
    wish: dict[str, Any],
    seconds: float,
    progress: Progress,
    files: Files | None = None,
) -> Done:
    """Let a job be done, and wait for it; what it refuses is refused here, in its own words."""
    key = run_job(server, *job, wish, files)
    result = await_job(server, key, job.name, seconds, progress)
    return Done(
        key,
        tuple(str(result["result"] or "").splitlines()),
        tuple(_logged(server, key, ("warning",)) if result.get("warning_log_count") else ()),
    )


@reading
def run_job(
    server: Server,
    module: str,
    kind: str,
    name: str,
    wish: dict[str, Any],
    files: Files | None = None,
) -> str:
    """Ask for a job, which an administrator may have given a name of his own; its result's key."""
    found = server.read("extras/jobs/", module_name=module, job_class_name=kind)["results"]
    if not found:
        raise TooOld(
            f"there is no job {name}, or you may not see it",
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
    path = f"extras/jobs/{job['id']}/run/"
    sent = server.upload(path, _fields(wish), files) if files else server.do(path, {"data": wish})
    if not sent.get("job_result"):
        raise JobFailed(
            f"the job {name} waits for somebody to approve it",
            where=f"{server.address}/extras/scheduled-jobs/{sent['scheduled_job']['id']}/",
            remedy="Have it approved in Nautobot: it is done then",
        )
    return str(sent["job_result"]["id"])


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
    if refusal := refused_by_job(result.get("result"), server.address):
        raise refusal
    if status != "SUCCESS":
        raise JobFailed(
            f"the job {name} ended as {status.lower()}{_why(server, key)}",
            where=_page(server, key),
            remedy="See its log in Nautobot",
        )
    return result


def _fields(wish: Mapping[str, Any]) -> dict[str, str]:
    """What a job is given beside files, as a form has it.

    What is false or empty is left out, and is so by that: Nautobot takes any word in the field
    `dryrun` for yes when it asks whether somebody must approve.
    """
    return {
        field: value if isinstance(value, str) else json.dumps(value)
        for field, value in wish.items()
        if value
    }


def _page(server: Server, key: str) -> str:
    return f"{server.address}/extras/job-results/{key}/"


def _why(server: Server, key: str) -> str:
    """What the job's log says went wrong, where the user may read it."""
    lines = _logged(server, key, _BAD)[:_MOST_LINES]
    return f": {'; '.join(lines)}" if lines else ""


def _logged(server: Server, key: str, levels: tuple[str, ...]) -> list[str]:
    """What the job's log says at some levels, where the user may read it."""
    said = server.seen("extras/job-logs/", job_result=key, log_level=levels, limit=_PAGE)
    return [" ".join(str(line["message"]).split()).rstrip(".") for line in said]
