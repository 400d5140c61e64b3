"""Work orders on a simulated cluster: each step reported, and neighbours asked what is right."""

from django.urls import reverse
from nautobot.dcim.models import Cable, Device, Rack

from fabric_twin.core.errors import FabricTwinError, NotPermitted
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.planning.moving import Moved
from fabric_twin.core.orders.steps import Do
from fabric_twin.models import Cube, Finding, Reservation, Switch, WorkOrder
from fabric_twin.operations.audits.run import run_audit
from fabric_twin.operations.discovery.accept import accept_cables
from fabric_twin.operations.discovery.discover import discover_cables
from fabric_twin.operations.discovery.kept import acceptable_cables
from fabric_twin.operations.orders.fabric.advance import advance
from fabric_twin.operations.orders.fabric.check_bundles import Checked, check_bundles
from fabric_twin.operations.orders.lifecycle import make_order, withdraw_order
from fabric_twin.operations.orders.propose import OrderWish, propose_order
from fabric_twin.operations.orders.reports.take_reports import take_reports
from fabric_twin.operations.pods.load import load_pod
from tests.nautobot.bases.clusters import ClusterTestCase
from tests.nautobot.bases.orders.order_on_fabric import OrderOnFabricCase
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.users import allow, somebody

#: Two chains whose cables to a switch are exchanged, and an uplink of another.
SWAPPED = {"cable": "g-r01c02:1.1/W1", "other": "g-r01c03:1.1/W1"}
UPLINK = "g-row-03-1-1:9"
#: One that the simulated plant has by another name, once hands laid it anew.
LAID = "g-row-02-1-1:9"


class ClusterOrderCase(ClusterTestCase, OrderOnFabricCase):
    """The cluster `g`; whoever works may do everything."""

    def found(self) -> list[Finding]:
        """What an audit of the records finds."""
        run_audit(self.pod)
        open_ = Finding.objects.filter(pod=self.pod).exclude(state="mended")
        return list(open_.order_by("code", "key"))

    def as_plugged(self) -> None:
        """Records follow what neighbours show."""
        shown = discover_cables(self.pod, self.admin)
        accept_cables(shown, self.admin, [one.near for one in acceptable_cables(shown)], "seen")

    def checked(self, order: WorkOrder) -> list[Checked]:
        return check_bundles(order, self.admin, settle=0)

    def said_of(self, order: WorkOrder) -> list[str]:
        """The lines of its history."""
        return [f"{one.what}: {one.said}" for one in order.events.order_by("number")]


