"""One picture of the world: screens and paper draw a place alike, and raise no false alarm."""

import csv
import io
import json
import re
from typing import Any

from django.test import Client
from django.urls import reverse
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Cable, CableToCableTermination, Device, Interface, Rack

from fabric_twin.documents.pods.fabric_json import fabric_from_json
from fabric_twin.documents.pods.legend import FINDINGS_HIDDEN
from fabric_twin.filters.finding import FindingFilterSet
from fabric_twin.models import (
    Cube,
    Finding,
    FindingPlace,
    OpticalCircuit,
    Pod,
    Port,
    Reading,
    Reservation,
    Slice,
    Switch,
    WrittenEnd,
)
from fabric_twin.operations.audits.findings_of import count_of, findings_of
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.presenters.attention import attention
from fabric_twin.presenters.pod_fabric import drawn_json, fabric_of
from fabric_twin.presenters.slots import Slots
from fabric_twin.presenters.visible_pod import Sight
from fabric_twin.repositories.cable_reading import CONNECTED
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.services.pods.render import render_fabric
from fabric_twin.services.pods.which import Which
from tests.nautobot.bases.audits.small_findings import audit, cable_at, fade, small_pod
from tests.nautobot.bases.drawings import drawing_of, words
from tests.nautobot.bases.pods.small_pod import status_of
from tests.nautobot.bases.tickets.small_tickets import write_ticket
from tests.nautobot.bases.users import admin, allow

SWITCH = "s-ocs-x-1-1"
MISSING = "missing: s-c001:2.1.1/X+ is missing"


