"""What pages may not do to records that others stand on."""

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import ProtectedError
from django.urls import reverse
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Rack

from fabric_twin.core.errors import UnusableInput
from fabric_twin.forms.optical_circuit import OpticalCircuitForm
from fabric_twin.models import Cube, OpticalCircuit, Pod, Slice, Switch
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.operations.slices.release import release_slice
from fabric_twin.tasks.adopt_pod import AdoptPod
from tests.nautobot.bases.pods.small_pod import add_ports, make_pod
from tests.nautobot.bases.users import admin


def page(record: object, action: str) -> str:
    """The page that edits or deletes a record."""
    return reverse(f"plugins:fabric_twin:{record._meta.model_name}_{action}", args=[record.pk])


class RecordsHoldTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = make_pod("v4", slots=[1, 2, 3])
        add_ports(cls.pod, [0, 96])  # of cubes 1 and 2
        cls.made = make_slice(cls.pod, Wish(shape="4x4x8", name="{odd}"), admin())[0]
        cls.circuit = cls.made.circuits.first()

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()

    def said(self, url: str, **data: object) -> str:
        answer = self.client.post(url, data, follow=True)
        self.assertHttpStatus(answer, 200)
        return answer.content.decode()

    def test_forms_that_are_filled_in_by_half_are_shown_again(self) -> None:
        for model in (Pod, Cube, Switch, OpticalCircuit, Slice):
            url = reverse(f"plugins:fabric_twin:{model._meta.model_name}_add")
            for half in ({}, {"pod": self.pod.pk}, {"switch": self.circuit.switch_id, "a": "NaN"}):
                with self.subTest(model=model, half=half):
                    self.assertIn("This field is required", self.said(url, **half))

    def test_a_cube_whose_ports_are_numbered_keeps_its_slot(self) -> None:
        cube = self.pod.cubes.get(slot=1)
        facts = {"pod": self.pod.pk, "rack": cube.rack_id, "status": cube.status_id}
        self.assertIn("delete the cube there first", self.said(page(cube, "edit"), slot=9, **facts))
        self.assertTrue(Cube.objects.filter(pk=cube.pk, slot=1).exists())

    def test_a_cube_that_nothing_stands_on_may_change_its_slot(self) -> None:
        cube = self.pod.cubes.get(slot=3)
        facts = {"pod": self.pod.pk, "rack": cube.rack_id, "status": cube.status_id}
        self.said(page(cube, "edit"), slot=9, **facts)
        self.assertTrue(Cube.objects.filter(pk=cube.pk, slot=9).exists())

    def test_a_switch_with_circuits_keeps_its_number(self) -> None:
        switch = self.circuit.switch
        switch.number = 47 - switch.number
        with self.assertRaisesMessage(Exception, "Its ports and circuits are those of number"):
            switch.clean()

    def test_a_circuit_of_a_slice_stays_as_it_is(self) -> None:
        circuit = self.circuit
        as_it_is = {"switch": circuit.switch_id, "a": circuit.a, "b": circuit.b, "wanted": True}
        for change in ({"b": 60}, {"wanted": False}):
            with self.subTest(change=change):
                self.said(page(circuit, "edit"), **as_it_is | change)
                self.assertTrue(self.made.circuits.filter(pk=circuit.pk, b=circuit.b).exists())
        self.said(page(circuit, "edit"), **as_it_is)
        self.assertTrue(self.made.circuits.filter(pk=circuit.pk).exists())

    def test_a_circuit_of_a_slice_is_not_deleted_nor_its_switch(self) -> None:
        for record in (self.circuit, self.circuit.switch):
            with self.subTest(record=record):
                answer = self.said(page(record, "delete"), confirm=True)
                self.assertIn("Release what holds these circuits first", answer)
                self.assertTrue(type(record).objects.filter(pk=record.pk).exists())

    def test_many_circuits_are_not_deleted_at_once_either(self) -> None:
        with self.assertRaises(ProtectedError), transaction.atomic():
            OpticalCircuit.objects.all().delete()
        self.assertEqual(self.made.circuits.count(), 192)

    def test_a_circuit_is_put_in_no_slice_by_hand(self) -> None:
        url = reverse("plugins:fabric_twin:opticalcircuit_add")
        by_hand = {"slice": self.made.pk, "wanted": True, "a": 60, "b": 61}
        self.said(url, switch=self.circuit.switch_id, **by_hand)
        self.assertIsNone(OpticalCircuit.objects.get(a=60).slice)

    def test_a_port_that_is_taken_is_refused_with_the_circuit_that_has_it(self) -> None:
        url = reverse("plugins:fabric_twin:opticalcircuit_add")
        taken = {"switch": self.circuit.switch_id, "a": self.circuit.a, "b": 60, "wanted": True}
        said = self.said(url, **taken)
        self.assertIn(f"It is in a circuit that is wanted: {self.circuit}.", said)
        self.assertNotIn("is violated", said)

    def test_an_address_that_nobody_could_answer_at_is_refused(self) -> None:
        cube, switch = self.pod.cubes.get(slot=3), self.circuit.switch
        for record in (cube, switch):
            for address in ("gateway", "gateway:0", "not an address", "gateway:65536", "a:1/x"):
                with self.subTest(record=record, address=address):
                    record.address = address
                    with self.assertRaisesMessage(ValidationError, "is not an address"):
                        record.full_clean()
            for address in ("", "gateway:9339", "10.0.0.7:1", "[2001:db8::7]:9339"):
                record.address = address
                record.full_clean()

    def test_no_pod_is_loaded_behind_an_address_that_is_none(self) -> None:
        with self.assertRaisesMessage(UnusableInput, "is not an address"):
            load_pod("v6", "tpu-v4", self.pod.location, slots=[1], address="gateway")
        self.assertFalse(Pod.objects.filter(name="v6").exists())

    def test_a_name_that_is_missing_is_missed_once(self) -> None:
        said = self.said(reverse("plugins:fabric_twin:pod_add"), name="", design="tpu-v4")
        self.assertIn("This field is required", said)
        self.assertNotIn("cannot name a pod", said)

    def test_a_pods_page_says_what_goes_with_it_and_what_holds_it(self) -> None:
        asked = self.client.get(page(self.pod, "delete")).content.decode()
        self.assertIn("3 cubes, 48 switches and 2 ports go with it", asked)
        self.assertIn("as long as 1 slice of it is there: release it first", asked)
        self.said(page(self.pod, "delete"), confirm=True)
        self.assertTrue(Pod.objects.filter(pk=self.pod.pk).exists())

    def test_a_pods_page_removes_its_records_and_no_hardware(self) -> None:
        racks = Rack.objects.count()
        release_slice(self.made, self.user)
        self.client.post(page(self.pod, "delete"), {"confirm": True})
        self.assertEqual(Pod.objects.count() + Cube.objects.count() + Switch.objects.count(), 0)
        self.assertEqual(Rack.objects.count(), racks)

    def test_a_sign_of_per_cent_is_refused_like_any_other(self) -> None:
        api = "/api/plugins/fabric-twin"
        for url in (f"{api}/cubes/?slots=%25", f"{api}/ports/?slots=%25s"):
            with self.subTest(url=url):
                self.assertHttpStatus(self.client.get(url), 400)
        wanted = {"name": "100%", "design": "%s", "location": self.pod.location_id}
        refused = self.client.post(
            f"{api}/pods/", wanted | {"status": "Active"}, content_type="application/json"
        )
        self.assertHttpStatus(refused, 400)
        self.assertIn("cannot name a pod", refused.content.decode())

    def test_no_face_and_no_axis_find_nothing(self) -> None:
        for query in ("face=null", "axis=null"):
            with self.subTest(query=query):
                answer = self.client.get(f"/api/plugins/fabric-twin/ports/?{query}")
                self.assertEqual(answer.json()["count"], 0)

    def test_filters_of_an_adoption_are_lists_or_refused(self) -> None:
        with self.assertRaises(UnusableInput):
            AdoptPod().do(
                pod="v5",
                design="tpu-v4",
                location=self.pod.location,
                cube_ports="{slot}",
                filters={"name": 5},
            )


class CircuitFormTest(TestCase):
    def test_ports_of_a_circuit_are_shown_and_read_with_their_sides(self) -> None:
        switch = make_pod("v4", slots=[1]).switches.first()
        there = OpticalCircuit.objects.create(switch=switch, a=7, b=9)
        shown = OpticalCircuitForm(instance=there)
        self.assertEqual([shown[side].value() for side in "ab"], ["7A", "9B"])
        for a, b in (("8A", "10B"), ("8", "10"), (" 8a", "10b ")):
            form = OpticalCircuitForm({"switch": switch.pk, "a": a, "b": b, "wanted": True})
            self.assertTrue(form.is_valid(), form.errors)
            self.assertEqual((form.instance.a, form.instance.b), (8, 10))
        for wrong in ("8B", "A", "0A"):
            form = OpticalCircuitForm({"switch": switch.pk, "a": wrong, "b": "10B"})
            self.assertEqual(set(form.errors), {"a"})
