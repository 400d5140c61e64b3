"""What the review of November 2026 probed, and no other test says.

1 to 5    a finding, its holders and who acknowledged it     orders/test_findings_taken.py
6 to 8    crews, reasons, a repair without findings          doors/test_doors.py
9, 11     what a report costs; receivers without a sender    here
10        an administrator's jobs                            app/test_new_jobs.py
"""

from typing import Any
from unittest import mock

from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import signals
from django.test.utils import CaptureQueriesContext
from nautobot.apps.testing import TestCase

from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.planning.moving import Moved
from fabric_twin.core.orders.reports import Report, Told
from fabric_twin.models import Pod, WorkOrder
from fabric_twin.operations.orders.lifecycle import assign_order, make_order, start_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.orders.record import progress_of
from fabric_twin.operations.orders.reports.take_reports import take_reports
from tests.nautobot.bases.audits.small_findings import small_pod

CALLED = "fabric_twin.operations.orders.reports.take_reports.dispatch.advance_soon"


class ProbeTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod: Pod = small_pod("s", slots=(1, 2))
        cls.admin = get_user_model().objects.create_superuser("admin of the probe")

    def begun(self, kind: Kind, **wish: Any) -> WorkOrder:
        order = make_order(self.pod, OrderWish(kind=kind, **wish), self.admin)
        return start_order(assign_order(order, self.admin, assignee=self.admin), self.admin)

    def queries_of_a_report(self, order: WorkOrder) -> list[str]:
        progress_of(order)  # what an order is about a process reads once
        said = Report(id=f"r {order}", step=1, told=Told.DONE)
        # Whether the fabric has its part to do next is another matter.
        with mock.patch(CALLED), CaptureQueriesContext(connection) as asked:
            [answer] = take_reports(order, self.admin, [said])
        self.assertTrue(answer.taken, answer.why)
        return [one["sql"] for one in asked]

    def test_a_report_costs_the_same_however_long_its_order_is(self) -> None:
        there = {"cable": "s-c001:1.1.1/X-", "end": "b", "to": ["s-ocs-x-1-1", "4B"]}
        short = self.begun(Kind.MOVE, moves=(Moved.from_json(there),))
        long = self.begun(Kind.INSTALL, slots=(3,))
        self.assertGreater(long.steps.count(), 2 * short.steps.count())
        costs = [len(self.queries_of_a_report(order)) for order in (short, long)]
        self.assertEqual(costs[0], costs[1])
        self.assertLessEqual(costs[0], 22)  # as many as the review counted

    def test_no_receiver_of_the_app_hears_every_model(self) -> None:
        for signal in (
            signals.pre_save,
            signals.post_save,
            signals.pre_delete,
            signals.m2m_changed,
        ):
            for (uid, sender), *_ in signal.receivers:
                if "fabric_twin" in str(uid):
                    self.assertNotEqual(sender, id(None), uid)
