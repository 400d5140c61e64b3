"""A finding: one physical cause, and its life from run to run."""

from datetime import datetime

from django.db import models
from django.utils import timezone
from nautobot.apps.choices import ChoiceSet
from nautobot.apps.models import BaseModel, PrimaryModel, extras_features

from fabric_twin.core.findings.cost import Cost, Impact


class SeverityChoices(ChoiceSet):
    """What a finding takes from the pod."""

    ERROR = "error"
    WARNING = "warning"

    CHOICES = ((ERROR, "Error"), (WARNING, "Warning"))
    CSS_CLASSES = {ERROR: "danger", WARNING: "warning"}


class ImpactChoices(ChoiceSet):
    """What it costs now: slices, capacity, or nothing yet."""

    CRITICAL, MAJOR, MINOR = "critical", "major", "minor"

    CHOICES = (
        (CRITICAL, "Critical: slices lose links"),
        (MAJOR, "Major: capacity is lost"),
        (MINOR, "Minor: nothing is lost now"),
    )
    CSS_CLASSES = {CRITICAL: "danger", MAJOR: "warning", MINOR: "secondary"}
    OF = {Impact.SLICES: CRITICAL, Impact.CAPACITY: MAJOR, Impact.NOTHING: MINOR}


class FindingStateChoices(ChoiceSet):
    """Where a finding is in its life; whether it is silenced follows from rules and time."""

    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"
    WORKING = "working"
    JOINED = "joined"
    MENDED = "mended"

    CHOICES = (
        (OPEN, "Open"),
        (ACKNOWLEDGED, "Acknowledged"),
        (WORKING, "Being worked on"),
        (JOINED, "Joined"),
        (MENDED, "Mended"),
    )
    CSS_CLASSES = {
        OPEN: "danger",
        ACKNOWLEDGED: "warning",
        WORKING: "info",
        JOINED: "secondary",
        MENDED: "success",
    }
    #: Each tells of a fault that is there.
    THERE = (OPEN, ACKNOWLEDGED, WORKING)


