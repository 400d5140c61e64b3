"""Audit what changed, a moment after it did."""

from uuid import UUID

from celery import shared_task

from fabric_twin.models import Pod
from fabric_twin.repositories.audit_runs import How, run_audit, sentence
from fabric_twin.repositories.observing import observe_scope
from fabric_twin.repositories.reading import PodRecord
from fabric_twin.repositories.touching import GATHERED, answer_call, forget, touched


@shared_task(name="fabric_twin.audit_touched", ignore_result=True)
def audit_touched(pod: str) -> str:
    """Audit the places of a pod that were touched: one run, however many they are."""
    answer_call(UUID(pod))
    found = Pod.objects.filter(pk=pod).first()
    if found is None:
        return "the pod is gone"
    scope, until = touched(PodRecord(found))
    if scope is None:
        return "nothing was touched"
    run = run_audit(found, scope, How(look=observe_scope))
    forget(found, until)
    return sentence(run)


def call_audit(pod: UUID) -> None:
    """Have it done by a worker, when changes that come together have come."""
    audit_touched.apply_async([str(pod)], countdown=GATHERED)
