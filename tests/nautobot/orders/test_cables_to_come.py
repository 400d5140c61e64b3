"""A cube on its way in or out: screens, sheets and `GET pods/ID/drawn/` have one account of it.

On its way in, the plugs of 24 cables are in the cube; one of them is in its switch too, and another
one hangs from its switch alone. The other 71 are still to come.
"""

import csv
import io
import json
from collections import Counter
from datetime import timedelta
from math import inf
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from nautobot.dcim.models import Cable
from nautobot.extras.models import Status

from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.reports import Report, Told
from fabric_twin.core.orders.steps import Do
from fabric_twin.documents.pods.fabric import Fabric
from fabric_twin.documents.pods.fabric_json import fabric_from_json
from fabric_twin.models import Cube, OrderStep, WorkOrder
from fabric_twin.operations.audits.audit import audit_pod
from fabric_twin.operations.orders.expected_cables import awaited_cables
from fabric_twin.operations.orders.reports.take_reports import take_reports
from fabric_twin.presenters.pod_fabric import whole_fabric_of
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.repositories.states import update_state
from fabric_twin.services.pods.render import render_fabric
from fabric_twin.services.pods.which import Which
from tests.nautobot.bases.drawings import drawing_of, words
from tests.nautobot.bases.orders.order_case import OrderCase

PLUGGED = 24


class DrawnCase(OrderCase):
    def fabric(self) -> Fabric:
        return whole_fabric_of(PodRecord(self.pod), self.admin)

    def sheet(self, kind: str, form: str = "csv", **which: Any) -> str:
        [content] = dict(render_fabric(kind, form, self.fabric(), Which(**which)).files).values()
        return content.decode()

    def rows(self, kind: str, **which: Any) -> dict[str, dict[str, str]]:
        rows = csv.DictReader(io.StringIO(self.sheet(kind, **which)))
        return {row["port"]: row for row in rows}


