"""What is stuck, since when, and why: as far as a user may see it.

Everything stands in the database for itself; here it is gathered for people.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Min, Q
from django.db.models.functions import Now
from django.utils import timezone
from nautobot.extras.models import Job, JobResult
from nautobot.users.models import User

from fabric_twin.models import AuditRun, Pod, Ticket, Touch, WorkOrder
from fabric_twin.operations.calls.heartbeat import START_IT, is_watching, last_seen
from fabric_twin.operations.calls.unheard_calls import OURS, PENDING, ours
from fabric_twin.operations.queues import pod_of
from fabric_twin.operations.tickets.running.due import due_tickets
from fabric_twin.operations.tickets.running.waiting import WAIT

#: How long something may take before people are told.
SOON = timedelta(seconds=45)
#: For how long a job that was lost is shown, unless somebody ran it again.
SHOWN = timedelta(days=1)
#: How many of a kind are shown.
MOST = 20

NOBODY_CALLS = f"Nothing follows the switches, or starts work that waits: {START_IT}"
NOT_TAKEN = "No worker took it yet: see that one runs for the queue {}, and that it is free"
LOST = "Its worker was lost, and what it had not finished was not kept: run it again"
NOT_LOOKED_AT = (
    "No audit could look at {} since: a device does not answer, or no worker comes. "
    "It is tried again and again, each time after longer"
)
NOT_DONE = (
    "The fabric has its part to do, and it is not done: no worker comes, a device does not answer, "
    "or something else holds its ports. It is tried again and again, each time after longer"
)


@dataclass(frozen=True)
class Stuck:
    """One thing that does not go on by itself."""

    kind: str
    #: What it is: a name.
    what: str
    #: None where nobody knows, because it never ran.
    since: datetime | None
    #: Why, and what to do.
    why: str
    #: The record that it is about.
    record: Any = None


def stuck(user: User, pod: Pod | None = None) -> list[Stuck]:
    """What is stuck in the pods that a user may see, or in one of them; the oldest first."""
    pods = Pod.objects.restrict(user, "view")
    if pod is not None:
        pods = pods.filter(pk=pod.pk)
    names: dict[UUID, str] = dict(pods.values_list("pk", "name"))
    if not names and (pod is not None or not jobs_of(user).exists()):
        return []
    looked = _Look(user, names, whole=pod is None)
    found = [*looked.jobs(), *looked.tickets(), *looked.changes(), *looked.orders()]
    found.sort(key=lambda one: one.since or timezone.now())
    if not is_watching():
        found.insert(0, Stuck("watch", "watch_fabric", last_seen(), NOBODY_CALLS))
    return found


def jobs_of(user: User) -> Any:
    """The jobs of the App that a user may see."""
    return Job.objects.restrict(user, "view").filter(module_name__startswith=OURS)


def results_of(user: User) -> Any:
    """The results of these that a user may see: their own, and those that they are shown."""
    shown = JobResult.objects.restrict(user, "view").order_by().values("pk")
    mine = Q(user=user.pk, user__isnull=False)  # of nobody, where nobody has logged in
    return ours().filter(mine | Q(pk__in=shown), job_model__in=jobs_of(user))


@dataclass(frozen=True)
class _Look:
    """A look at some pods in the eyes of a user."""

    user: User
    names: dict[UUID, str]
    #: Whether these are all that the user may see; then jobs that are of no pod count too.
    whole: bool

    def jobs(self) -> Iterator[Stuck]:
        """Jobs that no worker took, and jobs that lost theirs."""
        seen = results_of(self.user)
        waiting = seen.filter(status=PENDING, date_created__lte=Now() - SOON)
        for job in filter(self._is_mine, waiting.order_by("date_created")[:MOST]):
            queue = job.celery_kwargs.get("queue") or "default"
            yield Stuck("job", _titled(job), job.date_created, NOT_TAKEN.format(queue), job)
        lost = seen.filter(fabric_lease__is_lost=True, date_done__gte=Now() - SHOWN)
        for job in filter(self._is_mine, lost.order_by("-date_done")[:MOST]):
            same = JobResult.objects.filter(job_model=job.job_model_id, task_kwargs=job.task_kwargs)
            if not same.filter(date_created__gt=job.date_created).exists():
                yield Stuck("lost", _titled(job), job.date_done, LOST, job)

    def _is_mine(self, job: JobResult) -> bool:
        """Whether it is about these pods; where these are all, whatever it is about."""
        if self.whole or job.task_kwargs.get("pod") in self.names.values():
            return True
        pod = pod_of(job.task_kwargs)
        return pod is not None and pod.pk in self.names

    def tickets(self) -> Iterator[Stuck]:
        """Tickets that could run."""
        there = Ticket.objects.restrict(self.user, "view").filter(pod__in=self.names)
        due = there.filter(pk__in=due_tickets()).select_related("pod")
        waited = Max("events__at", filter=Q(events__what=WAIT))
        for ticket in due.annotate(told=Max("events__at"), waited=waited).order_by("told")[:MOST]:
            since = ticket.told
            if ticket.waited != ticket.told:  # nobody came yet
                moments = (ticket.told, ticket.window_start, ticket.lease_until)
                since = max(moment for moment in moments if moment)
            if since <= timezone.now() - SOON:
                why = ticket.message or "No worker goes on with it yet"
                yield Stuck("ticket", ticket.name, since, why, ticket)

    def changes(self) -> Iterator[Stuck]:
        """Pods of which something changed that no audit has looked at."""
        at_work = AuditRun.objects.filter(state="running", lease_until__gt=Now())
        old = Touch.objects.filter(pod__in=self.names, since__lte=Now() - SOON).order_by()
        old = old.exclude(pod__in=at_work.values("pod"))
        rows = list(old.values_list("pod").annotate(since=Min("since"), many=Count("pk")))
        pods = Pod.objects.in_bulk([row[0] for row in rows])
        for key, since, many in rows:
            places = f"{many:,} place{'s' * (many != 1)} that changed"
            why = NOT_LOOKED_AT.format(places)
            yield Stuck("changes", f"Changes of {self.names[key]}", since, why, pods[key])

    def orders(self) -> Iterator[Stuck]:
        """Orders that wait for the fabric."""
        there = WorkOrder.objects.restrict(self.user, "view").filter(pod__in=self.names)
        waiting = there.filter(advance_asked__lte=Now() - SOON).select_related("pod")
        for order in waiting.order_by("advance_asked")[:MOST]:
            yield Stuck("order", order.name, order.advance_asked, NOT_DONE, order)


def _titled(job: JobResult) -> str:
    """A job with what tells it from others of its name: the pod, and whether it only looks."""
    pod, is_dry = pod_of(job.task_kwargs), job.task_kwargs.get("dryrun")
    about = ", ".join([*([pod.name] if pod else []), *(["dry run"] if is_dry else [])])
    return f"{job.name} ({about})" if about else str(job.name)
