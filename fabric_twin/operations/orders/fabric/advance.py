"""The fabric's part of an order: whatever its crews have come to is done without being asked."""

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.orders.life import OrderIs
from fabric_twin.models import WorkOrder
from fabric_twin.models.work_order import ENDED
from fabric_twin.operations.orders.bundles import ready
from fabric_twin.operations.orders.fabric.check_bundles import check_bundles
from fabric_twin.operations.orders.fabric.prepare_port import read_steps
from fabric_twin.operations.orders.fabric.release_ports import release_all
from fabric_twin.operations.orders.history import say
from fabric_twin.operations.orders.to_core import progress_of


def advance(order: WorkOrder) -> str:
    """Block and release what crews have come to, and check the bundles that hands are done with.

    To do it twice does no harm; what a device does not answer is tried when hands go on.
    """
    order.refresh_from_db()
    if order.state in ENDED:
        return _let_light_in(order)
    if order.state not in (OrderIs.UNDER_WAY, OrderIs.AWAITING_LIGHT):
        return f"{order} is {order.state}"
    said = []
    for crew in range(1, order.crews + 1):
        ahead = read_steps(order, None, crew)
        if ahead.why:
            said.append(f"crew {crew}, step {ahead.step}: {ahead.why}")
    try:
        due = ready(progress_of(order))
        said += [
            f"{one.bundle}: {'light agrees' if one.agrees else one.why or 'light refuses'}"
            for one in (check_bundles(order, None, due) if due else ())
        ]
    except FabricTwinError as refusal:
        said.append(str(refusal))
    return "; ".join(said) or "nothing more to do"


def _let_light_in(order: WorkOrder) -> str:
    """Ports that were kept dark for hands which come no more."""
    try:
        return f"{release_all(order):,} ports released"
    except FabricTwinError as refusal:
        say(order, "release", str(refusal))
        return str(refusal)