class RepairTest(ClusterOrderCase):
    """Swapped cables of groups, and an uplink that is out."""

    def test_a_swap_is_verified_by_whom_both_ends_hear_and_closed(self) -> None:
        self.break_it("swapped", **SWAPPED)
        self.as_plugged()
        [finding] = self.found()
        self.assertEqual(finding.code, "swapped")
        order = self.begun(Kind.REPAIR, findings=(finding,))
        self.assertEqual(
            (order.title, order.facts["needs"], order.reservations.count()),
            ("Repair 1 finding of g", [], 0),
        )
        self.assertFalse(order.steps.filter(do__in=(Do.BLOCK, Do.RELEASE)).exists())
        self.assertEqual(self.go_on(order).why, "")

        # What was reported was not done: both ends say so, and the order is not believed.
        [checked] = self.checked(order)
        self.assertFalse(checked.agrees)
        self.assertIn(
            "g-r01c02 port 1.1/W1 hears g-row-01-1-1 port 5, and not g-row-01-1-1 port 3",
            checked.why,
        )
        self.assertIn("neighbours differ", " ".join(self.said_of(order)))
        self.client.force_login(self.admin)
        page = self.client.get(order.get_absolute_url())
        self.assertContains(page, "failed: neighbours differ")
        finding.refresh_from_db()
        self.assertNotEqual(finding.state, "mended")

        self.go_on(order)
        self.work([{**step} for step in finding.remedy])
        self.assertEqual([one.agrees for one in self.checked(order)], [True])
        order.refresh_from_db()
        finding.refresh_from_db()
        self.assertEqual((finding.state, order.state), ("mended", "done"))
        self.assertIn(f"neighbours agree: {finding.key}", self.said_of(order))
        self.assertEqual(discover_cables(self.pod, self.admin).by_code, {"as-recorded": 30})

    def test_an_uplink_is_laid_again_between_two_switches(self) -> None:
        self.work([{"do": "remove", "cable": LAID}])
        Cable.objects.get(label=LAID).delete()
        [finding] = self.found()
        self.assertEqual(finding.code, "missing")
        order = self.begun(Kind.REPAIR, findings=(finding,))
        [laid] = order.facts["cables"]
        self.assertEqual(laid["cable"], LAID)
        [part] = [one["part"] for one in order.facts["materials"]]
        self.assertEqual(part.rpartition(",")[0], "cable, full duplex")
        self.assertEqual(self.go_on(order).why, "")
        self.assertIn("g-row-02-1-1 port 9 hears nobody", advance(order))
        order.refresh_from_db()
        self.assertEqual(order.state, "under way")
        self.go_on(order)
        self.work([{**step} for step in finding.remedy])
        self.assertEqual([one.agrees for one in self.checked(order)], [True])
        order.refresh_from_db()
        finding.refresh_from_db()
        self.assertEqual((finding.state, order.state), ("mended", "done"))
        cable = Cable.objects.get(label=LAID)
        self.assertEqual((str(cable.status), cable.terminations.count()), ("Connected", 2))

    def test_a_switch_that_is_silent_is_asked_again_later(self) -> None:
        Cable.objects.get(label=UPLINK).delete()
        [finding] = self.found()
        order = self.begun(Kind.REPAIR, findings=(finding,))
        self.go_on(order)
        self.break_it("cube-down", device="g-row-03-1-1")
        [checked] = self.checked(order)
        self.assertEqual((checked.agrees, checked.later), (False, True))
        self.assertIn("g-row-03-1-1", checked.why)
        self.settle()
        self.assertEqual([one.agrees for one in self.checked(order)], [True])
        order.refresh_from_db()
        self.assertEqual(order.state, "done")

    def test_of_an_end_without_an_address_the_other_end_tells(self) -> None:
        Switch.objects.filter(device__name="g-row-03-1-1").update(address="", target="")
        Cable.objects.get(label=UPLINK).delete()
        self.break_it("missing", cable=UPLINK)
        [finding] = self.found()
        order = self.begun(Kind.REPAIR, findings=(finding,))
        self.go_on(order)
        self.assertIn("hears nobody", self.checked(order)[0].why)
        self.go_on(order)
        self.settle()
        self.assertEqual([one.agrees for one in self.checked(order)], [True])
        order.refresh_from_db()
        self.assertEqual(order.state, "done")

    def test_without_addresses_an_audit_of_the_records_tells(self) -> None:
        for rows in (self.pod.switches, self.pod.cubes):
            rows.update(address="", target="")
        Cable.objects.get(label=UPLINK).delete()
        [finding] = self.found()
        order = self.begun(Kind.REPAIR, findings=(finding,))
        self.go_on(order)
        self.assertEqual([one.agrees for one in self.checked(order)], [True])
        order.refresh_from_db()
        finding.refresh_from_db()
        self.assertEqual((finding.state, order.state), ("mended", "done"))
        self.assertIn(f"records agree: {finding.key}", self.said_of(order))

    def test_pages_speak_of_neighbours_and_of_no_light(self) -> None:
        Cable.objects.get(label=UPLINK).delete()
        [finding] = self.found()
        self.client.force_login(self.admin)
        page = self.client.get(finding.get_absolute_url())
        self.assertContains(page, "Repair order")
        form = {"pod": self.pod.pk, "findings": [finding.pk], "crews": 1, "route": "racks-once"}
        wish = f"{reverse('plugins:fabric_twin:workorder_add')}?kind=repair&pod={self.pod.pk}"
        looked = self.client.post(wish, form)
        self.assertContains(looked, "No ticket is needed.")
        self.assertNotContains(looked, "id_interrupt")
        self.client.post(wish, form | {"make": "1"}, follow=True)
        order = WorkOrder.objects.get()
        page = self.client.get(order.get_absolute_url())
        self.assertContains(page, "neighbours are asked for: missing at ")
        self.assertNotContains(page, "light is tested")
        do = reverse("plugins:fabric_twin:workorder_do", args=[order.pk])
        self.assertEqual(self.client.get(do).status_code, 200)
        for form_ in ("html", "pdf", "csv", "md", "json", "labels"):
            paper = reverse("plugins:fabric_twin:workorder_document", args=[order.pk])
            self.assertEqual(self.client.get(f"{paper}?form={form_}").status_code, 200, form_)
        html = self.client.get(f"{paper}?form=html").content.decode()
        self.assertIn("Cluster g (small-chains)", html)
        for record in (self.pod, self.pod.cubes.first(), self.pod.switches.first()):
            self.assertEqual(self.client.get(record.get_absolute_url()).status_code, 200)

    def test_who_may_not_is_refused_and_a_withdrawn_order_frees_its_finding(self) -> None:
        Cable.objects.get(label=UPLINK).delete()
        [finding] = self.found()
        nobody = somebody("nobody")
        with self.assertRaises(FabricTwinError):
            make_order(self.pod, OrderWish(kind=Kind.REPAIR, findings=(finding,)), nobody)
        order = self.begun(Kind.REPAIR, findings=(finding,))
        step = order.steps.filter(do=Do.SCAN).first()
        with self.assertRaises(NotPermitted):
            take_reports(order, nobody, [self.report(step)])
        with self.assertRaises(NotPermitted):
            check_bundles(order, nobody, settle=0)
        withdraw_order(order, self.admin, "not now")
        self.assertEqual([one.state for one in self.found()], ["open"])
        self.assertFalse(Reservation.objects.exists())

    def test_moves_are_refused_in_words(self) -> None:
        wish = OrderWish(kind=Kind.MOVE, moves=(Moved(UPLINK, "b", ("g-row-01-1-1", "20")),))
        with self.assertRaisesMessage(FabricTwinError, "each of its cables belongs on one port"):
            propose_order(self.pod, wish)


