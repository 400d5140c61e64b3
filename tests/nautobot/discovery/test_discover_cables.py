"""Cables of a pod in service, discovered by light on ports that nothing uses, and accepted."""

from django.urls import reverse
from nautobot.dcim.models import Cable
from nautobot.extras.models import ObjectChange

from fabric_twin.core.errors import NotPermitted
from fabric_twin.core.orders.order import Kind
from fabric_twin.models import AuditRun, Finding, Pod, Reservation, Switch
from fabric_twin.operations.audits.audit import WHOLE_POD
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.discovery.accept import accept_cables
from fabric_twin.operations.discovery.discover import discover_cables
from fabric_twin.operations.discovery.kept import acceptable_cables, sentence
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.presenters.runs.discovered import cables_shown
from fabric_twin.repositories.reservations import Places, place, reserve
from fabric_twin.switches.driver import Access
from fabric_twin.switches.fabric import open_fabric, shared_targets
from tests.nautobot.bases.fabric import FabricTestCase
from tests.nautobot.bases.run_jobs import log_in_this_transaction, run, said
from tests.nautobot.bases.users import admin, allow, somebody

SWAPS = (
    ("iw-c001:4.1.1/X+", "iw-c002:4.1.1/X+", "iw-ocs-x-1-1"),
    ("iw-c001:1.1.1/X-", "iw-c003:1.1.1/X-", "iw-ocs-x-1-1"),
)
CABLES = 3 * 96


class DiscoverCase(FabricTestCase):
    def setUp(self) -> None:
        super().setUp()
        log_in_this_transaction(self)
        self.admin = admin()

    def circuits(self) -> dict[str, frozenset[tuple[str, str]]]:
        """What switches show that show any."""
        targets = shared_targets(self.said["gnmi"], self.names.switches)
        with open_fabric(targets, (), Access.from_environment()) as fabric:
            states = fabric.read_switches().all()
        return {name: state.circuits for name, state in states.items() if state.circuits}

    def codes(self) -> list[str]:
        """What an audit by light finds now."""
        run_audit(self.pod, WHOLE_POD, How(look=observe_scope))
        there = Finding.objects.filter(pod=self.pod).exclude(state="mended")
        return sorted(there.values_list("code", flat=True))


class AcceptedTest(DiscoverCase):
    def swap(self) -> list[int]:
        return [self.break_it("swapped", cable=one, other=other) for one, other, _ in SWAPS]

    def page(self, run: AuditRun) -> str:
        response = self.client.get(run.get_absolute_url())
        self.assertHttpStatus(response, 200)
        return str(response.content.decode())

    def test_records_follow_two_swaps_and_back_and_an_audit_is_clean(self) -> None:
        faults = self.swap()
        job = run("DiscoverCables", self.admin.username, pod=self.pod.pk)
        self.assertEqual(job.status, "SUCCESS", job.result)
        self.assertRegex(said(job), rf"round 2: \d+ of {CABLES} ports found")
        found = AuditRun.objects.get(scope="cables")
        self.assertEqual(found.by_code, {"elsewhere": 4, "as-recorded": CABLES - 4})
        self.assertIn(f"{CABLES - 4} as recorded, 4 elsewhere, 0 not recorded", sentence(found))
        self.assertEqual((self.circuits(), Reservation.objects.count()), ({}, 0))
        shown = {
            row.cable: (row.was, row.now) for row in cables_shown(found, acceptable_cables(found))
        }
        for one, other, switch in SWAPS:
            self.assertEqual(shown[one], shown[other][::-1])
            self.assertIn(switch, shown[one][0])

        self.client.force_login(self.admin)
        self.assertIn("Light shows them elsewhere", self.page(found))
        self.assertIn(
            "Cables discovered", self.client.get(self.pod.get_absolute_url()).content.decode()
        )
        url = reverse("plugins:fabric_twin:auditrun_accept", args=[found.pk])
        self.assertIn(url, self.page(found))
        self.assertContains(self.client.get(url), "iw-c001:4.1.1/X+")
        ports = [one.near for one in acceptable_cables(found)]
        told = self.client.post(url, {"port": ports, "reason": "checked with a torch"}, follow=True)
        self.assertContains(told, "4 cables recorded as light shows; audited now.")
        self.assertNotIn(url, self.page(found))
        changes = ObjectChange.objects.filter(
            changed_object_type__model="cable",
            change_context_detail__contains="checked with a torch",
        )
        self.assertEqual(changes.count(), 4)

        # The plugs are put right, and the records follow once more.
        for fault in faults:
            self.control("/mend", number=fault)
        again = discover_cables(self.pod, self.admin)
        self.assertEqual(again.by_code, {"elsewhere": 4, "as-recorded": CABLES - 4})
        accept_cables(again, self.admin, ports, "they were put right")
        self.assertEqual(self.codes(), [])


class BusyTest(DiscoverCase):
    def test_what_slices_and_others_hold_is_left_alone_and_it_says_why(self) -> None:
        make_slice(self.pod, Wish(shape="4x4x4", name="train", slots=(1,)), self.admin)
        self.carried(add=True)
        before = self.circuits()
        self.assertEqual(len(before), 48)
        switch = Switch.objects.get(device__name="iw-ocs-y-2-2")
        self.break_it("missing", cable="iw-c003:1.1.1/X-")
        self.hold_port(switch, "2A")
        held = set(Reservation.objects.values_list("pk", flat=True))
        found = discover_cables(self.pod, self.admin)
        # One of a switch's four free ports is dark: light cannot tell the other three apart.
        counts = {"not-looked-at": 97, "not-shown": 1, "not-told": 3, "as-recorded": CABLES - 101}
        self.assertEqual(found.by_code, counts)
        why = {reason: told["many"] for reason, told in found.discovered["left"].items()}
        self.assertEqual(sum(why.values()), 97)
        self.assertEqual(why["a work order holds it"], 1)
        self.assertEqual(self.circuits(), before)
        self.assertEqual(set(Reservation.objects.values_list("pk", flat=True)), held)

    def hold_port(self, switch: Switch, port: str) -> None:
        """A work order has a port in hand."""
        order = make_order(self.pod, OrderWish(kind=Kind.INSTALL, slots=(9,)), self.admin)
        reserve(order, Places(frozenset({place(switch.pk, port)})))


class RefusedTest(DiscoverCase):
    def test_who_may_not_change_all_switches_is_refused_before_anything_is_asked(self) -> None:
        viewer = somebody("viewer")
        allow(viewer, ["view"], Pod, Switch, AuditRun, Cable)
        with self.assertRaisesMessage(NotPermitted, "may not change"):
            discover_cables(self.pod, viewer)
        self.assertFalse(AuditRun.objects.exists())
        self.client.force_login(viewer)
        self.assertNotContains(self.client.get(self.pod.get_absolute_url()), "/discover/")
        url = reverse("plugins:fabric_twin:pod_discover", args=[self.pod.pk])
        told = self.client.post(url, follow=True)
        self.assertContains(told, "you may not run the job Discover cables")
