"""What pages say and draw: to whom, with how many queries, and whether it is well-formed."""

import re
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from nautobot.apps.testing import TestCase
from nautobot.core.templatetags.helpers import get_docs_url
from nautobot.dcim.models import Interface
from nautobot.users.models import ObjectPermission

from fabric_twin.models import Cube, OpticalCircuit, Pod, Port, Slice, Switch
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.operations.slices.make import Wish, make_slice
from tests.nautobot.bases.drawings import drawing_of, leads_to, words
from tests.nautobot.bases.pods.one_pod import see_one_pod
from tests.nautobot.bases.pods.small import hall

#: How each of our models is tied to its pod.
POD_OF = {
    Pod: "name",
    Cube: "pod__name",
    Switch: "pod__name",
    Port: "pod__name",
    Slice: "pod__name",
    OpticalCircuit: "switch__pod__name",
}


class ScreensTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        admin = get_user_model().objects.create_superuser("admin of screens")
        place = hall()
        for name, slots, wishes in (
            ("mine", range(1, 3), ["few-a"]),
            ("theirs", range(1, 7), ["secret-a", "secret-b", "secret-c", "secret-d"]),
        ):
            load_pod(name, "tpu-v4", place, slots=slots)
            pod = Pod.objects.get(name=name)
            for wish in wishes:
                make_slice(pod, Wish(shape="4x4x4", name=wish), admin)
        cls.mine, cls.theirs = Pod.objects.get(name="mine"), Pod.objects.get(name="theirs")
        shared = cls.mine.switches.get(number=0).device.rack
        device = cls.theirs.switches.get(number=0).device
        device.rack, device.position, device.face = shared, None, ""
        device.save()
        cls.shared_rack = shared

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()

    def become_a_user_of(self, pod: str) -> None:
        """See one pod, and all of Nautobot's own records."""
        see_one_pod(self.user, pod, POD_OF)
        self.add_permissions(
            *(f"dcim.view_{kind}" for kind in ("rack", "device", "interface", "cable", "location")),
            "extras.view_status",
        )

    def page(self, record: Any) -> str:
        return self.get(record if isinstance(record, str) else record.get_absolute_url())

    def get(self, url: str, **headers: str) -> str:
        response = self.client.get(url, headers=headers)
        self.assertHttpStatus(response, 200)
        return response.content.decode()

    def queries(self, record: Any) -> int:
        with CaptureQueriesContext(connection) as queries:
            self.page(record)
        return len(queries)

    def port(self, pod: Pod, number: int = 0) -> Port:
        return pod.ports.select_related("interface").get(number=number)

    def test_a_pod_shows_its_slots_and_what_is_in_use(self) -> None:
        page = self.page(self.theirs)
        drawing = drawing_of(page)
        self.assertIn("secret-a: 1 cube", words(drawing))
        self.assertIn("no cube 58", words(drawing))
        cube = self.theirs.cubes.get(slot=1)
        self.assertIn(cube.get_absolute_url(), leads_to(drawing))
        self.assertIn("67% (256 of 384 chips in slices)", page)

    def test_a_pod_says_what_needs_attention(self) -> None:
        self.port(self.mine, 5).interface.cable.delete()
        page = self.page(self.mine)
        for matter in ("slots without a cube", "port of cubes without a cable"):
            self.assertIn(matter, page)
        rows = re.search(r'href="([^"]*is_connected=False[^"]*)"', page)
        assert rows
        listed = self.get(rows[1].replace("&amp;", "&"), **{"HX-Request": "true"})
        self.assertIn(f"/ports/{self.port(self.mine, 5).pk}/", listed)
        self.assertNotIn(f"/ports/{self.port(self.mine, 6).pk}/", listed)

    def test_a_cube_shows_where_its_ports_lead(self) -> None:
        drawing = drawing_of(self.page(self.mine.cubes.get(slot=1)))
        self.assertIn("few-a: 96", words(drawing))
        self.assertIn(self.port(self.mine).get_absolute_url(), leads_to(drawing))

    def test_a_switch_shows_its_circuits(self) -> None:
        drawing = drawing_of(self.page(self.mine.switches.get(number=0)))
        self.assertTrue(any(text.startswith("few-a: 2") for text in words(drawing)), words(drawing))
        self.assertIn(self.mine.slices.get().get_absolute_url(), leads_to(drawing))

    def test_a_slice_shows_its_torus(self) -> None:
        drawing = drawing_of(self.page(self.mine.slices.get()))
        self.assertEqual(leads_to(drawing), {self.mine.cubes.get(slot=1).get_absolute_url()})

    def test_a_slice_under_a_cube_names_its_cube(self) -> None:
        admin = get_user_model().objects.get(username="admin of screens")
        made, _ = make_slice(self.mine, Wish(shape="2x2x1", name="bit"), admin)
        url = self.mine.cubes.get(slot=2).get_absolute_url()
        self.assertIn(f'<a href="{url}">4 chips of cube 2</a>', self.page(made))
        self.become_a_user_of("mine")
        ObjectPermission.objects.filter(name="Cube of mine").update(constraints={"slot": 1})
        self.assertNotIn(url, self.page(made))

    def test_the_circuit_and_the_end_of_the_light_are_ways_on(self) -> None:
        port = self.port(self.mine)
        circuit = OpticalCircuit.objects.get(switch=self.mine.switches.get(number=0), a=1)
        self.assertIn(f'<a href="{circuit.get_absolute_url()}">1 to 65</a>', self.page(port))
        Interface.objects.filter(name="65", fabric_port__switch=circuit.switch).update(name="p065")
        self.assertIn(f'<a href="{circuit.get_absolute_url()}">1 to p065</a>', self.page(port))
        end = self.mine.ports.get(
            interface__device__name="mine-c001-t01", interface__name="1.1.1/X-"
        )
        told = "X- of cube 1, mine-c001-t01 1.1.1/X-"
        self.assertIn(f'<a href="{end.get_absolute_url()}">{told}</a>', self.page(port))

    def test_what_is_hidden_is_named_without_a_link(self) -> None:
        self.become_a_user_of("mine")
        ObjectPermission.objects.filter(name="OpticalCircuit of mine").delete()
        page = self.page(self.port(self.mine))
        self.assertIn(">1 to 65<", page)
        self.assertNotIn('<a href="">', page)

    def test_search_results_count_nothing_that_was_not_counted(self) -> None:
        url = "/search/?q=mine-c001&model=fabric_twin.cube"
        found = self.get(url, **{"HX-Request": "true"})
        self.assertIn(">mine-c001<", found)
        self.assertNotIn("Slices", found)

    def test_no_field_of_a_form_is_called_none(self) -> None:
        for model in POD_OF:
            name = model._meta.model_name
            pages = [reverse(f"plugins:fabric_twin:{name}_list")]
            if model is not Port:
                pages.append(reverse(f"plugins:fabric_twin:{name}_add"))
            for page in pages:
                with self.subTest(page=page):
                    self.assertNotRegex(
                        self.get(page), r'<input type="text"[^>]*placeholder="None"'
                    )

    def test_light_is_followed_through_the_switch(self) -> None:
        port = self.port(self.mine)
        for url in (
            port.get_absolute_url(),
            reverse("plugins:fabric_twin:interface_light_path", args=[port.interface.pk]),
            reverse("plugins:fabric_twin:cable_light_path", args=[port.interface.cable.pk]),
        ):
            drawing = drawing_of(self.get(url))
            stations = [text for text in words(drawing) if text.startswith("mine-")]
            self.assertEqual(len(stations), 6, stations)
            self.assertTrue(stations[0].startswith("mine-c001-t02 4.1.1/X+"))
            self.assertTrue(stations[-1].startswith("mine-c001-t01 1.1.1/X-"))

    def test_nautobots_own_pages_say_where_a_thing_stands(self) -> None:
        port = self.port(self.mine)
        interface = port.interface
        self.assertIn("cube 1 of pod mine", self.page(self.mine.cubes.get(slot=1).rack))
        self.assertIn("a tray of cube 1 of pod mine", self.page(interface.device))
        self.assertIn("X+ 1,1 of cube 1", self.page(interface))
        self.assertIn("few-a", self.page(interface.cable))
        self.assertIn("switch 0 of pod mine", self.page(self.mine.switches.get(number=0).device))

    def test_an_interface_of_no_pod_has_no_tab(self) -> None:
        device = self.mine.switches.get(number=0).device
        port = self.port(self.mine).interface
        lonely = Interface.objects.create(
            device=device, name="mgmt", type="1000base-t", status=port.status
        )
        self.assertNotIn("Light Path", self.page(lonely))
        self.assertIn("Light Path", self.page(port))

    def test_who_sees_one_pod_never_learns_of_the_other(self) -> None:
        self.become_a_user_of("mine")
        pages = [
            self.mine,
            self.mine.cubes.get(slot=1),
            self.mine.switches.get(number=0),
            self.mine.slices.get(),
            self.port(self.mine),
            OpticalCircuit.objects.filter(switch__pod=self.mine).first(),
        ]
        for record in pages:
            page = self.page(record)
            self.assertNotIn("theirs", page, record)
            self.assertNotIn("secret", page, record)
        for model in POD_OF:
            url = reverse(f"plugins:fabric_twin:{model._meta.model_name}_list")
            listed = self.get(url, **{"HX-Request": "true"})
            self.assertNotIn("theirs", listed, model)
            self.assertNotIn("secret", listed, model)

    def test_who_sees_one_pod_gets_no_page_of_the_other(self) -> None:
        self.become_a_user_of("mine")
        for record in (
            self.theirs,
            self.theirs.cubes.first(),
            self.theirs.switches.first(),
            self.theirs.slices.first(),
            self.port(self.theirs),
        ):
            self.assertHttpStatus(self.client.get(record.get_absolute_url()), 404)

    def test_pages_of_nautobot_name_no_pod_that_is_hidden(self) -> None:
        self.become_a_user_of("mine")
        port = self.port(self.theirs)
        panel = re.compile(r"IN THE FABRIC.*?</table>", re.DOTALL)
        for record in (port.interface, port.interface.cable, port.interface.device):
            page = self.page(record)
            self.assertIsNone(panel.search(page), record)
            self.assertNotIn("Light Path", page)
            self.assertNotIn("secret", page)
        shared = panel.search(self.page(self.shared_rack))
        assert shared
        self.assertIn("mine-ocs", shared[0])
        self.assertNotIn("theirs-ocs", shared[0])
        for url in ("interface_light_path", "cable_light_path"):
            record = port.interface if url.startswith("interface") else port.interface.cable
            page = self.get(reverse(f"plugins:fabric_twin:{url}", args=[record.pk]))
            self.assertNotIn('class="drawing"', page)

    def test_the_home_page_and_the_search_count_what_is_seen(self) -> None:
        self.become_a_user_of("mine")
        page = self.page("/")
        items = r'float-end my-1">(\d+)</span>.*?href="/plugins/fabric-twin/(\w+)/"'
        counts = {kind: many for many, kind in re.findall(items, page, re.DOTALL)}
        self.assertIn("Fabric Twin", page)
        self.assertEqual(counts.get("pods"), "1", counts)
        self.assertEqual(counts.get("cubes"), "2", counts)
        found = self.get("/search/?q=theirs&model=fabric_twin.cube", **{"HX-Request": "true"})
        self.assertNotIn("theirs-c001", found)
        for pod, is_seen in (("mine", True), ("theirs", False)):
            url = f"/search/?q={pod}-ocs-x-1-1+1&model=fabric_twin.port"
            found = self.get(url, **{"HX-Request": "true"})
            self.assertEqual(f">{pod}-ocs-x-1-1<" in found, is_seen, pod)

    def test_a_cube_that_is_hidden_is_drawn_without_its_name(self) -> None:
        self.become_a_user_of("mine")
        rack = self.mine.cubes.get(slot=2).rack
        rack.name = "hidden-rack"
        rack.save()
        ObjectPermission.objects.filter(name="Cube of mine").update(
            constraints={"pod__name": "mine", "slot": 1}
        )
        page = self.page(self.mine)
        self.assertNotIn("hidden-rack", page)
        self.assertIn("a hidden cube", page)

    def test_a_slice_that_is_hidden_is_drawn_without_its_name(self) -> None:
        self.become_a_user_of("mine")
        ObjectPermission.objects.filter(name="Slice of mine").update(constraints={"name": "other"})
        for record in (self.mine, self.mine.cubes.get(slot=1), self.mine.switches.get(number=0)):
            page = self.page(record)
            self.assertNotIn("few-a", page)
            self.assertIn("(hidden)", page)

    def test_pages_take_as_many_queries_for_many_as_for_few(self) -> None:
        for few, many in (
            (self.mine, self.theirs),
            (self.mine.slices.get(), self.theirs.slices.first()),
            (self.mine.cubes.get(slot=1), self.theirs.cubes.get(slot=1)),
            (self.mine.switches.get(number=0), self.theirs.switches.get(number=0)),
            (self.port(self.mine), self.port(self.theirs)),
        ):
            with self.subTest(few._meta.model_name):
                self.page(few)  # what Nautobot remembers is remembered
                self.assertEqual(self.queries(few), self.queries(many))

    def test_lists_take_as_many_queries_for_many_as_for_few(self) -> None:
        for model in POD_OF:
            url = reverse(f"plugins:fabric_twin:{model._meta.model_name}_list")
            self.get(f"{url}?per_page=1", **{"HX-Request": "true"})
            taken = []
            for rows in (1, 2):
                with CaptureQueriesContext(connection) as queries:
                    self.get(f"{url}?per_page={rows}", **{"HX-Request": "true"})
                taken.append(len(queries))
            with self.subTest(model._meta.model_name):
                self.assertEqual(*taken)

    def test_every_record_has_a_page_of_documentation(self) -> None:
        for model in POD_OF:
            url = get_docs_url(model)
            assert url, model
            self.assertIn("<h1>", b"".join(self.client.get(url)).decode())
