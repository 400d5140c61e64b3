"""How to get into the devices of a pod: by Nautobot's Secrets, else by the environment.

The secrets group is the device's own, as for everything else that Nautobot logs in to.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace

from nautobot.dcim.models import Device
from nautobot.extras.choices import (
    SecretsGroupAccessTypeChoices,
    SecretsGroupSecretTypeChoices,
)
from nautobot.extras.models import SecretsGroup, SecretsGroupAssociation
from nautobot.extras.secrets.exceptions import SecretError

from fabric_twin.core.errors import UnusableInput
from fabric_twin.models import Pod
from fabric_twin.switches.driver import Access

#: What a group's secrets may be for, the first there is.
_KINDS = (SecretsGroupAccessTypeChoices.TYPE_GNMI, SecretsGroupAccessTypeChoices.TYPE_GENERIC)
_USER = SecretsGroupSecretTypeChoices.TYPE_USERNAME
_PASSWORD = SecretsGroupSecretTypeChoices.TYPE_PASSWORD


def switch_accesses(pod: Pod) -> dict[str, Access]:
    """How to get into each switch of a pod, by name."""
    switches = Device.objects.filter(fabric_switch__pod=pod).order_by("fabric_switch__number")
    return device_accesses(switches.select_related("secrets_group"))


def some_accesses(pod: Pod, devices: Collection[str]) -> dict[str, Access]:
    """How to get into some switches and cubes of a pod, by name: without a look at all others."""
    if pod.cubes.filter(rack__name__in=devices).exists():
        return pod_accesses(pod)
    return device_accesses(
        Device.objects.filter(fabric_switch__pod=pod, name__in=devices).select_related(
            "secrets_group"
        )
    )


def pod_accesses(pod: Pod) -> dict[str, Access]:
    """How to get into each switch and each cube of a pod; a cube's way in is its first tray's."""
    trays = Device.objects.filter(
        interfaces__fabric_port__cube__pod=pod, secrets_group__isnull=False
    )
    first: dict[str, Device] = {}
    for tray in trays.distinct().select_related("secrets_group", "rack").order_by("name"):
        first.setdefault(tray.rack.name if tray.rack else "", tray)
    by_tray = device_accesses(first.values())
    otherwise = Access.from_environment()
    racks = pod.cubes.order_by("slot").values_list("rack__name", flat=True)
    cubes = {rack: by_tray[str(first[rack].name)] if rack in first else otherwise for rack in racks}
    return cubes | switch_accesses(pod)


def device_accesses(devices: Iterable[Device]) -> dict[str, Access]:
    """How to get into some devices, by name; those without a secrets group by the environment.

    What a group cannot tell is refused: a device that has one is never tried with other secrets.
    """
    otherwise = Access.from_environment()
    return {
        str(device.name): _from_group(device.secrets_group, device, otherwise)
        if device.secrets_group
        else otherwise
        for device in devices
    }


def _from_group(group: SecretsGroup, device: Device, otherwise: Access) -> Access:
    """User and password of a group; whom to trust stays what the environment says."""
    held = {
        (one.access_type, one.secret_type): one.secret
        for one in SecretsGroupAssociation.objects.filter(
            secrets_group=group, access_type__in=_KINDS, secret_type__in=(_USER, _PASSWORD)
        ).select_related("secret")
    }
    for kind in _KINDS:
        user, password = held.get((kind, _USER)), held.get((kind, _PASSWORD))
        if user and password:
            break
    else:
        raise UnusableInput(
            "it has no username and password for gNMI",
            where=f"secrets group {group.name}",
            remedy="Add both, of the access type gNMI or Generic",
        )
    try:
        # Parameters of a secret may name the device, so each device asks.
        told = user.get_value(obj=device), password.get_value(obj=device)
    except SecretError as error:
        # Its text is a provider's, and may hold what nobody should read.
        raise UnusableInput(
            f"the secret {error.secret} cannot be read ({type(error).__name__})",
            where=f"secrets group {group.name}",
            remedy="See whether its provider has it",
        ) from None
    return replace(otherwise, user=told[0], password=told[1])
