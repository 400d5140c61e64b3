"""Maintenance of a switch of a network: asked for at every door, planned, held, and refused."""

import csv
import json
from datetime import date
from pathlib import Path
from typing import Any

from django.urls import reverse
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Rack

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import (
    Demand,
    Finding,
    FindingPlace,
    OpticalCircuit,
    Pod,
    Reservation,
    Ticket,
)
from fabric_twin.operations.networks.demand import keep_demand
from fabric_twin.operations.networks.load import load_network
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.operations.tickets.drafts.revise import revise_ticket
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.pods.small_pod import make_pod, status_of
from tests.nautobot.bases.users import admin, allow, somebody

FILES = Path(__file__).parents[3] / "docs/examples/topology"
HALF = b"from,to,gbps\nab01,ab02,800\nab03,ab04,800\n"
SWITCH = "dc1-ocs-02"


class MaintenanceCase(TestCase):
    """Four blocks with four links a pair over two switches; half of them carry the demand."""

    @classmethod
    def setUpTestData(cls) -> None:
        blocks, now = ((FILES / name).read_bytes() for name in ("four-blocks.json", "now.json"))
        load_network("dc1", blocks, hall(), circuits=now)
        OpticalCircuit.objects.update(seen=True)
        cls.pod = Pod.objects.get(name="dc1")
        keep_demand(cls.pod, HALF, day=date(2026, 11, 1))
        cls.switch = cls.pod.switches.get(device__name=SWITCH)

    def setUp(self) -> None:
        super().setUp()
        self.client.force_login(admin())

    def wish(self, **wish: Any) -> Ticket:
        return wish_ticket(self.pod, "maintenance", wish or {"switches": [SWITCH]}, admin())


class PlanTest(MaintenanceCase):
    """What is planned, from which records."""

    def test_its_circuits_its_pairs_and_its_status_are_planned_and_held(self) -> None:
        made = self.wish()
        self.assertEqual(
            (made.title, made.kind, made.risk, made.wish),
            (f"Maintenance of {SWITCH}", "maintenance", "medium", {"switches": [SWITCH]}),
        )
        [stage] = made.plan["stages"]
        self.assertEqual((len(stage["remove"]), stage["add"]), (12, []))
        self.assertEqual({one["switch"] for one in stage["remove"]}, {SWITCH})
        self.assertEqual(Reservation.objects.filter(ticket=made).count(), 24)
        self.assertEqual(
            made.plan["effects"],
            [
                {
                    "do": "set-switch-status",
                    "switch": SWITCH,
                    "from": "Active",
                    "to": "Maintenance",
                }
            ],
        )
        pairs = {(p["before"], p["least"], p["after"]) for p in made.blast["pairs"]}
        self.assertEqual((len(made.blast["pairs"]), pairs), (6, {(4, 2, 2)}))
        self.assertEqual(made.blast["load"], {"before": 0.5, "meanwhile": 1.0, "after": 1.0})
        self.assertEqual(revise_ticket(made, admin()).plan["remove"], made.plan["remove"])

    def test_a_rack_stands_for_its_switches(self) -> None:
        rack = Rack.objects.create(name="sw-1", location=self.pod.location, status=status_of(Rack))
        self.switch.device.rack = rack
        self.switch.device.save()
        self.assertEqual(self.wish(racks=["sw-1"]).wish, {"switches": [SWITCH]})

    def test_what_pairs_need_is_not_taken(self) -> None:
        keep_demand(self.pod, b"from,to,gbps\nab01,ab02,4000\n", day=date(2026, 11, 2))
        with self.assertRaisesMessage(
            FabricTwinError, "ab01 and ab02 would have 2 links for 4,000 Gbit/s"
        ):
            self.wish()

    def test_what_is_no_part_of_it_and_what_it_has_none_of_is_refused(self) -> None:
        for wish, why in (
            ({"switches": ["dc1-ab01"]}, "the network dc1 has no switch 'dc1-ab01'"),
            ({"ports": [[SWITCH, "x"]]}, "the network has no port 'x' of a switch 'dc1-ocs-02'"),
            ({"ports": [["dc1-ab01", "m01/1"]]}, "the network has no port 'm01/1' of a switch"),
            ({"boards": [[SWITCH, 9]]}, "the network has no driver board 9"),
            ({"slots": [1]}, 'it says "slots", and a network has neither cubes nor slices'),
            ({"switches": [SWITCH], "bear": 1}, 'it says "bear"'),
            ({"switches": [SWITCH], "interrupt": True}, 'it says "interrupt"'),
            ({"ports": [SWITCH]}, 'Give switches and ports, such as [["dc1-ocs-01", "7A"]]'),
            ({"racks": ["nowhere"]}, "no switch of network dc1 stands in it"),
            ({"switches": []}, "nothing to take out of service is named"),
        ):
            with self.subTest(why), self.assertRaisesMessage(FabricTwinError, why):
                self.wish(**wish)
        self.assertFalse(Ticket.objects.exists())

    def test_nothing_is_taken_off_a_dead_switch(self) -> None:
        seen = dict.fromkeys(("first_seen", "opened", "last_seen"), timezone.now())
        finding = Finding.objects.create(
            pod=self.pod,
            key="down",
            code="switch-down",
            severity="error",
            cause="it is down",
            evidence_now={"neighbours_agree": True},
            **seen,
        )
        FindingPlace.objects.create(
            finding=finding, number=1, device=self.switch.device, device_name=SWITCH
        )
        with self.assertRaisesMessage(FabricTwinError, f"{SWITCH} is dead: nothing can be read"):
            self.wish()

    def test_only_who_may_see_the_demand_and_change_the_switch(self) -> None:
        user = somebody("reader")
        allow(user, ["view"], Pod)
        wish = {"switches": [SWITCH]}
        with self.assertRaisesMessage(FabricTwinError, "reader may not view 1 of 1 demands"):
            wish_ticket(self.pod, "maintenance", wish, user)
        allow(user, ["view"], Demand)
        allow(user, ["add", "view"], Ticket)
        user = type(user).objects.get(pk=user.pk)
        with self.assertRaisesMessage(FabricTwinError, "may not change switch"):
            wish_ticket(self.pod, "maintenance", wish, user)


