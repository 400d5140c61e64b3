"""The job that audits a pod: asked for now, and scheduled with the pod."""

from typing import Any
from zlib import crc32

from django.db.models.signals import post_save, pre_delete
from nautobot.extras.choices import JobExecutionType
from nautobot.extras.models import Job, JobResult, ScheduledJob
from nautobot.extras.signals import change_context_state

from fabric_twin.core.errors import NotPermitted, NotPossible
from fabric_twin.models import Pod

MODULE, CLASS = "fabric_twin.tasks.audit_pod", "AuditPod"
CLASS_PATH = f"{MODULE}.{CLASS}"


def ask_for_audit(pod: Pod, user: Any, **wish: Any) -> JobResult:
    """Let a worker audit a pod, as Nautobot would run the job for this user."""
    job = _job()
    allowed = job and Job.objects.restrict(user, "run").filter(pk=job.pk).exists()
    if job is None or not allowed:
        raise NotPermitted(
            "you may not run the job Audit pod",
            where=f"pod {pod.name}",
            remedy="Ask for the permission to run it",
        )
    if not (job.enabled and job.installed):
        raise NotPossible(
            "the job Audit pod is not enabled",
            where=f"pod {pod.name}",
            remedy="Enable it on the page of the job",
        )
    job_kwargs = job.job_class.serialize_data({"pod": pod, **wish})
    return JobResult.enqueue_job(job, user, job_kwargs=job_kwargs)


def schedule_audits(pod: Pod, user: Any) -> list[ScheduledJob]:
    """Schedule a pod's audits, nightly whole and hourly light, where none is scheduled.

    They are Nautobot's own records from then on: changed, paused and removed on its pages. The
    minute follows from the pod's name, so that pods do not all begin at once.
    """
    job = _job()
    if job is None or scheduled(pod).exists():
        return []
    minute = crc32(pod.name.encode()) % 60
    whens = {
        f"Audit {pod.name} every night": (f"{minute} 2 * * *", False),
        f"Audit {pod.name} every hour, light only": (f"{(minute + 30) % 60} * * * *", True),
    }
    made = []
    for name, (crontab, light) in whens.items():
        if not ScheduledJob.objects.filter(name=name).exists():
            made.append(
                ScheduledJob.create_schedule(
                    job,
                    user,
                    name=name,
                    interval=JobExecutionType.TYPE_CUSTOM,
                    crontab=crontab,
                    job_kwargs={"pod": str(pod.pk), "light": light},
                )
            )
    return made


def scheduled(pod: Pod) -> Any:
    """The schedules of audits of a pod, whatever somebody made of them."""
    return ScheduledJob.objects.filter(task=CLASS_PATH, kwargs__pod=str(pod.pk))


def follow_pods() -> None:
    """A pod that is added gets its schedules, and takes them along when it goes."""
    post_save.connect(_added, sender=Pod, dispatch_uid="fabric_twin.schedule_audits")
    pre_delete.connect(_removed, sender=Pod, dispatch_uid="fabric_twin.unschedule_audits")


def _added(instance: Pod, *, created: bool, raw: bool = False, **_: Any) -> None:
    # Schedules run as a user: what nobody did in particular, nobody runs.
    context = change_context_state.get()
    user = context.get_user() if context else None
    if created and not raw and user and user.is_authenticated:
        schedule_audits(instance, user)


def _removed(instance: Pod, **_: Any) -> None:
    scheduled(instance).delete()


def _job() -> Job | None:
    found: Job | None = Job.objects.filter(module_name=MODULE, job_class_name=CLASS).first()
    return found
