"""A block: the device whose uplinks take places of a network."""

from math import isnan
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models, transaction
from nautobot.apps.models import PrimaryModel, StatusField, extras_features

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.kinds import Kind
from fabric_twin.core.topology.network import MOST_STRANDS, USED, Network, ports_of
from fabric_twin.core.topology.network import Block as CoreBlock
from fabric_twin.models.optical_circuit import OpticalCircuit
from fabric_twin.models.order_step import OrderStep
from fabric_twin.models.pod import Pod
from fabric_twin.models.reached import Reached
from fabric_twin.models.work_order import ENDED

#: What its cables follow from: they stay while it has ports.
_LAID = ("pod_id", "device_id", "name", "first_port", "strands")


@extras_features(
    "custom_links", "custom_validators", "export_templates", "graphql", "statuses", "webhooks"
)
class Block(Reached, PrimaryModel):
    """An aggregation block of a network, by its uplink strands.

    The first port decides the others: a block of three ports that begins at 4 is on ports 4 to 6
    of both sides of every switch.
    """

    pod = models.ForeignKey("fabric_twin.Pod", models.CASCADE, related_name="blocks")
    name = models.CharField(max_length=32, help_text="Within its network, such as ab01")
    device = models.OneToOneField("dcim.Device", models.PROTECT, related_name="fabric_block")
    first_port = models.PositiveSmallIntegerField(
        validators=[MinValueValidator(1), MaxValueValidator(USED)],
        help_text="The first of its ports on both sides of every switch",
    )
    strands = models.PositiveIntegerField(
        validators=[MinValueValidator(1), MaxValueValidator(MOST_STRANDS)],
        help_text="Uplinks: as many to each switch, half of them on side A",
    )
    rate_gbps = models.FloatField(
        "rate in Gbit/s",
        validators=[MinValueValidator(0.001), MaxValueValidator(999_999)],
        help_text="What a strand carries; a link runs at the lower rate of its two ends",
    )
    serves = models.ForeignKey(
        "fabric_twin.Pod",
        models.SET_NULL,
        related_name="own_blocks",
        null=True,
        blank=True,
        help_text="The pod of cubes whose hosts it joins to the network, if it is one's own",
    )
    owner = models.CharField(
        max_length=64, blank=True, help_text="Whose it is, where a topology keeps owners apart"
    )
    status = StatusField()
    description = models.CharField(max_length=255, blank=True)

    clone_fields = ("pod", "strands", "rate_gbps", "owner", "status")
    natural_key_field_names = ("pod", "name")

    class Meta:
        ordering = ("pod", "first_port")
        constraints = (
            models.UniqueConstraint(fields=("pod", "name"), name="twin_one_block_a_name"),
            models.UniqueConstraint(fields=("pod", "first_port"), name="twin_one_block_a_port"),
            models.CheckConstraint(
                condition=models.Q(first_port__gte=1, first_port__lte=USED, strands__gte=1),
                name="twin_blocks_have_ports",
            ),
            models.CheckConstraint(
                condition=models.Q(rate_gbps__gt=0), name="twin_blocks_carry_something"
            ),
            models.UniqueConstraint(
                fields=("address", "target"),
                condition=~models.Q(address=""),
                name="twin_one_block_an_address",
            ),
        )
        permissions = (("connect_block", "Give a block its address, and confirm who answers"),)

    def __str__(self) -> str:
        return f"{self.pod.name} {self.name}"

    @property
    def places(self) -> range:
        """Its ports, on both sides of every switch."""
        switches = len(self.pod.to_core().layout.switches)
        return range(self.first_port, self.first_port + ports_of(self.strands, switches))

    def to_core(self) -> CoreBlock:
        """The block as the core knows it."""
        return CoreBlock(self.name, self.strands, self.rate_gbps, self.first_port)

    def clean(self) -> None:
        """Refuse what cannot be wired beside the other blocks of its network."""
        super().clean()
        if self.serves and self.serves.design_to_check_by().kind is Kind.NETWORK:
            raise ValidationError({"serves": "It is a network. Choose a pod of cubes."})
        if None in (self.pod_id, self.first_port, self.strands, self.rate_gbps) or not self.name:
            return
        if isnan(self.rate_gbps):  # bounds let it through
            raise ValidationError({"rate_gbps": "Write the rate of a strand, such as 400."})
        if not (before := self._before()):
            return  # its place stays: without its design a network is still worked on
        if self.pod.design_to_check_by().kind is not Kind.NETWORK:
            raise ValidationError({"pod": "It is a pod of cubes. Choose a network."})
        if isinstance(before, Block) and before.ports.exists():
            raise ValidationError(
                "Its cables follow from its name, its device, its first port and its strands, and "
                "are recorded: these stay."
            )
        self._check_beside()

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write it, beside blocks that others write meanwhile."""
        with transaction.atomic():
            Pod.objects.select_for_update(no_key=True).filter(pk=self.pod_id).first()
            place = {"pod": self.pod_id, "first_port": self.first_port, "strands": self.strands}
            if not Block.objects.filter(pk=self.pk, **place).exists():
                self._check_beside()
            super().save(*args, **kwargs)

    def _before(self) -> "Block | bool":
        """What it was, where it moves; True where it is new, False where it stays."""
        there = Block.objects.filter(pk=self.pk).first() if self.present_in_database else None
        if there is None:
            return True
        stays = all(getattr(there, name) == getattr(self, name) for name in _LAID)
        return False if stays else there

    def _check_beside(self) -> None:
        """Refuse ports that another block of the network has."""
        design = self.pod.design_to_check_by()
        others = [block.to_core() for block in self.pod.blocks.exclude(pk=self.pk)]
        try:
            Network(self.pod.name, len(design.layout.switches), (*others, self.to_core()))
        except FabricTwinError as refusal:
            raise ValidationError("%(why)s", params={"why": refusal}) from None


def keep_what_is_in_use(instance: Block, origin: Any = None, **_: Any) -> None:
    """Refuse to delete a block that circuits join or an order brings, but with its network."""
    if getattr(origin, "model", type(origin)) is Pod or not instance.pod.is_network:
        return
    places = instance.places
    at = models.Q(a__in=places) | models.Q(b__in=places)
    circuits = OpticalCircuit.objects.filter(at, switch__pod=instance.pod_id, wanted=True)
    if there := circuits.first():
        raise models.ProtectedError("Remove the circuits of this block first: ", {there})
    steps = OrderStep.objects.filter(port__block=instance).exclude(order__state__in=ENDED)
    if step := steps.select_related("order__pod").first():
        raise models.ProtectedError("Withdraw its work order first: ", {step.order})
