"""Audit what changed, a moment after it did."""

from uuid import UUID

from celery import shared_task

from fabric_twin.models import Pod
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit, sentence
from fabric_twin.operations.audits.touches import answer_call, forget, touched
from fabric_twin.operations.dispatch import AUDIT_TOUCHED
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.tasks.refusing import LIMIT, SOFT_LIMIT


@shared_task(name=AUDIT_TOUCHED, ignore_result=True, soft_time_limit=SOFT_LIMIT, time_limit=LIMIT)
def audit_touched(pod: str) -> str:
    """Audit the places of a pod that were touched: one run, however many they are."""
    answer_call(UUID(pod))
    found = Pod.objects.filter(pk=pod).first()
    if found is None:
        return "the pod is gone"
    scope, until = touched(PodRecord(found))
    if scope is None:
        return "nothing was touched"
    try:
        run = run_audit(found, scope, How(look=observe_scope))
        forget(found, until, run.not_reached)
    except Pod.DoesNotExist:  # removed while the audit was looking
        return "the pod is gone"
    return sentence(run)
