"""The page of my orders: those that are given to me or my teams and that I may do."""

import re
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from nautobot.apps.testing import TestCase
from nautobot.extras.models import Contact, Team

from fabric_twin.core.orders.order import Kind
from fabric_twin.models import Pod, WorkOrder
from fabric_twin.operations.orders.lifecycle import assign_order, make_order, start_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.presenters.my_orders import my_orders
from tests.nautobot.bases.pods.one_pod import see_one_pod
from tests.nautobot.bases.pods.small import hall

POD_OF = {Pod: "name", WorkOrder: "pod__name"}


class MyOrdersTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.admin = get_user_model().objects.create_superuser("planner")
        for name in ("mine", "theirs"):
            load_pod(name, "small", hall(), slots=())
        cls.pods = {name: Pod.objects.get(name=name) for name in ("mine", "theirs")}

    def order(self, slot: int, pod: str = "mine", **to: Any) -> WorkOrder:
        wish = OrderWish(kind=Kind.INSTALL, slots=(slot,))
        made = make_order(self.pods[pod], wish, self.admin)
        if to:
            assign_order(made, self.admin, **to)
        return made

    def names(self, user: Any = None) -> list[str]:
        # What a user may do is remembered with the user.
        asking = get_user_model().objects.get(pk=(user or self.user).pk)
        return [one.name for one in my_orders(asking)[0]]

    def page(self, status: int = 200) -> str:
        response = self.client.get(reverse("plugins:fabric_twin:my_orders"))
        self.assertHttpStatus(response, status)
        return " ".join(response.content.decode().split())

    def test_what_is_given_to_me_is_there_with_where_it_starts_and_one_tap(self) -> None:
        see_one_pod(self.user, "mine", POD_OF, {WorkOrder: ("do",)})
        self.order(1)
        order = self.order(2, assignee=self.user)
        [mine] = my_orders(self.user)[0]
        first = order.steps.order_by("number").first()
        self.assertEqual(
            (mine.name, mine.title, mine.state, mine.left, mine.is_ready),
            ("mine-w2", "Install cube 2 of mine", "Assigned", order.steps.count(), True),
        )
        page = self.page()
        do = reverse("plugins:fabric_twin:workorder_do", args=[order.pk])
        self.assertEqual(re.findall(r'class="go" href="(.*?)"', page), [do])
        self.assertRegex(page, rf"row \d+, place \d+, rack {first.facts['rack']}<br>{first.do} to")
        self.assertNotIn("sidenav", page)

    def test_a_team_is_mine_by_my_address_or_by_a_group_of_its_name(self) -> None:
        self.user.is_superuser, self.user.email = True, "w.hand@example.com"
        self.user.save()
        by_address, by_group, other = (Team.objects.create(name=name) for name in "ABC")
        by_address.contacts.add(Contact.objects.create(name="Hand", email="W.Hand@example.com"))
        self.user.groups.add(Group.objects.create(name="B"))
        for slot, team in enumerate((by_address, by_group, other), 1):
            self.order(slot, team=team)
        self.assertEqual(self.names(), ["mine-w1", "mine-w2"])

    def test_what_i_may_not_do_or_not_see_is_not_there(self) -> None:
        self.page(403)
        see_one_pod(self.user, "mine", POD_OF)
        self.order(1, assignee=self.user)
        self.assertEqual(self.names(), [])
        see_one_pod(self.user, "mine", POD_OF, {WorkOrder: ("do",)})
        self.order(1, "theirs", assignee=self.user)
        self.assertEqual(self.names(), ["mine-w1"])
        self.assertNotIn("theirs", self.page())

    def test_what_is_under_way_comes_first_and_what_waits_for_light_last(self) -> None:
        self.order(1, assignee=self.admin)
        begun = self.order(2, assignee=self.admin)
        start_order(begun, self.admin)
        self.assertEqual(self.names(self.admin), ["mine-w2", "mine-w1"])

    def test_more_orders_take_no_more_queries(self) -> None:
        def queries() -> int:
            cache.clear()
            with CaptureQueriesContext(connection) as taken:
                my_orders(self.admin)
            return len(taken)

        self.order(1, assignee=self.admin)
        one = queries()
        for slot in (2, 3):
            self.order(slot, assignee=self.admin)
        self.assertEqual((len(self.names(self.admin)), queries()), (3, one))
        self.assertLess(one, 16)

    def test_nothing_is_given_to_me(self) -> None:
        self.user.is_superuser = True
        self.user.save()
        self.assertIn("No order is given to you.", self.page())
