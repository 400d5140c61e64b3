"""Pages of work orders: wished for with a look before, handed out, on paper, and for the aisle."""

import json
import re
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Rack

from fabric_twin.core.orders.order import Kind
from fabric_twin.models import Pod, Stock, WorkOrder
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.orders.reports.offline_steps import ahead
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.presenters.walk import walk_of
from fabric_twin.presenters.work_order import PAPERS, order_paper
from tests.nautobot.bases.pods.one_pod import see_one_pod
from tests.nautobot.bases.pods.small import hall

POD_OF = {Pod: "name", WorkOrder: "pod__name"}


class OrderPagesTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.admin = get_user_model().objects.create_superuser("planner")
        for name in ("mine", "theirs"):
            load_pod(name, "small", hall(), slots=(1,))
        cls.mine, cls.theirs = (Pod.objects.get(name=name) for name in ("mine", "theirs"))
        wish = OrderWish(kind=Kind.INSTALL, slots=(2,), reason="The second of three")
        cls.order = make_order(cls.mine, wish, cls.admin)
        cls.other = make_order(cls.theirs, wish, cls.admin)

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()

    def become_a_user_of(self, pod: str, *actions: str) -> None:
        """See one pod and its orders; more only as named."""
        see_one_pod(self.user, pod, POD_OF, {WorkOrder: actions})

    def page(self, url: Any, status: int = 200, **headers: str) -> str:
        url = url if isinstance(url, str) else url.get_absolute_url()
        response = self.client.get(url, headers=headers)
        self.assertHttpStatus(response, status)
        return response.content.decode()

    def rows(self, name: str) -> str:
        """The rows of a list, which Nautobot's pages ask for when they are there."""
        return self.page(reverse(f"plugins:fabric_twin:{name}_list"), hx_request="true")

    def assert_says(self, page: str, *words: str) -> None:
        """The page is long: only what lacks is told."""
        self.assertEqual([some for some in words if some not in page], [])

    def buttons(self) -> set[str]:
        """Acts that the order's page offers."""
        return set(re.findall(r"/act/\?do=([a-z]+)", self.page(self.order)))

    def test_its_page_says_what_it_takes_who_has_it_and_what_is_next(self) -> None:
        page = self.page(self.order)
        self.assert_says(
            page, "Install cube 2 of mine", "The second of three", "Rack visits", "Bundles"
        )
        self.assertEqual(self.buttons(), {"assign", "withdraw"})

    def test_it_is_handed_out_and_started_with_buttons(self) -> None:
        act = reverse("plugins:fabric_twin:workorder_act", args=[self.order.pk])
        self.client.post(f"{act}?do=assign", {"assignee": self.user.pk})
        self.assertEqual(self.buttons(), {"assign", "start", "withdraw"})
        self.client.post(f"{act}?do=start")
        self.order.refresh_from_db()
        self.assertEqual(self.order.state, "under way")
        self.assertEqual(self.buttons(), {"assign", "pause", "withdraw"})
        self.client.post(f"{act}?do=withdraw")  # without a word
        self.order.refresh_from_db()
        self.assertEqual(self.order.state, "under way")
        self.client.post(f"{act}?do=withdraw", {"said": "It comes next year"})
        self.order.refresh_from_db()
        self.assertEqual(
            (self.order.state, self.order.message), ("withdrawn", "It comes next year")
        )

    def test_a_wish_is_looked_at_before_it_is_made(self) -> None:
        url = reverse("plugins:fabric_twin:workorder_add") + "?kind=install"
        wish = {"pod": self.mine.pk, "slots": "3", "crews": 1}
        before = WorkOrder.objects.count()
        looked = self.client.post(url, wish | {"look": "1"}).content.decode()
        self.assert_says(looked, "What it would take: Install cube 3 of mine")
        self.assertEqual(WorkOrder.objects.count(), before)
        self.client.post(url, wish | {"make": "1"})
        self.assertEqual(WorkOrder.objects.count(), before + 1)
        refused = self.client.post(url, wish | {"slots": "1", "make": "1"}).content.decode()
        self.assert_says(refused, "alert-warning")
        self.assertEqual(WorkOrder.objects.count(), before + 1)

    def test_every_paper_is_to_be_had(self) -> None:
        for form, kind in PAPERS.items():
            url = reverse("plugins:fabric_twin:workorder_document", args=[self.order.pk])
            response = self.client.get(f"{url}?form={form}")
            self.assertEqual((response.status_code, response["Content-Type"]), (200, kind), form)
            self.assertGreater(len(response.content), 500, form)

    def test_the_aisle_gets_the_steps_ahead_with_all_that_is_needed_to_do_them(self) -> None:
        page = self.page(reverse("plugins:fabric_twin:workorder_do", args=[self.order.pk]))
        facts = json.loads(re.search(r'id="order" type="application/json">(.*?)</script>', page)[1])
        first = self.order.steps.order_by("number").first()
        self.assertEqual((facts["name"], facts["steps"][0]["number"]), ("mine-w1", first.number))
        self.assertNotIn("http", re.sub(r"http://www\.w3\.org/\S+", "", page))

    def test_the_aisle_says_the_row_and_place_that_the_paper_says(self) -> None:
        paper = order_paper(self.order, "md")[2].decode()
        steps = ahead(self.order)["steps"]
        racks = [step["rack"] for step in steps]
        far = [step["other_rack"] for step in steps if step["other_rack"]]
        told = {f"{one['name']}: row {one['row']}, place {one['place']}" for one in racks + far}
        self.assertEqual((len(told) > 1, len(far) > 0), (True, True))
        self.assertEqual([words for words in sorted(told) if words not in paper], [])

    def test_what_a_phone_hears_while_its_page_is_made_is_newer_than_the_page(self) -> None:
        read_at: list[float] = []

        def read(execute: Any, *query: Any) -> Any:
            read_at.append(timezone.now().timestamp())
            return execute(*query)

        with connection.execute_wrapper(read):
            page = ahead(self.order)
        self.assertLessEqual(page["at"], read_at[0])

    def test_who_may_see_one_pod_sees_its_orders_alone(self) -> None:
        self.become_a_user_of("mine")
        page = self.rows("workorder")
        self.assert_says(page, "mine-w1")
        self.assertFalse("theirs-w1" in page)
        for name in ("workorder", "workorder_act", "workorder_document", "workorder_do"):
            self.page(reverse(f"plugins:fabric_twin:{name}", args=[self.other.pk]), 404)
        self.assertEqual(self.buttons(), set())
        self.page(reverse("plugins:fabric_twin:workorder_do", args=[self.order.pk]), 403)
        self.page(reverse("plugins:fabric_twin:workorder_add"), 403)

    def test_who_may_do_it_may_start_and_not_withdraw(self) -> None:
        self.become_a_user_of("mine", "do")
        act = reverse("plugins:fabric_twin:workorder_act", args=[self.order.pk])
        self.client.post(f"{act}?do=withdraw", {"said": "No"})
        self.order.refresh_from_db()
        self.assertEqual(self.order.state, "drafted")

    def test_a_rack_names_the_orders_that_have_steps_there(self) -> None:
        rack = Rack.objects.filter(order_steps__order=self.order).first()
        self.assertIn(
            "mine-w1", self.page(reverse("plugins:fabric_twin:rack_orders", args=[rack.pk]))
        )

    def test_stock_is_kept_by_part_and_place(self) -> None:
        made = {"part": "fibre 10 m", "location": self.mine.location_id, "on_hand": 4, "ordered": 0}
        self.client.post(reverse("plugins:fabric_twin:stock_add"), made)
        self.assertEqual(Stock.objects.get().on_hand, 4)
        self.assert_says(self.rows("stock"), "fibre 10 m")

    def test_a_page_takes_no_query_for_each_step(self) -> None:
        self.page(self.order)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            self.page(self.order)
        self.assertLess(len(queries), 70)

    def test_the_aisle_gets_the_walk_that_the_paper_draws(self) -> None:
        walk = walk_of(self.order, 1)
        paper = order_paper(self.order, "md")[2].decode()
        visits = re.findall(r"^## (\d+)\\?\. (\S+): row (\d+), place (\d+)", paper, re.MULTILINE)
        told = [
            (str(stop["turn"]), stop["rack"], str(stop["row"]), str(stop["place"]))
            for stop in walk["stops"]
        ]
        self.assertEqual(told, [(turn, rack.replace("\\", ""), *at) for turn, rack, *at in visits])
        self.assertEqual(sum(stop["left"] for stop in walk["stops"]), self.order.steps.count())
        drawn = {rack["name"]: rack["turns"] for rack in walk["racks"] if rack["turns"]}
        self.assertEqual(drawn, {stop["rack"]: (stop["turn"],) for stop in walk["stops"]})
