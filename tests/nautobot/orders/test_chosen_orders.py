"""Work orders chosen in their list: one act with all of them, or with none, and why not."""

import re
from typing import Any
from uuid import uuid4

from django.contrib.auth import get_user_model
from django.contrib.messages import get_messages
from django.urls import reverse
from nautobot.apps.testing import TestCase
from nautobot.extras.models import SavedView

from fabric_twin.core.orders.order import Kind
from fabric_twin.models import Pod, Ticket, WorkOrder
from fabric_twin.operations.orders.actions import MOST_ASKED
from fabric_twin.operations.orders.lifecycle import make_order, withdraw_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.pods.load import load_pod
from tests.nautobot.bases.audits.written_finding import write_finding
from tests.nautobot.bases.pods.one_pod import see_one_pod
from tests.nautobot.bases.pods.small import hall

POD_OF = {Pod: "name", WorkOrder: "pod__name"}


class ChosenOrdersTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.admin = get_user_model().objects.create_superuser("planner")
        for name in ("mine", "theirs"):
            load_pod(name, "small", hall(), slots=(1,))
        cls.mine, cls.theirs = (Pod.objects.get(name=name) for name in ("mine", "theirs"))
        wishes = [(cls.mine, (2,)), (cls.mine, (3,)), (cls.theirs, (2,))]
        cls.first, cls.second, cls.other = (
            make_order(pod, OrderWish(kind=Kind.INSTALL, slots=slots), cls.admin)
            for pod, slots in wishes
        )

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()

    def choose(self, act: str, *orders: WorkOrder, **more: Any) -> Any:
        """Tick some of the list, and press a button below it."""
        url = f"{reverse('plugins:fabric_twin:workorder_bulk_act')}?do={act}"
        return self.client.post(url, {"pk": [order.pk for order in orders], **more})

    def told(self, act: str, *orders: WorkOrder, **more: Any) -> str:
        """What is said above the list."""
        answer = self.choose(act, *orders, **more)
        self.assertRedirects(answer, reverse("plugins:fabric_twin:workorder_list"))
        # The client has the words of before once more, where nobody read them.
        return str(list(get_messages(answer.wsgi_request))[-1])

    def asked(self, act: str, *orders: WorkOrder, **more: Any) -> tuple[str, list[str]]:
        """The page that asks, without tags, and the orders that are ticked on it."""
        answer = self.choose(act, *orders, **more)
        self.assertHttpStatus(answer, 200)
        page = answer.content.decode().split("<main", 1)[1]
        ticked = re.findall(r'aria-label="([^"]+)" checked', page)
        return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)), ticked

    def states(self) -> dict[str, str]:
        return {str(order): order.state for order in WorkOrder.objects.select_related("pod")}

    def test_several_are_handed_out_and_started(self) -> None:
        page, ticked = self.asked("assign", self.first, self.second)
        self.assertEqual(ticked, ["mine-w1", "mine-w2"])
        self.assertIn("Install cube 2 of mine Drafted", page)
        both = (self.first, self.second)
        done = self.told("assign", *both, sure=1, assignee=self.user.pk)
        self.assertEqual(done, "Assign: mine-w1, mine-w2.")
        self.assertEqual(
            self.states(),
            {"mine-w1": "assigned", "mine-w2": "assigned", "theirs-w1": "drafted"},
        )
        self.assertEqual(self.told("start", *both, sure=1), "Start: mine-w1, mine-w2.")
        self.assertEqual(self.states()["mine-w2"], "under way")

    def test_where_one_is_refused_none_is_done_and_it_is_named_and_not_ticked_any_more(
        self,
    ) -> None:
        withdraw_order(self.second, self.admin, "not this year")
        page, ticked = self.asked(
            "withdraw", self.first, self.second, self.other, sure=1, said="too early"
        )
        self.assertIn("Nothing was done: 1 of 3 cannot be.", page)
        self.assertRegex(page, r"mine-w2 Install cube 3 of mine Withdrawn [^.]*withdrawn")
        self.assertEqual(ticked, ["mine-w1", "theirs-w1"])
        self.assertEqual(self.states()["mine-w1"], "drafted")
        done = self.told("withdraw", self.first, self.other, sure=1, said="too early")
        self.assertEqual(done, "Withdraw: mine-w1, theirs-w1.")
        self.assertEqual(set(self.states().values()), {"withdrawn"})

    def test_tickets_of_several_are_asked_for_at_once(self) -> None:
        finding = write_finding(
            self.theirs,
            "circuit-unexpected",
            [{"do": "disconnect", "switch": "theirs-ocs-x-1-1", "a": "1A", "b": "1B"}],
            device="theirs-ocs-x-1-1",
            port="1A",
        )
        switch = self.theirs.switches.get(device__name="theirs-ocs-x-1-1")
        switch.circuits.create(a=1, b=1, wanted=False, seen=True)
        mends = make_order(
            self.theirs, OrderWish(kind=Kind.REPAIR, findings=(finding,)), self.admin
        )
        page, ticked = self.asked("ask", mends, self.first)
        self.assertIn("Interrupt slices that cannot move", page)
        page, ticked = self.asked("ask", mends, self.first, sure=1, submitted="on")
        self.assertIn("mine-w1: all that it needs is so.", page)
        self.assertEqual((ticked, Ticket.objects.count()), (["theirs-w2"], 0))
        self.told("ask", mends, sure=1, submitted="on")
        self.assertEqual(
            list(Ticket.objects.values_list("kind", "state")), [("drift", "submitted")]
        )

    def test_an_order_whose_impact_cannot_be_planned_says_why_on_both_pages(self) -> None:
        switch = self.mine.switches.get(device__name="mine-ocs-x-1-1")
        switch.circuits.create(a=1, b=1, wanted=False, seen=True)
        need = {"name": "drain", "what": "drain", "owners": [], "spare": "", "moves": []}
        need |= {"ports": [["mine-ocs-x-1-1", "1A"], ["gone", "1A"]], "findings": []}
        broken = WorkOrder.objects.get(pk=self.first.pk)
        broken.pk, broken.number, broken._state.adding = uuid4(), 9, True
        broken.facts = broken.facts | {"needs": [need]}
        broken.save()
        page, ticked = self.asked("ask", broken, self.other)
        self.assertRegex(page, r"mine-w9 Install cube 2 of mine Drafted [^.]*\bgone\b")
        self.assertEqual(ticked, ["mine-w9", "theirs-w1"])
        url = reverse("plugins:fabric_twin:workorder_act", args=[broken.pk]) + "?do=ask"
        self.assertContains(self.client.get(url), "gone")

    def test_all_of_a_saved_view_are_chosen_and_an_invalid_filter_is_refused(self) -> None:
        url = f"{reverse('plugins:fabric_twin:workorder_bulk_act')}?do=withdraw"
        view = SavedView.objects.create(
            name="Mine",
            owner=self.user,
            view="plugins:fabric_twin:workorder_list",
            config={"filter_params": {"pod": ["mine"]}},
        )
        for asked in ("pod=mine", f"saved_view={view.pk}"):
            page = self.client.post(f"{url}&{asked}", {"_all": ""}).content.decode()
            ticked = re.findall(r'aria-label="([^"]+)" checked', page)
            self.assertEqual(ticked, ["mine-w1", "mine-w2"], asked)
        answer = self.client.post(f"{url}&pod=gone", {"_all": ""})
        listed = reverse("plugins:fabric_twin:workorder_list")
        self.assertRedirects(answer, f"{listed}?pod=gone")
        self.assertIn("filters of work orders: pod: ", str(list(get_messages(answer.wsgi_request))))

    def test_tickets_of_too_many_orders_are_refused_and_other_acts_are_not(self) -> None:
        many = []
        for number in range(100, 101 + MOST_ASKED):
            order = WorkOrder.objects.get(pk=self.other.pk)
            order.pk, order.number, order._state.adding = uuid4(), number, True
            order.save()
            many.append(order)
        self.assertEqual(
            self.told("ask", *many),
            "work orders: 21 are chosen, and this is done with 20 at once. Choose fewer.",
        )
        self.assertEqual(len(self.asked("withdraw", *many)[1]), 21)

    def test_each_order_asks_for_its_own_permission(self) -> None:
        see_one_pod(self.user, "mine", POD_OF, {WorkOrder: ("do",)})
        refused = self.told("assign", self.first, self.other, sure=1, assignee=self.user.pk)
        self.assertIn("you may not see all of them, or some are gone", refused)
        page, _ = self.asked("withdraw", self.first, self.second, sure=1, said="No")
        self.assertIn("may not change the order mine-w1", page)
        self.assertIn("may not change the order mine-w2", page)
        self.assertEqual(set(self.states().values()), {"drafted"})
        # Who may do them takes them over.
        done = self.told("assign", self.first, self.second, sure=1, assignee=self.user.pk)
        self.assertEqual(done, "Assign: mine-w1, mine-w2.")

    def test_the_list_offers_what_its_user_may(self) -> None:
        offered = {("change",): {"Tickets", "Assign", "Withdraw"}, ("do",): set()}
        offered["change", "do"] = {"Tickets", "Assign", "Start", "Withdraw"}
        # Who only does orders takes one over on its page, and gives none to others.
        offered["do", "delete"] = {"Start"}
        for may, buttons in offered.items():
            see_one_pod(self.user, "mine", POD_OF, {WorkOrder: may})
            page = self.client.get(reverse("plugins:fabric_twin:workorder_list")).content.decode()
            found = re.findall(r"(\w+) (?:for Their Needs|Selected)", page)
            self.assertEqual(set(found), buttons, may)

    def test_what_is_done_one_by_one_and_what_is_not_chosen_is_refused(self) -> None:
        self.assertIn("close is done with one work order at a time", self.told("close", self.first))
        self.assertIn("no work order is chosen", self.told("assign"))