class OnePictureTest(TestCase):
    """Of three cubes the first misses a cable by an audit, the last is being installed."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.admin = admin()
        cls.pod = small_pod()
        fade(cls.pod, 0)
        audit(cls.pod)
        cls.last = cls.pod.cubes.order_by("slot").last()
        for port in cls.last.ports.all():
            cable_at(cls.pod, port.number).delete()
        cls.pod.cubes.filter(pk=cls.last.pk).update(status=status_of(Cube, "Installing"))
        cls.switch = cls.pod.switches.get(device__name=SWITCH)

    def setUp(self) -> None:
        super().setUp()
        self.client = Client()
        self.client.force_login(self.admin)

    def page(self, record: Any) -> str:
        answer = self.client.get(record.get_absolute_url())
        self.assertHttpStatus(answer, 200)
        return str(answer.content.decode())

    def told(self, record: Any) -> dict[str, str]:
        """By port of a switch: what the drawing of a page says of it."""
        titles = (title.text or "" for title in drawing_of(self.page(record)).iter() if _is(title))
        found = (re.match(rf"(?:.* on )?{SWITCH} (\w+), (.*)", title) for title in titles)
        return {match[1]: match[2] for match in found if match}

    def sheet(self, kind: str = "port-map", **which: Any) -> list[dict[str, str]]:
        """The rows of a document on paper."""
        fabric = fabric_of(PodRecord(self.pod), self.admin)
        rendering = render_fabric(kind, "csv", fabric, Which(**which))
        [content] = dict(rendering.files).values()
        return list(csv.DictReader(io.StringIO(content.decode())))

    def ports(self) -> dict[str, dict[str, str]]:
        return {row["port"]: row for row in self.sheet(switch=SWITCH)}

    def test_a_finding_is_on_every_drawing_of_its_place(self) -> None:
        port = self.pod.ports.get(number=0)
        self.assertIn(f"wrong: {MISSING}", self.told(self.switch)["1A"])
        self.assertIn(MISSING, self.page(port.cube))
        self.assertIn(MISSING, self.page(port))
        self.assertIn("1 finding<", self.page(self.pod))
        self.assertTrue(self.ports()["1A"]["wrong"].startswith(MISSING))
        faces = {row["port"]: row for row in self.sheet("face-map", cube=1)}
        self.assertTrue(faces["2.1.1/X+"]["wrong"].startswith(MISSING))
        url = reverse("plugins-api:fabric_twin-api:port-light-path", args=[port.pk])
        path = self.client.get(url).json()
        self.assertFalse(path["arrives"])
        self.assertTrue(path["wrong"].startswith(MISSING))

    def test_a_finding_that_is_not_seen_since_is_marked_otherwise_everywhere(self) -> None:
        finding, port = self.pod.findings.get(), self.pod.ports.get(number=1)
        finding.places.all().delete()  # a cable that is missing, the drawings show by themselves
        FindingPlace.objects.create(finding=finding, number=0, port=port, rack=port.cube.rack)
        switch = port.interface.get_cable_peer().device.fabric_switch
        made, _ = make_slice(self.pod, Wish(shape="2x2x2", name="one", slots=(1,)), self.admin)
        paper = (("port-map", {"switch": switch.device.name}), ("face-map", {"cube": 1}))

        def told() -> list[tuple[bool, bool]]:
            found = [self.page(one) for one in (self.pod, made, switch, port.cube, port)]
            fabric = fabric_of(PodRecord(self.pod), self.admin)
            for kind, which in paper:
                [content] = dict(render_fabric(kind, "svg", fabric, Which(**which)).files).values()
                found.append(content.decode())
            marks = ('class="[^"]*unseen', ">[^<]*not seen since")
            return [tuple(bool(re.search(mark, page)) for mark in marks) for page in found]

        self.assertEqual(told(), [(False, False)] * 7)
        self.pod.findings.update(seen=False)
        self.assertEqual(told(), [(True, True)] * 7)

    def test_a_torus_marks_a_cube_as_the_grid_of_the_pod_does(self) -> None:
        made, _ = make_slice(self.pod, Wish(shape="2x2x2", name="one", slots=(1,)), self.admin)
        self.assertIn(">!1<", self.page(self.pod))
        self.assertIn("!1", words(drawing_of(self.page(made))))
        self.assertIn(f"slot 1; {MISSING}", self.page(made))

    def test_a_finding_is_told_of_the_cube_at_the_other_end_of_the_cable(self) -> None:
        finding = self.pod.findings.get()
        near = self.pod.ports.get(switch=self.switch, interface__name="2A")
        finding.places.all().delete()
        FindingPlace.objects.create(
            finding=finding, number=0, port=near, device=self.switch.device, port_name="2A"
        )
        cubes = {cube.slot: cube for cube in self.pod.cubes.all()}
        told = {1: 0, 2: 1, 3: 0}
        self.assertEqual(Slots(Sight(self.pod, self.admin)).findings, {2: 1})
        counted = self.pod.cubes.annotate(many=count_of(Cube, self.admin))
        self.assertEqual(dict(counted.values_list("slot", "many")), told)
        for slot, cube in cubes.items():
            self.assertEqual(findings_of(cube, self.admin).count(), told[slot])
            for name in (cube.pk, cube.rack.name):
                listed = FindingFilterSet({"cube": [str(name)]}).qs
                self.assertEqual(listed.count(), told[slot])
        far = near.interface.get_cable_peer().fabric_port
        self.assertEqual(far.cube, cubes[2])
        self.assertEqual(findings_of(far, self.admin).get(), finding)

    def test_a_finding_of_a_whole_device_is_said_where_the_device_is_drawn(self) -> None:
        finding, cube = self.pod.findings.get(), self.pod.cubes.get(slot=2)
        why = f"{SWITCH} does not answer (no answer in 5 s), and no light passes"
        self.pod.findings.update(code="switch-down", cause=why)
        finding.places.all().delete()
        for number, of in enumerate(({"device": self.switch.device}, {"rack": cube.rack})):
            FindingPlace.objects.create(finding=finding, number=number, **of)
        OpticalCircuit.objects.create(switch=self.switch, a=2, b=2, wanted=True, seen=True)
        said = f"! switch-down: {why}"
        for record in (self.switch, cube):
            self.assertIn(said, words(drawing_of(self.page(record))))
        for other in (self.pod.switches.exclude(pk=self.switch.pk).first(), self.last):
            self.assertNotIn("switch-down", "".join(words(drawing_of(self.page(other)))))
        fabric = fabric_of(PodRecord(self.pod), self.admin)
        for kind, which in (("port-map", {"switch": SWITCH}), ("face-map", {"cube": 2})):
            for form, line in (("svg", said), ("txt", f"\nWrong: switch-down: {why}\n")):
                [content] = dict(render_fabric(kind, form, fabric, Which(**which)).files).values()
                self.assertIn(line, content.decode())
        port = cube.ports.get(interface__name="2.1.1/X+")
        url = reverse("plugins-api:fabric_twin-api:port-light-path", args=[port.pk])
        path = self.client.get(url).json()
        self.assertEqual(path["wrong"], f"switch-down: {why}")
        [circuit] = [one for one in path["stations"] if one["what"] == "circuit"]
        self.assertEqual(circuit["more"], "switch-down, no owner")

    def test_who_may_not_see_findings_reads_none(self) -> None:
        self.user.user_permissions.clear()
        fabric = fabric_of(PodRecord(self.pod), self.user)
        self.assertEqual(fabric.findings, {})

    def test_who_may_not_see_all_findings_is_told_on_page_and_paper(self) -> None:
        finding, made = self.pod.findings.get(), Wish(shape="2x2x2", name="one", slots=(1,))
        records = (self.pod, self.switch, self.pod.cubes.first(), self.pod.ports.first())
        records += (make_slice(self.pod, made, self.admin)[0],)
        paper = [("port-map", {"switch": SWITCH}), ("face-map", {"cube": 2})]

        def told() -> list[bool]:
            user = type(self.user).objects.get(pk=self.user.pk)  # who knows of no permission yet
            drawn = drawn_json(PodRecord(self.pod), user)
            fabric = fabric_from_json(json.loads(json.dumps(drawn)))
            sheets = [
                content.decode()
                for kind, which in paper
                for form in ("svg", "txt", "html")
                for _, content in render_fabric(kind, form, fabric, Which(**which)).files
            ]
            pages = ["".join(words(drawing_of(self.page(record)))) for record in records]
            return [FINDINGS_HIDDEN in text for text in (*sheets, *pages)]

        allow(self.user, ["view"], Pod, Cube, Switch, Port, Slice, OpticalCircuit)
        allow(self.user, ["view"], Cable, Rack, Device, Interface)
        self.client.force_login(self.user)
        self.assertEqual(set(told()), {True})
        allow(self.user, ["view"], Finding, code="another")
        self.assertEqual(set(told()), {True})
        allow(self.user, ["view"], Finding, code=finding.code)
        self.assertEqual(set(told()), {False})

    def test_what_is_being_installed_is_no_alarm(self) -> None:
        number = self.last.slot
        self.assertEqual(self.told(self.switch)[f"{number}A"], "installing")
        row = self.ports()[f"{number}A"]
        self.assertEqual((row["state"], row["wrong"]), ("installing", ""))
        rows = self.sheet("face-map", cube=number)
        self.assertEqual({(row["state"], row["wrong"]) for row in rows}, {("installing", "")})
        self.assertNotIn("is missing", self.page(self.last))
        self.assertNotIn("is missing", self.page(self.last.ports.first()))
        matters = {matter.what for matter in attention(Sight(self.pod, self.admin))}
        self.assertIn("cube being installed", matters)
        self.assertNotIn("ports of cubes without a cable", matters)
        self.last.status = status_of(Cube)
        self.last.save()
        self.assertIn("is missing", self.page(self.last))

    def test_a_cable_that_leads_out_of_the_pod_is_told_alike(self) -> None:
        port = self.pod.ports.get(cube__slot=2, interface__name="2.1.1/X+")
        cable_at(self.pod, port.number).delete()
        cable = Cable.objects.bulk_create([Cable(label="out", status=status_of(Cable, CONNECTED))])[
            0
        ]
        CableToCableTermination.objects.bulk_create(
            [CableToCableTermination(cable=cable, cable_end="A", interface=port.interface)]
        )
        WrittenEnd.objects.create(
            pod=self.pod, cable=cable, cable_end="B", device="panel 4", port="1"
        )
        why = "its cable out ends at no port of the pod"
        self.assertIn(f"wrong: {why}", self.page(port.cube))
        [row] = [row for row in self.sheet("face-map", cube=2) if row["port"] == "2.1.1/X+"]
        self.assertEqual(row["wrong"], why)

    def test_what_is_out_of_service_is_unhealthy_on_screen_and_paper(self) -> None:
        port = self.pod.ports.get(switch=self.switch, interface__name="2A")
        Interface.objects.filter(fabric_port=port).update(
            status=status_of(Interface, "Maintenance")
        )
        self.assertIn("unhealthy", self.told(self.switch)["2A"])
        unhealthy = {port for port, row in self.ports().items() if row["unhealthy"]}
        self.assertEqual(unhealthy, {"2A"})
        matters = {matter.what: matter for matter in attention(Sight(self.pod, self.admin))}
        self.assertEqual(matters["port out of service"].many, 1)
        Switch.objects.filter(pk=self.switch.pk).update(status=status_of(Switch, "Maintenance"))
        told = self.told(self.switch)
        self.assertEqual({"unhealthy" in said for said in told.values()}, {True})
        self.assertEqual({row["unhealthy"] for row in self.ports().values()}, {"unhealthy"})

    def test_a_cube_that_is_out_keeps_its_cables_on_screen_and_paper(self) -> None:
        cube = self.pod.cubes.get(slot=1)
        self.pod.cubes.filter(pk=cube.pk).update(status=status_of(Cube, "Out"))
        told, rows = self.told(self.switch), self.ports()
        wrong = {port for port, row in rows.items() if row["wrong"]}
        self.assertEqual(wrong, {port for port, said in told.items() if "wrong" in said})
        self.assertEqual(rows["1B"]["state"], "unhealthy")
        faces = self.sheet("face-map", cube=1)
        self.assertEqual(len(faces), cube.ports.count())
        self.assertEqual({row["unhealthy"] for row in faces}, {"unhealthy"})
        # The cable that fades is none of those that stand.
        self.assertEqual(len(self.sheet("cut-list", cube=1)), cube.ports.count() - 1)

    def test_a_cube_that_drains_is_not_unhealthy(self) -> None:
        self.pod.cubes.filter(slot=2).update(status=status_of(Cube, "Draining"))
        self.assertEqual({row["unhealthy"] for row in self.ports().values()}, {""})
        self.assertNotIn("unhealthy", self.told(self.switch)["2A"])

    def test_what_holds_a_port_is_said(self) -> None:
        ticket = write_ticket(self.pod, self.admin)
        Reservation.objects.create(ticket=ticket, switch=self.switch, side="A", port=2)
        self.assertIn(f"held by {ticket}", self.told(self.switch)["2A"])
        self.assertEqual(self.ports()["2A"]["state"], "held")

    def test_circuits_that_the_switch_has_otherwise_are_named(self) -> None:
        Reading.objects.create(
            pod=self.pod, switch=self.switch, asked=timezone.now(), answered=timezone.now()
        )
        for a, b, wanted in ((2, 2, True), (3, 1, False)):
            OpticalCircuit.objects.create(
                switch=self.switch, a=a, b=b, wanted=wanted, seen=not wanted
            )
        told, ports = self.told(self.switch), self.ports()
        for port, why in (
            ("2A", "a circuit is wanted that the switch does not show"),
            ("1B", "the switch shows a circuit that nobody wants"),
        ):
            self.assertIn(f"wrong: {why}", told[port])
            self.assertEqual(ports[port]["wrong"], why)

    def test_a_slice_has_its_letter_on_screen_and_paper(self) -> None:
        for name, slot in (("b", 2), ("a", 1)):
            make_slice(self.pod, Wish(shape="2x2x2", name=name, slots=(slot,)), self.admin)
        letters = dict(Slice.objects.values_list("name", "letter"))
        self.assertEqual(letters, {"b": "C", "a": "D"})  # by age, not by name
        owners = fabric_of(PodRecord(self.pod), self.admin).owners
        paper = {name: owners[name].letter for name in letters}
        every = self.page(self.pod).split('<svg class="drawing')
        [slots] = [one for one in every if 'aria-label="Slots of pod' in one]
        drawn = words(drawing_of(f'<svg class="drawing{slots}'))
        grid = {text[0]: drawn[n - 1] for n, text in enumerate(drawn) if text.endswith(": 1 cube")}
        self.assertEqual((paper, grid), (letters, letters))


def _is(title: Any) -> bool:
    return bool(title.tag.endswith("title"))
