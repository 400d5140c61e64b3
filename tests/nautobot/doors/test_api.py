"""The records over REST, on Nautobot's own bases."""

from typing import ClassVar
from urllib.parse import quote

from nautobot.apps.testing import APITestCase, APIViewTestCases
from nautobot.dcim.models import Device, Rack

from fabric_twin.api.urls import router as api
from fabric_twin.models import (
    AgreedCable,
    Block,
    Cube,
    Demand,
    Multislice,
    OpticalCircuit,
    Pod,
    Port,
    Switch,
    WrittenEnd,
)
from tests.nautobot.bases.networks.small_network import add_demand, add_multislice, make_network
from tests.nautobot.bases.pods.small_pod import (
    add_agreed_cables,
    add_ports,
    add_written_ends,
    make_devices,
    make_location,
    make_pod,
    status_of,
)


class PodApiTest(APIViewTestCases.APIViewTestCase):
    model = Pod
    choices_fields: ClassVar[list[str]] = []

    @classmethod
    def setUpTestData(cls) -> None:
        hall, active = make_location("Hall"), status_of(Pod)
        for number in range(3):
            Pod.objects.create(name=f"p{number}", design="ironwood", location=hall, status=active)
        facts = {"design": "tpu-v4", "location": hall.pk, "status": active.pk}
        cls.create_data = [{"name": f"new-{number}", **facts} for number in range(3)]
        cls.bulk_update_data = {"description": "in the far hall", "design": "tpu-v5p"}


class CubeApiTest(APIViewTestCases.APIViewTestCase):
    model = Cube

    @classmethod
    def setUpTestData(cls) -> None:
        pod = make_pod("v4", slots=range(1, 5))
        make_pod("v5", slots=[1])
        racks = Rack.objects.bulk_create(
            Rack(name=f"rack {n}", location=pod.location, status=status_of(Rack)) for n in range(3)
        )
        active = status_of(Cube).pk
        cls.create_data = [
            {"pod": pod.pk, "slot": 10 + number, "rack": rack.pk, "status": active}
            for number, rack in enumerate(racks)
        ]
        cls.bulk_update_data = {"status": status_of(Cube, "Draining").pk}


class BlockApiTest(APIViewTestCases.APIViewTestCase):
    model = Block

    @classmethod
    def setUpTestData(cls) -> None:
        pod = make_network("dc1", 3)
        devices = make_devices(pod, ["ab07", "ab08", "ab09"])
        facts = {"pod": pod.pk, "strands": 12, "rate_gbps": 400, "status": status_of(Block).pk}
        cls.create_data = [
            {"name": device.name, "device": device.pk, "first_port": 20 + 3 * number, **facts}
            for number, device in enumerate(devices)
        ]
        cls.bulk_update_data = {"owner": "search", "rate_gbps": 800}

    def test_a_port_of_another_is_refused_with_the_place_that_is_free(self) -> None:
        for model in ("fabric_twin.pod", "dcim.device", "extras.status"):
            self.add_permissions(model.replace(".", ".view_"))
        self.add_permissions("fabric_twin.add_block")
        wish = {**self.create_data[0], "first_port": 5}
        response = self.client.post(self._get_list_url(), wish, format="json", **self.header)
        self.assertContains(response, "port 5 of every switch is ab02", status_code=400)
        self.assertContains(response, "Let it begin at 10", status_code=400)

    def test_a_rate_that_is_no_number_is_refused(self) -> None:
        self.add_permissions("fabric_twin.view_block", "fabric_twin.change_block")
        url = self._get_detail_url(Block.objects.first())
        for rate in ("NaN", "-nan", "Infinity", 0, 1e300):
            with self.subTest(rate=rate):
                response = self.client.patch(url, {"rate_gbps": rate}, format="json", **self.header)
                self.assertHttpStatus(response, 400)


class MultisliceApiTest(
    APIViewTestCases.GetObjectViewTestCase,
    APIViewTestCases.ListObjectsViewTestCase,
    APIViewTestCases.NotesURLViewTestCase,
):
    """One is asked for, and released as one: nobody deletes it over REST."""

    model = Multislice

    @classmethod
    def setUpTestData(cls) -> None:
        pod = make_network("dc1")
        for number in range(3):
            add_multislice(pod, f"job{number}")