class CablesToComeTest(DrawnCase):
    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        case = cls()
        cls.order = case.begin(case.make(slots=(3,)))
        cls.cube = Cube.objects.get(pod=cls.pod, slot=3)
        cls.plugged = case.plug(PLUGGED)
        cls.whole, *_ = cls.plugged
        case.plug_at_switch(cls.whole)
        cls.from_switch = case.steps_of(Do.PLUG).exclude(cable__in=cls.plugged).first().cable
        case.plug_at_switch(cls.from_switch)

    def steps_of(self, do: Do) -> Any:
        return self.order.steps.filter(do=do).order_by("number")

    def plug(self, many: int) -> list[str]:
        """Report the first steps of the order, labels read right, until so many are plugged."""
        last = list(self.steps_of(Do.PLUG))[many - 1].number
        early = self.order.steps.filter(number__lte=last).order_by("number")
        reports = [
            Report(
                id=str(step.number),
                step=step.number,
                told=Told.DONE,
                scanned=step.cable if step.do == Do.SCAN else "",
            )
            for step in early
        ]
        answers = take_reports(self.order, self.admin, reports)
        assert {answer.why for answer in answers} == {""}
        return [step.cable for step in early if step.do == Do.PLUG]

    def plug_at_switch(self, cable: str) -> None:
        far = self.steps_of(Do.PLUG).filter(cable=cable).last()
        self.prepare(far)
        self.report(self.order, far.number)

    def setUp(self) -> None:
        super().setUp()
        self.client = Client()
        self.client.force_login(self.admin)

    def drawn(self, record: Any) -> list[str]:
        answer = self.client.get(record.get_absolute_url())
        self.assertHttpStatus(answer, 200)
        return words(drawing_of(answer.content.decode()))

    def test_the_plugs_are_recorded_as_hands_put_them(self) -> None:
        cables = Cable.objects.filter(label__startswith="iw-c003:")
        told = Counter((cable.status.name, cable.terminations.count()) for cable in cables)
        self.assertEqual(told, {("Connected", 2): 1, ("Planned", 1): PLUGGED})

    def test_the_face_map_is_the_same_on_the_page_of_the_cube_and_on_paper(self) -> None:
        faces = self.rows("face-map", cube=3).values()
        told = Counter(row["state"] for row in faces)
        self.assertEqual(told, {"one end in": PLUGGED, "installing": 71, "held": 1})
        self.assertEqual({row["wrong"] for row in faces}, {""})
        half = {row["cable"]: row["goes to"] for row in faces if row["state"] == "one end in"}
        self.assertEqual(set(half), {*self.plugged[1:], self.from_switch})
        self.assertEqual([cable for cable, to in half.items() if to], [self.from_switch])
        on_paper = words(drawing_of(self.sheet("face-map", "svg", cube=3)))
        for legend in ("one end in 24", "installing 71", "held 1"):
            self.assertIn(legend, on_paper)
        self.assertEqual(on_paper.count("½"), PLUGGED + 1)  # the last is the legend's
        self.assertEqual(self.drawn(self.cube), on_paper)

    def test_the_port_map_is_the_same_on_the_page_of_the_switch_and_on_paper(self) -> None:
        for cable, cube in ((self.plugged[1], "iw-c003"), (self.from_switch, "")):
            port = self.steps_of(Do.PLUG).filter(cable=cable).last().port
            name = port.switch.device.name
            row = self.rows("port-map", switch=name)[port.interface.name]
            self.assertEqual(
                (row["state"], row["cable"], row["cube"], row["wrong"]),
                ("one end in", cable, cube, ""),
            )
            on_paper = words(drawing_of(self.sheet("port-map", "svg", switch=name)))
            self.assertEqual(self.drawn(port.switch), on_paper)

    def test_the_cut_list_has_all_that_the_technician_lays(self) -> None:
        faces = self.rows("cut-list", cube=3)
        told = Counter(row["state"] for row in faces.values())
        self.assertEqual(told, {"cabled": 1, "one end in": PLUGGED, "installing": 71})
        laid = {cable["cable"]: cable for cable in self.order.facts["cables"]}
        for port, row in faces.items():
            cable = laid[f"iw-c003:{port}"]
            self.assertEqual(
                [row["cable"], [row["tray"], port], [row["to"], row["port there"]]],
                [cable["cable"], cable["a"], cable["b"]],
            )
            self.assertEqual(float(row["length m"]), cable["length_m"])
        head = self.sheet("cut-list", "txt", cube=3).splitlines()[1:4]
        self.assertEqual(
            head,
            [
                "Pod iw (ironwood)",
                "96 cables from 1 rack: 1 cabled, 71 installing, 24 one end in",
                "All lengths are known",
            ],
        )
        self.assertEqual(len(self.sheet("labels", cube=3).splitlines()), 1 + 2 * 96)

    def test_who_draws_it_elsewhere_draws_it_to_the_byte(self) -> None:
        url = reverse("plugins-api:fabric_twin-api:pod-drawn", args=[self.pod.pk])
        there = fabric_from_json(json.loads(self.client.get(url).content))
        for kind, form in (("face-map", "svg"), ("cut-list", "html"), ("labels", "csv")):
            rendering = render_fabric(kind, form, there, Which(cube=3))
            [content] = dict(rendering.files).values()
            self.assertEqual(content.decode(), self.sheet(kind, form, cube=3))

    def test_a_light_path_waits_for_the_other_end(self) -> None:
        port = self.steps_of(Do.PLUG).filter(cable=self.plugged[1]).first().port
        url = reverse("plugins-api:fabric_twin-api:port-light-path", args=[port.pk])
        told = self.client.get(url).json()["wrong"]
        self.assertEqual(told, f"one end of {self.plugged[1]} is in: installing")

    def test_it_takes_no_more_queries_the_more_plugs_are_in(self) -> None:
        def queries() -> int:
            with CaptureQueriesContext(connection) as asked:
                self.fabric()
            return len(asked)

        self.fabric()  # what Nautobot remembers is remembered
        many = queries()
        self.plug(PLUGGED + 24)
        self.assertEqual(queries(), many)

    def test_a_planned_cable_is_cut_as_it_is_recorded(self) -> None:
        cable = Cable.objects.get(label=self.whole)
        Cable.objects.filter(pk=cable.pk).update(
            status=Status.objects.get_for_model(Cable).get(name="Planned"),
            label="Hall 4 no 7",
            length=31,
            length_unit="m",
        )
        row = self.rows("cut-list", cube=3)[self.whole.partition(":")[2]]
        self.assertEqual(
            (row["cable"], row["length m"], row["state"]), ("Hall 4 no 7", "31", "installing")
        )

    def test_a_cable_without_a_label_has_its_name_by_the_rule_at_the_switch_too(self) -> None:
        Cable.objects.filter(label=self.from_switch).update(label="")
        port = self.steps_of(Do.PLUG).filter(cable=self.from_switch).last().port
        row = self.rows("port-map", switch=port.switch.device.name)[port.interface.name]
        self.assertEqual(row["cable"], self.from_switch)
        page = self.client.get(port.switch.get_absolute_url()).content.decode()
        self.assertIn(f"one end in, {self.from_switch}", page)

    def test_cables_of_a_planned_cube_that_were_begun_are_drawn(self) -> None:
        planned = Status.objects.get_for_model(Cube).get(name="Planned")
        Cube.objects.filter(pk=self.cube.pk).update(status=planned)
        Cable.objects.filter(label=self.whole).delete()
        self.assertIn("24 one end in", self.sheet("cut-list", "txt", cube=3))


