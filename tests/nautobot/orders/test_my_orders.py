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

from fabric_twin import __version__
from fabric_twin.core.orders.life import Act, OrderIs, StepIs
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.steps import Do
from fabric_twin.models import Pod, WorkOrder
from fabric_twin.operations.orders.lifecycle import (
    act_on,
    assign_order,
    make_order,
    start_order,
)
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.presenters.my_orders import MyOrder, my_orders
from fabric_twin.repositories.states import update_state
from fabric_twin.views.aisle.doing import kept_version
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
        # Given while the user could do them: since then the permission is gone.
        for pod in ("mine", "theirs"):
            made = self.order(1, pod)
            WorkOrder.objects.filter(pk=made.pk).update(assignee=self.user)
        self.assertEqual(self.names(), [])
        see_one_pod(self.user, "mine", POD_OF, {WorkOrder: ("do",)})
        self.assertEqual(self.names(), ["mine-w1"])
        self.assertNotIn("theirs", self.page())

    def test_what_is_under_way_comes_first_and_what_waits_for_light_last(self) -> None:
        for slot in (1, 2, 3):
            self.order(slot, assignee=self.admin)
        tested, begun = WorkOrder.objects.order_by("number")[:2]
        start_order(begun, self.admin)
        update_state(tested.steps.all(), StepIs.DONE)
        update_state(WorkOrder.objects.filter(pk=tested.pk), OrderIs.AWAITING_LIGHT)
        self.assertEqual(self.names(self.admin), ["mine-w2", "mine-w3", "mine-w1"])
        self.assertEqual(
            my_orders(self.admin)[0][2],
            MyOrder(
                name="mine-w1",
                title="Install cube 1 of mine",
                url=reverse("plugins:fabric_twin:workorder_do", args=[tested.pk]),
                state="Awaiting light",
                due=None,
                left=0,
                starts=(),
                waits_for="a light test has to pass",
            ),
        )
        self.client.force_login(self.admin)
        self.assertIn("Waits: a light test has to pass.", self.page())

    def test_what_is_paused_is_not_ready_and_says_so(self) -> None:
        order = self.order(1, assignee=self.admin)
        self.order(2, assignee=self.admin)
        act_on(Act.PAUSE, start_order(order, self.admin), self.admin)
        self.assertEqual(self.names(self.admin), ["mine-w2", "mine-w1"])
        paused = my_orders(self.admin)[0][1]
        waits = "it is paused until somebody presses Start"
        self.assertEqual((paused.is_ready, paused.waits_for), (False, waits))

    def test_a_step_that_the_fabric_does_first_is_said(self) -> None:
        order = start_order(self.order(1, assignee=self.admin), self.admin)
        check = order.steps.filter(do=Do.CHECK).first()
        update_state(order.steps.exclude(pk=check.pk), StepIs.DONE)
        [mine] = my_orders(self.admin)[0]
        why = f"the fabric tests the work at rack {check.facts['rack']}"
        self.assertEqual((mine.is_ready, mine.waits_for, mine.left), (False, why, 1))

    def test_the_page_says_whose_it_is_and_of_when_and_no_browser_keeps_it(self) -> None:
        self.client.force_login(self.admin)
        response = self.client.get(reverse("plugins:fabric_twin:my_orders"))
        self.assertEqual(response["Cache-Control"], "private, no-store")
        self.assertRegex(
            response.content.decode(), r"Given to planner, as of \d{4}-\d\d-\d\d \d\d:\d\d UTC"
        )
        worker = self.client.get(reverse("plugins:fabric_twin:doing_worker")).content.decode()
        self.assertIn(f"${{OURS}}{kept_version()}", worker)
        self.assertTrue(kept_version().startswith(f"{__version__}."))
        self.assertNotIn("mine/", worker)

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
        self.assertLess(one, 18)

    def test_nothing_is_given_to_me(self) -> None:
        self.user.is_superuser = True
        self.user.save()
        self.assertIn("No order is given to you.", self.page())
