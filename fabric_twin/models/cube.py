"""A cube: the rack that stands in a slot of a pod."""

from django.core.exceptions import ValidationError
from django.db import models
from nautobot.apps.models import PrimaryModel, StatusField, extras_features

from fabric_twin.core.kinds import Kind
from fabric_twin.models.reached import Reached


@extras_features(
    "custom_links", "custom_validators", "export_templates", "graphql", "statuses", "webhooks"
)
class Cube(Reached, PrimaryModel):
    """The slot decides the port: the cube in slot 7 is on port 7 of every switch."""

    pod = models.ForeignKey("fabric_twin.Pod", models.CASCADE, related_name="cubes")
    slot = models.PositiveSmallIntegerField(help_text="Counted from 1")
    rack = models.OneToOneField("dcim.Rack", models.PROTECT, related_name="fabric_cube")
    status = StatusField()

    clone_fields = ("pod", "status")
    natural_key_field_names = ("pod", "slot")

    class Meta:
        ordering = ("pod", "slot")
        constraints = (
            models.UniqueConstraint(fields=("pod", "slot"), name="twin_one_cube_a_slot"),
            models.CheckConstraint(condition=models.Q(slot__gte=1), name="twin_slots_count_from_1"),
            models.UniqueConstraint(
                fields=("address", "target"),
                condition=~models.Q(address=""),
                name="twin_one_cube_an_address",
            ),
        )
        permissions = (("connect_cube", "Give a cube its address, and confirm who answers"),)

    def __str__(self) -> str:
        return f"{self.pod.name} {'group' if self.pod.is_cluster else 'cube'} {self.slot}"

    def clean(self) -> None:
        """Refuse a slot that the design does not have; an empty field says so itself."""
        super().clean()
        if None in (self.pod_id, self.slot):
            return
        # Without its design a pod is still worked on: only a slot that is new is checked by it.
        if not Cube.objects.filter(pk=self.pk, pod=self.pod_id, slot=self.slot).exists():
            design = self.pod.design_to_check_by()
            if design.kind is Kind.NETWORK:
                raise ValidationError({"pod": "It is a network of blocks. Choose a pod of cubes."})
            if not 1 <= self.slot <= design.slots:
                said = f"The design {self.pod.design} has slots 1 to {design.slots}."
                raise ValidationError({"slot": said})
        if self.present_in_database:
            self._check_slot_stays()
            self._check_not_reserved()

    def _check_not_reserved(self) -> None:
        """Refuse to change a cube that a ticket or a work order counts on."""
        there = Cube.objects.filter(pk=self.pk).first()
        facts = ("pod_id", "slot", "rack_id", "status_id")
        if there is None or all(getattr(there, name) == getattr(self, name) for name in facts):
            return
        if held := there.reservations.select_related("ticket__pod", "order__pod").first():
            raise ValidationError("%(why)s.", params={"why": held.refusal})

    def _check_slot_stays(self) -> None:
        there = Cube.objects.filter(pk=self.pk).exclude(pod=self.pod_id, slot=self.slot).first()
        if there and (there.ports.exists() or there.parts.exists()):
            raise ValidationError(
                {"slot": f"Its ports and slices are those of {there}: delete the cube there first."}
            )
