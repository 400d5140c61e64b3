"""A slice: cubes joined into a torus, or chips of one cube, for one job."""

from typing import Any

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models, transaction
from nautobot.apps.models import BaseModel, PrimaryModel, StatusField, extras_features

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.slices.letters import next_letter
from fabric_twin.core.slices.shapes import Shape
from fabric_twin.core.slices.slice import LONGEST_NAME, check_slice_name
from fabric_twin.core.slices.slice import Slice as CoreSlice
from fabric_twin.models.pod import Pod
from fabric_twin.models.ticket import ENDED

#: Statuses of a slice that a ticket makes, and of one that a ticket releases.
PLANNED, RELEASING = "Planned", "Releasing"


# Its GraphQL type is ours: graphql/types.py.
@extras_features("custom_links", "custom_validators", "export_templates", "statuses", "webhooks")
class Slice(PrimaryModel):
    """What was wished for, and (by its parts) where it stands."""

    pod = models.ForeignKey("fabric_twin.Pod", models.PROTECT, related_name="slices")
    name = models.CharField(max_length=LONGEST_NAME)
    shape = models.CharField(max_length=64, help_text="Chips along each axis, such as 8x8x16")
    twisted = models.BooleanField(default=False)
    status = StatusField()
    description = models.CharField(max_length=255, blank=True)
    letter = models.CharField(
        max_length=4,
        blank=True,
        editable=False,
        help_text="Its letter, and by it its colour, on every drawing; given once, for its life",
    )

    rings = models.JSONField(
        default=dict,
        blank=True,
        editable=False,
        help_text="Of a cluster's job: its form, its axes and their planes, and which way they run",
    )

    natural_key_field_names = ("pod", "name")

    class Meta:
        ordering = ("pod", "name")
        constraints = (
            models.UniqueConstraint(fields=("pod", "name"), name="twin_one_slice_a_name"),
            models.UniqueConstraint(fields=("pod", "letter"), name="twin_one_slice_a_letter"),
        )

    def __str__(self) -> str:
        return str(self.name)

    @property
    def clone_fields(self) -> tuple[str, ...]:
        """What another one like it is begun with; none is like a job, which a ticket makes."""
        if self.is_job:
            raise AttributeError("clone_fields")
        return "pod", "shape", "twisted"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write it; a new one gets its letter."""
        if self.letter:
            super().save(*args, **kwargs)
            return
        with transaction.atomic():
            pod = Pod.objects.select_for_update().get(pk=self.pod_id)
            taken = pod.slices.order_by().values_list("letter", flat=True)
            self.letter = next_letter(set(taken), pod.last_letter)
            Pod.objects.filter(pk=pod.pk).update(last_letter=self.letter)
            super().save(*args, **kwargs)

    def clean(self) -> None:
        """Refuse a name or a shape that the core could not read."""
        super().clean()
        try:
            check_slice_name(self.name, "name")
        except FabricTwinError as refusal:
            raise ValidationError(
                {"name": ValidationError("%(why)s", params={"why": refusal})}
            ) from None
        self._refuse_in_hand()

    def _refuse_in_hand(self) -> None:
        """What an open ticket makes, releases, moves or lights stays as the ticket knows it."""
        was = type(self).objects.filter(pk=self.pk).first()
        held = ("pod_id", "name", "shape", "twisted", "rings", "status_id")
        if was is None or all(getattr(was, name) == getattr(self, name) for name in held):
            return
        tickets = apps.get_model("fabric_twin", "Ticket").objects.filter(pod=was.pod_id)
        mine = models.Q(plan__effects__contains=[{"id": str(was.pk)}])
        mine |= models.Q(plan__records__owners__contains={was.name: str(was.pk)})
        holder = tickets.exclude(state__in=ENDED).filter(mine).defer("plan").first()
        if holder:
            raise ValidationError(
                f"{'job' if was.is_job else 'slice'} {was.name} is changed by ticket {holder} "
                f"({holder.title}). Wait until it ends, or withdraw it."
            )

    @property
    def is_job(self) -> bool:
        """Whether it is a job on groups of a cluster."""
        return bool(self.rings)

    def to_core(self) -> CoreSlice:
        """The slice as the core knows it."""
        parts = list(self.parts.order_by("place").values_list("cube__slot", "chips"))
        chips = tuple(tuple(chip) for _, of_cube in parts for chip in of_cube or ())
        shape = Shape(tuple(map(int, self.shape.split("x"))), twisted=self.twisted)
        return CoreSlice(self.name, shape, tuple(slot for slot, _ in parts), chips)


@extras_features("graphql")
class SlicePart(BaseModel):
    """A cube's place in a slice; under a cube, which of its chips."""

    slice = models.ForeignKey("fabric_twin.Slice", models.CASCADE, related_name="parts")
    cube = models.ForeignKey("fabric_twin.Cube", models.PROTECT, related_name="parts")
    place = models.PositiveSmallIntegerField(
        help_text="Place in the slice, from 0; the last axis runs fastest"
    )
    chips = models.JSONField(
        null=True, blank=True, help_text="Under a cube: [x, y, z] of each chip; else the whole cube"
    )

    natural_key_field_names = ("slice", "place")

    class Meta:
        ordering = ("slice", "place")
        constraints = (
            models.UniqueConstraint(fields=("slice", "place"), name="twin_one_cube_a_place"),
            models.UniqueConstraint(fields=("slice", "cube"), name="twin_one_place_a_cube"),
            models.UniqueConstraint(
                fields=("cube",),
                condition=models.Q(chips__isnull=True),
                name="twin_a_whole_cube_in_one_slice",
            ),
        )

    def __str__(self) -> str:
        return f"{self.cube} at place {self.place} of {self.slice}"
