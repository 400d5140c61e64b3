"""A work order: hands-on steps for technicians, and how far they are."""

from typing import Any

from django.conf import settings
from django.db import models
from nautobot.apps.choices import ChoiceSet
from nautobot.apps.models import PrimaryModel, extras_features

from fabric_twin.core.orders.life import OrderIs
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.record_names import headed


class OrderKindChoices(ChoiceSet):
    """What an order is for, as the core has it."""

    CHOICES = tuple((str(kind), str(kind).capitalize()) for kind in Kind)


class OrderStateChoices(ChoiceSet):
    """Where an order is in its life, as the core has it."""

    CHOICES = tuple((str(state), str(state).capitalize()) for state in OrderIs)
    CSS_CLASSES = {
        OrderIs.DRAFTED: "secondary",
        OrderIs.ASSIGNED: "info",
        OrderIs.UNDER_WAY: "warning",
        OrderIs.PAUSED: "secondary",
        OrderIs.AWAITING_LIGHT: "info",
        OrderIs.DONE: "success",
        OrderIs.REOPENED: "danger",
        OrderIs.WITHDRAWN: "secondary",
    }


#: States after which an order asks for nothing any more, and holds no port.
ENDED = (OrderIs.DONE, OrderIs.WITHDRAWN)


@extras_features("custom_links", "custom_validators", "export_templates", "graphql", "webhooks")
class WorkOrder(PrimaryModel):
    """One order. `facts` is the whole of it but for its steps, which are rows of their own."""

    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="work_orders")
    pod = models.ForeignKey("fabric_twin.Pod", models.PROTECT, related_name="work_orders")
    number = models.PositiveIntegerField(help_text="Counted from 1 in each pod")
    kind = models.CharField(max_length=16, choices=OrderKindChoices)
    title = models.CharField(max_length=255)
    reason = models.TextField(blank=True)
    state = models.CharField(max_length=16, choices=OrderStateChoices, default=OrderIs.DRAFTED)
    wish = models.JSONField(default=dict, blank=True, help_text="What was asked for")
    facts = models.JSONField(
        default=dict, blank=True, help_text="Bundles, cables, needs, materials and what is left out"
    )
    measure = models.JSONField(
        default=dict, blank=True, help_text="Steps, visits, metres and minutes; and done one by one"
    )
    crews = models.PositiveSmallIntegerField(default=1)
    assignee = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        related_name="assigned_orders",
        null=True,
        blank=True,
    )
    team = models.ForeignKey(
        "extras.Team", models.SET_NULL, related_name="work_orders", null=True, blank=True
    )
    due = models.DateTimeField(
        null=True, blank=True, help_text="Missing cables are not reported before this time"
    )
    findings = models.ManyToManyField("fabric_twin.Finding", related_name="work_orders", blank=True)
    tickets = models.ManyToManyField(
        "fabric_twin.Ticket",
        related_name="work_orders",
        blank=True,
        help_text="Tickets that make what its steps need",
    )
    elsewhere = models.CharField(
        max_length=255,
        blank=True,
        help_text="Another system that tracks this work, and the number there",
    )
    started = models.DateTimeField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)
    worked = models.FloatField(default=0, help_text="Seconds under way, without pauses")
    under_way_since = models.DateTimeField(null=True, blank=True, editable=False)
    advance_asked = models.DateTimeField(
        null=True,
        blank=True,
        editable=False,
        help_text="Since when the fabric has its part to do, and no worker has done it",
    )
    advance_calls = models.PositiveIntegerField(
        default=0, editable=False, help_text="How often that was asked for"
    )
    message = models.TextField(blank=True)

    natural_key_field_names = ("pod", "number")

    class Meta:
        ordering = ("pod", "-number")
        permissions = (("do_workorder", "Do the steps of an order"),)
        constraints = (
            models.UniqueConstraint(fields=("pod", "number"), name="twin_one_order_a_number"),
        )
        indexes = (models.Index(fields=("pod", "state"), name="twin_orders_by_state"),)

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """As people call it: `iw1-w3`."""
        return f"{self.pod.name}-w{self.number}"

    @property
    def page_title(self) -> str:
        """Its name and what it is for, for the head of its page and the tab."""
        return headed(self.name, self.title)

    @property
    def is_open(self) -> bool:
        """Whether it holds its ports."""
        return self.state not in ENDED

    def get_state_class(self) -> str:
        """The colour of its state, for pages."""
        return OrderStateChoices.CSS_CLASSES[OrderIs(self.state)]

    def to_objectchange(self, action: str, **kwargs: Any) -> Any:
        """What the change log and webhooks say: not the thousands of cables of a whole pod."""
        exclude = [*kwargs.pop("object_data_exclude", ()), "facts"]
        return super().to_objectchange(action, object_data_exclude=exclude, **kwargs)
