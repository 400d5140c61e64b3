"""What takes light, and so time: a worker does it, as the user who asked, and its job is answered.

What can be refused without looking is refused at once.
"""

from collections.abc import Collection

from nautobot.extras.models import JobResult
from nautobot.users.models import User

from fabric_twin.models import WorkOrder
from fabric_twin.operations import dispatch
from fabric_twin.operations.orders.fabric.check_bundles import due_bundles
from fabric_twin.operations.orders.reports.correct_records import wrong_records

CHECK = "fabric_twin.tasks.check_bundle.CheckBundle"
CORRECT = "fabric_twin.tasks.correct_records.CorrectRecords"


def call_for_check(order: WorkOrder, user: User, bundles: Collection[str] = ()) -> JobResult:
    """Have some bundles tested by light, or all whose manual steps are done."""
    due_bundles(order, user, bundles)
    named = "\n".join(bundles)
    return dispatch.run_job(CHECK, user, f"work order {order}", order=order, bundles=named)


def call_for_correction(order: WorkOrder, user: User) -> JobResult:
    """Have records corrected that are wrong where the plant is not."""
    wrong_records(order, user)
    return dispatch.run_job(CORRECT, user, f"work order {order}", order=order)
