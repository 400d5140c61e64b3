"""What is said by radio, printed on paper and written in mail is found in search and lists."""

from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import (
    Manufacturer,
    Module,
    ModuleBay,
    ModuleType,
)
from nautobot.users.models import ObjectPermission

from fabric_twin.filters import TicketFilterSet
from fabric_twin.models import (
    AuditRun,
    Finding,
    FindingPlace,
    Pod,
    Port,
    Stock,
    Ticket,
    WorkOrder,
)
from tests.nautobot.bases.pods.one_pod import see_one_pod
from tests.nautobot.bases.pods.small_pod import add_ports, make_location, make_pod, status_of
from tests.nautobot.bases.tickets.small_tickets import write_ticket

SERIAL = "IW10002E403"

#: What somebody types, the kind of record that is looked for, and all that is found of it.
ROWS: tuple[tuple[str, str, list[str]], ...] = (
    ("iw1-t2", "ticket", ["iw1-t2"]),
    ("IW1-T2", "ticket", ["iw1-t2"]),
    ("t2", "ticket", ["iw2-t2", "iw1-t2"]),
    ("2", "ticket", ["iw2-t2", "iw1-t2"]),
    ("iw1-t3", "ticket", ["iw1-t3.2", "iw1-t3"]),
    ("iw1-t3.2", "ticket", ["iw1-t3.2"]),
    ("8x8x8", "ticket", ["iw1-t3.2", "iw1-t3"]),
    ("iw1-w2", "workorder", ["iw1-w2"]),
    ("w2", "workorder", ["iw1-w2"]),
    ("2", "workorder", ["iw1-w2"]),
    ("w3", "workorder", []),
    ("fan", "workorder", ["iw1-w2"]),
    ("5", "auditrun", ["iw1 audit 5"]),
    ("audit 5", "auditrun", ["iw1 audit 5"]),
    ("iw1 Audit 5", "auditrun", ["iw1 audit 5"]),
    ("iw1 cube 7", "cube", ["iw1 cube 7"]),
    ("cube 7", "cube", ["iw1 cube 7"]),
    ("7", "cube", ["iw1 cube 7"]),
    ("iw1-c007", "cube", ["iw1 cube 7"]),
    ("iw1-c06", "cube", [f"iw1 cube {slot}" for slot in range(60, 65)]),
    ("iw1-ocs-x-3-2 7A", "port", ["iw1-ocs-x-3-2 7A"]),
    ("IW1-OCS-X-3-2 7a", "port", ["iw1-ocs-x-3-2 7A"]),
    ("iw1-ocs-x-3-2 7", "port", ["iw1-ocs-x-3-2 7A", "iw1-ocs-x-3-2 17A", "iw1-ocs-x-3-2 27A"]),
    (SERIAL, "port", ["iw1-ocs-x-3-2 7A"]),
    (SERIAL.lower(), "finding", ["swapped 396ac8ed922d"]),
    ("396ac8ed922d", "finding", ["swapped 396ac8ed922d"]),
    ("iw1-ocs-x-3-2 7A", "finding", ["swapped 396ac8ed922d"]),
    ("swapped at iw1-ocs-x-3-2 7A", "finding", ["swapped 396ac8ed922d"]),
    ("dark at iw1-ocs-x-3-2 7A", "finding", []),
    ("LC duplex, 20 m", "stock", ["LC duplex, 20 m at Store"]),
    ("LC duplex, 20 m at Store", "stock", ["LC duplex, 20 m at Store"]),
    ("Store", "stock", ["LC duplex, 20 m at Store"]),
    ("iw1-t99999999999999", "ticket", []),
    ("99999999", "cube", []),
)


class FoundByNameTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = make_pod("iw1", design="ironwood", slots=range(1, 65))
        cls.other = make_pod("iw2", design="ironwood", slots=())
        cls.port = _add_switch_ports(cls.pod)
        _plug(cls.port, SERIAL)
        _find_swap(cls.port)
        Stock.objects.create(part="LC duplex, 20 m", location=make_location("Store"))

    def setUp(self) -> None:
        super().setUp()
        for number in (1, 2):
            write_ticket(self.pod, self.user, number, title="Slice of 4x4x4")
        first = write_ticket(self.pod, self.user, 3, title="2 slices of 8x8x8", state="withdrawn")
        write_ticket(self.pod, self.user, 3, title=first.title, revision=2, revises=first)
        write_ticket(self.other, self.user, 2)
        for number, title in ((1, "Install"), (2, "Replace a fan")):
            WorkOrder.objects.create(
                pod=self.pod, number=number, author=self.user, kind="repair", title=title
            )
        for number in (4, 5):
            AuditRun.objects.create(pod=self.pod, number=number, places="iw1-c005", state="done")
        self.client.force_login(self.user)

    def all_seen(self) -> None:
        self.user.is_superuser = True
        self.user.save()

    def searched(self, text: str, model: str) -> list[str]:
        """What Nautobot's search shows of one kind."""
        asked = {"q": text, "model": f"fabric_twin.{model}"}
        shown = self.client.get(reverse("search"), asked, headers={"HX-Request": "true"})
        self.assertHttpStatus(shown, 200)
        table = shown.context["table"]
        return [str(row.record) for row in table.page.object_list] if table else []

    def listed(self, text: str, model: str) -> list[str]:
        """What the REST list of that kind gives."""
        url = reverse(f"plugins-api:fabric_twin-api:{model}-list")
        answer = self.client.get(url, {"q": text})
        self.assertHttpStatus(answer, 200)
        return [row["display"] for row in answer.json()["results"]]

    def test_every_name_is_found_in_the_search_and_in_lists(self) -> None:
        self.all_seen()
        for text, model, found in ROWS:
            with self.subTest(text, model=model):
                self.assertCountEqual(self.searched(text, model), found)
                self.assertCountEqual(self.listed(text, model), found)

    def test_a_serial_leads_from_nautobots_page_to_the_port_and_what_is_wrong_there(self) -> None:
        self.all_seen()
        module = Module.objects.get(serial=SERIAL)
        page = self.client.get(reverse("dcim:module", args=[module.pk]))
        self.assertContains(page, self.port.get_absolute_url())
        self.assertContains(page, Finding.objects.get(code="swapped").get_absolute_url())

    def test_what_is_called_so_and_may_not_be_seen_is_not_found(self) -> None:
        see_one_pod(self.user, "iw2", {Ticket: "pod__name", Pod: "name", Port: "pod__name"})
        self.assertEqual(self.searched("iw1-t2", "ticket"), [])
        self.assertEqual(self.searched("t2", "ticket"), ["iw2-t2"])
        self.assertEqual(self.searched("iw1-ocs-x-3-2 7A", "port"), [])
        self.assertEqual(self.searched("w2", "workorder"), [])

    def test_a_serial_says_nothing_of_a_port_that_may_not_be_seen(self) -> None:
        leave = ObjectPermission.objects.create(name="modules", actions=["view"])
        leave.users.add(self.user)
        leave.object_types.add(ContentType.objects.get_for_model(Module))
        page = self.client.get(reverse("dcim:module", args=[Module.objects.get(serial=SERIAL).pk]))
        self.assertHttpStatus(page, 200)
        self.assertNotContains(page, "In the fabric")
        self.assertNotContains(page, "swapped")

    def test_a_record_that_may_not_be_seen_hides_none_that_may(self) -> None:
        see_one_pod(self.user, "iw2", {Ticket: "pod__name", Pod: "name"})
        mine = write_ticket(self.other, self.user, 9, title="As iw1-t1, and as t1 on t3")
        for text in ("iw1-t1", "iw1-t77 or so", "t3"):
            with self.subTest(text):
                found = [str(mine)] if "77" not in text else []
                self.assertEqual(self.searched(text, "ticket"), found)
                self.assertEqual(self.listed(text, "ticket"), found)
                # As Nautobot's search does while somebody types: it restricts what was found.
                qs = TicketFilterSet({"q": text}).qs.restrict(self.user, "view")
                self.assertEqual([str(one) for one in qs], found)
                self.assertEqual(qs.count(), len(found))

    def test_the_name_is_looked_for_among_what_else_is_asked_for(self) -> None:
        self.all_seen()
        mine = write_ticket(self.other, self.user, 9, title="As t1")
        qs = TicketFilterSet({"q": "t1", "pod": ["iw2"]}).qs
        self.assertEqual([str(one) for one in qs], [str(mine)])

    def test_a_text_too_long_for_a_name_is_only_looked_for(self) -> None:
        self.all_seen()
        for text in (
            "a" + " " * 30_000 + "b:c:",
            "a" + " " * 15_000 + "audit" + " " * 15_000 + "x",
        ):
            for model in ("finding", "port", "auditrun", "cube", "ticket", "workorder"):
                self.assertEqual(self.listed(text, model), [])

    def test_the_head_of_a_page_finds_it(self) -> None:
        self.all_seen()
        now = timezone.now()
        stale = Finding.objects.create(
            pod=self.pod, key="abcdefabcdef", code="stale", cause="old", severity="error",
            first_seen=now, opened=now, last_seen=now,
        )  # fmt: skip
        for record in (stale, WorkOrder.objects.get(number=2), AuditRun.objects.get(number=5)):
            with self.subTest(title := record.page_title):
                self.assertEqual(self.listed(title, record._meta.model_name), [str(record)])

    def test_the_exact_name_costs_no_query_more(self) -> None:
        self.all_seen()

        def queries(text: str) -> int:
            with CaptureQueriesContext(connection) as asked:
                self.listed(text, "ticket")
            return len(asked)

        by_name, by_text = "iw1-t2", "slice train"
        for text in (by_name, by_text):  # what Nautobot remembers is remembered
            queries(text)
        self.assertEqual(queries(by_name), queries(by_text))


def _add_switch_ports(pod: Pod) -> Port:
    layout = pod.to_core().layout
    switch = pod.switches.get(device__name="iw1-ocs-x-3-2")
    first = layout.cube_ports + switch.number * layout.ports_per_switch
    numbers = [first + port - 1 for port in (7, 8, 17, 27)]
    ports = {str(port): port for port in add_ports(pod, numbers)}
    return ports["iw1-ocs-x-3-2 7A"]


def _plug(port: Port, serial: str) -> None:
    maker = Manufacturer.objects.first()
    kind = ModuleType.objects.create(manufacturer=maker, model="Transceiver")
    bay = ModuleBay.objects.create(parent_device=port.interface.device, name="7A", position="7A")
    Module.objects.create(
        module_type=kind, parent_module_bay=bay, serial=serial, status=status_of(Module)
    )
    Port.objects.filter(pk=port.pk).update(module_bay=bay)


def _find_swap(port: Port) -> None:
    now = timezone.now()
    facts: dict[str, Any] = {"first_seen": now, "opened": now, "last_seen": now}
    for key, code, cause, device, name in (
        ("396ac8ed922d", "swapped", "two cables are swapped", "iw1-ocs-x-3-2", "7A"),
        ("0123456789ab", "dark", "no light", "iw1-ocs-x-3-2", "17A"),
    ):
        finding = Finding.objects.create(
            pod=port.pod, key=key, code=code, cause=cause, severity="error", **facts
        )
        at = {"port": port, "device": port.interface.device} if name == "7A" else {}
        FindingPlace.objects.create(
            finding=finding, number=0, device_name=device, port_name=name, **at
        )
