"""What belongs to a ticket: its stages, its history, who is drained, and what it holds."""

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from nautobot.apps.choices import ChoiceSet
from nautobot.apps.models import BaseModel, extras_features

if TYPE_CHECKING:
    from fabric_twin.models.audit_run import AuditRun
    from fabric_twin.models.ticket import Ticket
    from fabric_twin.models.work_order import WorkOrder


class StageStateChoices(ChoiceSet):
    """How far a stage is."""

    WAITING = "waiting"
    SWITCHING = "switching"
    QUALIFYING = "qualifying"
    DONE = "done"
    BAD = "bad"
    UNDOING = "undoing"
    UNDONE = "undone"

    CHOICES = (
        (WAITING, "Waiting"),
        (SWITCHING, "Switching"),
        (QUALIFYING, "Qualifying"),
        (DONE, "Done"),
        (BAD, "Bad"),
        (UNDOING, "Being undone"),
        (UNDONE, "Undone"),
    )
    CSS_CLASSES = {
        WAITING: "secondary",
        SWITCHING: "warning",
        QUALIFYING: "info",
        DONE: "success",
        BAD: "danger",
        UNDOING: "warning",
        UNDONE: "secondary",
    }


@extras_features("graphql")
class TicketStage(BaseModel):
    """One bulk change of switches: counts and times here, circuits in the ticket's plan."""

    ticket = models.ForeignKey("fabric_twin.Ticket", models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField(help_text="Counted from 1")
    state = models.CharField(
        max_length=16, choices=StageStateChoices, default=StageStateChoices.WAITING
    )
    removes = models.PositiveIntegerField(default=0)
    adds = models.PositiveIntegerField(default=0)
    switches = models.PositiveIntegerField(default=0)
    interrupts = models.JSONField(
        default=list, blank=True, help_text="Names of slices that lose circuits in it"
    )
    started = models.DateTimeField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    report = models.JSONField(
        default=dict, blank=True, help_text="What was read back, and every circuit that was bad"
    )
    carries = models.BooleanField(
        default=False, help_text="Its light was found good: its links may carry traffic"
    )
    drained_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True, blank=True
    )
    drained_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When somebody confirmed that what goes with it next carries nothing",
    )

    natural_key_field_names = ("ticket", "number")

    class Meta:
        ordering = ("ticket", "number")
        constraints = (
            models.UniqueConstraint(fields=("ticket", "number"), name="twin_one_stage_a_number"),
        )

    def __str__(self) -> str:
        return f"{self.ticket} stage {self.number}"

    def get_state_class(self) -> str:
        """The colour of its state, for pages."""
        return StageStateChoices.CSS_CLASSES[self.state]


@extras_features("graphql")
class TicketEvent(BaseModel):
    """One line of a ticket's history; lines are added and never changed."""

    ticket = models.ForeignKey("fabric_twin.Ticket", models.CASCADE, related_name="events")
    number = models.PositiveIntegerField(help_text="Counted from 1 in each ticket")
    at = models.DateTimeField()
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True, blank=True
    )
    what = models.CharField(max_length=32, help_text="The action, or the step of a run")
    said = models.TextField(blank=True)
    detail = models.JSONField(default=dict, blank=True)

    natural_key_field_names = ("ticket", "number")

    class Meta:
        ordering = ("ticket", "number")
        constraints = (
            models.UniqueConstraint(fields=("ticket", "number"), name="twin_one_event_a_number"),
        )

    def __str__(self) -> str:
        return f"{self.ticket}: {self.what}"


@extras_features("graphql")
class TicketDrain(BaseModel):
    """Somebody confirmed that a slice runs nothing, or that its job can bear a ticket."""

    ticket = models.ForeignKey("fabric_twin.Ticket", models.CASCADE, related_name="drains")
    slice = models.ForeignKey("fabric_twin.Slice", models.CASCADE, related_name="drains")
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True, blank=True
    )
    at = models.DateTimeField()
    note = models.CharField(max_length=255, blank=True)

    natural_key_field_names = ("ticket", "slice")

    class Meta:
        ordering = ("ticket", "slice")
        constraints = (
            models.UniqueConstraint(fields=("ticket", "slice"), name="twin_one_drain_a_slice"),
        )

    def __str__(self) -> str:
        return f"{self.slice} is drained for {self.ticket}"


_OF_A_SIDE = models.Q(side="A") | models.Q(side="B")
_A_PORT = models.Q(switch__isnull=False, port__gte=1, cube__isnull=True) & _OF_A_SIDE
_A_CUBE = models.Q(switch__isnull=True, side="", port__isnull=True, cube__isnull=False)


@extras_features("graphql")
class Reservation(BaseModel):
    """A port of a switch, or a cube, that is one open ticket's or work order's alone.

    Or an audit's that makes test circuits there, for as long as it looks.
    """

    ticket = models.ForeignKey(
        "fabric_twin.Ticket", models.CASCADE, related_name="reservations", null=True, blank=True
    )
    order = models.ForeignKey(
        "fabric_twin.WorkOrder", models.CASCADE, related_name="reservations", null=True, blank=True
    )
    run = models.ForeignKey(
        "fabric_twin.AuditRun", models.PROTECT, related_name="reservations", null=True, blank=True
    )
    switch = models.ForeignKey(
        "fabric_twin.Switch", models.PROTECT, related_name="reservations", null=True, blank=True
    )
    side = models.CharField(max_length=1, blank=True, help_text="A or B")
    port = models.PositiveSmallIntegerField(null=True, blank=True)
    cube = models.ForeignKey(
        "fabric_twin.Cube", models.PROTECT, related_name="reservations", null=True, blank=True
    )

    natural_key_field_names = ("pk",)
    # As many as ports, and gone with the ticket's end.
    is_metadata_associable_model = False

    class Meta:
        ordering = ("ticket", "switch", "side", "port")
        constraints = (
            models.UniqueConstraint(
                fields=("switch", "side", "port"), name="twin_one_reservation_a_port"
            ),
            models.UniqueConstraint(fields=("cube",), name="twin_one_reservation_a_cube"),
            models.CheckConstraint(condition=_A_PORT | _A_CUBE, name="twin_a_port_or_a_cube"),
            models.CheckConstraint(
                condition=models.Q(ticket__isnull=False, order__isnull=True, run__isnull=True)
                | models.Q(ticket__isnull=True, order__isnull=False, run__isnull=True)
                | models.Q(ticket__isnull=True, order__isnull=True, run__isnull=False),
                name="twin_one_holder",
            ),
        )

    def __str__(self) -> str:
        what = self.cube or f"{self.switch} {self.port}{self.side}"
        return f"{what} of {self.holder}"

    @classmethod
    def of_ports(cls, switch: Any, a: int, b: int) -> "Reservation | None":
        """What keeps two ports of a switch from others."""
        ports = models.Q(side="A", port=a) | models.Q(side="B", port=b)
        found: Reservation | None = cls.objects.filter(ports, switch=switch).first()
        return found

    @property
    def holder(self) -> "Ticket | WorkOrder | AuditRun":
        """What keeps it: one of the three, as the database checks."""
        holder = self.ticket or self.order or self.run
        assert holder  # noqa: S101 - of the constraint
        return holder

    @property
    def refusal(self) -> str:
        """What others are told who want it."""
        what = self.cube or f"port {self.port}{self.side} of {self.switch}"
        holder = self.ticket or self.order
        if holder is None:
            return f"{what} is reserved by the light test of {self.run}"
        kind = "ticket" if self.ticket else "work order"
        return f"{what} is reserved by {kind} {holder} ({holder.title})"
