"""A pod: a design, and the place where it stands."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models, transaction
from django.dispatch import Signal
from nautobot.apps.models import PrimaryModel, StatusField, extras_features
from nautobot.extras.choices import JobQueueTypeChoices

from fabric_twin.core.design import Design
from fabric_twin.core.designs import find_design
from fabric_twin.core.errors import DesignRefused, FabricTwinError
from fabric_twin.core.kinds import Kind, Verb, why_not
from fabric_twin.core.pods.names import check_pod_name
from fabric_twin.core.slices.bearing_cubes import MOST_BORNE
from fabric_twin.core.topology.design import network_design_named
from fabric_twin.models.finding import FindingStateChoices

#: A pod is about to be deleted: what it has thousands of goes first, as sets.
pod_goes = Signal()
#: What is said where only the design could tell more, and its package or file is not as it was.
DESIGN_GONE = "unknown: its design is gone or changed"


@extras_features(
    "custom_links", "custom_validators", "export_templates", "graphql", "statuses", "webhooks"
)
class Pod(PrimaryModel):
    """Slots for cubes, and the switches that join them, by the rule of one design."""

    name = models.CharField(max_length=32, unique=True, help_text="1 to 32 of a-z, 0-9 and -")
    design = models.CharField(max_length=100, help_text="The wiring rule that the pod follows")
    location = models.ForeignKey("dcim.Location", models.PROTECT, related_name="fabric_pods")
    status = StatusField()
    description = models.CharField(max_length=255, blank=True)
    serials_follow = models.BooleanField(
        "overwrite serials from the fabric",
        default=False,
        help_text="Overwrite recorded serials with the fabric's instead of raising a finding",
    )
    queue = models.ForeignKey(
        "extras.JobQueue",
        models.PROTECT,
        related_name="fabric_pods",
        null=True,
        blank=True,
        help_text="Its workers speak to the pod's switches; empty: the default queue",
    )
    bear = models.PositiveSmallIntegerField(
        "switches that a slice may lack",
        default=1,
        validators=[MaxValueValidator(MOST_BORNE)],
        help_text="At each join of two cubes, while a slice runs. Findings say where more are "
        "out, and maintenance lets it stay up to this number",
    )
    kept_back = models.FloatField(
        "kept back from rings",
        default=0.0,
        validators=[MinValueValidator(0.0), MaxValueValidator(0.99)],
        help_text="The share of each link of a cluster that rings leave to other traffic, such as "
        "0.1. The quality of service of its switches has to keep it",
    )
    layout = models.CharField(
        max_length=32,
        blank=True,
        editable=False,
        help_text="A digest of the layout by which its ports are numbered; empty without ports",
    )
    last_letter = models.CharField(
        max_length=4, blank=True, editable=False, help_text="Given to a slice last"
    )

    clone_fields = ("design", "location", "status")
    natural_key_field_names = ("name",)

    class Meta:
        ordering = ("name",)
        constraints = (
            models.CheckConstraint(
                condition=models.Q(kept_back__gte=0.0, kept_back__lt=1.0),
                name="twin_rings_have_some_of_a_link",
            ),
        )

    def __str__(self) -> str:
        return str(self.name)

    @property
    def takes_slices(self) -> bool:
        """Whether it is in service."""
        return bool(self.status.name == "Active")

    def delete(self, *args: Any, **kwargs: Any) -> Any:
        """Delete it with all that is in it, or nothing."""
        with transaction.atomic():
            pod_goes.send(Pod, instance=self)
            return super().delete(*args, **kwargs)

    def clean(self) -> None:
        """Refuse a name or a design that the rule could not be asked about."""
        super().clean()
        try:
            if self.name:  # an empty one is refused as such
                check_pod_name(self.name)
        except FabricTwinError as refusal:
            raise ValidationError(
                {"name": ValidationError("%(why)s", params={"why": refusal})}
            ) from None
        before = Pod.objects.filter(pk=self.pk).first() if self.present_in_database else None
        if before:
            self._check_rule_stays(before)
        if self.design and (before is None or before.design != self.design):
            self._check_design()
        if self.queue and self.queue.queue_type != JobQueueTypeChoices.TYPE_CELERY:
            raise ValidationError(
                {"queue": "It is not a Celery queue: tasks of the App cannot go there."}
            )

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write it; what a load and slices keep in it stays as they left it meanwhile."""
        if not self.present_in_database or kwargs.get("update_fields"):
            super().save(*args, **kwargs)
            return
        with transaction.atomic():
            before = Pod.objects.select_for_update(no_key=True).get(pk=self.pk)
            self._check_design_stays(before)
            self.layout = before.layout if before.design == self.design else ""
            self.last_letter = before.last_letter
            super().save(*args, **kwargs)

    def _check_design(self) -> None:
        """A design that is chosen must be there; one that is gone keeps nobody from the rest."""
        try:
            _design_named(self.design).check_can(Verb.RECORD)
        except FabricTwinError as refusal:
            raise ValidationError(
                {"design": ValidationError("%(why)s", params={"why": refusal})}
            ) from None

    def _check_rule_stays(self, before: "Pod") -> None:
        """Refuse another design or name to a pod whose parts are numbered and named by them."""
        self._check_design_stays(before)
        if before.name != self.name and (self.cubes.exists() or self.switches.exists()):
            said = (
                f"Its racks, devices and cables bear the name {before.name}, on labels too: "
                "remove the pod, and load it under the new one."
            )
            raise ValidationError({"name": said})

    def _check_design_stays(self, before: "Pod") -> None:
        if before.design == self.design:
            return
        if self.ports.exists():
            said = f"The pod's ports are numbered by {before.design}: delete its records first."
            raise ValidationError({"design": said})
        if self.blocks.exists() or self.demands.exists():
            said = f"Its blocks and demand are of {before.design}: delete them first."
            raise ValidationError({"design": said})
        if self.cubes.exists() and network_design_named(self.design):
            said = "A network has blocks, and this pod has cubes: delete them first."
            raise ValidationError({"design": said})

    @property
    def open_findings(self) -> Any:
        """What is wrong with it now."""
        return self.findings.filter(state__in=FindingStateChoices.THERE)

    def to_core(self) -> Design:
        """The design, as the core knows it: the one by which the pod's ports are numbered."""
        design = _design_named(self.design)
        self.check_layout(design)
        return design

    def check_layout(self, design: Design) -> None:
        """Refuse a design whose file or package changed since: its port 7 would be another one."""
        if self.layout and self.layout != design.digest and self.ports.exists():
            raise DesignRefused(
                f"its sizes, names or rule are not those by which the ports of {self.name} are "
                f"numbered (its layout is {design.digest[:8]}, the pod's {self.layout[:8]})",
                where=f"design {self.design}",
                remedy="Put its file or package back as it was; a changed one needs a name of its "
                "own, and a pod that is loaded by it",
            )

    @property
    def has_circuits(self) -> bool:
        """Whether switches join its cables; where its design is gone, there may be."""
        try:
            return self.to_core().medium.is_switched
        except FabricTwinError:
            return True

    @property
    def is_network(self) -> bool:
        """Whether blocks hold its places, and not cubes; where its design is gone, nobody knows."""
        return self.kind is Kind.NETWORK

    @property
    def is_cluster(self) -> bool:
        """Whether groups of processors hold its slots; where its design is gone, nobody knows."""
        return self.kind is Kind.GROUPS

    @property
    def kind(self) -> Kind:
        """What it is made of; where its design is gone, it is taken for a pod."""
        try:
            return _design_named(self.design).kind
        except FabricTwinError:
            return Kind.POD

    @property
    def member_kind(self) -> str:
        """What holds its slots, by its model."""
        return "block" if self.is_network else "cube"

    @property
    def members(self) -> Any:
        """Its cubes or its blocks, in the order of its slots."""
        if self.is_network:
            return self.blocks.order_by("first_port")
        return self.cubes.order_by("slot")

    def can(self, verb: Verb) -> bool:
        """Whether its kind can do something; where its design is gone, it might."""
        try:
            return why_not(self.to_core().kind, verb) is None
        except FabricTwinError:
            return True

    def design_to_check_by(self) -> Design:
        """The same for a record that somebody keeps: without its design nobody can check it."""
        try:
            return self.to_core()
        except FabricTwinError as refusal:
            raise ValidationError("%(why)s", params={"why": refusal}) from None


def _design_named(name: str) -> Design:
    """A design that is installed or in a file, or that of a network over so many switches."""
    return network_design_named(name) or find_design(name)
