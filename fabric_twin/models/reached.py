"""What is reached over the network: where it answers, and by what name."""

from django.core.exceptions import ValidationError
from django.db import models

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.inventory.addresses import check_address


class Reached(models.Model):
    """A device of a pod that tells of itself."""

    address = models.CharField(
        max_length=255, blank=True, help_text="HOST:PORT of its gNMI server; empty is not reached"
    )
    target = models.CharField(
        max_length=64, blank=True, help_text="Its name behind an address that several share"
    )

    class Meta:
        abstract = True

    def clean(self) -> None:
        """Refuse an address that nobody could answer at."""
        super().clean()
        try:
            if self.address:
                check_address(self.address, "address")
        except FabricTwinError as refusal:
            raise ValidationError(
                {"address": ValidationError("%(why)s", params={"why": refusal})}
            ) from None
