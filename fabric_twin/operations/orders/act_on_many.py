"""One act with several orders, in one transaction: with all of them, or with none."""

from collections.abc import Collection
from uuid import UUID

from django.db import transaction
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError, UnusableInput
from fabric_twin.models import WorkOrder
from fabric_twin.operations.acts import Deed
from fabric_twin.operations.orders.actions import ASK, OrderGiven

#: Orders whose tickets are asked for at once: each is planned on its whole pod.
MOST_ASKED = 20


def check_many(deed: Deed[WorkOrder, OrderGiven], orders: Collection[WorkOrder]) -> None:
    """Refuse more orders than are done in one go."""
    if deed.name == ASK and len(orders) > MOST_ASKED:
        raise UnusableInput(
            f"{len(orders):,} are chosen, and tickets are asked for {MOST_ASKED} at once",
            where="work orders",
            remedy="Choose fewer",
        )


def act_on_orders(
    deed: Deed[WorkOrder, OrderGiven],
    orders: Collection[WorkOrder],
    user: User,
    given: OrderGiven,
) -> dict[UUID, str]:
    """Do it with each; where some are refused, with none, and say why of each that is."""
    check_many(deed, orders)
    refused: dict[UUID, str] = {}
    with transaction.atomic():
        for order in orders:
            try:
                with transaction.atomic():
                    deed.do(order, user, given)
            except FabricTwinError as refusal:
                refused[order.pk] = str(refusal)
        transaction.set_rollback(bool(refused))
    return refused
