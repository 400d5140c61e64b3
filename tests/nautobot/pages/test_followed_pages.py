"""The page of a run or an order is loaded again by itself as soon as that has gone on."""

import re
from typing import Any

from django.contrib.auth import get_user_model
from nautobot.apps.testing import TestCase

from fabric_twin.core.orders.life import OrderIs, StepIs
from fabric_twin.core.orders.order import Kind
from fabric_twin.models import OrderStep, WorkOrder
from fabric_twin.operations.audits.run_lease import queue_run, take_lease
from fabric_twin.operations.orders.history import say
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.repositories.states import update_state
from tests.nautobot.bases.audits.small_findings import audit, small_pod


class FollowedPagesTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = small_pod()
        cls.admin = get_user_model().objects.create_superuser("operator")

    def setUp(self) -> None:
        super().setUp()
        self.client.force_login(self.admin)

    def asks(self, record: Any) -> str:
        """What the page of a record asks every few seconds; nothing where that has ended."""
        page = self.client.get(record.get_absolute_url())
        self.assertHttpStatus(page, 200)
        found = re.findall(
            r'hx-get="([^"]*/follow/[^"]*)" hx-trigger="every', page.content.decode()
        )
        return found[0].replace("&amp;", "&") if found else ""

    def is_new(self, asked: str) -> bool:
        self.assertTrue(asked, "the page asks nothing")
        answer = self.client.get(asked)
        self.assertEqual((answer.status_code, answer.content), (200, b""))
        return answer.headers.get("HX-Refresh") == "true"

    def test_a_run_is_followed_until_it_has_ended(self) -> None:
        self.assertEqual(self.asks(audit(self.pod)), "")
        run = queue_run(self.pod)
        asked = self.asks(run)
        self.assertFalse(self.is_new(asked))
        take_lease(run)
        self.assertTrue(self.is_new(asked))

    def test_an_order_is_followed_by_its_history_and_reports(self) -> None:
        order = make_order(self.pod, OrderWish(kind=Kind.DECOMMISSION, slots=(1,)), self.admin)
        asked = self.asks(order)
        self.assertFalse(self.is_new(asked))
        say(order, "note", "the lift is broken")
        self.assertTrue(self.is_new(asked))
        asked = self.asks(order)
        self.assertFalse(self.is_new(asked))
        asked = self.asks(order)
        update_state(OrderStep.objects.filter(order=order, number=1), StepIs.CANNOT)
        self.assertTrue(self.is_new(asked))
        asked = self.asks(order)
        update_state(WorkOrder.objects.filter(pk=order.pk), OrderIs.WITHDRAWN)
        self.assertTrue(self.is_new(asked))
        self.assertEqual(self.asks(order), "")

    def test_where_somebody_may_write_a_note_the_page_stays(self) -> None:
        order = make_order(self.pod, OrderWish(kind=Kind.DECOMMISSION, slots=(1,)), self.admin)
        notes = self.client.get(f"{order.get_absolute_url()}notes/")
        self.assertContains(notes, "note")
        self.assertNotContains(notes, "/follow/")

    def test_who_may_not_see_it_is_told_nothing(self) -> None:
        asked = self.asks(queue_run(self.pod))
        self.client.force_login(get_user_model().objects.create_user("somebody"))
        self.assertIn(self.client.get(asked).status_code, (403, 404))
