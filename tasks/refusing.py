"""What all of our jobs share: a refusal ends the job with its own words, and no traceback.

A worker that runs one says so every few seconds, and no job is run twice. One that speaks to
switches runs on the queue of their pod, by a worker that reaches them.
"""

from collections.abc import Callable, Mapping
from logging import Logger, LogRecord
from typing import Any

from celery.exceptions import Ignore
from django.core.files import File
from nautobot.apps.jobs import Job
from nautobot.apps.models import BaseModel
from nautobot.apps.utils import sanitize
from nautobot.dcim.models import Location
from nautobot.extras.choices import LogLevelChoices

from fabric_twin.core.errors import FabricTwinError, NotPermitted, NotPossible
from fabric_twin.forms.seen import show_only_seen
from fabric_twin.models import Pod
from fabric_twin.operations.audits.touches import touch
from fabric_twin.operations.calls.for_real import kept_as
from fabric_twin.operations.calls.hand_on import hand_on, others_on
from fabric_twin.operations.calls.job_lease import end_job, held_job, take_job
from fabric_twin.operations.calls.progress import telling
from fabric_twin.operations.pods.audit_schedule import schedule_audits
from fabric_twin.operations.pods.load import Loaded
from fabric_twin.operations.pods.reach import why_not_reached
from fabric_twin.operations.queues import pod_of

#: The longest a job may take, in seconds: first it is asked to end, then it is ended.
SOFT_LIMIT, LIMIT = 600, 660
ELSEWHERE = "Jobs of {} run on the queue {}: handed on from {}"
NOT_FROM_HERE = "{} hands it on to another worker: {}"
ALONE = "{} runs it, because there is no other worker: {}"


def as_result(refusal: FabricTwinError) -> dict[str, Any]:
    """A refusal as the result of its job: who waits for the job learns its kind, and not by words.

    The first three are Celery's own form of an error, so that its readers find nothing odd.
    """
    said = {part: sanitize(getattr(refusal, part)) for part in ("what", "where", "remedy")}
    return {
        "exc_type": type(refusal).__name__,
        "exc_module": type(refusal).__module__,
        "exc_message": sanitize(str(refusal)),
        "refused": said,
        "exit_code": refusal.exit_code,
    }


def _under_run(record: LogRecord) -> bool:
    """Put a line of the log under *run*; else Nautobot groups it by the name of a function."""
    record.grouping = getattr(record, "grouping", "run")
    return True


class JobLogger(Logger):
    """What Nautobot makes of a job's logger: it has one more level."""

    success: Callable[..., None]


