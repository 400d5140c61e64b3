"""Stock: how many of a part lie on the shelf, and how many are on their way."""

from django.db import models
from nautobot.apps.models import PrimaryModel, extras_features


@extras_features("custom_links", "custom_validators", "export_templates", "graphql", "webhooks")
class Stock(PrimaryModel):
    """A part by its name, as orders name it: fibres by length, transceivers, boards."""

    part = models.CharField(max_length=255)
    location = models.ForeignKey(
        "dcim.Location", models.PROTECT, related_name="fabric_stock", help_text="Where it lies"
    )
    on_hand = models.PositiveIntegerField(default=0)
    ordered = models.PositiveIntegerField(default=0, help_text="On their way")

    natural_key_field_names = ("part", "location")

    class Meta:
        ordering = ("part", "location")
        verbose_name_plural = "stock"
        constraints = (
            models.UniqueConstraint(fields=("part", "location"), name="twin_one_stock_a_part"),
        )

    def __str__(self) -> str:
        return f"{self.part} at {self.location}"
