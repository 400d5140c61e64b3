"""A dry run is run for real: with all that it was given, its file too.

Nautobot deletes the file of a job when that has ended; a dry run keeps it with its result.
"""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from nautobot.extras.choices import JobResultStatusChoices
from nautobot.extras.jobs import FileVar
from nautobot.extras.models import JobResult, ScheduledJob
from nautobot.users.models import User

from fabric_twin.core.errors import NotPossible
from fabric_twin.operations.calls.unheard_calls import OURS
from fabric_twin.operations.dispatch import ask_for_job

APPROVED = "This job needs an approval: send the form, which asks for it"
NO_FILE = "The file of the dry run was not kept: choose it again"


def kept_as(field: str) -> str:
    """What the file that was given in a field of a job's form is called with its result."""
    return f"{field.replace('_', '-')}.csv"


def can_run_for_real(job: JobResult) -> bool:
    """Whether it is a dry run of a job of the App, and ended well."""
    is_ours = job.job_model is not None and job.job_model.module_name.startswith(OURS)
    is_well = job.status == JobResultStatusChoices.STATUS_SUCCESS
    return is_ours and is_well and job.task_kwargs.get("dryrun") is True


def why_by_form(job: JobResult, user: User) -> str:
    """Why a person has to send the form of the job; empty where one click does."""
    if _needs_approval(job, user):
        return APPROVED
    names = {kept_as(field) for field in _file_fields(job)}
    return NO_FILE if names - set(job.files.values_list("name", flat=True)) else ""


def run_for_real(job: JobResult, user: User) -> JobResult:
    """Run what a dry run tried, as a user who may."""
    where, kind = f"job {job.name}", job.job_model
    if kind is None or not can_run_for_real(job):
        raise NotPossible(
            "it is no dry run that ended well",
            where=where,
            remedy="Run the job from its form",
        )
    if why := why_by_form(job, user):
        raise NotPossible(
            why[0].lower() + why[1:],
            where=where,
            remedy="Open the form of the job, filled with what the dry run was given",
        )
    wish: dict[str, Any] = {**job.task_kwargs, "dryrun": False}
    for field in _file_fields(job):
        kept = job.files.filter(name=kept_as(field)).latest()
        wish[field] = SimpleUploadedFile(kept.name, kept.file.read())
    return ask_for_job(kind.class_path, user, where, **wish)


def _needs_approval(job: JobResult, user: User) -> bool:
    """As Nautobot's form finds out: it asks of a schedule, which is not kept here."""
    wish = {**job.task_kwargs, "dryrun": False}
    with transaction.atomic():
        schedule = ScheduledJob.create_schedule(job.job_model, user, job_kwargs=wish)
        needed: bool = schedule.has_approval_workflow_definition()
        transaction.set_rollback(True)
    return needed


def _file_fields(job: JobResult) -> list[str]:
    """The fields of its form in which a file was given."""
    kind, given = job.job_model and job.job_model.job_class, job.task_kwargs
    fields = [name for name in given if isinstance(getattr(kind, name, None), FileVar)]
    return [name for name in fields if given[name]]
