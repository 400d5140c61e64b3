"""The light path of a port over REST: the same as the tab says, and to nobody more than that."""

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from nautobot.apps.testing import APITestCase
from nautobot.users.models import ObjectPermission

from fabric_twin.models import Cube, OpticalCircuit, Pod, Port, Slice, Switch
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.operations.slices.make import Wish, make_slice
from tests.nautobot.bases.pods.small import hall


class LightPathTest(APITestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        admin = get_user_model().objects.create_superuser("admin of light")
        load_pod("s", "small", hall())
        cls.pod = Pod.objects.get(name="s")
        cls.made, _ = make_slice(cls.pod, Wish(shape="2x2x2", name="train-1"), admin)

    def see(self, model: Any, **constraints: Any) -> None:
        """Let the user see records of a kind: all, or some."""
        sight = ObjectPermission.objects.create(
            name=f"see {model.__name__}", actions=["view"], constraints=constraints or None
        )
        sight.users.add(self.user)
        sight.object_types.add(ContentType.objects.get_for_model(model))

    def port(self, name: str) -> Port:
        """The port of a device."""
        device, port = name.split()
        return self.pod.ports.get(interface__device__name=device, interface__name=port)

    def ask(self, port: Port, status: int = 200) -> Any:
        """What is answered about a port."""
        url = f"/api/plugins/fabric-twin/ports/{port.pk}/light-path/"
        response = self.client.get(url, **self.header)
        self.assertHttpStatus(response, status)
        return response.json()

    def test_the_light_is_followed_from_cube_to_cube(self) -> None:
        for model in (Pod, Port, Cube, Switch, Slice, OpticalCircuit):
            self.see(model)
        self.add_permissions("dcim.view_cable")
        circuit = OpticalCircuit.objects.get(switch__device__name="s-ocs-x-1-1", a=1, b=1)
        near, far = (
            self.port(f"s-c001-t01 {name}").interface.cable for name in ("2.1.1/X+", "1.1.1/X-")
        )
        stations = [
            (
                "port",
                "s-c001-t01 2.1.1/X+",
                "",
                self.port("s-c001-t01 2.1.1/X+").get_absolute_url(),
            ),
            ("cable", "s-c001:2.1.1/X+", "", near.get_absolute_url()),
            ("switch port", "s-ocs-x-1-1 1A", "", self.port("s-ocs-x-1-1 1A").get_absolute_url()),
            ("circuit", "1A to 1B", "train-1", circuit.get_absolute_url()),
            ("switch port", "s-ocs-x-1-1 1B", "", self.port("s-ocs-x-1-1 1B").get_absolute_url()),
            ("cable", "s-c001:1.1.1/X-", "", far.get_absolute_url()),
            (
                "port",
                "s-c001-t01 1.1.1/X-",
                "",
                self.port("s-c001-t01 1.1.1/X-").get_absolute_url(),
            ),
        ]
        path = {
            "version": 1,
            "pod": "s",
            "arrives": True,
            "wrong": "",
            "findings_hidden": True,
            "slice": "train-1",
            "stations": [
                dict(zip(("what", "name", "more", "page"), row, strict=True)) for row in stations
            ],
        }
        self.assertEqual(self.ask(self.port("s-c001-t01 2.1.1/X+")), path)
        self.assertEqual(self.ask(self.port("s-ocs-x-1-1 1A")), path)

    def test_where_it_ends_too_early_it_says_why(self) -> None:
        for model in (Pod, Port, Cube, Switch):
            self.see(model)
        path = self.ask(self.port("s-c002-t01 2.1.1/X+"))
        self.assertEqual(path["stations"][-1]["name"], "s-ocs-x-1-1 2A")
        self.assertEqual(
            (path["arrives"], path["wrong"], path["slice"]),
            (False, "no circuit begins here", None),
        )

    def test_what_is_hidden_is_not_named(self) -> None:
        self.made.name = "secret"
        self.made.save()
        for switch in self.pod.switches.select_related("device"):
            switch.device.name = f"secret-{switch.number}"
            switch.device.save()
        self.see(Pod)
        self.see(Port, switch=None)
        self.see(Cube)
        path = self.ask(self.port("s-c001-t01 2.1.1/X+"))
        self.assertNotIn("secret", str(path))
        named = [(station["name"], station["page"] is not None) for station in path["stations"]]
        self.assertEqual(
            named,
            [
                ("s-c001-t01 2.1.1/X+", True),
                ("s-c001:2.1.1/X+", False),
                ("s-ocs-x-1-1 1A", False),
                ("1A to 1B", False),
                ("s-ocs-x-1-1 1B", False),
                ("s-c001:1.1.1/X-", False),
                ("s-c001-t01 1.1.1/X-", True),
            ],
        )
        self.assertEqual(path["slice"], "(hidden)")

    def test_who_may_not_see_the_pod_or_the_port_is_told_nothing(self) -> None:
        seen, hidden = self.port("s-c001-t01 2.1.1/X+"), self.port("s-c001-t01 1.1.1/X-")
        self.see(Port, number=seen.number)
        refusal = {
            "what": "you may not see the pod of this port",
            "where": "port",
            "remedy": "Ask for the permission to view the pod",
        }
        self.assertEqual(self.ask(seen, 403), refusal)
        self.see(Pod)
        self.ask(seen)
        self.ask(hidden, 404)
