"""A ticket: a change of circuits, planned, approved, carried out, and undoable."""

from copy import copy
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.dispatch import Signal
from nautobot.apps.choices import ChoiceSet
from nautobot.apps.models import ApprovableModelMixin, PrimaryModel, extras_features

from fabric_twin.core.record_names import headed
from fabric_twin.core.tickets.life import State
from fabric_twin.models.pod import Pod


class TicketKindChoices(ChoiceSet):
    """What a ticket is made for."""

    HAND = "hand"
    SLICE = "slice"
    RELEASE = "release"
    SPARE = "spare"
    DEFRAGMENT = "defragment"
    MAINTENANCE = "maintenance"
    DRIFT = "drift"
    RETURN = "return"
    TOPOLOGY = "topology"

    CHOICES = (
        (HAND, "Circuits by hand"),
        (SLICE, "Create slice"),
        (RELEASE, "Release slice"),
        (SPARE, "Off a bad port"),
        (DEFRAGMENT, "Defragmentation"),
        (MAINTENANCE, "Maintenance"),
        (DRIFT, "Accept drift"),
        (RETURN, "Return to service"),
        (TOPOLOGY, "Topology of a network"),
    )


#: What a kind is called in a cluster, whose slices are jobs.
_OF_CLUSTERS = {
    TicketKindChoices.SLICE: "Create job",
    TicketKindChoices.RELEASE: "Release job",
    TicketKindChoices.DRIFT: "Correct entries",
}


def kind_told(kind: str, pod: Pod | None) -> str:
    """What a kind of ticket is called, of a pod or in general."""
    told = dict(TicketKindChoices.CHOICES)
    return (told | _OF_CLUSTERS if pod and pod.is_cluster else told)[kind]


class TicketStateChoices(ChoiceSet):
    """Where a ticket is in its life, as the core has it. No statuses: code asks by name."""

    CHOICES = tuple((str(state), str(state).capitalize()) for state in State)
    CSS_CLASSES: ClassVar[dict[str, str]] = {
        State.DRAFT: "secondary",
        State.SUBMITTED: "info",
        State.APPROVED: "info",
        State.SCHEDULED: "info",
        State.RUNNING: "warning",
        State.DONE: "success",
        State.FAILED: "danger",
        State.UNDONE: "secondary",
        State.WITHDRAWN: "secondary",
    }


#: States after which a ticket asks for nothing any more, and holds no port.
ENDED = tuple(state for state in State if not state.is_open)
# Said one by one: PostgreSQL writes a list otherwise after a dump than before.
_OPEN = (
    ~models.Q(state=State.DONE) & ~models.Q(state=State.UNDONE) & ~models.Q(state=State.WITHDRAWN)
)


