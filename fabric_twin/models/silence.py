"""A silence: a rule that keeps findings quiet until a date, with a reason."""

from django.core.exceptions import ValidationError
from django.db import models
from nautobot.apps.models import PrimaryModel, extras_features


@extras_features("custom_links", "custom_validators", "export_templates", "graphql", "webhooks")
class Silence(PrimaryModel):
    """What is named must all fit; a rule that names nothing but its pod silences the whole pod.

    A tag fits a finding that has it, or one on a device, rack or cable that has it.
    """

    pod = models.ForeignKey("fabric_twin.Pod", models.CASCADE, related_name="silences")
    finding = models.ForeignKey(
        "fabric_twin.Finding", models.CASCADE, related_name="silences", null=True, blank=True
    )
    code = models.CharField(max_length=32, blank=True)
    device = models.ForeignKey(
        "dcim.Device", models.CASCADE, related_name="fabric_silences", null=True, blank=True
    )
    cable = models.ForeignKey(
        "dcim.Cable", models.CASCADE, related_name="fabric_silences", null=True, blank=True
    )
    tag = models.ForeignKey(
        "extras.Tag", models.CASCADE, related_name="fabric_silences", null=True, blank=True
    )
    until = models.DateTimeField(help_text="Findings are reported again from then on")
    reason = models.CharField(max_length=255)
    user = models.ForeignKey(
        "users.User",
        models.SET_NULL,
        related_name="+",
        null=True,
        blank=True,
        editable=False,
        help_text="Who said so",
    )

    clone_fields = ("pod", "code", "device", "cable", "tag", "until", "reason")
    natural_key_field_names = ("pk",)

    class Meta:
        ordering = ("pod", "until", "created")

    def __str__(self) -> str:
        named = (self.finding, self.code, self.device, self.cable, self.tag)
        return f"{self.pod.name}: {', '.join(str(one) for one in named if one) or 'all'}"

    def clean(self) -> None:
        """Refuse a finding of another pod."""
        super().clean()
        if self.finding and self.finding.pod_id != self.pod_id:
            raise ValidationError({"finding": "The finding is of another pod."})
