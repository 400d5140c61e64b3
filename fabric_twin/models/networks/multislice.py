"""A multislice: a job with a slice in each of several pods, joined in rings over a network."""

from math import isnan

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from nautobot.apps.models import BaseModel, PrimaryModel, extras_features

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.kinds import Kind
from fabric_twin.core.slices.slice import LONGEST_NAME, check_slice_name
from fabric_twin.core.superpods.rings import MOST_LEAST


@extras_features("custom_links", "custom_validators", "export_templates", "graphql", "webhooks")
class Multislice(PrimaryModel):
    """What was asked for; where its slices and rings are, its tickets say.

    How it stands follows from these (`operations/networks/rings.py`) and is written nowhere.
    """

    pod = models.ForeignKey(
        "fabric_twin.Pod", models.CASCADE, "multislices", verbose_name="network"
    )
    name = models.CharField(max_length=LONGEST_NAME, help_text="That of its slice in each pod too")
    shape = models.CharField(max_length=64, help_text="Of the slice in each pod, such as 8x8x16")
    owner = models.CharField(max_length=64, blank=True, help_text="Whose job it is")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", verbose_name="asked for by"
    )
    least = models.PositiveSmallIntegerField(
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_LEAST)],
        help_text="Links that each two blocks keep which are not of neighbours",
    )
    gigabytes = models.FloatField(
        "gigabytes of a collective",
        default=140.0,
        validators=[MinValueValidator(0.001), MaxValueValidator(1e9)],
        help_text="What one collective moves; the page says how long that takes",
    )
    ticket = models.ForeignKey(
        "fabric_twin.Ticket",
        models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
        help_text="The first revision of the ticket that makes its rings",
    )
    keeps_rings = models.BooleanField(
        default=False,
        editable=False,
        help_text="Whether its rings are made and not given up: topologies keep their links",
    )
    description = models.CharField(max_length=255, blank=True)

    natural_key_field_names = ("pod", "name")

    class Meta:
        ordering = ("pod", "name")
        constraints = (
            models.UniqueConstraint(fields=("pod", "name"), name="twin_one_multislice_a_name"),
        )

    def __str__(self) -> str:
        return str(self.name)

    def clean(self) -> None:
        """Refuse a name that the core could not read, and a network that is none."""
        super().clean()
        try:
            check_slice_name(self.name, "name")
        except FabricTwinError as refusal:
            raise ValidationError(
                {"name": ValidationError("%(why)s", params={"why": refusal})}
            ) from None
        gigabytes: float | None = self.gigabytes
        if gigabytes is not None and isnan(gigabytes):  # bounds let it through
            raise ValidationError({"gigabytes": "Write what one collective moves, such as 140."})
        if hasattr(self, "pod") and self.pod.design_to_check_by().kind is not Kind.NETWORK:
            raise ValidationError({"pod": "It is a pod of cubes. Choose a network."})


@extras_features("graphql")
class MultislicePart(BaseModel):
    """A pod's place on the rings of a multislice, and the ticket that makes its slice there."""

    multislice = models.ForeignKey("fabric_twin.Multislice", models.CASCADE, related_name="parts")
    pod = models.ForeignKey("fabric_twin.Pod", models.PROTECT, related_name="multislice_parts")
    place = models.PositiveSmallIntegerField(help_text="Along the red ring, from 0")
    blocks = models.ManyToManyField(
        "fabric_twin.Block",
        related_name="multislice_parts",
        help_text="Those that served the pod when its rings were asked for: they go over these",
    )
    ticket = models.ForeignKey(
        "fabric_twin.Ticket",
        models.SET_NULL,
        null=True,
        related_name="+",
        help_text="The first revision of the ticket that makes the slice",
    )

    natural_key_field_names = ("multislice", "place")

    class Meta:
        ordering = ("multislice", "place")
        constraints = (
            models.UniqueConstraint(
                fields=("multislice", "place"), name="twin_one_pod_a_place_on_rings"
            ),
            models.UniqueConstraint(
                fields=("multislice", "pod"), name="twin_one_place_on_rings_a_pod"
            ),
        )

    def __str__(self) -> str:
        return f"{self.pod.name} at place {self.place} of {self.multislice}"
