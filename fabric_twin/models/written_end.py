"""An end of a cable as somebody wrote it, where the inventory has no port to plug it in."""

from django.db import models
from nautobot.apps.choices import ChoiceSet
from nautobot.apps.models import BaseModel, extras_features


class CableEndChoices(ChoiceSet):
    """The ends of a cable."""

    CHOICES = (("A", "A"), ("B", "B"))


@extras_features("graphql")
class WrittenEnd(BaseModel):
    """A cut sheet is recorded as it is, mistakes too, and a port of Nautobot takes one cable.

    So the second cable on a port, and an end on a port that the pod does not have, are kept as
    written: the audit reads them with the rest.
    """

    pod = models.ForeignKey("fabric_twin.Pod", models.CASCADE, related_name="written_ends")
    cable = models.ForeignKey("dcim.Cable", models.CASCADE, related_name="fabric_written_ends")
    cable_end = models.CharField(max_length=1, choices=CableEndChoices)
    device = models.CharField(max_length=255, blank=True)
    port = models.CharField(max_length=255, blank=True, help_text="Both empty: not known")

    natural_key_field_names = ("cable", "cable_end")

    class Meta:
        ordering = ("pod", "cable", "cable_end")
        constraints = (
            models.UniqueConstraint(fields=("cable", "cable_end"), name="twin_one_end_as_written"),
        )

    def __str__(self) -> str:
        return f"{self.cable} {self.cable_end}: {self.device} {self.port}".strip()
