"""Nautobot's own pages of what was loaded: trace, elevation, cable, device."""

from django.urls import reverse
from nautobot.apps.tables import BaseTable
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Cable, Device, Interface, Module, Rack

from fabric_twin.models import WrittenEnd
from fabric_twin.operations.pods.load import load_pod
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.pods.small_sheet import sheet


class PagesTest(TestCase):
    """Whoever knows Nautobot finds the pod there."""

    user_permissions = (
        "dcim.view_cable",
        "dcim.view_device",
        "dcim.view_interface",
        "dcim.view_module",
        "dcim.view_modulebay",
        "dcim.view_rack",
    )

    def setUp(self) -> None:
        super().setUp()
        doubled = {"s-c002:2.1.1/X+": {"b_port": "1A"}}
        load_pod("s", "small", hall(), cut_sheet=sheet(**doubled))

    def text(self, url: str) -> str:
        """A page that is there."""
        response = self.client.get(url)
        self.assertHttpStatus(response, 200)
        return response.content.decode()

    def test_the_trace_of_a_port_ends_on_the_switch(self) -> None:
        port = Interface.objects.get(device__name="s-c001-t01", name="2.1.1/X+")
        page = self.text(reverse("dcim:interface_trace", kwargs={"pk": port.pk}))
        for words in ("s-ocs-x-1-1", "s-c001:2.1.1/X+", "1 segment"):
            self.assertIn(words.split()[0], page)
        self.assertEqual(str(port.connected_endpoint), "1A")

    def test_cables_of_two_ends_and_of_one_have_pages(self) -> None:
        self.assertEqual(WrittenEnd.objects.count(), 1)
        for label in ("s-c001:2.1.1/X+", "s-c002:2.1.1/X+"):
            cable = Cable.objects.get(label=label)
            self.assertIn(label, self.text(cable.get_absolute_url()))
            for end in cable.terminations.all():
                url = reverse("dcim:interface_trace", kwargs={"pk": end.interface.pk})
                self.assertIn(label, self.text(url))

    def test_elevations_show_what_stands_in_a_rack(self) -> None:
        for rack, device in (("s-c001", "s-c001-t02"), ("s-ocs-r01", "s-ocs-x-1-1")):
            record = Rack.objects.get(name=rack)
            self.assertIn(device, record.get_elevation_svg(user=self.user).tostring())
            self.text(record.get_absolute_url())

    def test_devices_show_their_transceivers_and_ports(self) -> None:
        tray = Device.objects.get(name="s-c001-t01")
        page = self.text(reverse("dcim:device_modulebays", kwargs={"pk": tray.pk}))
        self.assertIn("2.1.1/X+", page)
        self.text(Module.objects.first().get_absolute_url())
        ports = reverse("dcim:device_interfaces", kwargs={"pk": tray.pk})
        self.assertIn("s-ocs-x-1-1", self.text(ports))

    def test_nautobot_still_changes_the_class_of_a_table_that_it_makes(self) -> None:
        """So two threads that make one at once may fail: `tables/one_at_a_time.py` has them wait.

        Once this fails, Nautobot is mended: take that out.
        """

        class Fresh(BaseTable):
            class Meta(BaseTable.Meta):
                model = Rack
                fields = ("name",)

        before = set(Fresh.base_columns)
        Fresh(Rack.objects.none())
        self.assertIn("dynamic_group_count", set(Fresh.base_columns) - before)
