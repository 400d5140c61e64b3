"""What belongs to a work order: its steps, what people said of them, and its history."""

from django.conf import settings
from django.db import models
from nautobot.apps.choices import ChoiceSet
from nautobot.apps.models import BaseModel, extras_features

from fabric_twin.core.orders.life import StepIs
from fabric_twin.core.orders.reports import LONGEST_ID, Told
from fabric_twin.core.orders.steps import Do


class StepDoChoices(ChoiceSet):
    """What kinds of step there are, as the core has them."""

    CHOICES = tuple((str(do), str(do).replace("-", " ").capitalize()) for do in Do)


class StepStateChoices(ChoiceSet):
    """Where a step is, as the core has it."""

    CHOICES = tuple((str(state), str(state).capitalize()) for state in StepIs)
    CSS_CLASSES = {
        StepIs.LOCKED: "secondary",
        StepIs.WAITING: "secondary",
        StepIs.DONE: "info",
        StepIs.CANNOT: "danger",
        StepIs.VERIFIED: "success",
        StepIs.FAILED: "danger",
        StepIs.NOT_DUE: "secondary",
    }


class ToldChoices(ChoiceSet):
    """What a report says, as the core has it."""

    CHOICES = tuple((str(told), str(told).capitalize()) for told in Told)


@extras_features("graphql")
class OrderStep(BaseModel):
    """One thing that one person, or the fabric, does at one place.

    Names are those of the inventory when the order was made; the keys find what it is about now.
    """

    order = models.ForeignKey("fabric_twin.WorkOrder", models.CASCADE, related_name="steps")
    number = models.PositiveIntegerField(help_text="Counted from 1")
    do = models.CharField(max_length=16, choices=StepDoChoices)
    state = models.CharField(max_length=16, choices=StepStateChoices, default=StepIs.WAITING)
    rack = models.ForeignKey(
        "dcim.Rack", models.SET_NULL, related_name="order_steps", null=True, blank=True
    )
    device = models.ForeignKey(
        "dcim.Device", models.SET_NULL, related_name="order_steps", null=True, blank=True
    )
    port = models.ForeignKey(
        "fabric_twin.Port", models.SET_NULL, related_name="order_steps", null=True, blank=True
    )
    finding = models.ForeignKey(
        "fabric_twin.Finding", models.SET_NULL, related_name="order_steps", null=True, blank=True
    )
    crew = models.PositiveSmallIntegerField(default=1)
    bundle = models.CharField(max_length=255, blank=True)
    cable = models.CharField(max_length=255, blank=True)
    facts = models.JSONField(default=dict, help_text="The step as the core wrote it, with names")
    why = models.TextField(blank=True, help_text="Why it is locked, cannot be done, or failed")
    done_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True, blank=True
    )
    done_at = models.DateTimeField(null=True, blank=True)
    verified_at = models.DateTimeField(null=True, blank=True)

    natural_key_field_names = ("order", "number")
    # One for each move, and deleted with the order.
    is_metadata_associable_model = False

    class Meta:
        ordering = ("order", "number")
        constraints = (
            models.UniqueConstraint(fields=("order", "number"), name="twin_one_step_a_number"),
        )

    def __str__(self) -> str:
        return f"{self.order} step {self.number}"

    def get_state_class(self) -> str:
        """The colour of its state, for pages."""
        return StepStateChoices.CSS_CLASSES[StepIs(self.state)]


@extras_features("graphql")
class StepReport(BaseModel):
    """What somebody said of a step; sent twice, it is one row."""

    order = models.ForeignKey("fabric_twin.WorkOrder", models.CASCADE, related_name="reports")
    said_id = models.CharField(
        max_length=LONGEST_ID, help_text="Chosen by the sender, one for each report"
    )
    step = models.PositiveIntegerField(help_text="The number of the step")
    told = models.CharField(max_length=16, choices=ToldChoices)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True, blank=True
    )
    at = models.DateTimeField(help_text="By the sender's clock")
    received = models.DateTimeField()
    scanned = models.TextField(blank=True)
    reason = models.TextField(blank=True)
    taken = models.BooleanField(default=True)
    answer = models.JSONField(default=dict, blank=True, help_text="What was answered")

    natural_key_field_names = ("order", "said_id")

    class Meta:
        ordering = ("order", "received")
        constraints = (models.UniqueConstraint(fields=("order", "said_id"), name="twin_said_once"),)

    def __str__(self) -> str:
        return f"{self.order} step {self.step}: {self.told}"


class StepPhoto(BaseModel):
    """A picture of why a step cannot be done; made small before it is kept."""

    report = models.OneToOneField("fabric_twin.StepReport", models.CASCADE, related_name="photo")
    image = models.BinaryField()
    kind = models.CharField(max_length=32, help_text="Its media type")

    natural_key_field_names = ("report",)
    is_metadata_associable_model = False

    class Meta:
        ordering = ("report",)

    def __str__(self) -> str:
        return f"photo of {self.report}"


@extras_features("graphql")
class OrderEvent(BaseModel):
    """One line of an order's history; lines are added and never changed."""

    order = models.ForeignKey("fabric_twin.WorkOrder", models.CASCADE, related_name="events")
    number = models.PositiveIntegerField(help_text="Counted from 1 in each order")
    at = models.DateTimeField()
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, related_name="+", null=True, blank=True
    )
    what = models.CharField(max_length=32, help_text="The act, or what light showed")
    said = models.TextField(blank=True)

    natural_key_field_names = ("order", "number")

    class Meta:
        ordering = ("order", "number")
        constraints = (
            models.UniqueConstraint(
                fields=("order", "number"), name="twin_one_order_event_a_number"
            ),
        )

    def __str__(self) -> str:
        return f"{self.order}: {self.what}"
