"""A pod whose design is gone: the package that brought it was uninstalled."""

from django.urls import reverse
from nautobot.apps.testing import TestCase

from fabric_twin.core.orders.order import Kind
from fabric_twin.models import Cube, OpticalCircuit, Pod, Port
from fabric_twin.models.pod import DESIGN_GONE
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.presenters.attention import attention
from fabric_twin.presenters.visible_pod import Sight
from fabric_twin.repositories.hardware_types import status
from tests.nautobot.bases.audits.small_findings import pod_with_findings
from tests.nautobot.bases.tickets.small_tickets import write_ticket
from tests.nautobot.bases.users import admin

WHY = "there is no design &#x27;gone&#x27;"


class DesignGoneTest(TestCase):
    """Its records are listed and have pages, which say why they know no more."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.admin = admin()
        cls.pod = pod_with_findings(many=1)
        cls.slice, _ = make_slice(cls.pod, Wish(shape="2x2x2", name="job"), cls.admin)
        cls.ticket = write_ticket(cls.pod, cls.admin)
        finding = cls.pod.findings.get()
        wish = OrderWish(kind=Kind.REPAIR, findings=(finding,))
        cls.order = make_order(cls.pod, wish, cls.admin)
        Pod.objects.update(design="gone")
        cls.pod.refresh_from_db()

    def setUp(self) -> None:
        super().setUp()
        self.client.force_login(self.admin)

    def get(self, url: str, **headers: str) -> str:
        answer = self.client.get(url, headers=headers)
        self.assertHttpStatus(answer, 200)
        return str(answer.content.decode())

    def test_lists_have_its_rows_and_say_why_they_know_no_more(self) -> None:
        for model, many in ((Cube, 3), (Port, 20)):
            url = reverse(f"plugins:fabric_twin:{model._meta.model_name}_list")
            rows = self.get(f"{url}?per_page={many}", **{"HX-Request": "true"})
            self.assertEqual(rows.count(DESIGN_GONE), many)
        for kind in ("pod", "switch", "slice", "opticalcircuit", "finding", "ticket", "auditrun"):
            url = reverse(f"plugins:fabric_twin:{kind}_list")
            self.assertIn(" s", self.get(url, **{"HX-Request": "true"}))

    def test_what_the_design_would_tell_is_not_known_on_its_pages(self) -> None:
        port = self.pod.ports.get(number=0)
        circuit = OpticalCircuit.objects.first()
        cube, switch = port.cube, self.pod.switches.first()
        ours = (self.pod, cube, switch, port, circuit)
        nautobots = (cube.rack, port.interface.device, port.interface, port.interface.cable)
        for record in (*ours, *nautobots):
            with self.subTest(record=record):
                self.assertIn(WHY, self.get(record.get_absolute_url()))

    def test_what_needs_no_design_is_told_as_ever(self) -> None:
        finding, run = self.pod.findings.get(), self.pod.audit_runs.get()
        for record in (self.slice, self.ticket, self.order, finding, run):
            with self.subTest(record=record):
                title = getattr(record, "page_title", str(record))
                self.assertIn(title, self.get(record.get_absolute_url()))
        phone = reverse("plugins:fabric_twin:workorder_do", args=[self.order.pk])
        self.assertIn(str(self.order), self.get(phone))

    def test_an_order_has_no_paper_and_its_page_says_why(self) -> None:
        paper = reverse("plugins:fabric_twin:workorder_document", args=[self.order.pk])
        answer = self.client.get(f"{paper}?form=html", follow=True)
        self.assertRedirects(answer, self.order.get_absolute_url())
        self.assertContains(answer, WHY)

    def test_what_only_the_design_could_check_is_refused_in_words(self) -> None:
        cube = self.pod.cubes.first()
        facts = {"pod": self.pod.pk, "rack": cube.rack_id, "slot": 9, "status": cube.status_id}
        edit = reverse("plugins:fabric_twin:cube_edit", args=[cube.pk])
        wish = {"pod": self.pod.pk, "shape": "2x2x2", "status": self.slice.status_id}
        make = reverse("plugins:fabric_twin:slice_add")
        for url, given in ((edit, facts), (make, wish)):
            with self.subTest(url=url):
                answer = self.client.post(url, given)
                self.assertContains(answer, WHY)
        rest = reverse("plugins-api:fabric_twin-api:cube-detail", args=[cube.pk])
        refused = self.client.patch(rest, {"slot": 9}, content_type="application/json")
        self.assertContains(refused, "there is no design 'gone'", status_code=400)

    def test_its_pod_cubes_and_switches_are_still_worked_on(self) -> None:
        out = status(Cube, "Out")
        cube, switch = self.pod.cubes.get(slot=3), self.pod.switches.first()
        for kind, record in (("cube", cube), ("switch", switch)):
            url = reverse(f"plugins-api:fabric_twin-api:{kind}-detail", args=[record.pk])
            wish = {"status": {"name": "Out" if kind == "cube" else "Maintenance"}}
            answer = self.client.patch(url, wish, content_type="application/json")
            self.assertHttpStatus(answer, 200)
        cube.refresh_from_db()
        self.assertEqual(cube.status, out)
        facts = {"name": self.pod.name, "design": "gone", "bear": 1, "description": "At night"}
        facts |= {"location": self.pod.location_id, "status": self.pod.status_id}
        edit = reverse("plugins:fabric_twin:pod_edit", args=[self.pod.pk])
        self.assertRedirects(self.client.post(edit, facts), self.pod.get_absolute_url())
        self.pod.refresh_from_db()
        self.assertEqual((self.pod.design, self.pod.description), ("gone", "At night"))

    def test_the_first_that_needs_attention_is_the_design(self) -> None:
        first, *others = attention(Sight(self.pod, self.admin))
        self.assertEqual(
            (first.many, first.what), (1, "design that is gone or changed, or whose file is wrong")
        )
        self.assertIn("error found", {other.what for other in others})