class DoorTest(MaintenanceCase):
    """Pages, documents and REST."""

    form = f"{reverse('plugins:fabric_twin:ticket_add')}?kind="

    def test_pages_lead_to_a_form_with_the_fields_of_a_network(self) -> None:
        link = self.form.replace("&", "&amp;")
        for part, kinds in ((self.pod, ["maintenance"]), (self.switch, ["maintenance", "return"])):
            page = self.client.get(part.get_absolute_url()).content.decode()
            for kind in kinds:
                self.assertIn(f"{link}{kind}", page)
        form = self.client.get(f"{self.form}maintenance&pod={self.pod.pk}").content.decode()
        self.assertIn("dc1-ocs-01 3, one a line", form)
        of_pods = ("id_cubes", "id_bear", "id_interrupt")
        for field in ("id_switches", "id_boards", "id_racks", *of_pods):
            self.assertEqual(f'id="{field}"' in form, field not in of_pods, field)
        pod = make_pod("iw1", design="ironwood", slots=[1], location=self.pod.location)
        form = self.client.get(f"{self.form}maintenance&pod={pod.pk}").content.decode()
        for field in of_pods:
            self.assertIn(f'id="{field}"', form)

    def test_a_look_tells_the_pairs_and_the_draft_tells_them_too(self) -> None:
        asked = {"pod": str(self.pod.pk), "switches": [str(self.switch.pk)]}
        look = self.client.post(f"{self.form}maintenance", asked).content.decode()
        for said in (
            f"What it would do: Maintenance of {SWITCH}",
            "Links of pairs",
            "ab01 and ab02",
            "Greatest load after",
            "becomes Maintenance (it is Active)",
        ):
            self.assertIn(said, look)
        self.assertFalse(Ticket.objects.exists())
        made = self.client.post(f"{self.form}maintenance", asked | {"make": "1"})
        self.assertEqual(made.status_code, 302)
        ticket = Ticket.objects.get()
        self.assertEqual(ticket.wish, {"switches": [SWITCH]})
        page = self.client.get(ticket.get_absolute_url()).content.decode()
        for said in ("LINKS OF PAIRS", "ab03 and ab04", "6 get other links, or lose some"):
            self.assertIn(said, page)
        refused = self.client.post(f"{self.form}maintenance", asked).content.decode()
        self.assertIn("is open, and counts on the links that are there", refused)

    def test_its_documents_have_pairs_and_the_strands_that_go_dark(self) -> None:
        url = reverse("plugins:fabric_twin:ticket_document", args=[self.wish().pk])
        text = self.client.get(f"{url}?form=md").content.decode()
        for said in ("Links of pairs", "ab01 and ab02", "links before", SWITCH):
            self.assertIn(said, text)
        for form in ("html", "json", "pdf"):
            self.assertEqual(self.client.get(f"{url}?form={form}").status_code, 200, form)
        [first, *_] = csv.DictReader(
            self.client.get(f"{url}?form=csv").content.decode().splitlines()
        )
        self.assertRegex(first["a strand"], r"^dc1-ab0\d m0\d/[12]$")

    def test_rest_asks_for_both_ways(self) -> None:
        url = reverse("plugins-api:fabric_twin-api:ticket-list")

        def ask(kind: str, wish: dict[str, Any]) -> Any:
            asked = json.dumps({"pod": "dc1", "kind": kind, "wish": wish, "submit": True})
            return self.client.post(url, asked, content_type="application/json")

        made = ask("maintenance", {"switches": [SWITCH]})
        self.assertEqual((made.status_code, made.json()["state"]["value"]), (201, "submitted"))
        Ticket.objects.all().delete()
        refused = ask("maintenance", {"switches": ["x"]})
        self.assertEqual(refused.status_code, 400)
        self.assertIn("the network dc1 has no switch", refused.content.decode())
        self.switch.status = status_of(type(self.switch), "Out")
        self.switch.save()
        self.assertEqual(ask("return", {"switches": [SWITCH]}).status_code, 201)
        [effect] = Ticket.objects.get().plan["effects"]
        self.assertEqual((effect["from"], effect["to"]), ("Out", "Active"))
