"""A block comes by a work order: what it is made of, who may ask for it, what is refused, doors."""

import json
from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Cable, Device, Interface, Module, Rack

from fabric_twin.core.errors import FabricTwinError, NotPermitted
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.planning.moving import Moved
from fabric_twin.core.orders.reports import Report, Told
from fabric_twin.core.orders.steps import Do
from fabric_twin.core.topology.joining import NewBlock
from fabric_twin.models import Block, Pod, WorkOrder
from fabric_twin.operations.audits.audit import audit_pod
from fabric_twin.operations.networks.load import load_network
from fabric_twin.operations.orders.lifecycle import (
    assign_order,
    make_order,
    start_order,
    withdraw_order,
)
from fabric_twin.operations.orders.propose import OrderWish, propose_order
from fabric_twin.operations.orders.reports.offline_steps import ahead
from fabric_twin.operations.orders.reports.take_reports import take_reports
from fabric_twin.repositories.pod_record import PodRecord
from tests.nautobot.bases.networks.network_runs import FILES
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.pods.small_pod import make_devices, make_pod, status_of
from tests.nautobot.bases.users import admin, allow, somebody

FOUR, FIVE = ((FILES / f"{many}-blocks.json").read_bytes() for many in ("four", "five"))
AB05 = NewBlock("ab05", 12, 400, owner="search")


class BlockOrderCase(TestCase):
    """Four blocks over two switches, on records alone."""

    @classmethod
    def setUpTestData(cls) -> None:
        load_network("dc1", FOUR, hall())
        cls.pod = Pod.objects.get(name="dc1")

    def setUp(self) -> None:
        super().setUp()
        self.user = admin()

    def make(self, block: NewBlock | None = AB05, **wish: Any) -> WorkOrder:
        return make_order(self.pod, OrderWish(kind=Kind.INSTALL, block=block, **wish), self.user)

    def begun(self, **wish: Any) -> WorkOrder:
        order = self.make(**wish)
        assign_order(order, self.user, assignee=self.user)
        return start_order(order, self.user)

    def status(self) -> str:
        return str(Block.objects.get(name="ab05").status)

    def report(self, order: WorkOrder, last: int) -> None:
        """Report all steps up to one, labels read right."""
        steps = order.steps.filter(number__lte=last).order_by("number")
        reports = [
            Report(
                id=str(step.number),
                step=step.number,
                told=Told.DONE,
                scanned=step.cable if step.do == Do.SCAN else "",
            )
            for step in steps
        ]
        answers = take_reports(order, self.user, reports)
        self.assertEqual({answer.why for answer in answers}, {""})


