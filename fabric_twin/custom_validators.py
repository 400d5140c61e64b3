"""What Nautobot asks before it saves a device: its serial says which switch is spoken to."""

from typing import Any

from nautobot.apps.models import CustomValidator
from nautobot.dcim.models import Device

from fabric_twin.core.errors import NotPermitted
from fabric_twin.models import Switch
from fabric_twin.operations.pods.connect import check_connecting
from fabric_twin.repositories.change_log import acting_user


class SerialOfSwitch(CustomValidator):
    """Who may change devices may not say by that which device a switch is."""

    model = "dcim.device"

    def clean(self, exclude_disabled_rules: bool = True) -> None:  # noqa: ARG002
        """Refuse another serial for a switch that has an address, to who may not connect it."""
        device: Any = self.context["object"]
        there = Device.objects.filter(pk=device.pk).exclude(serial=device.serial)
        changed = Switch.objects.filter(device__in=there)
        if changed.exists() and (other := Switch.of_serial(device.serial, but=device)):
            self.validation_error({"serial": f"It is the serial of {_named(other)}."})
        switch = changed.exclude(address="").first()
        if switch is None:
            return
        try:
            check_connecting(switch)
        except NotPermitted as refusal:
            self.validation_error({"serial": str(refusal)})


def _named(switch: Switch) -> str:
    """A switch by its name, to who may see it."""
    user = acting_user()
    seen = Switch.objects.all() if user is None else Switch.objects.restrict(user, "view")
    there = seen.filter(pk=switch.pk).exists()
    return f"{switch} of pod {switch.pod}" if there else "another switch"


custom_validators = [SerialOfSwitch]
