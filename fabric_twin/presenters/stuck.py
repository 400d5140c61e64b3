"""What is stuck, as pages show it: with a link to its record, and a button where one goes on."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from nautobot.users.models import User

from fabric_twin.models import Pod
from fabric_twin.operations.stuck.go_on import GO_ON
from fabric_twin.operations.stuck.seen import Stuck, stuck


@dataclass(frozen=True)
class Row:
    """One thing that is stuck."""

    what: str
    url: str
    since: datetime | None
    why: str
    kind: str
    #: What the button goes on with; empty where it needs another way.
    key: str
    #: Where it is run again, with what it was given.
    again: str


def stuck_rows(user: User, pod: Pod | None = None) -> list[Row]:
    """What is stuck in the pods that a user may see, or in one of them; the oldest first."""
    return [_row(one) for one in stuck(user, pod)]


def _row(one: Stuck) -> Row:
    key = str(one.record.pk) if one.kind in GO_ON else ""
    again = _run_again(one.record) if one.kind == "lost" else ""
    return Row(one.what, _page(one.record), one.since, one.why, one.kind, key, again)


def _page(record: Any) -> str:
    return record.get_absolute_url() if record is not None else ""


def _run_again(job: Any) -> str:
    """Nautobot's form of the job, filled with what it was given."""
    if job.job_model is None:
        return ""
    form = reverse("extras:job_run", kwargs={"pk": job.job_model_id})
    return f"{form}?kwargs_from_job_result={job.pk}"
