"""What Nautobot asks before it saves a device: its serial says which switch is spoken to."""

from typing import Any

from nautobot.apps.models import CustomValidator
from nautobot.dcim.models import Device

from fabric_twin.core.errors import NotPermitted
from fabric_twin.models import Switch
from fabric_twin.operations.pods.connect import check_connecting


class SerialOfSwitch(CustomValidator):
    """Who may change devices may not say by that which device a switch is."""

    model = "dcim.device"

    def clean(self, exclude_disabled_rules: bool = True) -> None:  # noqa: ARG002
        """Refuse another serial for a switch that has an address, to who may not connect it."""
        device: Any = self.context["object"]
        there = Device.objects.filter(pk=device.pk).exclude(serial=device.serial)
        changed = Switch.objects.filter(device__in=there)
        others = Switch.objects.exclude(device=device.pk).select_related("device", "pod")
        same = others.filter(device__serial__iexact=(device.serial or "").strip())
        if device.serial and changed.exists() and (other := same.first()):
            self.validation_error({"serial": f"It is the serial of {other} of pod {other.pod}."})
        switch = changed.exclude(address="").first()
        if switch is None:
            return
        try:
            check_connecting(switch)
        except NotPermitted as refusal:
            self.validation_error({"serial": str(refusal)})


custom_validators = [SerialOfSwitch]
