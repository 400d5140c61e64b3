"""What takes light, and so time: a worker does it, as the user who asked, and its job is answered.

What can be refused without looking is refused at once. What the fabric has to do for an order is
asked for until a worker has done it: a call that is lost is made again, each time after longer.
"""

from collections.abc import Collection
from datetime import timedelta

from django.core.cache import cache
from django.db.models.functions import Now
from django.utils import timezone
from nautobot.extras.models import JobResult
from nautobot.users.models import User

from fabric_twin.models import WorkOrder
from fabric_twin.operations import dispatch
from fabric_twin.operations.orders.fabric.check_bundles import due_bundles
from fabric_twin.operations.orders.reports.correct_records import wrong_records

CHECK = "fabric_twin.tasks.check_bundle.CheckBundle"
CORRECT = "fabric_twin.tasks.correct_records.CorrectRecords"
#: Seconds after which a worker that was called for and did not come is called for again, and the
#: longest pause between two calls: each is as long as was waited already.
FORGOTTEN, LONGEST = 30, 600


def call_for_check(order: WorkOrder, user: User, bundles: Collection[str] = ()) -> JobResult:
    """Have some bundles tested by light, or all whose manual steps are done."""
    due_bundles(order, user, bundles)
    named = "\n".join(bundles)
    return dispatch.run_job(CHECK, user, f"work order {order}", order=order, bundles=named)


def call_for_correction(order: WorkOrder, user: User) -> JobResult:
    """Have records corrected that are wrong where the plant is not."""
    wrong_records(order, user)
    return dispatch.run_job(CORRECT, user, f"work order {order}", order=order)


def call_forgotten_orders() -> int:
    """Call again for orders that wait for the fabric: the call was lost, or its worker."""
    long_ago = Now() - timedelta(seconds=FORGOTTEN)
    wait = WorkOrder.objects.filter(advance_asked__lte=long_ago).order_by("advance_asked")
    called = 0
    for order, since in wait.values_list("pk", "advance_asked"):
        waited = (timezone.now() - since).total_seconds()
        pause = int(min(max(waited, FORGOTTEN), LONGEST))
        if cache.add(f"fabric_twin:order:{order}", True, pause):
            dispatch.advance_soon(order, expires=pause)
            called += 1
    return called
