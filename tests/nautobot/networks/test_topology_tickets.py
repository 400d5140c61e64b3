"""A topology by ticket: wished on a page or over REST, planned from the records, and held."""

import csv
import json
from datetime import date
from pathlib import Path
from typing import Any

from django.urls import reverse
from nautobot.apps.testing import TestCase

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import (
    Block,
    Demand,
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
from tests.nautobot.bases.pods.small_pod import status_of
from tests.nautobot.bases.users import admin, allow, somebody

FILES = Path(__file__).parents[3] / "docs/examples/topology"
WISH = {"topology": "engineered", "at_once": 1}


class TopologyCase(TestCase):
    """Four blocks, uniform, with a demand."""

    @classmethod
    def setUpTestData(cls) -> None:
        blocks, now = ((FILES / name).read_bytes() for name in ("four-blocks.json", "now.json"))
        load_network("dc1", blocks, hall(), circuits=now)
        OpticalCircuit.objects.update(seen=True)
        cls.pod = Pod.objects.get(name="dc1")
        keep_demand(cls.pod, (FILES / "demand.csv").read_bytes(), day=date(2026, 11, 1))

    def setUp(self) -> None:
        super().setUp()
        self.client.force_login(admin())

    def wish(self, **wish: Any) -> Ticket:
        return wish_ticket(self.pod, "topology", WISH | wish, admin())


class PlanTest(TopologyCase):
    """What is planned, from which records."""

    def test_its_stages_its_pairs_and_its_ports_are_held(self) -> None:
        made = self.wish()
        self.assertEqual(
            (made.title, made.kind, made.risk, made.on_failure),
            ("Engineered topology for the demand of 2026-11-01", "topology", "medium", "undo"),
        )
        stages = made.plan["stages"]
        self.assertGreaterEqual(len(stages), 2)
        for stage in stages:
            self.assertEqual(len({c["switch"] for c in (*stage["remove"], *stage["add"])}), 1)
        ports = {
            (c["switch"], c[side])
            for stage in stages
            for c in (*stage["remove"], *stage["add"])
            for side in "ab"
        }
        self.assertEqual(Reservation.objects.filter(ticket=made).count(), len(ports))
        before, after = made.blast["load"]["before"], made.blast["load"]["after"]
        self.assertLess(after, before)
        with self.assertRaisesMessage(
            FabricTwinError,
            "ticket dc1-t1 (Engineered topology for the demand of 2026-11-01) is open",
        ):
            self.wish(at_once=2)

    def test_what_is_there_already_changes_nothing(self) -> None:
        with self.assertRaisesMessage(FabricTwinError, "it would change nothing"):
            self.wish(topology="uniform")

    def test_a_day_without_demand_and_words_that_are_unknown_are_refused(self) -> None:
        for wish, why in (
            ({"demand": "2026-10-01"}, "no demand of 2026-10-01 is kept"),
            ({"demand": "yesterday"}, "\"demand\" is 'yesterday'"),
            ({"topology": "mesh"}, "\"topology\" is 'mesh'"),
            ({"headroom": -1}, "\"headroom\" is '-1'"),
            ({"at_once": 0}, "\"at_once\" is '0'"),
            ({"links": 3}, "it says 'links', which is not a known key"),
            ({"topology": "isolated"}, "no block has an owner"),
        ):
            with self.subTest(why), self.assertRaisesMessage(FabricTwinError, why):
                self.wish(**wish)
        self.assertFalse(Ticket.objects.exists())

    def test_a_block_that_is_drained_loses_its_links(self) -> None:
        Block.objects.filter(name="ab04").update(status=status_of(Block, "Draining"))
        made = self.wish(topology="uniform")
        self.assertIn("Blocks that are not active get no links: ab04", made.warnings)
        left = {(p["a"], p["b"]): p["after"] for p in made.blast["pairs"]}
        self.assertEqual(
            left,
            {
                **{(one, "ab04"): 0 for one in ("ab01", "ab02", "ab03")},
                ("ab01", "ab02"): 6,
                ("ab01", "ab03"): 6,
                ("ab02", "ab03"): 6,
            },
        )

    def test_a_revision_follows_the_demand_that_came_since(self) -> None:
        made = self.wish()
        asked = b"from,to,gbps\nab01,ab03,1600\nab02,ab04,1600\n"
        keep_demand(self.pod, asked, day=date(2026, 11, 2))
        again = revise_ticket(made, admin())
        was = Ticket.objects.get(pk=made.pk)
        self.assertEqual((again.name, was.state), ("dc1-t1.2", "withdrawn"))
        self.assertEqual(again.title, made.title)  # as people may have changed it
        self.assertNotEqual(again.plan["add"], made.plan["add"])
        after = {(p["a"], p["b"]): p["after"] for p in again.blast["pairs"]}
        self.assertGreater(after["ab01", "ab03"], 4)

    def test_other_tickets_of_pods_are_refused_and_topologies_of_pods(self) -> None:
        with self.assertRaisesMessage(FabricTwinError, "its circuits follow from the links"):
            wish_ticket(self.pod, "drift", {"accept": True}, admin())


class DoorTest(TopologyCase):
    """Page, documents and REST."""

    def test_the_page_of_the_network_leads_to_the_form_and_the_form_to_a_draft(self) -> None:
        page = self.client.get(reverse("plugins:fabric_twin:pod", args=[self.pod.pk])).content
        form = f"{reverse('plugins:fabric_twin:ticket_add')}?kind=topology"
        self.assertIn(form.replace("&", "&amp;"), page.decode().replace("&amp;pod", "&pod"))
        asked = {"pod": str(self.pod.pk), "topology": "engineered", "at_once": "1", "headroom": "0"}
        look = self.client.post(form, asked).content.decode()
        for said in (
            "Links of pairs",
            "ab01 and ab02",
            "Greatest load after",
            "are tuned at both ends",
        ):
            self.assertIn(said, look)
        self.assertFalse(Ticket.objects.exists())
        made = self.client.post(form, asked | {"make": "1"})
        self.assertEqual(made.status_code, 302)
        ticket = Ticket.objects.get()
        self.assertEqual(ticket.wish, {"topology": "engineered", "at_once": 1})
        shown = self.client.get(ticket.get_absolute_url()).content.decode()
        for said in ("LINKS OF PAIRS", "Topology of a network", "ab01 and ab02"):
            self.assertIn(said, shown)

    def test_its_circuits_are_listed_with_the_strands_that_go_dark(self) -> None:
        ticket = self.wish()
        url = reverse("plugins:fabric_twin:ticket_document", args=[ticket.pk])
        rows = list(
            csv.DictReader(self.client.get(f"{url}?form=csv").content.decode().splitlines())
        )
        ports = {
            port.interface.name: str(port)
            for port in self.pod.ports.filter(switch__number=0).select_related("interface")
        }
        self.assertTrue(ports)
        for row in rows:
            for side in "ab":
                end = self.pod.ports.get(
                    interface__device__name=row["switch"], interface__name=row[side]
                )
                [near] = [
                    one
                    for cable in [end.interface.cable]
                    for one in (cable.termination_a, cable.termination_b)
                    if one.pk != end.interface_id
                ]
                self.assertEqual(row[f"{side} strand"], f"{near.device.name} {near.name}")
        for form in ("html", "md", "json", "pdf"):
            self.assertEqual(self.client.get(f"{url}?form={form}").status_code, 200, form)

    def test_rest_asks_for_one_and_only_who_may(self) -> None:
        url = reverse("plugins-api:fabric_twin-api:ticket-list")
        asked = {"pod": "dc1", "kind": "topology", "wish": WISH, "submit": True}
        made = self.client.post(url, json.dumps(asked), content_type="application/json")
        self.assertEqual(made.status_code, 201, made.content)
        self.assertEqual(made.json()["state"]["value"], "submitted")
        Ticket.objects.all().delete()
        user = somebody("reader")
        allow(user, ["view"], Pod)
        with self.assertRaisesMessage(FabricTwinError, "reader may not view 1 of 1 demands"):
            wish_ticket(self.pod, "topology", WISH, user)
        allow(user, ["view"], Demand)
        user = type(user).objects.get(pk=user.pk)
        with self.assertRaisesMessage(FabricTwinError, "may not add ticket"):
            wish_ticket(self.pod, "topology", WISH, user)