class RiskChoices(ChoiceSet):
    """How much could go wrong."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"

    CHOICES = ((LOW, "Low"), (MEDIUM, "Medium"), (HIGH, "High"))
    CSS_CLASSES = {LOW: "success", MEDIUM: "warning", HIGH: "danger"}


class OnFailureChoices(ChoiceSet):
    """What a run does when more circuits are bad than the ticket allows."""

    UNDO = "undo"
    HOLD = "hold"

    CHOICES = ((UNDO, "Stop and undo"), (HOLD, "Stop and hold"))


class DirectionChoices(ChoiceSet):
    """Which way a run goes through the stages."""

    FORWARD = "forward"
    BACK = "back"

    CHOICES = ((FORWARD, "Forward"), (BACK, "Back"))


@extras_features("custom_links", "custom_validators", "export_templates", "graphql", "webhooks")
class Ticket(ApprovableModelMixin, PrimaryModel):
    """One revision of a ticket; what was submitted never changes, a change is a new row.

    `plan` is what is done, stage by stage; `stage`, `direction` and `tries` are how far it is, and
    are written before anything is sent. A run holds a lease as an audit does: who does not know its
    token, or comes after its end, writes and sends nothing.
    """

    #: Sent when Nautobot's workflow has come to an end, with the `ticket` and the `workflow`.
    decided: ClassVar[Signal] = Signal()

    # Nautobot takes the first key to a user for the one who asks for approval.
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="fabric_tickets"
    )
    pod = models.ForeignKey("fabric_twin.Pod", models.PROTECT, related_name="tickets")
    number = models.PositiveIntegerField(help_text="Counted from 1 in each pod")
    revision = models.PositiveSmallIntegerField(default=1)
    revises = models.OneToOneField(
        "self", models.SET_NULL, related_name="revised_by", null=True, blank=True
    )
    kind = models.CharField(max_length=16, choices=TicketKindChoices)
    title = models.CharField(max_length=255)
    reason = models.TextField(blank=True)
    risk = models.CharField(max_length=8, choices=RiskChoices, default=RiskChoices.LOW)
    risk_reason = models.CharField(max_length=255, blank=True)
    state = models.CharField(max_length=16, choices=TicketStateChoices, default=State.DRAFT)
    window_start = models.DateTimeField(null=True, blank=True, help_text="Not begun before this")
    window_end = models.DateTimeField(
        null=True, blank=True, help_text="No stage is begun after this"
    )
    on_failure = models.CharField(
        max_length=8, choices=OnFailureChoices, default=OnFailureChoices.UNDO
    )
    most_bad = models.PositiveIntegerField(
        default=0, help_text="Circuits that may be bad before it stops"
    )
    wish = models.JSONField(
        default=dict, blank=True, help_text="What was asked for: a revision plans it again"
    )
    plan = models.JSONField(
        default=dict, blank=True, help_text="Stages of circuits, and what else changes with them"
    )
    blast = models.JSONField(
        default=dict, blank=True, help_text="What it touches: slices, owners, links, capacity left"
    )
    warnings = models.JSONField(default=list, blank=True)
    fingerprint = models.CharField(
        max_length=64,
        blank=True,
        editable=False,
        help_text="Of what the plan begins with: a different one means that things have changed",
    )
    finding = models.ForeignKey(
        "fabric_twin.Finding", models.SET_NULL, related_name="tickets", null=True, blank=True
    )
    slice = models.ForeignKey(
        "fabric_twin.Slice", models.SET_NULL, related_name="tickets", null=True, blank=True
    )
    submitted_at = models.DateTimeField(null=True, blank=True)
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True, blank=True
    )
    approved_at = models.DateTimeField(null=True, blank=True)
    emergency = models.BooleanField(
        default=False, help_text="Approved by its author's own permission, and reviewed afterwards"
    )
    reviewed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True, blank=True
    )
    reviewed_at = models.DateTimeField(null=True, blank=True)
    review = models.TextField(blank=True)
    stage = models.PositiveSmallIntegerField(
        default=1, help_text="The stage under way, counted from 1; 0 when all are undone"
    )
    direction = models.CharField(
        max_length=8, choices=DirectionChoices, default=DirectionChoices.FORWARD
    )
    tries = models.PositiveSmallIntegerField(default=0, help_text="Of the stage under way")
    dark = models.JSONField(
        default=list,
        blank=True,
        editable=False,
        help_text="Circuits that were there and not lit when it began: switch, A and B port",
    )
    started = models.DateTimeField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)
    message = models.TextField(blank=True, help_text="Why it ended so, or what it waits for")
    job_result = models.ForeignKey(
        "extras.JobResult", models.SET_NULL, related_name="fabric_tickets", null=True, blank=True
    )
    lease_token = models.UUIDField(null=True, blank=True, editable=False)
    lease_until = models.DateTimeField(null=True, blank=True, editable=False)

    natural_key_field_names = ("pod", "number", "revision")

    class Meta:
        ordering = ("pod", "-number", "-revision")
        permissions = (
            ("emergency_ticket", "Approve an own ticket in an emergency"),
            ("run_ticket", "Carry out, stop and undo a ticket"),
            ("drain_ticket", "Confirm that links carry nothing before a ticket removes them"),
        )
        constraints = (
            models.UniqueConstraint(
                fields=("pod", "number", "revision"), name="twin_one_ticket_a_revision"
            ),
            models.UniqueConstraint(
                fields=("pod", "number"),
                condition=_OPEN,
                name="twin_one_open_revision",
            ),
            models.CheckConstraint(
                condition=models.Q(window_start__isnull=True)
                | models.Q(window_end__isnull=True)
                | models.Q(window_end__gt=models.F("window_start")),
                name="twin_windows_end_after_they_start",
            ),
            models.CheckConstraint(
                condition=models.Q(approved_by__isnull=True)
                | models.Q(emergency=True)
                | ~models.Q(approved_by=models.F("author")),
                name="twin_nobody_approves_their_own",
            ),
            models.CheckConstraint(
                condition=models.Q(reviewed_by__isnull=True)
                | ~models.Q(reviewed_by=models.F("author")),
                name="twin_nobody_reviews_their_own",
            ),
        )
        indexes = (models.Index(fields=("pod", "state"), name="twin_tickets_by_state"),)

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """As people call it: `iw1-t12`, and a later revision `iw1-t12.2`."""
        later = f".{self.revision}" if self.revision > 1 else ""
        return f"{self.pod.name}-t{self.number}{later}"

    @property
    def page_title(self) -> str:
        """Its name and what it is for, for the head of its page and the tab."""
        return headed(self.name, self.title)

    @property
    def is_open(self) -> bool:
        """Whether it holds its ports."""
        return self.state not in ENDED

    def get_kind_display(self) -> str:  # type: ignore[no-redef]
        """What its kind is called in its pod."""
        return kind_told(self.kind, self.pod)

    def get_state_class(self) -> str:
        """The colour of its state, for pages."""
        return TicketStateChoices.CSS_CLASSES[self.state]

    def get_approval_template(self) -> str:
        """Where Nautobot asks an approver: with the change drawn."""
        return "fabric_twin/ticket_approve.html"

    def get_risk_class(self) -> str:
        """The colour of its risk, for pages."""
        return RiskChoices.CSS_CLASSES[self.risk]

    def on_workflow_initiated(self, approval_workflow: Any) -> None:
        """Nautobot says that approval was asked for, which is known."""

    def on_workflow_approved(self, approval_workflow: Any) -> None:
        """All stages said yes."""
        self.decided.send(Ticket, ticket=self, workflow=approval_workflow)

    def on_workflow_denied(self, approval_workflow: Any) -> None:
        """A stage said no."""
        self.decided.send(Ticket, ticket=self, workflow=approval_workflow)

    def on_workflow_canceled(self, approval_workflow: Any) -> None:
        """Nobody has to decide any more."""
        self.decided.send(Ticket, ticket=self, workflow=approval_workflow)

    def to_objectchange(self, action: str, **kwargs: Any) -> Any:
        """What the change log and webhooks say of a ticket: its lease is nobody's business, and
        its plan, thousands of circuits, stays in the ticket."""
        exclude = [*kwargs.pop("object_data_exclude", ()), "lease_token", "lease_until", "plan"]
        logged = copy(self)
        logged.plan = {}  # written out and thrown away otherwise: half a second for a pod
        return super(Ticket, logged).to_objectchange(action, object_data_exclude=exclude, **kwargs)
