"""What a crew does next, for a technician who stands there and waits."""

from dataclasses import dataclass

from django.core.cache import cache
from nautobot.users.models import User

from fabric_twin.core.orders.in_the_aisle import without_key
from fabric_twin.core.orders.life import OrderIs
from fabric_twin.core.orders.order import check_crew
from fabric_twin.core.orders.progress import Progress
from fabric_twin.core.orders.steps import BY_FABRIC, HOLDS, Do, Step
from fabric_twin.models import WorkOrder
from fabric_twin.operations import dispatch
from fabric_twin.operations.orders.fabric.read_port import Ahead, read_port
from fabric_twin.operations.orders.record import progress_of, require_to
from fabric_twin.operations.orders.request_tickets import unmet
from fabric_twin.repositories.pod_record import PodRecord

#: Seconds in which an order whose crews ask again and again has a worker called once, and where
#: it waits for a light test; after the last, a call that no worker has answered is dropped.
AGAIN, AGAIN_BY_LIGHT, STALE = 4, 30, 60


@dataclass(frozen=True)
class Next:
    """A crew's next step, and what the fabric did just before it."""

    ahead: Ahead
    by_fabric: tuple[int, ...] = ()


def read_next(order: WorkOrder, user: User, crew: int = 1) -> Next:
    """Read the port of a crew's next step; what the fabric has to do before it, a worker does."""
    require_to(order, user, "do")
    order = WorkOrder.objects.select_related("pod", "assignee").get(pk=order.pk)
    check_crew(crew, order.crews)
    progress = progress_of(order)
    step = progress.next(crew)
    return Next(_ahead(order, progress, step), _by_fabric(progress, crew, step))


def _ahead(order: WorkOrder, progress: Progress, step: Step | None) -> Ahead:
    number, why = (step.number, f"the order is {order.state}") if step else (0, "")
    if progress.goes_on:
        _ask_worker(order, AGAIN)
        return Ahead(number, why, called=True)
    if step is None or order.state != OrderIs.UNDER_WAY:
        return Ahead(number, why)
    if step.do in HOLDS:
        _ask_worker(order, AGAIN)
        return Ahead(number, _why_not_held(order, step), called=True)
    if step.do in BY_FABRIC:
        _ask_worker(order, AGAIN_BY_LIGHT)
        return Ahead(step.number, unmet(order, step.need) or _said_of(order, step))
    return read_port(order, PodRecord(order.pod), step)


def _ask_worker(order: WorkOrder, every: int) -> None:
    """A crew waits for the fabric: a worker is called again, but not at every look of a phone."""
    if cache.add(f"fabric_twin.ask_worker.{order.pk}.{every}", True, every):
        dispatch.advance_soon(order.pk, expires=STALE)


def _why_not_held(order: WorkOrder, step: Step) -> str:
    """What the worker last said of it, or that it is asked for."""
    if step.do == Do.BLOCK and (why := unmet(order, step.need)):
        return why
    return _said_of(order, step) or f"a worker is about to {step.do} its port"


def _said_of(order: WorkOrder, step: Step) -> str:
    """Why the fabric, or light, did not do it when it was tried last."""
    why = order.steps.values_list("why", flat=True).get(number=step.number)
    return without_key(step.bundle, str(why))


def _by_fabric(progress: Progress, crew: int, step: Step | None) -> tuple[int, ...]:
    """What the fabric did since the last manual step."""
    done: list[int] = []
    for one in reversed(progress.order.steps[: step.number - 1 if step else None]):
        if one.crew != crew:
            continue
        if one.do not in BY_FABRIC:
            break
        done.append(one.number)
    return tuple(reversed(done))