class MadeTest(BlockOrderCase):
    """What an order writes when it is made, and what becomes of the block."""

    def test_it_makes_the_block_with_its_strands_and_no_cables(self) -> None:
        order = self.make()
        self.assertEqual((order.name, order.title), ("dc1-w1", "Install block ab05 of dc1"))
        block = Block.objects.get(name="ab05")
        self.assertEqual(
            (str(block.device), block.first_port, block.strands, block.rate_gbps, block.owner),
            ("dc1-ab05", 13, 12, 400, "search"),
        )
        self.assertEqual(self.status(), "Planned")
        self.assertEqual(
            (order.facts["slots"], order.wish["block"]["name"]), ([13, 14, 15], "ab05")
        )
        self.assertEqual(block.ports.count(), 12)
        self.assertEqual(
            Module.objects.filter(parent_module_bay__parent_device=block.device).count(), 6
        )
        self.assertFalse(Cable.objects.filter(label__startswith="dc1-ab05").exists())
        self.assertFalse(order.steps.filter(device=None).exclude(do__in=(Do.GO, Do.CHECK)).exists())
        self.assertFalse(order.steps.filter(rack=None).exists())
        held = order.reservations.values_list("switch__number", "port", "side")
        self.assertEqual(set(held), {(n, p, s) for n in (0, 1) for p in (13, 14, 15) for s in "AB"})
        self.assertEqual(audit_pod(PodRecord(self.pod), None).report.findings, ())

    def test_a_look_at_it_and_a_dry_run_write_nothing(self) -> None:
        wish = OrderWish(kind=Kind.INSTALL, block=AB05)
        looked = propose_order(self.pod, wish).order
        would = make_order(self.pod, wish, self.user, keep=False)
        self.assertEqual((looked.title, would.title), 2 * ("Install block ab05 of dc1",))
        self.assertEqual(self.pod.blocks.count(), 4)
        self.assertFalse(Device.objects.filter(name="dc1-ab05").exists())
        made = self.make()
        steps = made.steps.order_by("number").values_list("facts", flat=True)
        self.assertEqual([step.as_json() for step in looked.steps], list(steps))

    def test_a_block_that_is_loaded_as_planned_needs_its_name_alone(self) -> None:
        load_network("dc1", FIVE, hall(), block_status="Planned")
        self.assertFalse(Cable.objects.filter(label__startswith="dc1-ab05").exists())
        order = self.make(NewBlock("ab05"))
        self.assertEqual(order.facts["slots"], [13, 14, 15])
        self.assertEqual(
            (Block.objects.count(), Rack.objects.filter(name="dc1-ab05").count()), (5, 1)
        )

    def test_a_planned_block_that_somebody_entered_gets_its_strands(self) -> None:
        [device] = make_devices(self.pod, ["row 4 unit 2"])
        Block(
            pod=self.pod,
            name="ab05",
            device=device,
            first_port=20,
            strands=8,
            rate_gbps=100,
            status=status_of(Block, "Planned"),
        ).validated_save()
        order = self.make(NewBlock("ab05", strands=8))
        self.assertEqual(order.facts["slots"], [20, 21])
        names = (
            Interface.objects.filter(device=device).order_by("name").values_list("name", flat=True)
        )
        self.assertEqual(
            list(names), [f"m0{n}/{strand}" for n in (1, 2, 3, 4) for strand in (1, 2)]
        )

    def test_its_cables_are_awaited_until_it_is_due_and_recorded_as_they_are_plugged(self) -> None:
        order = self.begun(due=timezone.now() + timedelta(days=1))
        self.assertEqual(self.status(), "Installing")
        plug = order.steps.filter(do=Do.PLUG).order_by("number").first()
        self.report(order, plug.number)
        cable = Cable.objects.get(label="dc1-ab05:m01/1")
        self.assertEqual((str(cable.status), cable.terminations.count()), ("Planned", 1))
        self.assertEqual(audit_pod(PodRecord(self.pod), None).report.findings, ())
        WorkOrder.objects.filter(pk=order.pk).update(due=timezone.now() - timedelta(hours=1))
        found = audit_pod(PodRecord(self.pod), None).report.findings
        self.assertEqual({one.code for one in found}, {"missing"})

    def test_a_withdrawn_order_leaves_it_planned_where_no_hands_were(self) -> None:
        for _ in range(2):  # the second one takes the block that the first one left
            order = self.begun()
            withdraw_order(order, self.user, "not delivered")
            self.assertEqual(self.status(), "Planned")
        order = self.begun()
        plug = order.steps.filter(do=Do.PLUG).order_by("number").first()
        self.report(order, plug.number)
        gone = withdraw_order(order, self.user, "the rack is full")
        self.assertEqual(
            (self.status(), gone.message),
            (
                "Installing",
                "the rack is full; block ab05 is Installing: work was done there. Take it out "
                "by an order, or set its status by hand",
            ),
        )

    def test_a_phone_and_paper_speak_of_the_block(self) -> None:
        order = self.begun()
        told = ahead(order, many=40)["steps"]
        words = [step["words"] for step in told]
        self.assertEqual(
            words[1:3],
            ["fit block of 12 strands in dc1-ab05", "fit cords for power and network in dc1-ab05"],
        )
        scan = next(step for step in told if step["do"] == "scan")
        self.assertEqual(
            (scan["place"], scan["panel"], scan["other"], scan["other_rack"]["name"]),
            ("strand for 13A of switch 1", None, ["dc1-ocs-01", "13A"], "dc1-ocs-r01"),
        )
        self.client.force_login(self.user)
        page = self.client.get(order.get_absolute_url()).content.decode()
        mute = "dc1-ab05</a> has none: give it one on the page of the block"
        self.assertIn(mute, page)
        block = Block.objects.get(name="ab05")
        about = self.client.get(block.get_absolute_url()).content.decode()
        self.assertIn("nobody asks for it: the block has no address", about)
        at = {"address": "127.0.0.1:9339", "target": "dc1-ab05", "called": "dc1-ab05"}
        Block.objects.filter(pk=block.pk).update(**at)
        page = self.client.get(order.get_absolute_url()).content.decode()
        self.assertNotIn(mute, page)
        pages = [
            order.get_absolute_url(),
            reverse("plugins:fabric_twin:workorder_do", args=[order.pk]),
        ]
        pages += [
            f"{reverse('plugins:fabric_twin:workorder_document', args=[order.pk])}?form={form}"
            for form in ("html", "md", "csv", "labels")
        ]
        for page in pages:
            answer = self.client.get(page)
            self.assertHttpStatus(answer, 200)
            if page.endswith(("html", "md", "csv")):
                said = answer.content.decode().rpartition("</style>")[2]
                self.assertIn("dc1-ab05", said)
                self.assertNotRegex(said, r"(?i)cube|tray|face [XYZ]|[XYZ][+-]")


