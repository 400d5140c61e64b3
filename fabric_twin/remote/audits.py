"""Audits that a server's App makes, and the findings that it keeps."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fabric_twin.core.audit.remedy import contract
from fabric_twin.remote.jobs import await_job
from fabric_twin.remote.pods import RemotePod
from fabric_twin.remote.records import plain
from fabric_twin.remote.refusals import JobFailed, NotThere, TooOld, never_findings
from fabric_twin.remote.server import APP, Progress, reading

#: What a run's gate is where its findings are none, or warnings alone; else it is `fail`.
PASS, WARN = "pass", "warn"
_JOB = "Audit pod"


@dataclass(frozen=True)
class Run:
    """A run that is done."""

    pk: str
    number: int
    gate: str
    found: int
    new: int
    gone: int
    not_reached: dict[str, str]

    def fails(self, fail_on: str) -> bool:
        """Whether a pipeline should stop; silenced findings do not count."""
        return self.gate not in ({PASS, WARN} if fail_on == "error" else {PASS})


@reading
def audit(
    pod: RemotePod,
    seconds: float,
    progress: Progress,
) -> Run:
    """Let the server audit a pod, and wait for the run."""
    server = pod.server
    with never_findings():
        try:
            asked = server.do(f"{pod.path}audit/", {})
        except NotThere:
            raise TooOld(
                "the App there makes no audits",
                where=server.address,
                remedy="Bring it up to date",
            ) from None
        key = str(asked["job_result"]["id"])
        await_job(server, key, _JOB, seconds, progress)
    runs = server.read(f"{APP}audit-runs/", job_result=key)["results"]
    if not runs or plain(runs[0]["state"]) != "done":
        why = runs[0]["message"] if runs else "it is not there, or you may not see it"
        raise JobFailed(
            f"the audit left no run to read: {why}",
            where=f"{server.address}, pod {pod.name}",
            remedy="See that you have the permission fabric_twin.view_auditrun, and the job's log",
        )
    run = runs[0]
    return Run(
        run["id"],
        run["number"],
        plain(run["gate"]),
        run["found"],
        run["new"],
        run["gone"],
        run["not_reached"],
    )


def report(pod: RemotePod, run: Run, form: str) -> bytes:
    """What a run found that the user may see: json, txt, csv or html, as the server writes it."""
    return pod.server.get(f"{APP}audit-runs/{run.pk}/report/", form=form)


@reading
def findings(pod: RemotePod, states: Sequence[str], progress: Progress) -> list[dict[str, Any]]:
    """Findings of a pod, in the form of the contract, with their lives."""
    fields = (
        "key code severity cause state opened first_seen last_seen seen mended_at reopened "
        "joined_with { key } worked_on acknowledged_why remedy evidence_now slices { name } "
        "places { number device_name port_name cable_name }"
    )
    rows = pod.server.rows(
        "findings", fields, progress, "findings", pod=[pod.pk], state=list(states)
    )
    return [_as_json(row) for row in rows]


def _as_json(row: dict[str, Any]) -> dict[str, Any]:
    places = sorted(row["places"], key=lambda place: place["number"])
    evidence = {"evidence": row["evidence_now"]} if row["evidence_now"] else {}
    return {
        "id": row["key"],
        "code": row["code"],
        "severity": row["severity"].lower(),
        "cause": row["cause"],
        "cables": [place["cable_name"] for place in places if place["cable_name"]],
        "ports": [[p["device_name"], p["port_name"]] for p in places if not p["cable_name"]],
        "remedy": [contract(step) for step in row["remedy"]],
        **evidence,
        "state": row["state"].lower(),
        "opened": row["opened"],
        "first_seen": row["first_seen"],
        "last_seen": row["last_seen"],
        "seen": row["seen"],
        "joined_with": row["joined_with"] and row["joined_with"]["key"],
        "mended": row["mended_at"],
        "reopened": row["reopened"],
        "why": row["acknowledged_why"],
        "worked_on": row["worked_on"],
        "slices": sorted(hit["name"] for hit in row["slices"]),
    }
