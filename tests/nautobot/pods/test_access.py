"""How to get into switches: real Secrets of Nautobot's environment-variable provider."""

import os
from unittest import mock

from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Device
from nautobot.extras.models import Secret, SecretsGroup, SecretsGroupAssociation

from fabric_twin.core.errors import UnusableInput
from fabric_twin.models import Pod
from fabric_twin.repositories.credentials import switch_accesses
from fabric_twin.switches.driver import Access
from tests.nautobot.bases.pods.small_pod import make_pod

SAID = {
    "FABRIC_TWIN_GNMI_USER": "anyone",
    "FABRIC_TWIN_GNMI_PASSWORD": "of the environment",
    "FABRIC_TWIN_GNMI_SERVER_NAME": "switches",
    "OCS_USER": "night",
    "OCS_PASSWORD": "of the group",
    "IW1_OCS_PASSWORD": "of the device",
}


def make_group(**variables: str) -> SecretsGroup:
    """A group whose secrets are environment variables, by access and secret type."""
    group = SecretsGroup.objects.create(name="switches")
    for kinds, variable in variables.items():
        access_type, _, secret_type = kinds.partition("_")
        secret = Secret.objects.create(
            name=kinds, provider="environment-variable", parameters={"variable": variable}
        )
        SecretsGroupAssociation.objects.create(
            secrets_group=group, access_type=access_type, secret_type=secret_type, secret=secret
        )
    return group


@mock.patch.dict(os.environ, SAID)
class AccessTest(TestCase):
    """A pod whose first switch has a secrets group."""

    pod: Pod

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = make_pod("v4", slots=[])

    def accesses(self, group: SecretsGroup) -> list[Access]:
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
        with self.assertRaisesMessage(UnusableInput, "it has no username and password for gNMI"):
            self.accesses(make_group(gNMI_username="OCS_USER"))

    def test_a_secret_that_cannot_be_read_is_named(self) -> None:
        group = make_group(gNMI_username="OCS_USER", gNMI_password="NOT_SET")
        words = "the secret gNMI_password cannot be read (SecretValueNotFoundError)"
        with self.assertRaisesMessage(UnusableInput, words):
            self.accesses(group)
