"""How to get into switches: real Secrets of Nautobot's environment-variable provider."""

import os
from typing import Any
from unittest import mock

from django.db.models import F
from nautobot.apps.testing import TestCase
from nautobot.core.utils.logging import sanitize
from nautobot.dcim.models import Device
from nautobot.extras.models import SecretsGroup

from fabric_twin.core.errors import UnusableInput
from fabric_twin.models import Pod
from fabric_twin.operations.pods.poll import must_look
from fabric_twin.repositories.credentials import switch_accesses
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.switches.driver import Access
from tests.nautobot.bases.pods.small_pod import make_pod
from tests.nautobot.bases.secrets_group import make_group

SAID = {
    "FABRIC_TWIN_GNMI_USER": "anyone",
    "FABRIC_TWIN_GNMI_PASSWORD": "of the environment",
    "FABRIC_TWIN_GNMI_SERVER_NAME": "switches",
    "OCS_USER": "night",
    "OCS_PASSWORD": "of the group",
    "IW1_OCS_PASSWORD": "of the device",
    "A_CERTIFICATE": "certificate",
    "ITS_KEY": "key",
    "A_CA": "ca",
}


@mock.patch.dict(os.environ, SAID)
class AccessTest(TestCase):
    """A pod whose first switch has a secrets group."""

    pod: Pod

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = make_pod("v4", slots=[])

    def accesses(self, group: SecretsGroup) -> list[Any]:
        """How to get into the first two switches."""
        first = self.pod.switches.get(number=0).device
        Device.objects.filter(pk=first.pk).update(secrets_group=group)
        accesses = switch_accesses(self.pod)
        assert next(iter(accesses)) == first.name
        return list(accesses.values())[:2]

    def told(self, access: Access) -> tuple[str, str, str]:
        return access.user, access.password, access.server_name

    def test_a_group_says_who_and_the_environment_says_it_for_all_others(self) -> None:
        group = make_group(gNMI_username="OCS_USER", gNMI_password="OCS_PASSWORD")
        first, second = self.accesses(group)
        assert self.told(first) == ("night", "of the group", "switches")
        assert self.told(second) == ("anyone", "of the environment", "switches")

    def test_generic_secrets_do_where_there_are_none_for_gnmi(self) -> None:
        group = make_group(
            gNMI_username="OCS_USER", Generic_username="OCS_USER", Generic_password="OCS_PASSWORD"
        )
        assert self.told(self.accesses(group)[0]) == ("night", "of the group", "switches")

    def test_a_secret_may_name_the_device_it_is_for(self) -> None:
        variable = "{{ obj.fabric_switch.pod.name | replace('v4', 'IW1') }}_OCS_PASSWORD"
        group = make_group(gNMI_username="OCS_USER", gNMI_password=variable)
        assert self.accesses(group)[0].password == "of the device"  # noqa: S105  # no secret

    def test_a_password_is_in_no_text(self) -> None:
        group = make_group(gNMI_username="OCS_USER", gNMI_password="OCS_PASSWORD")
        assert "of the group" not in repr(self.accesses(group))

    def test_a_group_that_lacks_one_is_refused_and_nothing_else_is_tried(self) -> None:
        for given, words in (
            ({"gNMI_username": "OCS_USER"}, "it has one of a username and a password, not both"),
            ({"gNMI_token": "OCS_USER"}, "it has one of a certificate and its key, not both"),
            ({"gNMI_secret": "OCS_USER"}, "it has neither a username with its password nor a key"),
        ):
            with self.subTest(words):
                refused, other = self.accesses(make_group(f"for {words[:40]}", **given))
                assert isinstance(refused, UnusableInput)
                assert words in str(refused)
                assert self.told(other) == ("anyone", "of the environment", "switches")

    def test_what_cannot_be_read_costs_its_one_device_and_is_named(self) -> None:
        group = make_group(gNMI_username="OCS_USER", gNMI_password="NOT_SET")
        refused, other = self.accesses(group)
        assert str(refused) == (
            "v4-ocs-x-1-1: the login cannot be read (gNMI_password, of the group switches: "
            "SecretValueNotFoundError). See whether its provider has it."
        )
        assert sanitize(str(refused)) == str(refused)
        assert self.told(other) == ("anyone", "of the environment", "switches")
        self.pod.switches.filter(number__lt=2).update(
            address="127.0.0.1:9", target=F("number"), confirmed_by="load"
        )
        with self.assertLogs("fabric_twin.sync", "WARNING") as log:
            shown = must_look(PodRecord(self.pod)).shown
        assert log.records[0].getMessage() == str(refused)
        assert "the login cannot be read" in shown.refused["v4-ocs-x-1-1"].why
        assert "nothing says which certificate to trust" in shown.refused["v4-ocs-x-1-2"].why

    def test_a_certificate_its_key_and_whom_to_trust_are_the_devices_own(self) -> None:
        group = make_group(gNMI_token="A_CERTIFICATE", gNMI_key="ITS_KEY", gNMI_secret="A_CA")
        access, other = self.accesses(group)
        assert (access.user, access.certificate, access.key, access.trusted) == (
            "",
            b"certificate",
            b"key",
            b"ca",
        )
        assert (other.certificate, other.key, other.trusted) == (None, None, None)
        assert "key" not in repr(access).replace("key=", "")
