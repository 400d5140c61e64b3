"""A finding and what mends it: one holder at a time, and afterwards it is as it was before."""

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.extras.models import ObjectChange

from fabric_twin.core.errors import NotPossible, UnusableInput
from fabric_twin.core.orders.life import Act
from fabric_twin.core.orders.order import Kind
from fabric_twin.models import Finding, Pod, Ticket, WorkOrder
from fabric_twin.operations.audits.finding_life import (
    acknowledge,
    come_back,
    mend,
    release_findings,
    reopen,
    take,
)
from fabric_twin.operations.audits.run import run_audit
from fabric_twin.operations.orders.findings_to_mend import check_manual
from fabric_twin.operations.orders.lifecycle import (
    act_by_itself,
    make_order,
    withdraw_order,
)
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.orders.record import held as held_order
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.operations.tickets.finding_holders import free_of, holders_of, refuse_held
from fabric_twin.repositories.states import update_state
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.processes.order_records import exchanged


class FindingsTakenTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        load_pod("s", "small", hall(), slots=(1, 2), cut_sheet=exchanged("s"))
        cls.pod = Pod.objects.get(name="s")
        cls.admin = get_user_model().objects.create_superuser("admin of findings")
        run_audit(cls.pod)

    @property
    def finding(self) -> Finding:
        return Finding.objects.get(pod=self.pod)

    def repair(self) -> WorkOrder:
        wish = OrderWish(kind=Kind.REPAIR, findings=(self.finding,))
        return make_order(self.pod, wish, self.admin)

    @property
    def rows(self) -> Any:
        return Finding.objects.filter(pod=self.pod)

    def stands(self) -> tuple[object, ...]:
        one = self.finding
        return one.state, one.acknowledged_by, one.acknowledged_why, one.worked_on

    def test_what_was_acknowledged_is_so_again_whoever_gives_it_back(self) -> None:
        acknowledge(self.finding, self.admin, "waits for parts")
        known = ("acknowledged", self.admin, "waits for parts", "")
        order = self.repair()
        self.assertEqual(self.stands(), ("working", self.admin, "waits for parts", "s-w1"))
        withdraw_order(order, self.admin, "another day")
        self.assertEqual(self.stands(), known)
        take(self.rows, "s-t1")
        release_findings(self.rows, "s-t2")
        self.assertEqual(self.stands(), ("working", self.admin, "waits for parts", "s-t1"))
        release_findings(self.rows, "s-t1")
        self.assertEqual(self.stands(), known)

    def test_what_a_ticket_mends_no_order_takes(self) -> None:
        take(self.rows, "s-t1")
        self.assertQuerySetEqual(free_of(Finding.objects.all()), [])
        with self.assertRaises(NotPossible) as refused:
            self.repair()
        self.assertEqual(
            str(refused.exception),
            f"findings: {self.finding} is being worked on by s-t1. "
            "Leave it out, or let s-t1 end first: withdraw it, or undo it.",
        )
        with self.assertRaisesMessage(NotPossible, "a ticket or another work order mends it"):
            check_manual([self.finding])
        self.assertFalse(WorkOrder.objects.exists())
        self.assertEqual(self.finding.worked_on, "s-t1")

    def test_what_an_order_mends_no_ticket_takes(self) -> None:
        self.repair()
        with self.assertRaisesMessage(
            NotPossible,
            f"finding {self.finding}: it is being worked on by s-w1. "
            "Let s-w1 end, or withdraw or undo it, first.",
        ):
            take(self.rows, "s-t1")
        self.assertEqual(self.finding.worked_on, "s-w1")

    def test_what_an_audit_found_again_is_still_its_orders(self) -> None:
        order = self.repair()
        mend(self.rows, timezone.now())
        come_back(self.rows, timezone.now())
        self.assertEqual(holders_of(self.rows), {self.finding.pk: order.name})
        self.assertQuerySetEqual(free_of(self.rows), [])
        with self.assertRaisesMessage(NotPossible, f"is being worked on by {order.name}"):
            refuse_held(self.rows)

    def test_what_an_audit_found_again_is_still_its_tickets(self) -> None:
        ticket = Ticket.objects.create(
            pod=self.pod,
            number=1,
            kind="slice",
            author=self.admin,
            finding=self.finding,
            state="draft",
        )
        self.assertEqual(holders_of(self.rows), {self.finding.pk: ticket.name})
        self.assertQuerySetEqual(free_of(self.rows), [])
        with self.assertRaisesMessage(NotPossible, f"is being worked on by {ticket.name}"):
            self.repair()
        update_state(Ticket.objects.all(), "withdrawn", ended=timezone.now())
        self.assertQuerySetEqual(free_of(self.rows), [self.finding])

    def test_of_very_many_the_line_of_the_order_tells(self) -> None:
        now = timezone.now()
        seen = {"first_seen": now, "opened": now, "last_seen": now, "code": "dark", "cause": "-"}
        Finding.objects.bulk_create(
            Finding(pod=self.pod, key=f"many-{n}", severity="error", **seen) for n in range(200)
        )
        ObjectChange.objects.all().delete()
        self.assertEqual(take(self.rows, "s-w9"), 201)
        self.assertEqual(release_findings(self.rows.filter(key__startswith="many"), "s-w9"), 200)
        details = ObjectChange.objects.values_list("change_context_detail", flat=True)
        self.assertEqual(list(details), ["released by s-w9"] * 200)

    def test_a_pod_that_is_renamed_strands_no_finding(self) -> None:
        order = self.repair()
        Pod.objects.filter(pk=self.pod.pk).update(name="hall-2")
        withdraw_order(WorkOrder.objects.get(pk=order.pk), self.admin, "another day")
        self.assertEqual(self.stands(), ("open", None, "", ""))

    def test_what_was_mended_meanwhile_stays_so(self) -> None:
        order = self.repair()
        mend(self.rows, timezone.now())
        withdraw_order(order, self.admin, "it is mended")
        self.assertEqual(self.finding.state, "mended")
        come_back(self.rows, timezone.now())
        self.assertEqual(self.stands(), ("open", None, "", ""))
        self.assertEqual(self.finding.reopened, 1)

    def test_an_order_that_is_opened_again_takes_what_nobody_mends(self) -> None:
        order = self.repair()
        update_state(WorkOrder.objects.all(), "awaiting light")
        release_findings(self.rows, order.name)
        act_by_itself(held_order(order), Act.REOPEN, "light says no")
        self.assertEqual(self.stands(), ("working", None, "", "s-w1"))

    def test_every_act_leaves_its_line_in_the_change_log(self) -> None:
        ObjectChange.objects.all().delete()

        def lines(model: Any) -> list[tuple[Any, str]]:
            kind = ContentType.objects.get_for_model(model)
            of_kind = ObjectChange.objects.filter(changed_object_type=kind).order_by("time")
            return list(of_kind.values_list("user_name", "change_context_detail"))

        acknowledge(self.finding, self.admin, "waits for parts")
        withdraw_order(self.repair(), self.admin, "another day")
        reopen(self.finding, self.admin)
        who = self.admin.username
        self.assertEqual(
            lines(Finding),
            [
                (who, "acknowledged: waits for parts"),
                (who, "taken by s-w1"),
                (who, "released by s-w1"),
                (who, "opened again"),
            ],
        )
        title = WorkOrder.objects.get().title
        self.assertEqual(
            lines(WorkOrder), [(who, f"make: {title}"), (who, "withdraw: another day")]
        )

    def test_it_is_acknowledged_with_a_reason_that_the_record_has_room_for(self) -> None:
        for why in ("", "  ", "x" * 256):
            with self.subTest(why[:3]), self.assertRaises(UnusableInput):
                acknowledge(self.finding, self.admin, why)
        self.assertEqual(self.finding.state, "open")