class RefusingJob(Job):
    """A job that says why it did not, where it did not."""

    logger: "JobLogger"
    #: Celery's: by which queue it came, and to whom.
    request: Any
    #: What the job does, with the values of its form.
    do: Callable[..., Any]
    #: Whether it speaks to the switches of a pod.
    to_fabric = False

    def __init__(self) -> None:
        super().__init__()
        self.logger.addFilter(_under_run)

    def before_start(self, task_id: str, args: Any, kwargs: Any) -> None:
        """Take the job; who comes second leaves it as it is, who does not reach it hands it on."""
        super().before_start(task_id, args, kwargs)
        if not take_job(self.job_result):
            raise Ignore
        pod = pod_of(kwargs) if self.to_fabric else None
        # Of a pod that one may not see nothing is said: the job itself refuses it.
        if pod and Pod.objects.restrict(self.user, "view").filter(pk=pod.pk).exists():
            self._hand_on(pod)

    @classmethod
    def as_form(cls, *args: Any, **kwargs: Any) -> Any:
        """The form, in which records that its user may not see are as if they were not there."""
        form = super().as_form(*args, **kwargs)
        show_only_seen(form)
        return form

    @property
    def queue(self) -> str:
        """The queue by which it came; empty where nobody sent it, as on a command line."""
        came = self.request.delivery_info or {}
        return "" if came.get("is_eager") else str(came.get("routing_key") or "")

    def elsewhere(self, pod: Pod) -> str:
        """The queue to which jobs of a pod go, where this is another."""
        name = pod.queue.name if pod.queue else ""
        return name if self.queue and name != self.queue else ""

    def _hand_on(self, pod: Pod) -> None:
        """Leave it to the queue of its pod, or to another worker that may reach the pod."""
        if queue := self.elsewhere(pod):
            hand_on(self.job_result, queue, ELSEWHERE.format(pod, queue, self.queue))
            raise Ignore
        why = why_not_reached(pod) if self.queue else ""
        if not why:
            return
        me = str(self.request.hostname)
        if others_on(self.queue, self.job_result, me):
            hand_on(self.job_result, self.queue, NOT_FROM_HERE.format(me, why), worker=me)
            raise Ignore
        said = ALONE.format(me, why)
        self.job_result.log(said, obj=pod, level_choice=LogLevelChoices.LOG_WARNING)

    def run(self, **wish: Any) -> Any:
        """Do what was asked, or fail with the refusal's words, which are its result too."""
        try:
            with held_job(self.job_result), telling(self.job_result.pk):
                done = self.do(**wish)
                if wish.get("dryrun"):
                    self._keep_files(wish)
                return done
        except FabricTwinError as refusal:
            for line in refusal.details:
                self.logger.error("%s", line)
            self.fail("%s", refusal)
            return as_result(refusal)

    def _keep_files(self, wish: Mapping[str, Any]) -> None:
        """Keep the files of a dry run with its result, from where they are run for real."""
        for field, given in wish.items():
            if isinstance(given, File):
                given.seek(0)
                try:
                    self.create_file(kept_as(field), given.read())
                except ValueError as error:  # more than this Nautobot keeps
                    self.logger.warning("Choose the file again to run for real: %s", error)

    def after_return(
        self, status: str, retval: Any, task_id: str, args: Any, kwargs: Any, einfo: Any
    ) -> None:
        """Keep how it ended."""
        super().after_return(status, retval, task_id, args, kwargs, einfo)
        end_job(self.job_result, status, None if isinstance(retval, BaseException) else retval)

    def visible(self, record: BaseModel, action: str = "view") -> Any:
        """The record, if the job's user may see it (or do something else to it)."""
        model = type(record)
        found = model.objects.restrict(self.user, action).filter(pk=record.pk).first()
        if found is None:
            raise NotPermitted(
                f"{self.user} may not {action} this {model._meta.verbose_name}",
                where=str(model._meta.verbose_name),
                remedy="Choose another one, or ask for the permission",
            )
        return found

    def every_pod(self) -> list[Pod]:
        """Every pod that the job's user may see."""
        pods = list(Pod.objects.restrict(self.user, "view").order_by("name"))
        if not pods:
            raise NotPossible(
                "there is no pod that you may see", where="pod", remedy="Load one first"
            )
        return pods

    def for_each(self, pods: list[Pod], do: Callable[[Pod], tuple[str, bool]], failed: str) -> str:
        """What is said of each pod; one that refuses, or is not well, fails the job at the end."""
        said, bad = [], []
        for pod in pods:
            try:
                told, is_well = do(pod)
            except FabricTwinError as refusal:
                if len(pods) == 1:
                    raise
                self.logger.error("%s", refusal, extra={"object": pod})
                bad.append(pod.name)
            else:
                said.append(told)
                bad += [] if is_well else [pod.name]
        if bad:
            self.fail(failed, ", ".join(bad))
        return "\n".join(said)

    def tell_loaded(self, loaded: Loaded, location: Location, *, is_new: bool) -> str:
        """Have what was loaded audited; a new pod from now on, as the user who made it."""
        pod = Pod.objects.filter(name=loaded.names.pod).first()
        if pod and not loaded.dry_run:
            touch([pod.pk])
        for schedule in schedule_audits(pod, self.user) if pod and is_new else ():
            self.logger.info("Scheduled: %s", schedule.name, extra={"object": schedule})
        if loaded.others:
            rows = "row was" if loaded.others == 1 else "rows were"
            self.logger.warning("%s %s left out, of other pods", f"{loaded.others:,}", rows)
        self.logger.info("%s", loaded, extra={"object": pod or location})
        return str(loaded)

    def say_rows(self, what: str, rows: int) -> None:
        """One line for each kind of row that was written."""
        self.logger.info("%s: %s row%s", what, f"{rows:,}", "s" * (rows != 1))
