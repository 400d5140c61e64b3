"""The doctor looks at the OpenFlow addresses of packet switches as at those of gNMI."""

import os
from unittest import mock

from django.db import IntegrityError, transaction
from django.test import override_settings
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Device

from fabric_twin.models import Pod, Switch
from fabric_twin.operations.doctor.ways_in import check_ways_in
from fabric_twin.operations.pods.load import load_pod
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.secrets_group import make_group

NETWORKS = {"fabric_twin": {"networks": ["127.0.0.0/8"], "limits": {}}}
NONE_NAMED = {"fabric_twin": {"networks": [], "limits": {}}}
NO_GNMI = "no device has an address, so it is not read"
WITHOUT_GNMI = ("pod g", "look", NO_GNMI, "Give them addresses")


@override_settings(PLUGINS_CONFIG=NETWORKS)
class DoctorOfFlowsTest(TestCase):
    """A cluster `g` whose four switches take flow entries, and tell no neighbours."""

    @classmethod
    def setUpTestData(cls) -> None:
        load_pod("g", "small-chains", hall())
        cls.pod = Pod.objects.get(name="g")
        for number in range(cls.pod.switches.count()):
            cls.put(number, f"127.0.0.1:{6653 + number}")

    @classmethod
    def put(cls, number: int, address: str) -> str:
        """Where a switch takes entries; its name."""
        switch = Switch.objects.filter(pod=cls.pod, number=number)
        switch.update(flow_address=address, datapath=f"{number + 1:016x}" if address else "")
        return str(switch.get().device.name)

    def found(self) -> list[tuple[str, str, str, str]]:
        """What is told of the cluster."""
        told = [one for one in check_ways_in() if one.what.endswith("pod g")]
        return [(one.what, str(one.how), one.found, one.remedy) for one in told]

    def assertFlows(self, *expected: tuple[str, str, str]) -> None:
        """Beside that no device tells its neighbours."""
        flows = [("OpenFlow of pod g", *one) for one in expected]
        self.assertEqual(self.found(), [WITHOUT_GNMI, *flows])

    def test_where_all_is_well_it_says_so(self) -> None:
        told = "4 of 4 switches, each with an address, a datapath id and a way in"
        self.assertFlows(("good", told, ""))

    def test_switches_without_an_address_are_counted(self) -> None:
        self.put(3, "")
        told = "3 of 4 switches, each with an address, a datapath id and a way in"
        self.assertFlows(("good", told, ""))

    def test_where_no_switch_has_an_address_nothing_is_read_or_sent(self) -> None:
        Switch.objects.update(flow_address="", datapath="")
        told = "no switch has an OpenFlow address, so no flow entry is read or sent"
        self.assertFlows(("look", told, "Give them OpenFlow addresses and their datapath ids"))

    def test_an_address_elsewhere_and_a_name_that_nobody_knows(self) -> None:
        first, second = self.put(0, "192.0.2.7:6653"), self.put(1, "nobody.invalid:6653")
        self.assertFlows(
            (
                "bad",
                "its address 192.0.2.7 (192.0.2.7) lies in no network that may be contacted "
                f"(127.0.0.0/8) ({first})",
                "Correct the address, or have the administrator name its network in "
                'PLUGINS_CONFIG["fabric_twin"]["networks"]',
            ),
            (
                "bad",
                f"nobody knows the name nobody.invalid ({second})",
                "Check its address, and the name server that this worker asks",
            ),
        )

    @override_settings(PLUGINS_CONFIG=NONE_NAMED)
    def test_networks_are_asked_for_where_only_openflow_has_addresses(self) -> None:
        def networks() -> str:
            return next(str(one.how) for one in check_ways_in() if one.what == "networks")

        self.assertEqual(networks(), "bad")
        Switch.objects.update(flow_address="", datapath="")
        self.assertEqual(networks(), "look")

    def test_a_certificate_to_trust_is_asked_for_too(self) -> None:
        self.assertEqual(self.environment(), "look")
        Switch.objects.update(flow_address="", datapath="")
        self.assertEqual(self.environment(), "good")

    def environment(self) -> str:
        with mock.patch.dict(os.environ):
            os.environ.pop("FABRIC_TWIN_GNMI_CA", None)
            told = list(check_ways_in())
        return next(str(one.how) for one in told if one.what == "FABRIC_TWIN_GNMI_*")

    def test_a_login_that_cannot_be_read_and_nobody_to_trust_cost_their_own_switch(self) -> None:
        first, second = Device.objects.filter(fabric_switch__number__lt=2).order_by("name")
        unread = make_group(gNMI_username="NOT_SET_ANYWHERE", gNMI_password="NOT_SET_EITHER")
        Device.objects.filter(pk=first.pk).update(secrets_group=unread)
        known = {"FABRIC_TWIN_GNMI_USER": "twin", "FABRIC_TWIN_GNMI_PASSWORD": "word"}
        with mock.patch.dict(os.environ, known):
            os.environ.pop("FABRIC_TWIN_GNMI_CA", None)
            told = self.found()[1:]
        self.assertIn("the login cannot be read", told[0][2])
        self.assertTrue(told[0][2].endswith(f"({first.name})"), told)
        others = f"({second.name}, g-row-03-1-1, g-row-04-1-1)"
        untrusted = f"nothing says which certificate to trust, so nobody logs in {others}"
        self.assertEqual([one[:3] for one in told[1:]], [(told[0][0], "bad", untrusted)])

    def test_two_switches_of_one_name(self) -> None:
        names = list(self.pod.switches.order_by("number").values_list("device__name", flat=True))
        Device.objects.filter(name=names[1]).update(name=names[0])
        self.assertFlows(
            (
                "bad",
                "two of its devices that have an address have one name",
                "Give racks and switches of a pod names of their own",
            )
        )

    def test_neither_is_recorded_without_the_other_nor_twice(self) -> None:
        one = Switch.objects.filter(pod=self.pod, number=0)
        for wrong in (
            {"datapath": ""},
            {"flow_address": ""},
            {"datapath": f"{2:016x}"},
            {"flow_address": "127.0.0.1:6654"},
        ):
            with self.subTest(**wrong), self.assertRaises(IntegrityError), transaction.atomic():
                one.update(**wrong)
