"""Run an audit: wait for its turn, look, and write what it found as one run."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import Error, transaction
from django.utils import timezone
from nautobot.users.models import User

from fabric_twin.core.audit.covered import Covered
from fabric_twin.core.counted import counted
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.garbage import seldom_collected
from fabric_twin.core.kinds import Verb
from fabric_twin.models import AuditRun, Pod
from fabric_twin.models.audit_run import RunStateChoices, ScopeChoices
from fabric_twin.operations.audits.audit import WHOLE_POD, Audit, Observed, Scope, audit_pod
from fabric_twin.operations.audits.finding_costs import write_costs
from fabric_twin.operations.audits.fingerprints import fingerprints_of
from fabric_twin.operations.audits.light_tests import light_test, part_left_over
from fabric_twin.operations.audits.run_lease import LEASE, PATIENCE, RunLease, queue_run, take_lease
from fabric_twin.operations.audits.store_findings import Turned, store_findings, turned_by
from fabric_twin.operations.calls.progress import tell, telling
from fabric_twin.operations.hooks import before_audit
from fabric_twin.operations.pods.audit_schedule import check_light_test
from fabric_twin.operations.pods.light_agreed import write_agreed
from fabric_twin.repositories.change_log import CREATE, record_change
from fabric_twin.repositories.light_history import write_good_light
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.transactions import one_moment

#: Looks at the fabric of a pod, as far as a scope wants it.
Look = Callable[[PodRecord, Scope], Observed | None]


@dataclass(frozen=True, kw_only=True)
class How:
    """How a run is made, beside what it looks at."""

    look: Look | None = None
    #: Whether test circuits are made for findings that are not seen since.
    light_test: bool = False
    user: User | None = None
    job_result: Any = None
    lease: timedelta = LEASE
    patience: timedelta = PATIENCE


def run_audit(pod: Pod, scope: Scope = WHOLE_POD, how: How | None = None) -> AuditRun:
    """Audit a pod as a run of its own; another one that is under way is waited for."""
    how = how or How()
    kind = scope.kind(pod)
    if scope.light or how.light_test:
        pod.to_core().check_can(Verb.DIAGNOSE, NotPossible)
    if how.light_test:
        check_light_test(pod, how.user, whole=kind == ScopeChoices.POD)
    places = scope.told(PodRecord(pod)) if kind != ScopeChoices.POD else ""
    run = queue_run(pod, scope=kind, light=scope.light, places=places, job_result=how.job_result)
    tell("Waits for its turn")
    lease = take_lease(run, how.lease, how.patience)
    try:
        after_audit, before = before_audit(pod), _before(run)
        # A fifth of the time, and a worker has much else in memory.
        with telling(run.pk, _usual(before, how)), seldom_collected():
            covered = _carry_out(run, before, lease, scope, how)
    except Exception as error:
        fail_run(run, lease, error)
        raise
    after_audit(run, covered)
    run.refresh_from_db()
    return run


def try_audit(pod: Pod, scope: Scope = WHOLE_POD, look: Look | None = None) -> tuple[Audit, Turned]:
    """What a run would find and change now; nothing is written, and nobody is waited for."""
    record = PodRecord(pod)
    audit = audit_pod(record, look(record, scope) if look else None, scope)
    return audit, turned_by(pod.pk, audit)


def _carry_out(
    run: AuditRun, before: AuditRun | None, lease: RunLease, scope: Scope, how: How
) -> Covered:
    if how.look:
        part_left_over(run.pod, besides=run)
        lease.renew()
    record, at = PodRecord(run.pod), timezone.now()
    observed, tested = _look(run, lease, record, scope, how)
    tell("Compares the records with the rule" + " and the fabric" * bool(observed))
    with one_moment():
        audit = audit_pod(record, observed, scope)
        facts = _told(audit) | {
            "fingerprints": fingerprints_of(record, observed.fingerprint if observed else None),
            "before": before,
        }
    cables = {cable.name: cable.pk for cable in record.cables}
    lease.renew()
    tell("Writes what it found")
    with transaction.atomic():
        lease.hold()
        said = [observed.keep(record) if observed else "", tested]
        facts["message"] = "; ".join(filter(None, said))
        write_good_light(record, audit.good_light)
        write_agreed(record, audit.agreed, at)
        store_findings(lease, audit, at, facts, cables)
        run.refresh_from_db()
        # One line of the change log and one webhook for the run, whatever it found.
        record_change(run, CREATE, sentence(run), how.user)
    write_costs(run.pod)
    return audit.covered


def _look(
    run: AuditRun, lease: RunLease, record: PodRecord, scope: Scope, how: How
) -> tuple[Observed | None, str]:
    """Look at the fabric, over test circuits if they are asked for; and what these were."""
    if how.look is None:
        return None, ""
    if not how.light_test:
        return how.look(record, scope), ""
    tell("Makes test circuits")
    with light_test(run, lease) as tested:
        observed = how.look(record, scope)
    if observed is None:
        return None, ""
    said = f"test circuits: {len(tested.made)}"
    if refused := len(tested.told) - len(tested.made):
        said += f" ({refused} more were not made)"
    return observed.over(tested.made, tested.told), said


def _before(run: AuditRun) -> AuditRun | None:
    """The last run that looked at the same."""
    done = AuditRun.objects.filter(pod=run.pod_id, state=RunStateChoices.DONE)
    same = done.filter(scope=run.scope, places=run.places, light=run.light)
    found: AuditRun | None = same.order_by("-number").first()
    return found


def _usual(before: AuditRun | None, how: How) -> timedelta | None:
    """How long the same took the last time; test circuits take longer."""
    took = before.duration if before and not how.light_test else None
    return timedelta(seconds=took) if took else None


def _told(audit: Audit) -> dict[str, Any]:
    return {
        "cables": audit.report.cables,
        "expected": audit.report.expected,
        "by_code": audit.report.summary,
        "not_reached": dict(audit.not_reached),
    }


def fail_run(run: AuditRun, lease: RunLease, error: Exception) -> None:
    """Say that it failed, unless the lease is over and the run is not ours to speak for."""
    message = str(error) or type(error).__name__
    if isinstance(error, Error):
        first = message.splitlines()[0]
        message = f"The database hung up or refused, and nothing was written: {first}"
    with suppress(Error):  # then the next worker finds it lost
        AuditRun.objects.filter(pk=run.pk, lease_token=lease.token).update(
            state=RunStateChoices.FAILED,
            ended=timezone.now(),
            message=message,
            lease_token=None,
            lease_until=None,
        )


def sentence(run: AuditRun) -> str:
    """The whole in a sentence."""
    where = f"{run.pod.name}, {run.places}" if run.places else run.pod.name
    if run.state != RunStateChoices.DONE:
        return f"{where}: {run.get_state_display().lower()}. {run.message}".strip()
    missed = len(run.not_reached)
    silent = f" {counted(missed, 'device')} did not answer." if missed else ""
    if unseen := run.keys.get("not_seen"):
        silent += f" {len(unseen):,} not seen since."
    return (
        f"{where}: {counted(run.found, 'finding')}, {run.new:,} new, {run.gone:,} gone, "
        f"{run.still:,} still there: {run.gate}.{silent}"
    )