class InstallTest(ClusterOrderCase):
    """The simulated cluster has all its groups; the records lack one."""

    @classmethod
    def setUpTestData(cls) -> None:
        load_pod("g", "small-chains", hall(), slots=tuple(range(1, 12)), address=cls.said["gnmi"])

    def test_a_group_comes_and_is_active_once_neighbours_agree(self) -> None:
        self.assertEqual(self.found(), [])
        order = self.begun(Kind.INSTALL, slots=(12,))
        group = Cube.objects.get(slot=12)
        self.assertEqual(
            (order.title, str(group.rack), str(group.status)),
            ("Install group r04c03 of g", "g-r04c03", "Installing"),
        )
        self.assertEqual(Device.objects.filter(rack=group.rack).count(), 1)
        self.assertEqual(self.found(), [], "what is to come is not missed")
        [bundle] = order.facts["bundles"]
        self.assertEqual(self.go_on(order).why, "")
        self.assertEqual(self.found(), [])
        [checked] = self.checked(order)
        self.assertEqual((checked.bundle, checked.agrees), (bundle["name"], True))
        order.refresh_from_db()
        self.assertEqual((str(Cube.objects.get(slot=12).status), order.state), ("Active", "done"))
        self.assertEqual(discover_cables(self.pod, self.admin).by_code, {"as-recorded": 30})

    def test_a_withdrawn_one_leaves_a_planned_group(self) -> None:
        order = self.begun(Kind.INSTALL, slots=(12,))
        withdraw_order(order, self.admin, "not delivered")
        self.assertEqual(str(Cube.objects.get(slot=12).status), "Planned")
        order = self.begun(Kind.INSTALL, slots=(12,))
        self.go_on(order)
        gone = withdraw_order(order, self.admin, "no power")
        self.assertIn("groups in slots 12 are Installing: work was done there", gone.message)

    def test_what_stands_already_is_refused(self) -> None:
        with self.assertRaisesMessage(FabricTwinError, "groups stand in slots 3"):
            propose_order(self.pod, OrderWish(kind=Kind.INSTALL, slots=(3,)))

    def test_who_may_not_add_a_group_installs_none(self) -> None:
        clerk = somebody("clerk")
        allow(clerk, ["view", "add"], WorkOrder)
        with self.assertRaises(FabricTwinError):
            make_order(self.pod, OrderWish(kind=Kind.INSTALL, slots=(12,)), clerk)
        self.assertFalse(Cube.objects.filter(slot=12).exists())
        self.assertFalse(Rack.objects.filter(name="g-r04c03").exists())
        self.assertFalse(WorkOrder.objects.exists())


