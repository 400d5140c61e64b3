"""A name on a page is a link to what is called so, where the user may see that."""

import re
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Cable, Device, Rack

from fabric_twin.core.orders.order import Kind
from fabric_twin.models import Finding, OrderEvent, Pod, Port, Slice, Switch, Ticket, WorkOrder
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.presenters.name_links import NameLinks
from tests.nautobot.bases.audits.small_findings import pod_with_findings
from tests.nautobot.bases.pods.one_pod import see_one_pod
from tests.nautobot.bases.pods.small_pod import status_of
from tests.nautobot.bases.tickets.small_tickets import write_ticket

#: What a user of the pod may see beside an order; devices, racks and cables are Nautobot's own.
OF_THE_POD = {
    Pod: "name",
    WorkOrder: "pod__name",
    Finding: "pod__name",
    Switch: "pod__name",
    Device: "name__startswith",
    Rack: "name__startswith",
}


class NamesAreLinksTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.admin = get_user_model().objects.create_superuser("lead")
        cls.pod = pod_with_findings("s")
        cls.finding = cls.pod.findings.order_by("key").first()
        cls.order = make_order(
            cls.pod, OrderWish(kind=Kind.REPAIR, findings=(cls.finding,)), cls.admin
        )
        cls.slice = Slice.objects.create(
            pod=cls.pod, name="train-1", shape="4x4x4", status=status_of(Slice)
        )
        cls.ticket = write_ticket(cls.pod, cls.admin, 4, slice=cls.slice, finding=cls.finding)
        cls.order.tickets.add(cls.ticket)
        OrderEvent.objects.create(
            order=cls.order, number=9, at=timezone.now(), what="ticket", said="s-t4 for drain 1"
        )
        cls.finding.refresh_from_db()

    def links(self, url: str) -> dict[str, str]:
        """What is linked in the middle of a page: words, and where they lead."""
        response = self.client.get(url, headers={"HX-Request": "true"} if "?" in url else {})
        self.assertHttpStatus(response, 200)
        page = response.content.decode()
        main = page.split("<main", 1)[-1]
        found = re.findall(r'<a href="([^"#?]+)"[^>]*>([^<]+)</a>', main)
        return {words.strip(): to for to, words in found}

    def everything(self) -> dict[str, str]:
        """What the pages of this test name, by name."""
        cable = Cable.objects.get(pk=self.finding.places.exclude(cable=None).get().cable_id)
        rack = Rack.objects.get(name="s-c001")
        records: list[Any] = [self.ticket, self.order, self.slice, rack]
        return {str(one): one.get_absolute_url() for one in records} | {
            cable.label: cable.get_absolute_url(),
            self.finding.key: self.finding.get_absolute_url(),
        }

    def all_seen(self) -> None:
        self.user.is_superuser = True
        self.user.save()

    def test_an_order_leads_to_its_ticket_racks_cables_and_finding(self) -> None:
        self.all_seen()
        found, named = self.links(self.order.get_absolute_url()), self.everything()
        for name in ("s-t4", self.finding.key, "s-c001"):
            self.assertEqual(found.get(name), named[name], name)
        cables = [name for name in found if name in set(Cable.objects.values_list("label", flat=1))]
        self.assertTrue(cables, found)
        switches = {one.device.name: one.get_absolute_url() for one in self.pod.switches.all()}
        at = next(name for name in found if name in switches)
        self.assertEqual(found[at], switches[at])

    def test_a_ticket_leads_to_its_pod_switches_slice_finding_and_order(self) -> None:
        self.all_seen()
        found, named = self.links(self.ticket.get_absolute_url()), self.everything()
        self.assertEqual(found["train-1"], named["train-1"])
        self.assertEqual(found[str(self.finding)], self.finding.get_absolute_url())
        self.assertEqual(found[str(self.order)], named[str(self.order)])
        self.assertEqual(found["s (small)"], self.pod.get_absolute_url())

    def test_a_finding_leads_to_the_order_that_works_on_it(self) -> None:
        self.all_seen()
        self.assertIn(str(self.order), self.finding.worked_on)
        url = self.order.get_absolute_url()
        self.assertEqual(self.links(self.finding.get_absolute_url())[str(self.order)], url)
        rows = reverse("plugins:fabric_twin:finding_list")
        self.assertEqual(self.links(f"{rows}?state=working")[str(self.order)], url)

    def test_the_cause_of_a_finding_leads_to_its_cable_devices_and_ports(self) -> None:
        self.all_seen()
        page = self.client.get(self.finding.get_absolute_url()).content.decode()
        cause = re.search(r'<span id="_value_cause">(.*?)</span>', page)
        self.assertEqual(cause and cause.group(1), self.told_of_cause())

    def told_of_cause(self) -> str:
        """The cause, each name in it a link."""
        cable = self.finding.places.exclude(cable=None).get().cable
        told = f'<a href="{cable.get_absolute_url()}">{cable.label}</a> is missing between '
        ends = []
        for port in Port.objects.filter(finding_places__finding=self.finding).order_by("number"):
            device = port.interface.device
            leads = Switch.objects.filter(device=device).first() or device
            ends.append(
                f'<a href="{leads.get_absolute_url()}">{device}</a> port '
                f'<a href="{port.get_absolute_url()}">{port.interface.name}</a>'
            )
        return told + " and ".join(ends)

    def test_a_port_is_named_after_its_device(self) -> None:
        self.all_seen()
        switch = "s-ocs-x-1-1"
        names = ("1A", "2A", "3A")
        at = {
            name: Port.objects.get(
                interface__device__name=switch, interface__name=name
            ).get_absolute_url()
            for name in names
        }
        a, b, c = (f'<a href="{at[name]}">{name}</a>' for name in names)
        device = Switch.objects.get(device__name=switch)
        s = f'<a href="{device.get_absolute_url()}">{switch}</a>'
        for words, told in {
            f"on {switch} ports 1A, 2A and 3A": f"on {s} ports {a}, {b} and {c}",
            f"{switch} ports 1A to 3A": f"{s} ports {a} to {c}",
            f"on {switch} from port 1A to port 2A": f"on {s} from port {a} to port {b}",
            f"{switch} port 1A and x port 2A": f"{s} port {a} and x port 2A",
            f"{switch} port 1A and gone-1 port 2A": f"{s} port {a} and gone-1 port 2A",
            f"{switch} port 1A hears 2A": f"{s} port {a} hears 2A",
            f"{switch} port 1A, or perhaps port 2A": f"{s} port {a}, or perhaps port {b}",
        }.items():
            with self.subTest(words):
                self.assertEqual(NameLinks(self.user, self.pod, [words]).linked(words), told)
        see_one_pod(self.user, "s", {Switch: "pod__name"})
        told = NameLinks(self.user, self.pod, [f"{switch} port 1A"]).linked(f"{switch} port 1A")
        self.assertEqual(told, f"{s} port 1A")

    def test_titles_say_what_and_where(self) -> None:
        self.all_seen()
        run = self.pod.audit_runs.get()
        titles = {
            self.finding: "missing at s-ocs-x-1-1 1A",
            self.order: f"s-w1: {self.order.title}",
            self.ticket: "s-t4: Slice train-1",
            run: "s audit 1: pod s",
        }
        for record, title in titles.items():
            with self.subTest(title):
                page = self.client.get(record.get_absolute_url()).content.decode()
                self.assertIn(f"<title>{title} - Nautobot</title>", page)
        self.assertContains(self.client.get(self.finding.get_absolute_url()), self.finding.key)

    def test_what_may_not_be_seen_is_no_link(self) -> None:
        see_one_pod(self.user, "s", OF_THE_POD)
        found = self.links(self.order.get_absolute_url())
        self.assertIn(self.finding.key, found)
        self.assertIn("s-c001", found)
        self.assertNotIn("s-t4", found)
        self.assertFalse(found.keys() & set(Cable.objects.values_list("label", flat=True)))

    def test_names_are_read_at_once_however_many(self) -> None:
        self.all_seen()

        def queries(many: int) -> int:
            texts = [
                f"s-t{n}, s-w{n}, cable {n} of s-c{n:03d} port {n}A, train-{n}" for n in range(many)
            ]
            with CaptureQueriesContext(connection) as asked:
                NameLinks(self.user, self.pod, texts)
            return len(asked)

        self.assertEqual(queries(3), queries(300))

    def test_words_that_are_no_names_stay_as_they_are(self) -> None:
        self.all_seen()
        told = NameLinks(self.user, self.pod, ["unplug <b>, and s-t4."]).linked
        url = self.ticket.get_absolute_url()
        self.assertEqual(
            told("unplug <b>, and s-t4."), f'unplug &lt;b&gt;, and <a href="{url}">s-t4</a>.'
        )
        self.assertEqual(told("and s-t44"), "and s-t44")

    def test_a_name_that_two_have_leads_nowhere(self) -> None:
        self.all_seen()
        rack = Rack.objects.get(name="s-c001")
        other = self.pod.location.__class__.objects.create(
            name="Elsewhere",
            location_type=self.pod.location.location_type,
            status=self.pod.location.status,
        )
        Rack.objects.create(name=rack.name, location=other, status=rack.status)
        self.assertEqual(NameLinks(self.user, None, ["s-c001"]).linked("s-c001"), "s-c001")

    def test_tickets_of_other_pods_are_found_by_their_names_too(self) -> None:
        self.all_seen()
        other = Pod.objects.create(
            name="t", design="small", location=self.pod.location, status=self.pod.status
        )
        theirs: Ticket = write_ticket(other, self.admin, 4, circuits=0)
        told = NameLinks(self.user, None, ["t-t4 and s-t4"]).linked("t-t4 and s-t4")
        self.assertIn(theirs.get_absolute_url(), told)
        self.assertIn(self.ticket.get_absolute_url(), told)
