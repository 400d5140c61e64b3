"""What to do about a finding is said alike wherever it is said: the same cables, the same ports."""

import json
import re
from html import unescape
from io import BytesIO
from typing import Any

from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from fabric_twin.core.orders.order import Kind
from fabric_twin.models import Finding, WorkOrder
from fabric_twin.operations.audits.audit import WHOLE_POD
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.slices.make import Wish, make_slice
from tests.nautobot.bases.orders.order_on_fabric import OrderOnFabricCase

SWITCH = "iw-ocs-x-3-2"
ONE, OTHER, THIRD = (f"iw-c00{number}:4.3.2/X+" for number in (1, 2, 3))
#: A plug that comes out, or goes in, as every medium says it.
UNPLUG = re.compile(
    r"unplug (\S+) from (\S+ port \S+?(?: or [^:<]+: read its label)?)(?=[\s<\",.]|$)"
)
PLUG = re.compile(r"plug (\S+) into (\S+ port \w+)")
MOVE = re.compile(r"move (\S+) on (\S+) from port (\w+) to port (\w+)")
#: Names are links where the reader may see what they are of.
LINK = re.compile(r"</?a\b[^>]*>")
Plugs = tuple[set[tuple[str, str]], set[tuple[str, str]]]


def plugs(text: str) -> Plugs:
    """What comes out of where, and what goes in where."""
    said = " ".join(unescape(LINK.sub("", text)).split())
    moved = MOVE.findall(said)
    out = {*UNPLUG.findall(said), *((c, f"{on} port {at}") for c, on, at, _ in moved)}
    return out, {*PLUG.findall(said), *((c, f"{on} port {to}") for c, on, _, to in moved)}


def on_paper(page: str) -> Plugs:
    """The same of an order's sheet, which has a line for each cable at a port."""
    out, into = set(), set()
    for row in re.findall(r"<tr.*?</tr>", page, re.DOTALL):
        cells = [unescape(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)]
        if len(cells) < 6 or "plug" not in cells[4]:
            continue
        at, cable = f"{cells[1]} port {cells[3]}", cells[5]
        if found := re.search(r"unplug(?: \(([^)]+)\))?", cells[4]):
            out.add((cable, f"{at} {found[1]}" if found[1] else at))
        if re.search(r"\bplug\b", cells[4]):
            into.add((cable, at))
    return out, into


class SameStepsTest(OrderOnFabricCase):
    def setUp(self) -> None:
        super().setUp()
        make_slice(self.pod, Wish(shape="4x4x8", name="train", slots=(1, 2)), self.admin)
        self.carried(add=True)
        self.browser = Client()
        self.browser.force_login(self.admin)

    def media(self, finding: Finding, order: WorkOrder) -> dict[str, Plugs]:
        """Every place where somebody reads what to do."""
        run = run_audit(self.pod, WHOLE_POD, How(look=observe_scope))
        report = reverse("plugins-api:fabric_twin-api:auditrun-report", args=[run.pk])
        rest = reverse("plugins-api:fabric_twin-api:finding-detail", args=[finding.pk])
        paper = reverse("plugins:fabric_twin:workorder_document", args=[order.pk])
        phone = reverse("plugins:fabric_twin:workorder_do", args=[order.pk])
        read = {
            "finding": finding.get_absolute_url(),
        }
        told = {name: plugs(self.text(url)) for name, url in read.items()}
        pages = PdfReader(BytesIO(self.browser.get(f"{report}?form=pdf").content)).pages
        told["order"] = on_paper(self.text(f"{paper}?form=html"))
        told["PDF"] = plugs(" ".join(page.extract_text() for page in pages))
        remedy = json.loads(self.text(rest))["remedy"]
        told["REST"] = plugs("\n".join(step["text"] for step in remedy))
        facts = re.search(r'id="order" type="application/json">(.*?)</script>', self.text(phone))
        assert facts
        told["phone"] = plugs("\n".join(step["words"] for step in json.loads(facts[1])["steps"]))
        return told

    def text(self, url: str) -> str:
        answer = self.browser.get(url, headers={"accept": "application/json, text/html"})
        self.assertEqual(answer.status_code, 200, url)
        return answer.content.decode()

    def check(self, out: set[tuple[str, str]], into: set[tuple[str, str]], **wish: Any) -> None:
        number = self.break_it(**wish)
        self.addCleanup(self.control, "/mend", number=number)
        run_audit(self.pod, WHOLE_POD, How(look=observe_scope))
        [finding] = Finding.objects.exclude(state="mended")
        order = make_order(self.pod, OrderWish(kind=Kind.REPAIR, findings=[finding]), self.admin)
        told = self.media(finding, order)
        self.assertEqual(told, dict.fromkeys(told, (out, into)))

    def test_where_light_does_not_tell_which_two_were_exchanged(self) -> None:
        b_one, b_other = (f"iw-c00{number}:1.3.2/X-" for number in (1, 2))
        read = "read its label"
        self.check(
            {
                (ONE, f"{SWITCH} port 2A or port 1A: {read}"),
                (OTHER, f"{SWITCH} port 1A or port 2A: {read}"),
                (b_one, f"{SWITCH} port 1B or port 2B: {read}"),
                (b_other, f"{SWITCH} port 2B or port 1B: {read}"),
            },
            {
                (ONE, f"{SWITCH} port 1A"),
                (OTHER, f"{SWITCH} port 2A"),
                (b_one, f"{SWITCH} port 1B"),
                (b_other, f"{SWITCH} port 2B"),
            },
            kind="swapped",
            cable=ONE,
            other=OTHER,
        )

    def test_where_one_of_the_two_is_not_seen(self) -> None:
        self.check(
            {
                (ONE, f"{SWITCH} port 3A or wherever it is: read its label"),
                (THIRD, f"{SWITCH} port 1A"),
            },
            {(ONE, f"{SWITCH} port 1A"), (THIRD, f"{SWITCH} port 3A")},
            kind="swapped",
            cable=ONE,
            other=THIRD,
        )
