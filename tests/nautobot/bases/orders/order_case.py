"""Orders on records alone: what is done by hand is reported, and no fabric answers."""

from typing import Any

from django.contrib.auth import get_user_model
from nautobot.apps.testing import TestCase

from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.reports import Report, Told
from fabric_twin.models import OrderStep, WorkOrder
from fabric_twin.operations.orders.lifecycle import assign_order, make_order, start_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.orders.reports.take_reports import take_reports
from fabric_twin.repositories.states import update_state
from tests.nautobot.bases.pods.loaded_once import pod_loaded


class OrderCase(TestCase):
    """A pod `iw` of two cubes, and somebody who may do everything."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = pod_loaded("ironwood", (1, 2))
        cls.admin = get_user_model().objects.create_superuser("admin of orders")

    def make(self, kind: Kind = Kind.INSTALL, **wish: Any) -> WorkOrder:
        return make_order(self.pod, OrderWish(kind=kind, **wish), self.admin)

    def begin(self, order: WorkOrder) -> WorkOrder:
        assign_order(order, self.admin, assignee=self.admin)
        return start_order(order, self.admin)

    def report(self, order: WorkOrder, *steps: int, told: Told = Told.DONE, **more: Any) -> Any:
        reports = [
            Report(id=f"{order}-{step}-{told}", step=step, told=told, at=float(step), **more)
            for step in steps
        ]
        return take_reports(order, self.admin, reports)

    def prepare(self, step: OrderStep) -> None:
        """As if all before were done, and a switch had shown its port dark."""
        before = OrderStep.objects.filter(order=step.order, number__lt=step.number)
        update_state(before, "done")
        update_state(OrderStep.objects.filter(pk=step.pk), "waiting")
