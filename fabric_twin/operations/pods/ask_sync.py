"""The job that reads a pod's fabric, asked for from the page of a pod or a device."""

from typing import Any

from nautobot.extras.models import JobResult
from nautobot.users.models import User

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.kinds import Verb
from fabric_twin.models import Block, Cube, Pod, Switch
from fabric_twin.operations.dispatch import require_job, run_job, waiting_job

Device = Switch | Cube | Block
JOB = "fabric_twin.tasks.sync_pod.SyncPod"


def ask_for_sync(record: Pod | Device, user: User, *, write: bool = True) -> JobResult:
    """Let a worker read all of a pod, or one device; without `write` it says what would change."""
    kind = record._meta.model_name
    require_job(JOB, user, f"{kind} {record}")
    (record if isinstance(record, Pod) else record.pod).to_core().check_can(Verb.DIAGNOSE)
    if not has_address(record):
        raise NotPossible(
            "no device of it has an address" if isinstance(record, Pod) else "it has no address",
            where=f"{kind} {record}",
            remedy="Give it the one where it answers gNMI",
        )
    of: dict[str, Any] = {} if isinstance(record, Pod) else {"pod": record.pod}
    wish = of | {str(kind): record, "dryrun": not write}
    return waiting_job(JOB, user, wish) or run_job(JOB, user, f"{kind} {record}", **wish)


def can_be_read(record: Pod | Device) -> bool:
    """Whether somebody could answer, and there is light to tell of."""
    pod = record if isinstance(record, Pod) else record.pod
    return has_address(record) and pod.can(Verb.DIAGNOSE)


def has_address(record: Pod | Device) -> bool:
    """Whether somebody could answer."""
    if isinstance(record, Pod):
        switches: Any = record.switches
        return any(rows.exclude(address="").exists() for rows in (switches, record.members))
    return bool(record.address)
