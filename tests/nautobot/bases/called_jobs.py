"""Jobs that were called for some time ago, and what brokers and workers say that they have."""

from datetime import timedelta
from typing import Any
from unittest import mock

from django.contrib.auth import get_user_model
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.extras.models import Job, JobResult

from fabric_twin.models import Pod
from fabric_twin.operations.calls import unheard_calls
from tests.nautobot.bases.audits.small_findings import small_pod
from tests.nautobot.bases.run_jobs import log_in_this_transaction


class JobCase(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = small_pod()
        cls.root = get_user_model().objects.create_superuser("root")

    def setUp(self) -> None:
        super().setUp()
        self.pod = Pod.objects.get(name="s")
        log_in_this_transaction(self)
        self.sent: list[tuple[str, dict[str, Any]]] = []
        send = mock.patch("nautobot.extras.jobs.run_job.apply_async", self.send)
        self.enterContext(send)
        self.held(queued=0)

    def send(self, *, kwargs: Any, task_id: str, **_: Any) -> None:
        """What Celery would be given."""
        self.sent.append((task_id, kwargs))

    def held(self, queued: int | None, *known: JobResult) -> None:
        """What the broker and the workers say that they have: some of `known`, or of all jobs."""
        told = {"celery@here": {str(job.pk): ["reserved", {}] for job in known}}
        app = mock.MagicMock()
        app.control.inspect().query_task.return_value = told
        self.enterContext(mock.patch.object(unheard_calls, "app", app))
        ids = None if queued is None else [str(job.pk) for job in JobResult.objects.all()[:queued]]
        self.enterContext(mock.patch.object(unheard_calls, "_ids_in", return_value=ids))

    def job(self, name: str = "AuditPod", minutes: float = 10, **facts: Any) -> JobResult:
        """A job that was called for some minutes ago."""
        model = Job.objects.get(job_class_name=name, module_name__startswith="fabric_twin")
        about = {"job_model": model, "user": self.root, "name": model.name}
        wish = {"task_name": model.class_path, "task_kwargs": {"pod": str(self.pod.pk)}}
        at = timezone.now() - timedelta(minutes=minutes)
        job = JobResult.objects.create(**about | wish | {"date_started": at} | facts)
        JobResult.objects.filter(pk=job.pk).update(date_created=at)
        job.refresh_from_db()
        return job

    def states(self) -> list[str]:
        return list(JobResult.objects.order_by("date_created").values_list("status", flat=True))
