"""The job that audits a pod: asked for now, and scheduled with the pod."""

from typing import Any
from zlib import crc32

from nautobot.extras.choices import JobExecutionType
from nautobot.extras.models import JobResult, ScheduledJob
from nautobot.users.models import User

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.kinds import Verb
from fabric_twin.models import Block, Cube, Pod, Port, Switch
from fabric_twin.operations.dispatch import ask_for_job, find_job
from fabric_twin.repositories.change_log import current_change
from fabric_twin.repositories.permissions import require_of

JOB = "fabric_twin.tasks.audit_pod.AuditPod"
#: What a wish for an audit may name of a pod.
_PARTS = {"switch": Switch, "cube": Cube, "block": Block, "ports": Port}


def ask_for_audit(pod: Pod, user: User, **wish: Any) -> JobResult:
    """Let a worker audit a pod, as Nautobot would run the job for this user."""
    given = {model: wish[what] for what, model in _PARTS.items() if wish.get(what)}
    named = {model: one if isinstance(one, list) else [one] for model, one in given.items()}
    for model, keys in named.items():
        there = model.objects.restrict(user, "view").filter(pod=pod, pk__in=keys)
        if there.count() != len(set(keys)):
            raise UnusableInput(
                f"the pod has no such {model._meta.verbose_name}",
                where=f"pod {pod.name}",
                remedy="Name one of the pod, or none for all of it",
            )
    if wish.get("light_test"):
        check_light_test(pod, user, whole=not named)
    return ask_for_job(JOB, user, f"pod {pod.name}", pod=pod, **wish)


def check_light_test(pod: Pod, user: User | None, *, whole: bool = True) -> None:
    """Refuse a light test of a part of a pod, of what is not asked for its light, or for a user
    who may not change all of its switches.
    """
    if not whole:
        raise UnusableInput(
            "a light test is of the whole pod",
            where="scope",
            remedy="Name no switch, cube, block or port, or leave out the light test",
        )
    require_of(user, "change", [pod.switches.all()])


def schedule_audits(pod: Pod, user: User) -> list[ScheduledJob]:
    """Schedule a pod's audits, nightly whole and hourly light, where none is scheduled.

    They are Nautobot's own records from then on: changed, paused and removed on its pages. The
    minute follows from the pod's name, so that pods do not all begin at once.
    """
    job = find_job(JOB)
    if job is None or scheduled(pod).exists():
        return []
    minute = crc32(pod.name.encode()) % 60
    whens = {
        f"Audit {pod.name} every night": (f"{minute} 2 * * *", False),
        f"Audit {pod.name} every hour, light only": (f"{(minute + 30) % 60} * * * *", True),
    }
    made = []
    for name, (crontab, light) in whens.items():
        if light and not pod.can(Verb.DIAGNOSE):
            continue
        if not ScheduledJob.objects.filter(name=name).exists():
            made.append(
                ScheduledJob.create_schedule(
                    job,
                    user,
                    name=name,
                    interval=JobExecutionType.TYPE_CUSTOM,
                    crontab=crontab,
                    job_kwargs={"pod": str(pod.pk), "light": light},
                    job_queue=pod.queue,
                )
            )
    return made


def scheduled(pod: Pod) -> Any:
    """The schedules of audits of a pod, whatever somebody made of them."""
    return ScheduledJob.objects.filter(task=JOB, kwargs__pod=str(pod.pk))


def schedule_new_pod(pod: Pod) -> None:
    """Schedule the audits of a pod that was added, as the user who added it.

    What nobody did in particular, nobody runs.
    """
    context = current_change()
    user = context.get_user() if context else None
    if user and user.is_authenticated:
        schedule_audits(pod, user)
