"""Who runs a job of the App: Nautobot's record says that it began, this one that it goes on."""

from django.db import models
from nautobot.apps.models import BaseModel


class JobLease(BaseModel):
    """One row a job that a worker took, or that was called for again.

    A worker says every few seconds that it is there; when `lease_until` is over, nobody runs the
    job. How it ended is kept: a message that comes twice must not run it twice.
    """

    job_result = models.OneToOneField(
        "extras.JobResult", models.CASCADE, related_name="fabric_lease"
    )
    lease_until = models.DateTimeField(null=True, help_text="None where nobody has it")
    called = models.DateTimeField(help_text="When it was last called for")
    calls = models.PositiveSmallIntegerField(default=1)
    lost_before = models.PositiveSmallIntegerField(
        default=0, help_text="How many workers were lost that were to do the same"
    )
    is_lost = models.BooleanField(default=False, help_text="Ended because nobody ran it any more")
    ended = models.DateTimeField(null=True)
    status = models.CharField(max_length=30, blank=True, help_text="How it ended")
    result = models.JSONField(null=True)
    handed_on = models.JSONField(
        default=list, help_text="Workers that reached no device, and handed it on"
    )

    natural_key_field_names = ("pk",)
    # Nobody's record: the job's own page is where people look.
    is_metadata_associable_model = False

    class Meta:
        ordering = ("called",)

    def __str__(self) -> str:
        return f"{self.job_result} since {self.called:%Y-%m-%d %H:%M}"
