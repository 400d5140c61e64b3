"""What is reached over the network: where it answers, and by what name."""

from django.db import models


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
