"""Make what is stuck go on now, as somebody who may."""

from collections.abc import Callable
from uuid import UUID

from kombu.exceptions import OperationalError as BrokerError
from nautobot.extras.models import Job
from nautobot.users.models import User
from redis.exceptions import RedisError

from fabric_twin.core.errors import (
    FabricTwinError,
    NoAnswer,
    NotPermitted,
    NotPossible,
    UnusableInput,
)
from fabric_twin.models import Pod, Ticket, WorkOrder
from fabric_twin.operations import dispatch
from fabric_twin.operations.audits import touches
from fabric_twin.operations.calls.unheard_calls import PENDING, call_unheard
from fabric_twin.operations.orders.record import require_to
from fabric_twin.operations.pods.audit_schedule import JOB as AUDIT
from fabric_twin.operations.stuck.seen import results_of
from fabric_twin.operations.tickets.running import due


def go_on(kind: str, key: UUID, user: User) -> str:
    """Make it go on, if the user may; and say what was done."""
    if kind not in GO_ON:
        raise UnusableInput(
            f"nothing that is stuck is called {kind[:20]!r}",
            where="stuck",
            remedy=f"Name one of {', '.join(GO_ON)}",
        )
    try:
        return GO_ON[kind](key, user)
    except (BrokerError, RedisError, ConnectionError):  # the last is RabbitMQ's, when it hangs up
        raise NoAnswer(
            "the broker does not answer",
            where="stuck",
            remedy="What waits is queued when it is back; see that Redis, or RabbitMQ, runs",
        ) from None


def _job(key: UUID, user: User) -> str:
    job = results_of(user).select_related("job_model").filter(pk=key).first()
    if job is None:
        raise _not_there("job")
    if not Job.objects.restrict(user, "run").filter(pk=job.job_model_id).exists():
        raise NotPermitted(
            f"you may not run the job {job.name}",
            where="stuck",
            remedy="Ask for the permission to run it",
        )
    if job.status != PENDING:
        return f"{job.name} has gone on: its status is {job.get_status_display().lower()}"
    if call_unheard([job.pk], now=True):
        return f"{job.name} is queued again"
    return f"{job.name} waits for a worker that is free"


def _ticket(key: UUID, user: User) -> str:
    ticket = Ticket.objects.restrict(user, "run").filter(pk=key).first()
    if ticket is None or ticket.pk not in due.due_tickets():
        raise _not_there("ticket")
    due.call_now(ticket)
    return f"{ticket.name} is looked at again"


def _changes(key: UUID, user: User) -> str:
    pod = Pod.objects.restrict(user, "view").filter(pk=key).first()
    if pod is None or not pod.touches.exists():
        raise _not_there("pod")
    job = dispatch.find_job(AUDIT)
    if job is None or not Job.objects.restrict(user, "run").filter(pk=job.pk).exists():
        raise NotPermitted(
            "you may not run the job Audit pod",
            where=f"pod {pod.name}",
            remedy="Ask for the permission to run it",
        )
    touches.call_now(pod)
    return f"What changed in {pod.name} is audited again"


def _order(key: UUID, user: User) -> str:
    order = WorkOrder.objects.restrict(user, "view").filter(pk=key).first()
    if order is None or order.advance_asked is None:
        raise _not_there("work order")
    require_to(order, user, "do")
    dispatch.advance_soon(order.pk)
    return f"{order.name} is queued for a worker again"


def _not_there(what: str) -> FabricTwinError:
    return NotPossible(
        f"there is no such {what} that is stuck, or you may not do this with it",
        where="stuck",
        remedy="Look at the list again: it may have gone on by itself",
    )


#: How each kind goes on; what is lost is run again on its own page, and the watch is a service.
GO_ON: dict[str, Callable[[UUID, User], str]] = {
    "job": _job,
    "ticket": _ticket,
    "changes": _changes,
    "order": _order,
}
