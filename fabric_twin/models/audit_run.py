"""A run: one audit of one pod, what it looked at, and what it found."""

from typing import Any

from django.db import models
from nautobot.apps.choices import ChoiceSet
from nautobot.apps.models import PrimaryModel, extras_features

from fabric_twin.core.record_names import headed


class RunStateChoices(ChoiceSet):
    """How far a run is. No statuses: an administrator may rename those that code asks for."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    LOST = "lost"

    CHOICES = (
        (QUEUED, "Queued"),
        (RUNNING, "Running"),
        (DONE, "Done"),
        (FAILED, "Failed"),
        (LOST, "Lost"),
    )
    #: It goes on.
    LIVE = QUEUED, RUNNING
    CSS_CLASSES = {
        QUEUED: "info",
        RUNNING: "info",
        DONE: "success",
        FAILED: "danger",
        LOST: "danger",
    }


class ScopeChoices(ChoiceSet):
    """How much of a pod a run looked at."""

    POD = "pod"
    SWITCH = "switch"
    CUBE = "cube"
    BLOCK = "block"
    PORTS = "ports"
    #: No audit: which cable is in which port, as light shows it.
    CABLES = "cables"

    CHOICES = (
        (POD, "The pod"),
        (SWITCH, "Switches"),
        (CUBE, "Cubes"),
        (BLOCK, "Blocks"),
        (PORTS, "Ports that changed"),
        (CABLES, "Cables, by light"),
    )


class GateChoices(ChoiceSet):
    """What a pipeline should make of a run."""

    PASS = "pass"  # noqa: S105 - nobody's password
    WARN = "warn"
    FAIL = "fail"

    CHOICES = ((PASS, "Pass"), (WARN, "Warn"), (FAIL, "Fail"))
    CSS_CLASSES = {PASS: "success", WARN: "warning", FAIL: "danger"}


@extras_features("custom_links", "export_templates", "graphql", "webhooks")
class AuditRun(PrimaryModel):
    """A record for each audit; findings outlive it.

    A run holds a lease while it works: who does not know its token, or comes after its end, writes
    nothing. One run of a pod works at a time, which the database holds it to.
    """

    pod = models.ForeignKey("fabric_twin.Pod", models.CASCADE, related_name="audit_runs")
    number = models.PositiveIntegerField(help_text="Counted from 1 in each pod")
    scope = models.CharField(max_length=16, choices=ScopeChoices, default=ScopeChoices.POD)
    places = models.CharField(
        max_length=255, blank=True, help_text="Which part of the pod, where it is not all of it"
    )
    light = models.BooleanField(
        default=False, help_text="Looked only at light and circuits, not at serials and parts"
    )
    state = models.CharField(max_length=16, choices=RunStateChoices, default=RunStateChoices.QUEUED)
    started = models.DateTimeField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)
    duration = models.FloatField(null=True, blank=True, help_text="Seconds")
    cables = models.PositiveIntegerField(default=0, help_text="Cables that are recorded")
    expected = models.PositiveIntegerField(default=0, help_text="Cables that the rule wants")
    found = models.PositiveIntegerField(default=0, help_text="Findings in all")
    new = models.PositiveIntegerField(default=0, help_text="That were not there before the run")
    gone = models.PositiveIntegerField(
        default=0, help_text="Findings of the run before that are gone"
    )
    still = models.PositiveIntegerField(default=0, help_text="That were there, and still are")
    by_code = models.JSONField(default=dict, blank=True)
    by_severity = models.JSONField(default=dict, blank=True)
    keys = models.JSONField(
        default=dict,
        blank=True,
        help_text="The keys of findings: found, new and gone; of a discovery, what light showed",
    )
    not_reached = models.JSONField(
        default=dict, blank=True, help_text="What did not answer, and why; it stays as it was known"
    )
    fingerprints = models.JSONField(
        default=dict, blank=True, help_text="Of each input: what has the same did not change"
    )
    gate = models.CharField(max_length=8, choices=GateChoices, blank=True)
    message = models.TextField(blank=True, help_text="Why it failed, or what it has to say")
    before = models.ForeignKey(
        "self",
        models.SET_NULL,
        related_name="followed_by",
        null=True,
        blank=True,
        help_text="The run before, with which it is compared",
    )
    job_result = models.ForeignKey(
        "extras.JobResult", models.SET_NULL, related_name="fabric_audits", null=True, blank=True
    )
    lease_token = models.UUIDField(null=True, blank=True, editable=False)
    lease_until = models.DateTimeField(null=True, blank=True, editable=False)

    natural_key_field_names = ("pod", "number")

    class Meta:
        ordering = ("pod", "-number")
        constraints = (
            models.UniqueConstraint(fields=("pod", "number"), name="twin_one_run_a_number"),
            models.UniqueConstraint(
                fields=("pod",),
                condition=models.Q(state=RunStateChoices.RUNNING),
                name="twin_one_run_at_a_time",
            ),
            models.CheckConstraint(
                condition=~models.Q(state=RunStateChoices.RUNNING)
                | models.Q(lease_token__isnull=False, lease_until__isnull=False),
                name="twin_who_runs_has_a_lease",
            ),
        )

    def __str__(self) -> str:
        return f"{self.pod.name} audit {self.number}"

    @property
    def page_title(self) -> str:
        """Its name and what it looked at, for the head of its page and the tab."""
        what = self.get_scope_display() if self.is_discovery else f"pod {self.pod.name}"
        return headed(str(self), self.places or what)

    @property
    def is_discovery(self) -> bool:
        """Whether it learned which cable is in which port, and audited nothing."""
        return bool(self.scope == ScopeChoices.CABLES)

    @property
    def discovered(self) -> Any:
        """What light showed of cables, by the numbers of their ports; empty of an audit."""
        return self.keys.get("cables", {})

    def get_state_class(self) -> str:
        """The colour of its state, for pages."""
        return RunStateChoices.CSS_CLASSES[self.state]

    def get_gate_class(self) -> str:
        """The colour of its gate, for pages."""
        return GateChoices.CSS_CLASSES.get(self.gate, "secondary")

    def to_objectchange(self, action: str, **kwargs: Any) -> Any:
        """What the change log and webhooks say of a run: its lease is nobody's business."""
        exclude = [*kwargs.pop("object_data_exclude", ()), "lease_token", "lease_until"]
        return super().to_objectchange(action, object_data_exclude=exclude, **kwargs)
