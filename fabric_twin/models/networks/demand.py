"""Demand: what the blocks of a network ask of each other, as somebody measured or forecast it."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from nautobot.apps.models import PrimaryModel, extras_features

from fabric_twin.core.kinds import Kind


@extras_features("custom_links", "custom_validators", "export_templates", "graphql", "webhooks")
class Demand(PrimaryModel):
    """A matrix of a day. Pairs that ask for nothing are not in it; the last day counts.

    `gbps` has a row for each pair that asks: two names of blocks in order, and Gbit/s.
    """

    pod = models.ForeignKey("fabric_twin.Pod", models.CASCADE, related_name="demands")
    day = models.DateField(help_text="The day that it is of")
    gbps = models.JSONField(editable=False, default=list)
    description = models.CharField(
        max_length=255, blank=True, help_text="Where it comes from, such as a forecast"
    )

    natural_key_field_names = ("pod", "day")

    class Meta:
        ordering = ("pod", "-day")
        get_latest_by = "day"
        verbose_name_plural = "demands"
        constraints = (
            models.UniqueConstraint(fields=("pod", "day"), name="twin_one_demand_a_day"),
        )

    def __str__(self) -> str:
        return f"{self.pod.name} {self.day}"

    @property
    def rows(self) -> list[tuple[str, str, float]]:
        """Two blocks, and what they ask of each other, in Gbit/s."""
        return [(one, other, float(gbps)) for one, other, gbps in self.gbps]

    @property
    def total(self) -> float:
        """All of it together, in Gbit/s."""
        return sum(gbps for _, _, gbps in self.rows)

    def clean(self) -> None:
        """Refuse a pod that has no blocks."""
        super().clean()
        if hasattr(self, "pod") and self.pod.design_to_check_by().kind is not Kind.NETWORK:
            raise ValidationError({"pod": "It is a pod of cubes. Choose a network."})

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write it, its pairs in order."""
        self.gbps = sorted([*sorted(pair), gbps] for *pair, gbps in self.gbps)
        super().save(*args, **kwargs)
