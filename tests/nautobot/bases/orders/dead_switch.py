"""A switch that dies under slices that run, the order for it, and what hands do there."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from django.core.cache import cache

from fabric_twin.core.orders.life import OrderIs
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.steps import Do
from fabric_twin.models import (
    Finding,
    OrderStep,
    WorkOrder,
)
from fabric_twin.operations.audits.finding_history import history_of
from fabric_twin.operations.orders.fabric.advance import advance
from fabric_twin.operations.orders.fabric.read_port import Ahead
from fabric_twin.operations.orders.reports.take_reports import take_reports
from fabric_twin.operations.orders.return_to_service import after_order, bring_back
from tests.nautobot.bases.orders.order_on_fabric import OrderOnFabricCase
from tests.nautobot.bases.tickets.ticketed import TicketedCase

SWITCH = "iw-ocs-x-1-1"


class DeadSwitchCase(OrderOnFabricCase, TicketedCase):
    """A slice of two cubes and one of a cube: three circuits are on the switch."""

    slots = range(1, 5)

    fault = 0

    def before(self) -> None:
        self.done("slice", {"shape": "4x4x8", "name": "job-a"})
        self.done("slice", {"shape": "4x4x4", "name": "job-b"})
        self.assertEqual(self.audited(), [])  # and light is remembered

    @contextmanager
    def followed(self) -> Iterator[None]:
        """With what orders do once all is written."""
        with self.captureOnCommitCallbacks() as calls:
            yield
        ours = [call for call in calls if isinstance(call, partial)]
        for call in ours:
            if call.func in (after_order, bring_back):
                call()

    def audited(self) -> list[Finding]:
        with self.followed():
            return super().audited()

    def dies(self) -> Finding:
        """It dies, and one audit says so."""
        self.fault = self.break_it("switch-down", device=SWITCH)
        [finding] = self.audited()
        self.assertEqual(finding.code, "switch-down")
        return finding

    def answers(self, *, empty: bool = False) -> None:
        """It has power again, with its circuits or without."""
        self.control("/mend", number=self.fault)
        if empty:
            self.break_it("boots-empty", device=SWITCH)

    def repaired(self, finding: Finding, *, empty: bool = False) -> WorkOrder:
        """An order for it, whose hands do what they should; then it answers again."""
        order = self.begun(Kind.REPAIR, findings=(finding,))
        self.assertEqual(self.go_on(order).why, "")
        self.answers(empty=empty)
        with self.followed():
            advance(order)
        order.refresh_from_db()
        self.assertEqual(order.state, OrderIs.DONE)
        return order

    def history(self, finding: Finding) -> list[str]:
        return [event.what for event in history_of(finding, self.ada)]

    def lines(self, order: WorkOrder, what: str) -> list[str]:
        rows = order.events.filter(what=what).order_by("number")
        return list(rows.values_list("said", flat=True))

    def ahead(self, order: WorkOrder, *, anew: bool = True) -> Ahead:
        """What comes next, by a look of its own or by one that phones share."""
        if anew:
            cache.clear()
        return super().ahead(order)

    def arrive(self, order: WorkOrder) -> None:
        """A technician goes to the switch; what hands do there is next."""
        take_reports(order, self.admin, [self.report(order.steps.get(do=Do.GO))])

    def dies_beside(self, other: Finding) -> None:
        self.fault = self.break_it("switch-down", device=SWITCH)
        self.assertEqual([one.code for one in self.audited()], [other.code, "switch-down"])

    @staticmethod
    def by_hand(order: WorkOrder) -> Any:
        """What hands do at the switch."""
        return OrderStep.objects.filter(order=order, do="reseat")
