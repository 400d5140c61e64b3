"""What pages may not do to records that others stand on."""

from django.db import transaction
from django.db.models import ProtectedError
from django.urls import reverse
from nautobot.apps.testing import TestCase
from small_pod import add_ports, make_pod
from test_api import admin

from fabric_twin.models import Cube, OpticalCircuit, Pod, Slice, Switch
from fabric_twin.repositories.slices import Wish, make_slice


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
