"""How to get into the devices of a pod: by Nautobot's Secrets, else by the environment.

The secrets group is the device's own, as for everything else that Nautobot logs in to.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from nautobot.dcim.models import Device
from nautobot.extras.choices import (
    SecretsGroupAccessTypeChoices,
    SecretsGroupSecretTypeChoices,
)
from nautobot.extras.models import SecretsGroup, SecretsGroupAssociation
from nautobot.extras.secrets.exceptions import SecretError

from fabric_twin.core.errors import FabricTwinError, UnusableInput
from fabric_twin.models import Pod
from fabric_twin.repositories.addresses import devices_of_one_serial
from fabric_twin.switches.driver import Access
from fabric_twin.switches.networks import Network, networks_of

#: How to get in, or why nobody can.
Way = Access | FabricTwinError
#: What a group's secrets may be for, the first there is.
_KINDS = (SecretsGroupAccessTypeChoices.TYPE_GNMI, SecretsGroupAccessTypeChoices.TYPE_GENERIC)
_USER = SecretsGroupSecretTypeChoices.TYPE_USERNAME
_PASSWORD = SecretsGroupSecretTypeChoices.TYPE_PASSWORD
#: As PEM: the certificate that we show, its key, and whom to trust.
_CERTIFICATE = SecretsGroupSecretTypeChoices.TYPE_TOKEN
_KEY = SecretsGroupSecretTypeChoices.TYPE_KEY
_CA = SecretsGroupSecretTypeChoices.TYPE_SECRET
_PEM = (_CERTIFICATE, _KEY, _CA)
_PARTS = (_USER, _PASSWORD, *_PEM)


def switch_accesses(pod: Pod) -> dict[str, Way]:
    """How to get into each switch of a pod, by name."""
    switches = Device.objects.filter(fabric_switch__pod=pod).order_by("fabric_switch__number")
    return device_accesses(switches.select_related("secrets_group"))


def _devices_of(pod: Pod) -> QuerySet[Device]:
    """The switches and blocks of a network."""
    its = Q(fabric_switch__pod=pod) | Q(fabric_block__pod=pod)
    found: QuerySet[Device] = Device.objects.filter(its).select_related("secrets_group")
    return found.order_by("name")


def some_accesses(pod: Pod, devices: Collection[str]) -> dict[str, Way]:
    """How to get into some devices of a pod, by name: without a look at all others."""
    if pod.is_network:
        return device_accesses(_devices_of(pod).filter(name__in=devices))
    if pod.cubes.filter(rack__name__in=devices).exists():
        return pod_accesses(pod)
    return device_accesses(
        Device.objects.filter(fabric_switch__pod=pod, name__in=devices).select_related(
            "secrets_group"
        )
    )


def pod_accesses(pod: Pod) -> dict[str, Way]:
    """How to get into each switch, and each cube or block, of a pod.

    A cube's way in is its first tray's.
    """
    if pod.is_network:
        return device_accesses(_devices_of(pod))
    trays = Device.objects.filter(
        interfaces__fabric_port__cube__pod=pod, secrets_group__isnull=False
    )
    first: dict[str, Device] = {}
    for tray in trays.distinct().select_related("secrets_group", "rack").order_by("name"):
        first.setdefault(tray.rack.name if tray.rack else "", tray)
    by_tray = device_accesses(first.values())
    otherwise = environment_access()
    racks = pod.cubes.order_by("slot").values_list("rack__name", flat=True)
    cubes = {rack: by_tray[str(first[rack].name)] if rack in first else otherwise for rack in racks}
    return cubes | switch_accesses(pod)


def device_accesses(devices: Iterable[Device]) -> dict[str, Way]:
    """How to get into some devices, by name; those without a secrets group by the environment.

    What a group cannot tell is refused, for the device that has it and for no other: it is never
    tried with other secrets. So are switches that have one serial.
    """
    otherwise = environment_access()
    alone = otherwise if isinstance(otherwise, Access) else Access(networks=site_networks())
    found: dict[str, Way] = {}
    doubled = devices_of_one_serial()
    for device in devices:
        found[str(device.name)] = otherwise
        if device.pk in doubled:
            found[str(device.name)] = UnusableInput(
                f"its serial {device.serial.strip()} is recorded for another switch too",
                where=str(device.name),
                remedy="Correct the serial of the one that has another",
            )
        elif device.secrets_group:
            try:
                found[str(device.name)] = _from_group(device.secrets_group, device, alone)
            except UnusableInput as refusal:
                found[str(device.name)] = refusal
    return found


def environment_access() -> Way:
    """How to get in by the environment alone, within the networks that are named."""
    try:
        return replace(Access.from_environment(), networks=site_networks())
    except UnusableInput as refusal:  # it holds only for devices without a secret of their own
        return refusal


def site_networks() -> tuple[Network, ...]:
    """The networks that may be spoken to; checked when Nautobot starts."""
    return networks_of(settings.PLUGINS_CONFIG.get("fabric_twin", {}).get("networks", ()))


def _from_group(group: SecretsGroup, device: Device, otherwise: Access) -> Access:
    """What a group tells; the rest, such as whom to trust, is as the environment says."""
    held = {
        (one.access_type, one.secret_type): one.secret
        for one in SecretsGroupAssociation.objects.filter(
            secrets_group=group, access_type__in=_KINDS, secret_type__in=_PARTS
        ).select_related("secret")
    }
    found = {
        part: next((held[kind, part] for kind in _KINDS if (kind, part) in held), None)
        for part in _PARTS
    }
    for one, other, what in (
        (_USER, _PASSWORD, "a username and a password"),
        (_CERTIFICATE, _KEY, "a certificate and its key"),
    ):
        if bool(found[one]) != bool(found[other]):
            raise _incomplete(group, device, f"it has one of {what}, not both")
    if not (found[_USER] or found[_KEY]):
        raise _incomplete(
            group, device, "it has neither a username with its password nor a key, for gNMI"
        )
    told = {part: _value(one, group, device) for part, one in found.items() if one}
    pem = {part: told[part].encode() if part in told else None for part in _PEM}
    return replace(
        otherwise,
        user=told.get(_USER, ""),
        password=told.get(_PASSWORD, ""),
        certificate=pem[_CERTIFICATE],
        key=pem[_KEY],
        trusted=pem[_CA] or otherwise.trusted,
    )


def _value(one: Any, group: SecretsGroup, device: Device) -> str:
    try:
        # Parameters may name the device, so each device asks.
        return str(one.get_value(obj=device))
    except SecretError as error:
        # Its text is a provider's, and may hold what nobody should read. Nautobot's log would black
        # out a word after "secret": so this says it without.
        raise UnusableInput(
            f"the login cannot be read ({one.name}, of the group {group.name}: "
            f"{type(error).__name__})",
            where=str(device.name),
            remedy="See whether its provider has it",
        ) from None


def _incomplete(group: SecretsGroup, device: Device, what: str) -> UnusableInput:
    return UnusableInput(
        f"the group {group.name} cannot log us in: {what}",
        where=str(device.name),
        remedy="Add what is missing, of the access type gNMI or Generic",
    )
