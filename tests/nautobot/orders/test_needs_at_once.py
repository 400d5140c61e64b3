"""What an order waits for: read at once for all of its tickets, and told to who may see it."""

from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from nautobot.apps.testing import TestCase

from fabric_twin.core.orders.order import Kind, Need
from fabric_twin.models import OpticalCircuit, Pod, Slice, WorkOrder
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.orders.unmet_needs import CIRCUITS, DRAIN, waits
from fabric_twin.presenters.order_needs import in_words, needs_of
from tests.nautobot.bases.audits.small_findings import pod_with_findings
from tests.nautobot.bases.pods.one_pod import see_one_pod
from tests.nautobot.bases.pods.small_pod import status_of
from tests.nautobot.bases.tickets.small_tickets import plan_of, write_ticket

SWITCH = "s-ocs-x-1-1"
STATES = ("draft", "submitted", "approved", "scheduled")


class NeedsAtOnceTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.admin = get_user_model().objects.create_superuser("lead")
        cls.pod = pod_with_findings("s", 1)
        cls.slice = Slice.objects.create(
            pod=cls.pod, name="train-1", shape="4x4x4", status=status_of(Slice)
        )
        cls.repair = make_order(
            cls.pod, OrderWish(kind=Kind.REPAIR, findings=(cls.pod.findings.get(),)), cls.admin
        )

    def order(self, spares: int) -> WorkOrder:
        """An order that waits for spares, each by a ticket of its own in another state."""
        number = 10 + spares
        needs = [
            {
                "name": f"spare {n}",
                "what": "substitute",
                "ports": [[SWITCH, f"{n + 1}A"]],
                "spare": "4A",
                "owners": [],
                "moves": [],
                "findings": [],
            }
            for n in range(spares)
        ]
        order = WorkOrder.objects.create(
            pod=self.pod,
            number=number,
            author=self.admin,
            kind="repair",
            title="Spares",
            facts={**self.repair.facts, "name": f"s-w{number}", "needs": needs},
        )
        interrupts = {"interrupts": {"train-1": 1}, "check": "", "undo": ""}
        for n in range(spares):
            ticket = write_ticket(
                self.pod,
                self.admin,
                100 * spares + n,
                kind="spare",
                state=STATES[n % len(STATES)],
                wish={"port": [SWITCH, f"{n + 1}A"]},
                plan=plan_of(self.pod) | {"notes": [interrupts]},
            )
            order.tickets.add(ticket)
        return order

    def queries(self, order: WorkOrder) -> int:
        with CaptureQueriesContext(connection) as asked:
            rows = needs_of(order, self.admin)
        self.assertEqual([row.state for row in rows], ["not yet"] * len(rows))
        return len(asked)

    def test_many_tickets_take_as_many_queries_as_few(self) -> None:
        few, many = self.order(4), self.order(16)
        for order in (few, many):
            self.queries(order)  # what is remembered of an order is remembered
        self.assertEqual(self.queries(few), self.queries(many))

    def test_each_ticket_says_what_it_waits_for(self) -> None:
        rows = needs_of(self.order(4), self.admin)
        self.assertEqual(
            [row.waits_for.rpartition("; ")[2] for row in rows],
            [
                "the draft is not submitted",
                "approval",
                "confirmation that train-1 runs nothing",
                "confirmation that train-1 runs nothing",
            ],
        )

    def test_links_to_spread_are_no_circuits_that_an_order_waits_for(self) -> None:
        spread = {"do": "spread-links", "network": "dc1", "one": "dc1-ab01", "other": "dc1-ab02"}
        need = Need(name="circuits x", what=CIRCUITS, moves=(spread,))
        self.assertEqual(waits(self.repair, [need]), {})
        self.assertEqual(in_words(need), "circuits: spread-links dc1 dc1-ab01 dc1-ab02")

    def test_a_slice_is_named_to_who_may_see_it(self) -> None:
        switch = self.pod.switches.get(device__name=SWITCH)
        OpticalCircuit.objects.create(switch=switch, a=1, b=2, slice=self.slice, wanted=True)
        need = Need(name="drain", what=DRAIN, ports=((SWITCH, "1A"),))

        def told(user: Any) -> str:
            return waits(self.repair, [need], user)["drain"]

        self.assertEqual(told(self.admin), f"a circuit of slice train-1 is on {SWITCH} (1A to 2B)")
        unnamed = f"a circuit of a slice is on {SWITCH} (1A to 2B)"
        self.assertEqual(told(None), unnamed)
        see_one_pod(self.user, "s", {Pod: "name", WorkOrder: "pod__name"})
        self.assertEqual(told(self.user), unnamed)