class TakeOutTest(ClusterOrderCase):
    """A group goes."""

    def test_a_group_is_out_once_its_cables_are_and_nobody_misses_them(self) -> None:
        order = self.begun(Kind.DECOMMISSION, slots=(5,))
        self.assertEqual(str(Cube.objects.get(slot=5).status), "Draining")
        self.assertEqual(self.go_on(order).why, "")
        self.assertEqual(self.found(), [])
        # What was reported was not done: switches hear the group still, and it is not out.
        self.assertIn("g-row-02-1-1 port 3 hears g-r02c02 port 1.1/W1", advance(order))
        order.refresh_from_db()
        self.assertEqual(
            (order.state, str(Cube.objects.get(slot=5).status)), ("under way", "Draining")
        )
        self.go_on(order)
        self.work([{"do": "remove", "cable": f"g-r02c02:{port}"} for port in ("1.1/W1", "1.5/E1")])
        self.assertEqual([one.agrees for one in self.checked(order)], [True])
        self.go_on(order)
        run_audit(self.pod)
        order.refresh_from_db()
        self.assertEqual((order.state, str(Cube.objects.get(slot=5).status)), ("done", "Out"))
        self.assertFalse(Cable.objects.filter(label__startswith="g-r02c02").exists())
        self.assertEqual(self.found(), [])

    def test_without_addresses_the_audit_of_the_records_tells(self) -> None:
        for rows in (self.pod.switches, self.pod.cubes):
            rows.update(address="", target="")
        order = self.begun(Kind.DECOMMISSION, slots=(5,))
        self.go_on(order)
        self.assertEqual([one.agrees for one in self.checked(order)], [True])
        self.go_on(order)
        run_audit(self.pod)
        order.refresh_from_db()
        self.assertEqual((order.state, str(Cube.objects.get(slot=5).status)), ("done", "Out"))

    def test_rest_and_a_phone_speak_of_groups(self) -> None:
        self.client.force_login(self.admin)
        url, kind = "/api/plugins/fabric-twin/work-orders/", "application/json"
        body = {"pod": "g", "kind": "decommission", "slots": "5"}
        made = self.client.post(url, body, content_type=kind).json()
        self.assertEqual(made["title"], "Decommission group r02c02 of g")
        steps = self.client.get(f"{url}{made['id']}/ahead/").json()["steps"]
        at_switch = next(step for step in steps if step["do"] == "unplug")
        self.assertEqual(
            (at_switch["words"], at_switch["place"], at_switch["panel"], at_switch["guarded"]),
            (
                "unplug g-r02c02:1.1/W1 from g-row-02-1-1 port 3",
                "port 3 of row-02-1-1",
                {"of": "switch", "name": "3", "ports": 64},
                False,
            ),
        )
        at_group = [step for step in steps if step["device"] == "g-r02c02"]
        self.assertEqual({step["panel"] for step in at_group}, {None})
        self.assertEqual(at_group[-1]["words"], "take group of 5 processors out of g-r02c02")
        refused = self.client.post(url, body | {"block": {"name": "x"}}, content_type=kind)
        self.assertEqual(refused.status_code, 400)
