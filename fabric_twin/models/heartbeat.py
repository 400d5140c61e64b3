"""A heartbeat: who should always run, and when it last said that it does."""

from django.db import models
from nautobot.apps.models import BaseModel


class Heartbeat(BaseModel):
    """One row for each who says so; today that is `watch_fabric`."""

    name = models.CharField(max_length=32, unique=True)
    at = models.DateTimeField()

    natural_key_field_names = ("name",)
    # Nobody's record: pages say what follows from it.
    is_metadata_associable_model = False

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name
