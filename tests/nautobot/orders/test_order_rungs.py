"""Rungs of a repair on the records: parts wait on the shelf, and a phone shows what is due."""

from itertools import takewhile

from django.contrib.auth import get_user_model
from django.db import transaction
from nautobot.apps.testing import TestCase

from fabric_twin.core.orders.life import Act
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.reports import Report, Told
from fabric_twin.core.orders.steps import BY_FABRIC, Do
from fabric_twin.models import OrderStep, Stock, WorkOrder
from fabric_twin.operations.orders.lifecycle import (
    act_on,
    assign_order,
    make_order,
    start_order,
)
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.orders.record import held, keep_steps, progress_of
from fabric_twin.operations.orders.reports.offline_steps import ahead
from fabric_twin.operations.orders.reports.take_reports import take_reports
from fabric_twin.presenters.work_order import cost_of, order_paper, steps_of
from tests.nautobot.bases.audits.written_finding import write_finding
from tests.nautobot.bases.pods.loaded_once import pod_loaded

TRAY, PORT = "iw-c001-t08", "4.3.2/X+"


class RungsTest(TestCase):
    """A connector is dirty; one cable that would fit lies on the shelf."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = pod_loaded("ironwood", (1, 2))
        cls.admin = get_user_model().objects.create_superuser("admin of rungs")

    def begin(self) -> WorkOrder:
        finding = write_finding(
            self.pod,
            "high-loss",
            [{"do": "clean", "device": TRAY, "port": PORT}],
            device=TRAY,
            port=PORT,
        )
        order = make_order(self.pod, OrderWish(kind=Kind.REPAIR, findings=(finding,)), self.admin)
        assign_order(order, self.admin, assignee=self.admin)
        return start_order(order, self.admin)

    def do_what_is_due(self, order: WorkOrder) -> list[str]:
        """Say of every step that a phone shows that it is done."""
        due = takewhile(lambda step: not step["fabric"], ahead(order)["steps"])
        said = [
            Report(
                id=f"{step['number']} {order.reports.count()}", step=step["number"], told=Told.DONE
            )
            for step in due
        ]
        numbers = [report.step for report in said]
        answers = take_reports(order, self.admin, said)
        self.assertEqual([answer.why for answer in answers], [""] * len(said))
        rows = order.steps.filter(number__in=numbers).order_by("number")
        return [str(progress_of(order).step(row.number)) for row in rows]

    def light(self, order: WorkOrder, *, agrees: bool) -> None:
        """What a check says."""
        with transaction.atomic():
            before = progress_of(held(order))
            keep_steps(order, before, before.light("dirt", agrees=agrees))

    def test_each_rung_is_shown_when_it_is_due_and_a_part_is_used_up_only_if_it_was_put_in(
        self,
    ) -> None:
        for tried in (False, True):
            with self.subTest(tried=tried), transaction.atomic():
                part = self.find_part()
                shelf = Stock.objects.create(part=part, location=self.pod.location, on_hand=3)
                order = self.begin()
                words = [row[3] for row in steps_of(order).rows]
                self.assertIn(
                    f"only if the light test still fails: replace {part} of {TRAY} port {PORT}",
                    words,
                )
                _, _, page = order_paper(order, "md")
                self.assertIn("only if the light test still fails: reseat", page.decode())
                there = f"{TRAY} port {PORT}"
                self.assertEqual(
                    self.do_what_is_due(order),
                    ["go to iw-c001", f"inspect {there}", f"clean {there}", f"inspect {there}"],
                )
                self.light(order, agrees=False)
                self.assertEqual(self.do_what_is_due(order), [f"reseat {there}"])
                if tried:
                    self.light(order, agrees=False)
                    self.assertEqual(self.do_what_is_due(order), [f"replace {part} of {there}"])
                self.light(order, agrees=True)
                order = act_on(Act.FINISH, order, self.admin)
                order = act_on(Act.CLOSE, order, self.admin)
                shelf.refresh_from_db()
                self.assertEqual((order.state, shelf.on_hand), ("done", 2 if tried else 3))
                self.assertEqual(order.measure["takes"]["hands_on_steps"], 3)
                self.assertEqual(order.measure["done"]["hands_on_steps"], 5 if tried else 4)
                self.assertIn("done: ", cost_of(order.measure)["Hands-on steps"])
                transaction.set_rollback(True)

    def find_part(self) -> str:
        """What the shelf calls a cable that reaches as far."""
        with transaction.atomic():
            order = self.begin()
            [part] = [part["part"] for part in order.facts["materials"]]
            transaction.set_rollback(True)
        return part

    def test_what_waits_for_a_rung_is_promised_to_nobody_else(self) -> None:
        part = self.find_part()
        Stock.objects.create(part=part, location=self.pod.location, on_hand=1)
        order = self.begin()
        [bill] = order.facts["materials"]
        self.assertEqual((bill["needed"], bill["perhaps"], bill["short"]), (1, 1, 0))
        self.assertEqual(ahead(order)["all"], order.steps.filter(facts__rung__isnull=True).count())
        self.assertEqual(
            set(
                OrderStep.objects.filter(order=order, state="not due").values_list("do", flat=True)
            ),
            {Do.RESEAT, Do.REPLACE},
        )
        self.assertFalse(BY_FABRIC & {Do.RESEAT, Do.REPLACE})