class RefusedTest(BlockOrderCase):
    """Refused with the reason, and nothing is written."""

    def refused(
        self, why: str, block: NewBlock | None = AB05, pod: Pod | None = None, **wish: Any
    ) -> str:
        before = Block.objects.count(), WorkOrder.objects.count(), Device.objects.count()
        asked = OrderWish(**{"kind": Kind.INSTALL, "block": block, **wish})
        with self.assertRaisesRegex(FabricTwinError, why) as refusal:
            make_order(pod or self.pod, asked, self.user)
        after = Block.objects.count(), WorkOrder.objects.count(), Device.objects.count()
        self.assertEqual(after, before)
        return str(refusal.exception.remedy)

    def test_a_block_that_does_not_fit(self) -> None:
        for block, why in (
            (NewBlock("ab04", 12, 400), "there is one of this name, and it is Active"),
            (NewBlock("ab05", 12, 400, 12), "port 12 of every switch is another block's"),
            (NewBlock("ab05", 10, 400), "10 strands do not spread over 2 switches"),
            (NewBlock("ab05", 512, 400), "no 128 ports in a row are free on every switch"),
            (NewBlock("ab05"), "of a new one strands and rate are not given"),
        ):
            with self.subTest(why):
                self.refused(why, block)

    def test_a_planned_block_that_is_recorded_otherwise(self) -> None:
        load_network("dc1", FIVE, hall(), block_status="Planned")
        for block, why in (
            (NewBlock("ab05", 8), "its record says strands 12, and 8 is asked for"),
            (NewBlock("ab05", first_port=20), "its record says first port 13, and 20 is asked for"),
            (NewBlock("ab05", owner="ads"), "its record says owner none, and ads is asked for"),
        ):
            with self.subTest(why):
                self.refused(why, block)

    def test_what_is_in_the_way(self) -> None:
        make_devices(self.pod, ["dc1-ab06"])
        left_over = NewBlock("ab06", 12, 400)
        self.refused("1 device has this name already, 'dc1-ab06'", left_over)
        with self.assertRaisesMessage(FabricTwinError, "1 device has this name already"):
            propose_order(self.pod, OrderWish(kind=Kind.INSTALL, block=left_over))
        self.make()
        self.refused("is reserved by work order dc1-w1", NewBlock("ab05"))
        strand, taken = (
            Interface.objects.get(device__name=device, name=name)
            for device, name in (("dc1-ab01", "m01/1"), ("dc1-ocs-01", "20A"))
        )
        cable = strand.cable_termination.cable
        cable.terminations.filter(cable_end="B").update(interface=taken)
        left = self.refused("dc1-ab01:m01/1 is in the port that", NewBlock("ab07", 12, 400, 20))
        self.assertEqual(left, "Move it, or leave its block out")

    def test_cubes_and_blocks_are_not_taken_for_each_other(self) -> None:
        self.refused("an order of the kind install names no block", None, slots=(20,))
        self.refused("an order of the kind install takes no slots", slots=(20,))
        cubes = make_pod("iw1", design="ironwood", slots=[1], location=self.pod.location)
        self.refused("an order of the kind install takes no block", pod=cubes, slots=(2,))
        self.refused("an order of the kind install names no slots", pod=cubes)

    def test_moves_say_what_to_do_instead(self) -> None:
        moves = (Moved("dc1-ab01:m01/1", "b", ("dc1-ocs-01", "20A")),)
        why = "where its cables belong follows from the ports of blocks"
        instead = (
            "Repair the finding that says that a cable is elsewhere; to move a block, take it out "
            "by an order and install it again"
        )
        self.assertEqual(self.refused(why, None, kind=Kind.MOVE, moves=moves), instead)

    def test_a_block_is_taken_out_by_its_name_once_it_drains(self) -> None:
        take_out = {"kind": Kind.DECOMMISSION}
        self.refused("an order of the kind decommission names no block", None, **take_out)
        self.refused(
            "network dc1 has no block of this name that you may view", NewBlock("ab09"), **take_out
        )
        self.refused("what it is, its record says", NewBlock("ab04", 12), **take_out)
        drain = "Set it to Draining and change the topology: then it can be taken out"
        self.assertEqual(self.refused("it is Active", NewBlock("ab04"), **take_out), drain)
        for status, why in (("Planned", "it is Planned"), ("Draining", "")):
            Block.objects.filter(name="ab04").update(status=status_of(Block, status))
            if why:
                self.refused(why, NewBlock("ab04"), **take_out)
        wish = OrderWish(kind=Kind.DECOMMISSION, block=NewBlock("ab04"))
        order = make_order(self.pod, wish, self.user)
        self.assertEqual(order.title, "Decommission block ab04 of dc1")
        done = order.steps.filter(do="take-out").values_list("facts__part", flat=True)
        self.assertEqual(list(done), ["block of 12 strands"])
        self.assertEqual(order.steps.filter(do="unplug").count(), 24)

    def test_who_may_not_add_blocks_does_not_by_an_order(self) -> None:
        planner = somebody("planner")

        def may(actions: list[str], *models: Any, **which: Any) -> None:
            allow(planner, actions, *models, **which)
            self.user = type(planner).objects.get(pk=planner.pk)

        may(["view"], Pod)
        may(["view", "add"], WorkOrder)
        self.refused("planner may not add blocks")
        may(["add"], Block, pod__name="dc2")
        may(["add"], Device, Rack)
        self.refused("planner may not add 1 of 1 blocks")
        may(["add"], Block, pod__name="dc1")
        self.assertEqual(self.make().author, planner)

    def test_a_block_that_is_hidden_is_refused_as_one_that_is_not_there(self) -> None:
        load_network("dc1", FIVE, hall(), block_status="Planned")
        self.user = somebody("planner")
        allow(self.user, ["view"], Pod)
        allow(self.user, ["view", "add"], WorkOrder, Device, Rack)
        allow(self.user, ["add"], Block)
        allow(self.user, ["view"], Block, name="ab01")
        self.user = type(self.user).objects.get(pk=self.user.pk)
        for kind in (Kind.DECOMMISSION, Kind.INSTALL):
            why = "network dc1 has no block of this name that you may view"
            for name in ("ab05", "ab09"):
                self.refused(why, NewBlock(name), kind=kind)
        self.refused("this name cannot be given to it", NewBlock("ab05", 12, 400))

    def test_who_may_not_add_orders(self) -> None:
        self.user = somebody("reader")
        allow(self.user, ["view"], Pod)
        with self.assertRaises(NotPermitted):
            self.make()


