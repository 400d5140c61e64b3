"""Orders worked on step by step, on a simulated fabric that a technician can touch."""

from itertools import takewhile
from typing import Any

from django.contrib.auth import get_user_model

from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.reports import Report, Told
from fabric_twin.core.orders.steps import BY_FABRIC, Do
from fabric_twin.models import OrderStep, WorkOrder
from fabric_twin.operations.orders.fabric.prepare_port import prepare_ports
from fabric_twin.operations.orders.fabric.read_next import read_next
from fabric_twin.operations.orders.fabric.read_port import Ahead
from fabric_twin.operations.orders.lifecycle import (
    assign_order,
    make_order,
    start_order,
)
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.orders.reports.take_reports import take_reports
from tests.nautobot.bases.fabric import FabricTestCase


class OrderOnFabricCase(FabricTestCase):
    """The pod of the simulator; whoever works may do everything."""

    def setUp(self) -> None:
        super().setUp()
        self.messages = 0
        self.admin = get_user_model().objects.create_superuser(f"crew of {self.id()}")

    def begun(self, kind: Kind, **wish: Any) -> WorkOrder:
        order = make_order(self.pod, OrderWish(kind=kind, **wish), self.admin)
        assign_order(order, self.admin, assignee=self.admin)
        return start_order(order, self.admin)

    def report(self, step: OrderStep, told: Told = Told.DONE, **more: Any) -> Report:
        """What is said of a step; a scan reads the right label."""
        scanned = step.cable if step.do == Do.SCAN else ""
        return Report(
            id=more.pop("id", f"{step.pk} {self.messages}"),
            step=step.number,
            told=told,
            **{"scanned": scanned, **more},
        )

    def go_on(self, order: WorkOrder) -> Ahead:
        """Do and report all that hands can do, in one message a time, until light is asked."""
        while True:
            ahead = self.ahead(order)
            coming = order.steps.filter(
                number__gte=ahead.step, state__in=("waiting", "failed by light")
            )
            hands = list(
                takewhile(lambda step: step.do not in BY_FABRIC, coming.order_by("number"))
            )
            if ahead.why or not ahead.step or not hands:
                return ahead
            self.messages += 1
            answers = take_reports(order, self.admin, [self.report(step) for step in hands])
            self.assertEqual({answer.why for answer in answers}, {""})

    def ahead(self, order: WorkOrder) -> Ahead:
        """What comes next, once a worker has done the fabric's part."""
        prepare_ports(order)
        return read_next(order, self.admin).ahead

    def work(self, steps: list[dict[str, Any]]) -> None:
        """Hands do it on the hidden plant."""
        told = self.control("/work", steps=steps)["told"]
        self.assertTrue(all(one["done"] for one in told), told)
