"""Nautobot's job Logs Cleanup deletes old job results: ours hold none back."""

from datetime import timedelta

from django.db import connection
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.core.jobs.cleanup import LogsCleanup
from nautobot.extras.models import JobResult

from fabric_twin.models import AuditRun, JobLease
from tests.nautobot.bases.audits.small_findings import audit, small_pod


class LogsCleanupTest(TestCase):
    def test_job_results_go_with_their_leases_and_runs_stay_without(self) -> None:
        old = JobResult.objects.create(name="Audit pod", date_done=timezone.now())
        JobLease.objects.create(job_result=old, called=timezone.now() - timedelta(days=100))
        run = audit(small_pod())
        AuditRun.objects.filter(pk=run.pk).update(job_result=old)
        deleted: dict[str, int] = {}
        LogsCleanup().recursive_delete_with_cascade(JobResult.objects.filter(pk=old.pk), deleted)
        connection.check_constraints()
        self.assertEqual((deleted["extras.JobResult"], deleted["fabric_twin.JobLease"]), (1, 1))
        run.refresh_from_db()
        self.assertIsNone(run.job_result)
        # They go at last: what follows is done by the database.
        self.assertFalse(JobLease.objects.exists())