class DoorTest(BlockOrderCase):
    """The page of the network, the form, and REST."""

    def setUp(self) -> None:
        super().setUp()
        self.client.force_login(self.user)

    def test_the_page_of_the_network_leads_to_the_form_and_the_form_to_an_order(self) -> None:
        form = f"{reverse('plugins:fabric_twin:workorder_add')}?kind=block"
        page = self.client.get(self.pod.get_absolute_url()).content.decode()
        self.assertRegex(page, r"Install Block\s*</a>")
        self.assertIn(f"{form}&amp;pod={self.pod.pk}", page.replace("&amp;amp;", "&amp;"))
        self.assertNotRegex(page, r"Work order\s*</a>")
        empty = self.client.get(form).content.decode()
        for name in ("name", "strands", "rate_gbps", "first_port", "owner", "crews", "due"):
            self.assertIn(f'name="{name}"', empty)
        for name in ("slots", "findings", "interrupt", "route"):
            self.assertNotIn(f'name="{name}"', empty)
        asked = {
            "pod": str(self.pod.pk),
            "name": "ab05",
            "strands": 12,
            "rate_gbps": 400,
            "crews": 1,
        }
        repair = self.client.get(f"{form.replace('=block', '=repair')}&pod={self.pod.pk}")
        self.assertNotIn("Interrupt slices", repair.content.decode())
        look = self.client.post(form, asked).content.decode()
        for said in ("Install block ab05 of dc1", "block of 12 strands", "cords for power"):
            self.assertIn(said, look)
        self.assertFalse(WorkOrder.objects.exists())
        refused = self.client.post(form, asked | {"first_port": 12, "make": "1"})
        self.assertIn("port 12 of every switch is", refused.content.decode())
        made = self.client.post(form, asked | {"make": "1"})
        order = WorkOrder.objects.get()
        self.assertRedirects(made, order.get_absolute_url())

    def test_over_rest(self) -> None:
        url = reverse("plugins-api:fabric_twin-api:workorder-list")

        def post(block: Any, status: int) -> Any:
            asked = {"pod": "dc1", "kind": "install", "block": block}
            answer = self.client.post(url, json.dumps(asked), content_type="application/json")
            self.assertHttpStatus(answer, status)
            return answer.json()

        self.assertIn("strands and rate are not given", str(post({"name": "ab05"}, 400)))
        self.assertIn("strands", post({"name": "ab05", "strands": 0}, 400)["block"])
        self.assertIn("rate", str(post({"name": "ab05", "rate": 400}, 400)))
        made = post({"name": "ab05", "strands": 12, "rate_gbps": 400}, 201)
        self.assertEqual(
            (made["title"], made["wish"]["block"]["strands"]), ("Install block ab05 of dc1", 12)
        )
        facts = self.client.get(f"{url}{made['id']}/facts/").json()
        self.assertEqual(
            [cable["a"] for cable in facts["cables"]][:2],
            [["dc1-ab05", "m01/1"], ["dc1-ab05", "m01/2"]],
        )
