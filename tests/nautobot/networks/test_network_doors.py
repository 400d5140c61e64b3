"""Doors offer for a network what it can do, and refuse the rest with what to do instead."""

import re

from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Rack

from fabric_twin.filters import PodFilterSet
from fabric_twin.forms import FindingFilterForm
from fabric_twin.models import Cube, Demand, Finding, Pod, Switch
from fabric_twin.operations.orders.finding_acts import possible_acts
from fabric_twin.operations.orders.findings_to_mend import check_manual
from fabric_twin.tasks import jobs
from tests.nautobot.bases.networks.small_network import (
    FIRST_DAY,
    add_demand,
    load_small_network,
    make_network,
)
from tests.nautobot.bases.pods.small_pod import make_location, make_pod, status_of
from tests.nautobot.bases.run_jobs import FAILURE, SUCCESS, log_in_this_transaction, run, said
from tests.nautobot.bases.users import admin


class OfferedTest(TestCase):
    """Buttons of pages, and the operations behind them."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.network = load_small_network()
        cls.pod = make_pod("iw1", design="ironwood", slots=[1], location=cls.network.location)

    def setUp(self) -> None:
        super().setUp()
        self.client.force_login(admin())

    def offered(self, record: Switch | Finding | Pod) -> set[str]:
        """What the buttons of a page say."""
        page = self.client.get(record.get_absolute_url()).content.decode()
        return set(
            re.findall(r"</span>\s*([A-Z][A-Za-z]+(?: [a-zA-Z]+){0,3})\s*</(?:a|button)>", page)
        )

    def finding(self, pod: Pod) -> Finding:
        """One that is not seen any more and takes hands."""
        seen = dict.fromkeys(("first_seen", "opened", "last_seen"), timezone.now())
        return Finding.objects.create(
            pod=pod,
            key="dirt",
            code="dark",
            severity="error",
            cause="it was found",
            remedy=[{"do": "clean", "text": "Clean it"}],
            seen=False,
            **seen,
        )

    def test_a_switch_of_a_network_has_maintenance_and_no_port_map(self) -> None:
        tickets = {"Maintenance", "Return to Service"}
        for pod, there in ((self.pod, {"Print port map"}), (self.network, set())):
            with self.subTest(pod.name):
                offered = self.offered(pod.switches.first())
                self.assertLessEqual(tickets, offered)
                self.assertEqual(offered & {"Print port map"}, there)
                self.assertIn("Print labels", offered)

    def test_a_finding_has_an_order_and_a_ticket(self) -> None:
        acts = {"Repair order", "Ticket", "Acknowledge", "Silence", "Light test"}
        for pod in (self.pod, self.network):
            with self.subTest(pod.name):
                finding = self.finding(pod)
                self.assertLessEqual(acts, self.offered(finding))
                self.assertLessEqual({"repair", "ticket"}, possible_acts(finding, admin()))
                self.assertEqual(check_manual([finding]), pod)

    def test_a_block_is_taken_out_from_its_page(self) -> None:
        block = self.network.blocks.first()
        self.assertIn("Take out", self.offered(block))
        url = reverse("plugins:fabric_twin:workorder_add") + "?kind=block-out"
        wish = {"pod": self.network.pk, "block": block.pk, "crews": 1, "look": "1"}
        page = self.client.post(url, wish).content.decode()
        self.assertIn("Take a block out", page)
        self.assertIn("Set it to Draining and change the topology", page)

    def test_choosers_ask_for_pods_of_cubes_or_for_networks(self) -> None:
        for asked, there in (("true", [self.network]), ("false", [self.pod])):
            self.assertEqual(list(PodFilterSet({"is_network": asked}).qs), there)
        [demand] = [job for job in jobs if job.__name__ == "ImportDemand"]
        chooser = demand.as_form_class()().fields["network"]
        self.assertEqual(chooser.query_params["is_network"], "true")
        for url, asked in (
            (reverse("plugins:fabric_twin:slice_add"), "false"),
            (reverse("plugins:fabric_twin:workorder_add"), "false"),
            (reverse("plugins:fabric_twin:ticket_add") + "?kind=slice", "false"),
            (reverse("plugins:fabric_twin:cube_add"), "false"),
            (reverse("plugins:fabric_twin:block_add"), "true"),
        ):
            with self.subTest(url):
                page = self.client.get(url).content.decode()
                self.assertIn(f'data-query-param-is_network="[&quot;{asked}&quot;]"', page)

    def test_findings_can_be_listed_by_block(self) -> None:
        self.assertIn("block", FindingFilterForm().fields)


class KeptTest(TestCase):
    """Networks have blocks, pods have cubes, and neither becomes the other."""

    def test_a_network_takes_no_cube(self) -> None:
        pod, location = make_network("dc1"), make_location("elsewhere")
        rack = Rack.objects.create(name="r1", location=location, status=status_of(Rack))
        cube = Cube(pod=pod, slot=1, rack=rack, status=status_of(Cube))
        with self.assertRaisesMessage(ValidationError, "Choose a pod of cubes."):
            cube.full_clean()

    def test_blocks_demand_and_cubes_keep_the_design(self) -> None:
        demanded = Pod.objects.create(
            name="dc2",
            design="network-2",
            location=make_location("Hall of dc2"),
            status=status_of(Pod),
        )
        Demand.objects.create(pod=demanded, day=FIRST_DAY, gbps=[["ab01", "ab02", 1.0]])
        of_network = "Its blocks and demand are of network-2: delete them first."
        for pod, design, why in (
            (make_network("dc1"), "ironwood", of_network),
            (demanded, "network-4", of_network),
            (make_pod("iw1", design="ironwood", slots=[1]), "network-2", "this pod has cubes"),
        ):
            pod.design = design
            for write in (pod.full_clean, pod.save):
                with self.subTest(pod.name), self.assertRaisesMessage(ValidationError, why):
                    write()
        Demand.objects.all().delete()
        demanded.full_clean()


class RenderDocumentsTest(TestCase):
    """What does not fit the pod or the kind is refused, and nothing is attached."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.network = load_small_network()
        cls.pod = make_pod("iw1", design="ironwood", slots=[1], location=cls.network.location)
        cls.block = cls.network.blocks.get(name="ab02").pk
        cls.switch = cls.network.switches.get(number=1).pk
        add_demand(cls.network, [("ab01", "ab02", 1.0)])

    def setUp(self) -> None:
        super().setUp()
        admin()
        log_in_this_transaction(self)

    def refuses(self, pod: Pod, kind: str, why: str, **named: object) -> None:
        with self.subTest(kind, pod=pod.name, **named):
            form = "html" if kind != "labels" else "csv"
            result = run("RenderDocuments", pod=pod.pk, kind=kind, form=form, **named)
            self.assertEqual((result.status, result.files.count()), (FAILURE, 0))
            self.assertIn(why, said(result))

    def test_a_network_has_documents_of_one_block_or_one_switch(self) -> None:
        block, switch, network = self.block, self.switch, self.network
        for kind, named, name in (
            ("block-map", {"block": block}, "dc1-ab02-block-map.html"),
            ("switch-map", {"switch": switch}, "dc1-ocs-02-switch-map.html"),
            ("cut-list", {"block": block}, "dc1-ab02-cut-list.html"),
            ("link-matrix", {}, "dc1-link-matrix.html"),
        ):
            with self.subTest(kind):
                made = run("RenderDocuments", pod=network.pk, kind=kind, form="html", **named)
                self.assertEqual(made.status, SUCCESS, said(made))
                self.assertEqual([file.name for file in made.files.all()], [name])
        leave_out = "a document of a network is not of a cube. Leave the cube out."
        self.refuses(network, "block-map", leave_out, cube=1)
        port = "a document of a network is not of a port. Leave the port out."
        self.refuses(network, "labels", port, port="c001:1.1.1/X+")
        both = "a block and a switch are named. Leave one of them out."
        self.refuses(network, "cut-list", both, block=block, switch=switch)
        self.refuses(network, "block-map", "a block-map is not of a switch.", switch=switch)
        self.refuses(network, "switch-map", "a switch-map is not of a block.", block=block)
        self.refuses(network, "link-matrix", "a link-matrix is not of a block.", block=block)
        self.refuses(network, "face-map", "a network has no face-map. Use one of")

    def test_what_is_named_is_of_the_pod(self) -> None:
        self.refuses(
            self.network,
            "switch-map",
            "is of pod iw1. Name one of the pod, or none for all of it.",
            switch=self.pod.switches.first().pk,
        )
        for kind, named in (
            ("port-map", {"switch": self.switch}),
            ("labels", {"block": self.block}),
        ):
            self.refuses(self.pod, kind, "is of pod dc1.", **named)
