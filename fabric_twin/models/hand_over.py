"""A hand-over: one shift ends, the next one begins."""

from django.conf import settings
from django.db import models
from nautobot.apps.models import BaseModel, extras_features

from fabric_twin.core.moments import moment


@extras_features("graphql")
class HandOver(BaseModel):
    """When a shift ended, and its note to the next one; added, and never changed."""

    at = models.DateTimeField()
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True, blank=True
    )
    note = models.TextField(blank=True)

    natural_key_field_names = ("pk",)
    is_metadata_associable_model = False

    class Meta:
        ordering = ("-at",)
        verbose_name = "hand-over"

    def __str__(self) -> str:
        return f"{self.by or 'a deleted user'}, {moment(self.at)}"
