"""Printing from the pages of a switch and a cube."""

import io

from django.contrib.contenttypes.models import ContentType
from django.contrib.messages import get_messages
from django.http import HttpResponse
from django.urls import reverse
from nautobot.apps.testing import TestCase
from nautobot.users.models import ObjectPermission
from pypdf import PdfReader

from fabric_twin.models import Cube, Pod, Switch
from tests.nautobot.bases.pods.small_pod import make_pod


class PrintingTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = make_pod("v4", slots=range(1, 3))
        cls.switch = cls.pod.switches.order_by("number").first()
        cls.cube = cls.pod.cubes.get(slot=2)

    def print_it(self, record: Switch | Cube, document: str) -> HttpResponse:
        page = reverse(f"plugins:fabric_twin:{record._meta.model_name}_print", args=[record.pk])
        return self.client.get(page, {"document": document})

    def allow(self, *models: type) -> None:
        permission = ObjectPermission.objects.create(name=str(models), actions=["view"])
        permission.users.add(self.user)
        permission.object_types.set(ContentType.objects.get_for_models(*models).values())

    def test_a_pdf_is_a_click_from_the_page(self) -> None:
        self.user.is_superuser = True
        self.user.save()
        for record, documents in (
            (self.switch, {"port-map": "Port map of v4-ocs-x-1-1"}),
            (self.cube, {"face-map": "Face map of v4-c002"}),
        ):
            page = self.client.get(record.get_absolute_url()).content.decode()
            for document, title in (documents | {"labels": "v4"}).items():
                with self.subTest(f"{record} {document}"):
                    response = self.print_it(record, document)
                    self.assertEqual(response["Content-Type"], "application/pdf")
                    (first, *_) = PdfReader(io.BytesIO(response.content)).pages
                    self.assertIn(title, first.extract_text())
                    self.assertIn(f"/print/?document={document}", page)

    def test_what_is_not_printed_of_it_is_not_found(self) -> None:
        self.allow(Switch, Cube)
        self.assertEqual(self.print_it(self.switch, "face-map").status_code, 404)
        self.assertEqual(self.print_it(self.cube, "").status_code, 404)

    def test_a_user_who_may_not_view_all_of_it_is_told_what_is_missing(self) -> None:
        self.allow(Switch, Cube, Pod)
        response = self.print_it(self.switch, "port-map")
        self.assertRedirects(response, self.switch.get_absolute_url())
        (message,) = get_messages(response.wsgi_request)
        self.assertIn("may not view", str(message))
        self.assertIn("Nothing was shown", str(message))

    def test_a_user_who_may_not_view_the_record_gets_no_page(self) -> None:
        self.assertIn(self.print_it(self.switch, "port-map").status_code, {403, 404})
