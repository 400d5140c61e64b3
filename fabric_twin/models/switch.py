"""A switch: the device that joins one index of every cube."""

from contextlib import suppress
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from nautobot.apps.choices import ChoiceSet
from nautobot.apps.models import PrimaryModel, StatusField, extras_features
from nautobot.dcim.models import Device

from fabric_twin.core.cube import AXES
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.identity import serial_of
from fabric_twin.inventory.addresses import canonical_address, canonical_datapath
from fabric_twin.models.reached import Reached, check_connecting


class DialectChoices(ChoiceSet):
    """Whose names a switch uses for tables and fields."""

    SONIC = "sonic"
    KVM = "kvm"

    CHOICES = ((SONIC, "SONiC OCS"), (KVM, "KVM and Molex"))


class AxisChoices(ChoiceSet):
    """Along which axis of the torus a switch joins cubes."""

    CHOICES = tuple((axis.lower(), axis) for axis in AXES)


@extras_features(
    "custom_links", "custom_validators", "export_templates", "graphql", "statuses", "webhooks"
)
class Switch(Reached, PrimaryModel):
    """An optical circuit switch of a pod; `number` is its place in the design's layout, from 0."""

    pod = models.ForeignKey("fabric_twin.Pod", models.CASCADE, related_name="switches")
    number = models.PositiveSmallIntegerField(help_text="Place in the design's layout, from 0")
    device = models.OneToOneField("dcim.Device", models.PROTECT, related_name="fabric_switch")
    axis = models.CharField(max_length=1, choices=AxisChoices, editable=False)
    index = models.CharField(
        max_length=32, editable=False, help_text="The numbers of its name by the rule, such as 3-2"
    )
    status = StatusField()
    dialect = models.CharField(max_length=32, choices=DialectChoices, default=DialectChoices.SONIC)

    flow_address = models.CharField(
        "OpenFlow address",
        max_length=255,
        blank=True,
        help_text="HOST:PORT where a packet switch takes flow entries; empty: it is sent none",
    )
    datapath = models.CharField(
        max_length=16,
        blank=True,
        help_text="The datapath id that it shows there; nothing is sent to another one",
    )

    clone_fields = ("pod", "status", "dialect")
    natural_key_field_names = ("pod", "number")

    class Meta:
        ordering = ("pod", "number")
        verbose_name_plural = "switches"
        constraints = (
            models.UniqueConstraint(fields=("pod", "number"), name="twin_one_switch_a_number"),
            models.UniqueConstraint(
                fields=("address", "target"),
                condition=~models.Q(address=""),
                name="twin_one_switch_an_address",
            ),
            models.UniqueConstraint(
                fields=("flow_address",),
                condition=~models.Q(flow_address=""),
                name="twin_one_switch_a_flow_address",
            ),
            models.UniqueConstraint(
                fields=("datapath",),
                condition=~models.Q(datapath=""),
                name="twin_one_switch_a_datapath",
            ),
            models.CheckConstraint(
                condition=models.Q(flow_address="", datapath="")
                | (~models.Q(flow_address="") & ~models.Q(datapath="")),
                name="twin_flows_go_to_a_known_datapath",
            ),
        )
        permissions = (("connect_switch", "Give a switch its address, and confirm who answers"),)

    def __str__(self) -> str:
        return str(self.device.name)

    def clean(self) -> None:
        """Refuse a number that the design does not have; axis and index follow from it."""
        super().clean()
        if None in (self.pod_id, self.number):
            return
        # Without its design a pod is still worked on: only a number that is new is checked by it.
        if not Switch.objects.filter(pk=self.pk, pod=self.pod_id, number=self.number).exists():
            switches = self.pod.design_to_check_by().layout.switches
            if self.number >= len(switches):
                said = f"The design {self.pod.design} numbers {len(switches)} switches from 0."
                raise ValidationError({"number": said})
            self.place(*switches[self.number])
        if self.present_in_database:
            self._check_number_stays()
        if hasattr(self, "device") and Switch.of_serial(self.device.serial, but=self.device):
            raise ValidationError({"device": "It has the serial of the device of another switch."})
        self._check_flows()

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write it, with what it is known by in the one way: REST saves what it was given."""
        with suppress(FabricTwinError):
            self._write_one_way()
        super().save(*args, **kwargs)

    def _write_one_way(self) -> None:
        if self.flow_address:
            self.flow_address = canonical_address(self.flow_address, "flow_address")
        if self.datapath:
            self.datapath = canonical_datapath(self.datapath, "datapath")

    def _check_flows(self) -> None:
        """Refuse to send flow entries where nobody could answer, or to a switch of light."""
        try:
            self._write_one_way()
        except FabricTwinError as refusal:
            raise ValidationError(
                {refusal.where: ValidationError("%(why)s", params={"why": refusal})}
            ) from None
        if bool(self.flow_address) is not bool(self.datapath):
            lacks = "datapath" if self.flow_address else "flow_address"
            raise ValidationError(
                {lacks: "A packet switch has an OpenFlow address and a datapath id, or neither."}
            )
        if self.flow_address and not self.pod.is_cluster:
            raise ValidationError(
                {"flow_address": "Flow entries are of the packet switches of a cluster."}
            )
        for fact in ("flow_address", "datapath"):
            has = {fact: getattr(self, fact)}
            if has[fact] and Switch.objects.filter(**has).exclude(pk=self.pk).exists():
                raise ValidationError({fact: f"Another switch has {has[fact]} already."})
        facts = ("flow_address", "datapath", "device_id")
        was = Switch.objects.filter(pk=self.pk).values_list(*facts).first() or ("", "", None)
        is_moved = was != tuple(getattr(self, fact) for fact in facts)
        if is_moved and (was[0] or self.flow_address) and not self.is_vouched:
            check_connecting(self)

    @classmethod
    def of_serial(cls, serial: str, but: Device) -> "Switch | None":
        """The switch of any pod with this serial, however it is written, but of one device."""
        plain = serial_of(serial or "")
        likely = cls.objects.exclude(device=but.pk).filter(device__serial__icontains=plain)
        found = likely.select_related("device", "pod") if plain else ()
        return next((one for one in found if serial_of(one.device.serial) == plain), None)

    def _check_number_stays(self) -> None:
        there = Switch.objects.filter(pk=self.pk).exclude(pod=self.pod_id, number=self.number)
        if (was := there.first()) and (was.ports.exists() or was.circuits.exists()):
            raise ValidationError(
                {"number": f"Its ports and circuits are those of number {was.number} of {was.pod}."}
            )

    def place(self, axis: int, index: tuple[int, ...]) -> None:
        """Say where the rule puts this switch."""
        self.axis, self.index = AXES[axis].lower(), "-".join(map(str, index))