class CablesToGoTest(DrawnCase):
    """On its way out: one cable is out, two hang from the cube alone, the other 93 are in."""

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        case = cls()
        cls.order = case.begin(case.make(Kind.DECOMMISSION, slots=(2,)))
        cls.out, *cls.half = [case.unplug(step) for step in list(case.steps()[:3])]
        last = case.steps().filter(cable=cls.out).last()
        update_state(cls.order.steps.filter(pk=last.pk), "waiting")
        case.report(cls.order, last.number)

    def steps(self) -> Any:
        return self.order.steps.filter(do=Do.UNPLUG).order_by("number")

    def unplug(self, step: OrderStep) -> str:
        self.prepare(step)
        [answer] = self.report(self.order, step.number)
        assert answer.taken, answer.why
        return str(step.cable)

    def test_it_waits_for_no_cable_and_misses_none(self) -> None:
        faces = self.rows("face-map", cube=2).values()
        told = Counter((row["state"], row["wrong"]) for row in faces)
        self.assertEqual(told, {("held", ""): 93, ("one end in", ""): 2, ("removing", ""): 1})
        self.assertEqual({r["cable"] for r in faces if r["state"] == "one end in"}, {*self.half})
        self.assertEqual(audit_pod(PodRecord(self.pod), None).report.findings, ())

    def test_nothing_of_it_is_cut_labelled_or_laid(self) -> None:
        cut = self.rows("cut-list", cube=2)
        self.assertEqual(Counter(row["state"] for row in cut.values()), {"cabled": 93})
        labels = self.sheet("labels", cube=2)
        for cable in (self.out, *self.half):
            self.assertNotIn(cable, labels)

    def test_a_light_path_says_that_it_is_removed(self) -> None:
        client = Client()
        client.force_login(self.admin)
        half = f"one end of {self.half[0]} is in: removing"
        for cable, waits in ((self.half[0], half), (self.out, "the cable is out: removing")):
            port = self.steps().filter(cable=cable).last().port
            url = reverse("plugins-api:fabric_twin-api:port-light-path", args=[port.pk])
            self.assertEqual(client.get(url).json()["wrong"], waits)

    def test_what_is_still_in_is_looked_at_once_the_order_is_late(self) -> None:
        due = timezone.now() + timedelta(days=1)
        WorkOrder.objects.filter(pk=self.order.pk).update(due=due)
        record = PodRecord(self.pod)
        awaited = awaited_cables(record, record.intended())
        ports = {record.names.cable(port): until for port, until in awaited.items()}
        self.assertEqual(len(ports), 96)
        out = {cable for cable, until in ports.items() if until == inf}
        self.assertEqual(out, {self.out, *self.half})
        self.assertEqual({ports[cable] for cable in ports.keys() - out}, {due.timestamp()})

    def test_it_stays_so_when_the_order_is_late_and_until_it_is_closed(self) -> None:
        order = WorkOrder.objects.filter(pk=self.order.pk)
        order.update(due=timezone.now() - timedelta(days=1))
        for state in ("under way", "awaiting light"):
            update_state(order, state)
            self.test_it_waits_for_no_cable_and_misses_none()
            self.test_nothing_of_it_is_cut_labelled_or_laid()
        update_state(order, "withdrawn")
        found = audit_pod(PodRecord(self.pod), None).report.findings
        self.assertEqual([one.code for one in found], ["missing"] * 3)