@extras_features("custom_links", "custom_validators", "export_templates", "graphql", "webhooks")
class Finding(PrimaryModel):
    """A fault by its key, which stays the same for as long as the fault does.

    open -> acknowledged -> being worked on -> mended (once all of its `proof` was seen)
      ^-----------------------------------------'  when it is there again

    `core/findings/life.py` has the whole table.
    """

    pod = models.ForeignKey("fabric_twin.Pod", models.CASCADE, related_name="findings")
    key = models.CharField(max_length=64, help_text="The same from run to run for the same fault")
    code = models.CharField(max_length=32)
    severity = models.CharField(max_length=8, choices=SeverityChoices)
    cause = models.TextField()
    state = models.CharField(
        max_length=16, choices=FindingStateChoices, default=FindingStateChoices.OPEN
    )
    observed = models.BooleanField(
        default=False, help_text="The fabric showed it, and only the fabric can show it mended"
    )
    seen = models.BooleanField(
        default=True, help_text="The last look at its place saw it; else it is not seen since"
    )
    proof = models.JSONField(
        default=list,
        blank=True,
        help_text="What is left to be seen before it is mended: a look, a device and a port",
    )
    joined_with = models.ForeignKey(
        "self",
        models.SET_NULL,
        related_name="joined",
        null=True,
        blank=True,
        help_text="The finding that covers its fault, until the two are separate again",
    )
    first_seen = models.DateTimeField()
    opened = models.DateTimeField(help_text="When it was first seen, or seen again after mending")
    last_seen = models.DateTimeField()
    mended_at = models.DateTimeField(null=True, blank=True)
    reopened = models.PositiveIntegerField(default=0, help_text="How often it came back")
    strays = models.JSONField(
        default=list, blank=True, help_text="Wrong cables: the end that stays, is, and should be"
    )
    evidence_then = models.JSONField(default=dict, blank=True, help_text="As it was first seen")
    evidence_now = models.JSONField(default=dict, blank=True, help_text="As it was last seen")
    remedy = models.JSONField(default=list, blank=True, help_text="Moves, in order")
    digest = models.CharField(
        max_length=32,
        editable=False,
        help_text="Of what a run found: the same is not written twice",
    )
    acknowledged_by = models.ForeignKey(
        "users.User", models.SET_NULL, related_name="+", null=True, blank=True
    )
    acknowledged_at = models.DateTimeField(null=True, blank=True)
    acknowledged_why = models.CharField(max_length=255, blank=True)
    worked_on = models.CharField(
        max_length=255, blank=True, help_text="The ticket or the work order that mends it"
    )
    slices = models.ManyToManyField(
        "fabric_twin.Slice",
        related_name="findings",
        blank=True,
        help_text="Slices that lose links because of it",
    )
    circuits_lost = models.PositiveIntegerField(
        default=0, help_text="Circuits of running slices that carry no light because of it"
    )
    cubes_lost = models.PositiveIntegerField(
        default=0, help_text="Idle cubes that no slice can take because of it"
    )
    is_spared = models.BooleanField(
        default=False,
        verbose_name="Spare holds",
        help_text="A spare port carries its light instead",
    )
    owner = models.ForeignKey(
        "users.User",
        models.SET_NULL,
        related_name="+",
        null=True,
        blank=True,
        help_text="Who is responsible for it",
    )
    due = models.DateTimeField(null=True, blank=True, help_text="By when it should be mended")

    natural_key_field_names = ("pod", "key")

    class Meta:
        #: What costs most comes first, what is mended last.
        ordering = (
            models.F("mended_at").desc(nulls_first=True),
            "-circuits_lost",
            "-cubes_lost",
            "opened",
            "is_spared",
            "severity",
            "pod",
            "key",
        )
        constraints = (
            models.UniqueConstraint(fields=("pod", "key"), name="twin_one_finding_a_key"),
            models.CheckConstraint(
                condition=models.Q(state=FindingStateChoices.MENDED, mended_at__isnull=False)
                | (~models.Q(state=FindingStateChoices.MENDED) & models.Q(mended_at__isnull=True)),
                name="twin_mended_since_when",
            ),
            models.CheckConstraint(
                condition=models.Q(joined_with__isnull=True)
                | models.Q(state=FindingStateChoices.JOINED),
                name="twin_joined_with_whom",
            ),
        )
        indexes = (models.Index(fields=("pod", "state"), name="twin_findings_by_state"),)

    def __str__(self) -> str:
        return f"{self.code} {self.key}"

    @property
    def page_title(self) -> str:
        """What and where, for the head of its page and the tab: `swapped at iw1-ocs-x-3-2 7A`."""
        at_switch = models.Q(port__switch__isnull=False)
        places = self.places.order_by(
            models.Case(models.When(at_switch, then=0), default=1), "number"
        )
        place = places.first()
        return f"{self.code} at {place}" if place else f"{self.code} in pod {self.pod.name}"

    def get_state_class(self) -> str:
        """The colour of its state, for pages."""
        return FindingStateChoices.CSS_CLASSES[self.state]

    @property
    def unseen_since(self) -> datetime | None:
        """When it was last seen, where it is there still and the last look could not see it."""
        is_seen = self.seen or self.state not in FindingStateChoices.THERE
        return None if is_seen else self.last_seen

    @property
    def cost(self) -> Cost:
        """What it takes from the pod, by the last audit."""
        return Cost(self.circuits_lost, self.cubes_lost, self.is_spared)

    @property
    def impact(self) -> str:
        """How bad that is, in a word."""
        return ImpactChoices.OF[self.cost.impact]

    @property
    def is_overdue(self) -> bool:
        """Whether it should have been mended by now."""
        is_there = self.state in FindingStateChoices.THERE
        return is_there and self.due is not None and self.due <= timezone.now()

    def get_impact_class(self) -> str:
        """The colour of its impact, for pages."""
        return ImpactChoices.CSS_CLASSES[self.impact]

    def get_severity_class(self) -> str:
        """The colour of its severity, for pages."""
        return SeverityChoices.CSS_CLASSES[self.severity]


@extras_features("graphql")
class FindingPlace(BaseModel):
    """Where a finding is: a port with its device and rack, or a cable.

    So findings of a switch, a rack, a device or a cable are found by a join. What the inventory has
    no record of is named as the finding names it.
    """

    finding = models.ForeignKey("fabric_twin.Finding", models.CASCADE, related_name="places")
    number = models.PositiveIntegerField(help_text="Ports first, as the finding names them")
    port = models.ForeignKey(
        "fabric_twin.Port", models.CASCADE, related_name="finding_places", null=True, blank=True
    )
    device = models.ForeignKey(
        "dcim.Device", models.CASCADE, related_name="finding_places", null=True, blank=True
    )
    rack = models.ForeignKey(
        "dcim.Rack", models.CASCADE, related_name="finding_places", null=True, blank=True
    )
    cable = models.ForeignKey(
        "dcim.Cable", models.CASCADE, related_name="finding_places", null=True, blank=True
    )
    device_name = models.CharField(max_length=255, blank=True)
    port_name = models.CharField(max_length=255, blank=True)
    cable_name = models.CharField(max_length=255, blank=True)

    natural_key_field_names = ("finding", "number")

    class Meta:
        ordering = ("finding", "number")
        constraints = (
            models.UniqueConstraint(fields=("finding", "number"), name="twin_one_place_a_line"),
        )

    def __str__(self) -> str:
        return self.cable_name or f"{self.device_name} {self.port_name}".strip()