class DemandApiTest(
    APIViewTestCases.GetObjectViewTestCase,
    APIViewTestCases.ListObjectsViewTestCase,
    APIViewTestCases.DeleteObjectViewTestCase,
    APIViewTestCases.NotesURLViewTestCase,
):
    """An import writes demand; people describe it, and delete it."""

    model = Demand

    @classmethod
    def setUpTestData(cls) -> None:
        pod = make_network("dc1")
        for day in range(3):
            add_demand(pod, [("ab02", "ab01", 8.5)], day)

    def test_its_pairs_are_rows_by_name(self) -> None:
        self.add_permissions("fabric_twin.view_demand")
        told = self.client.get(self._get_detail_url(Demand.objects.first()), **self.header).json()
        self.assertEqual(told["gbps"], [{"from": "ab01", "to": "ab02", "gbps": 8.5}])

    def test_only_its_description_is_changed(self) -> None:
        self.add_permissions("fabric_twin.change_demand", "fabric_twin.add_demand")
        before = Demand.objects.first()
        change = {"description": "a forecast", "day": "2030-01-01", "gbps": []}
        url = self._get_detail_url(before)
        self.assertHttpStatus(self.client.patch(url, change, format="json", **self.header), 200)
        after = Demand.objects.get(pk=before.pk)
        self.assertEqual(
            (after.description, after.day, after.gbps), ("a forecast", before.day, before.gbps)
        )
        for method, where in (
            (self.client.put, url),
            (self.client.post, self._get_list_url()),
            (self.client.patch, self._get_list_url()),
        ):
            self.assertHttpStatus(method(where, change, format="json", **self.header), 405)


class SwitchApiTest(APIViewTestCases.APIViewTestCase):
    model = Switch
    choices_fields: ClassVar[list[str]] = ["dialect"]

    @classmethod
    def setUpTestData(cls) -> None:
        pod = make_pod("v4", slots=[1])
        pod.switches.filter(number__lt=3).delete()
        devices = Device.objects.filter(fabric_switch=None)
        cls.create_data = [
            {
                "pod": pod.pk,
                "number": number,
                "device": device.pk,
                "status": status_of(Switch).pk,
                "dialect": "kvm",
            }
            for number, device in enumerate(devices)
        ]
        cls.bulk_update_data = {"target": "shared", "dialect": "kvm"}


class OpticalCircuitApiTest(APIViewTestCases.APIViewTestCase):
    model = OpticalCircuit

    @classmethod
    def setUpTestData(cls) -> None:
        switch = make_pod("v4", slots=[1]).switches.first()
        for port in range(1, 5):
            OpticalCircuit.objects.create(switch=switch, a=port, b=port + 1)
        cls.create_data = [{"switch": switch.pk, "a": n, "b": n} for n in range(10, 13)]
        cls.update_data = {"a": 20, "b": 21}

    def test_a_port_that_is_taken_is_refused_with_the_circuit_that_has_it(self) -> None:
        self.add_permissions("fabric_twin.add_opticalcircuit", "fabric_twin.view_switch")
        there = OpticalCircuit.objects.get(a=1)
        wish = {"switch": there.switch_id, "a": 1, "b": 9}
        response = self.client.post(self._get_list_url(), wish, format="json", **self.header)
        self.assertEqual(response.json(), {"a": [f"It is in a circuit that is wanted: {there}."]})

    def test_a_circuit_that_is_neither_wanted_nor_seen_is_refused(self) -> None:
        self.add_permissions("fabric_twin.change_opticalcircuit")
        url = self._get_detail_url(OpticalCircuit.objects.first())
        response = self.client.patch(url, {"wanted": False}, format="json", **self.header)
        self.assertHttpStatus(response, 400)


class ReadOnlyPortApiTest(
    APIViewTestCases.GetObjectViewTestCase, APIViewTestCases.ListObjectsViewTestCase
):
    model = Port

    @classmethod
    def setUpTestData(cls) -> None:
        pod = make_pod("v4", slots=[1, 2])
        add_ports(pod, [0, 1, pod.to_core().layout.cube_ports])

    def test_ports_are_not_written_over_the_api(self) -> None:
        self.add_permissions("fabric_twin.change_port", "fabric_twin.delete_port")
        for method in (self.client.patch, self.client.delete):
            response = method(self._get_detail_url(Port.objects.first()), **self.header)
            self.assertHttpStatus(response, 405)


class ReadOnlyWrittenEndApiTest(
    APIViewTestCases.GetObjectViewTestCase, APIViewTestCases.ListObjectsViewTestCase
):
    model = WrittenEnd

    @classmethod
    def setUpTestData(cls) -> None:
        add_written_ends(make_pod("v4", slots=[1]))


class ReadOnlyAgreedCableApiTest(
    APIViewTestCases.GetObjectViewTestCase, APIViewTestCases.ListObjectsViewTestCase
):
    model = AgreedCable

    @classmethod
    def setUpTestData(cls) -> None:
        add_agreed_cables(make_pod("v4", slots=[1]))


class KeysTest(APITestCase):
    def test_a_key_that_the_database_cannot_look_for_is_not_found(self) -> None:
        self.user.is_superuser = True
        self.user.save()
        for path, *_ in api.registry:
            for key in ("\u00e2", "one;two;three;four;five;six"):
                with self.subTest(path, key=key):
                    url = f"/api/plugins/fabric-twin/{path}/{quote(key)}/"
                    self.assertHttpStatus(self.client.get(url, **self.header), 404)
