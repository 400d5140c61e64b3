"""Codes on the paper of an order: each opens its page for a phone at the step of a visit."""

import json
import re
from html import unescape
from typing import Any

from django.contrib.auth import get_user_model
from django.urls import reverse
from nautobot.apps.testing import TestCase

from fabric_twin.core.orders.order import Kind
from fabric_twin.documents.code import code
from fabric_twin.models import Pod, WorkOrder
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.presenters.work_order import order_paper
from tests.nautobot.bases.pods.small import hall

SITE = "http://nautobot.example.com"


class OrderCodesTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        admin = get_user_model().objects.create_superuser("planner")
        load_pod("mine", "small", hall(), slots=(1,))
        wish = OrderWish(kind=Kind.INSTALL, slots=(2, 3), crews=2)
        cls.order = make_order(Pod.objects.get(name="mine"), wish, admin)

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()

    @property
    def page(self) -> str:
        return reverse("plugins:fabric_twin:workorder_do", args=[self.order.pk])

    def asked(self, query: str) -> Any:
        """What the page says of the step that its address asks for, and whose steps it shows."""
        shown = self.client.get(f"{self.page}{query}").content.decode()
        facts = json.loads(
            re.search(r'id="order" type="application/json">(.*?)</script>', shown)[1]
        )
        return facts["crew"], facts["asked"]

    def cannot(self, number: int, why: str) -> None:
        """Start the order, and report that a step of it cannot be done."""
        act = reverse("plugins:fabric_twin:workorder_act", args=[self.order.pk])
        self.client.post(f"{act}?do=assign", {"assignee": self.user.pk})
        self.client.post(f"{act}?do=start")
        said = {"id": "one", "step": number, "told": "cannot", "reason": why}
        reports = reverse("plugins-api:fabric_twin-api:workorder-reports", args=[self.order.pk])
        sent = self.client.post(reports, {"reports": [said]}, content_type="application/json")
        self.assertEqual(sent.json()["answers"][0]["taken"], True)

    def test_each_visit_has_a_code_for_its_first_step_and_its_crew(self) -> None:
        for name in ("workorder_document", "workorder-document"):
            namespace = "fabric_twin" if "_" in name else "fabric_twin-api"
            plugins = "plugins" if "_" in name else "plugins-api"
            url = reverse(f"{plugins}:{namespace}:{name}", args=[self.order.pk])
            paper = unescape(
                self.client.get(
                    f"{url}?form=html", headers={"host": "nautobot.example.com"}
                ).content.decode()
            )
            visits = [
                (row.crew, row.number)
                for row in self.order.steps.filter(do="go").order_by("number")
            ]
            pages = [
                f"{SITE}{self.page}",
                *(f"{SITE}{self.page}?crew={crew}&step={number}" for crew, number in visits),
            ]
            self.assertGreater(len(visits), 2)
            self.assertEqual(re.findall(r'<g class="code".*?<title>(.*?)</title>', paper), pages)
            drawn = re.findall(r'<path transform="translate\(4 4\)" fill="#000" d="(.*?)"', paper)
            self.assertEqual(drawn, [code(page).path for page in pages])

    def test_where_no_address_is_known_no_code_is_drawn(self) -> None:
        self.assertNotIn('class="code"', order_paper(self.order, "html")[2].decode())

    def test_an_address_with_a_step_tells_the_page_whose_it_is_and_how_it_stands(self) -> None:
        ours, theirs = (self.order.steps.filter(crew=crew, do="plug").first() for crew in (1, 2))
        self.cannot(theirs.number, "No ladder")
        told = {"crew": 1, "state": "waiting", "why": "", "number": ours.number}
        crew, asked = self.asked(f"?step={ours.number}")
        self.assertEqual((crew, asked), (1, told | {"words": asked["words"]}))
        self.assertIn(f"plug {ours.cable} into", asked["words"])
        crew, asked = self.asked(f"?crew=2&step={theirs.number}")
        self.assertEqual(
            (crew, asked["crew"], asked["state"], asked["why"]), (2, 2, "cannot", "No ladder")
        )

    def test_an_address_without_a_step_of_the_order_opens_the_page_all_the_same(self) -> None:
        nothing = {"number": 99999, "crew": 0, "words": "", "state": "", "why": ""}
        self.assertEqual(self.asked("?step=99999"), (1, nothing))
        for query in ("", "?step=", "?step=x", "?step=-1", f"?step={10**12}", "?crew=9"):
            self.assertEqual(self.asked(query), (1, None))
        self.assertEqual(WorkOrder.objects.get().state, "drafted")
