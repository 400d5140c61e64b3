"""What pages say and draw of a cluster, its groups and its packet switches."""

import html
import io
import re
from typing import Any

from django.urls import reverse
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Cable, Interface
from nautobot.extras.models import Status
from pypdf import PdfReader

from fabric_twin.models import Cube, Finding, Pod, Port, Switch
from fabric_twin.operations.audits.run import run_audit
from fabric_twin.operations.pods.load import load_pod
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.users import admin, allow, somebody


class PagesOfClustersTest(TestCase):
    """A cluster of which a cable is missing and an uplink is on another lane's switch."""

    @classmethod
    def setUpTestData(cls) -> None:
        load_pod("g", "small-cluster", hall())
        cls.pod = Pod.objects.get()
        Cable.objects.get(label="g-r02c01:4.1/S3").delete()
        uplink = Cable.objects.get(label="g-row-02-1-2:49")
        near = uplink.termination_a
        uplink.delete()
        Cable(
            label="g-row-02-1-2:49",
            status=Status.objects.get_for_model(Cable).get(name="Connected"),
            termination_a=near,
            termination_b=Interface.objects.get(device__name="g-row-t1-1-3-1", name="60"),
        ).validated_save()
        run_audit(cls.pod)

    def setUp(self) -> None:
        super().setUp()
        self.client.force_login(admin())

    def page(self, record: Any) -> str:
        answer = self.client.get(record.get_absolute_url(), follow=True)
        self.assertHttpStatus(answer, 200)
        body = re.sub(r"(?s).*<main|<script.*?</script>", "", answer.content.decode())
        said = " ".join(re.sub(r"<[^>]+>", " ", body).split())
        return html.unescape(said).replace(" Copy ", " ")

    def test_a_cluster_is_drawn_by_row_and_column(self) -> None:
        said = self.page(self.pod)
        for words in (
            "slot 3, g-r02c01, active, free, 1 finding r02c01",
            "Processors 64 of 64",
            "Cables 287 of 288",
            "Load Groups",
            "1 port of groups without a cable",
        ):
            self.assertIn(words, said)
        for words in ("Make Slice", "Install Block", "cubes"):
            self.assertNotIn(words, said)

    def test_a_group_is_drawn_with_its_edges_and_what_is_missing(self) -> None:
        said = self.page(Cube.objects.get(slot=3))
        for words in (
            "Place row 2, column 1 of groups",
            "Processors 16, 4x4",
            "Copper inside 72 links",
            "Ports with a cable 47 of 48",
            "Group map of g-r02c01",
            "g-r02c01 4.1/S3, no cable; wrong: missing: g-r02c01:4.1/S3 is missing",
            "Print group map",
        ):
            self.assertIn(words, said)
        self.assertNotIn("Faces", said)
        self.assertNotIn("slices are of cubes", said)

    def test_a_switch_is_drawn_with_what_each_port_leads_to(self) -> None:
        switch = Switch.objects.get(device__name="g-row-02-1-2")
        said = self.page(switch)
        for words in (
            "Serves row 2 of groups: row 1 of processors, lane 2",
            "Ports with a cable 6 of 64",
            "g-row-02-1-2 49, cabled to g-row-t1-1-3-1 60; wrong: crossed-lane",
        ):
            self.assertIn(words, said)
        for words in ("ircuits", "SONiC"):
            self.assertNotIn(words, said)

    def test_ports_racks_and_devices_say_where_they_are(self) -> None:
        port = Port.objects.get(interface__name="4.1/S3", cube__slot=3)
        said = self.page(port)
        self.assertIn("4.1/S3 of group r02c01", said)
        self.assertNotIn("Light path", said)
        group = Cube.objects.get(slot=3)
        for record in (group.rack, port.interface.device):
            self.assertIn("g group 3", self.page(record))
        device = Switch.objects.get(device__name="g-row-02-1-2").device
        self.assertIn("row 2 of groups", self.page(device))

    def test_findings_and_lists_are_shown(self) -> None:
        for one in Finding.objects.all():
            self.assertIn(one.code, self.page(one))
        for model in ("pod", "cube", "switch", "port", "finding", "auditrun"):
            answer = self.client.get(reverse(f"plugins:fabric_twin:{model}_list"))
            self.assertHttpStatus(answer, 200)

    def test_maps_are_printed_as_they_are_recorded(self) -> None:
        group = Cube.objects.get(slot=3)
        url = reverse("plugins:fabric_twin:cube_print", args=[group.pk])
        answer = self.client.get(url, {"document": "group-map"})
        self.assertEqual(answer["Content-Type"], "application/pdf")
        pages = PdfReader(io.BytesIO(answer.content)).pages
        text = " ".join(" ".join(page.extract_text().split()) for page in pages)
        self.assertIn("47 of 48 ports have a cable", text)
        self.assertIn("is missing", text)

    def test_what_a_user_may_not_see_is_not_drawn(self) -> None:
        user = somebody("guest")
        allow(user, ["view"], Pod)
        self.client.force_login(user)
        said = self.page(self.pod)
        self.assertNotIn("g-r02c01", said)
        self.assertIn("a hidden group", said)
