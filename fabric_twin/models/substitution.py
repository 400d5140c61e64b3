"""A substitution: a spare port of a switch in place of a port of the rule."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from nautobot.apps.models import PrimaryModel, extras_features

from fabric_twin.core.cabling.plant import Substitution as CoreSubstitution
from fabric_twin.core.cabling.plant import intended_plant
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.pods.names import Names


@extras_features("custom_links", "custom_validators", "export_templates", "graphql", "webhooks")
class Substitution(PrimaryModel):
    """The cable of `port` is meant to be on `spare`, on the same side of the same switch.

    The database holds a port, and a spare, to one substitution each.
    """

    port = models.OneToOneField(
        "fabric_twin.Port",
        models.CASCADE,
        related_name="substitution",
        help_text="The port that the rule would use",
    )
    spare = models.OneToOneField(
        "fabric_twin.Port",
        models.CASCADE,
        related_name="stands_in",
        help_text="The spare that takes its cable",
    )
    reason = models.CharField(max_length=255, blank=True)

    natural_key_field_names = ("port",)

    class Meta:
        ordering = ("port__pod", "port__number")
        constraints = (
            models.CheckConstraint(
                condition=~models.Q(port=models.F("spare")), name="twin_no_port_is_its_own_spare"
            ),
        )

    def __str__(self) -> str:
        return f"{self.port} by {self.spare.interface.name}"

    @property
    def switch(self) -> Any:
        """The switch that both ports are of."""
        return self.port.switch

    def clean(self) -> None:
        """Refuse what the design does not allow, beside the pod's other substitutions."""
        super().clean()
        if None in (self.port_id, self.spare_id):
            return
        if self.port.pod_id != self.spare.pod_id:
            raise ValidationError({"spare": "The spare is of another pod."})
        pod = self.port.pod
        others = Substitution.objects.filter(port__pod=pod).exclude(pk=self.pk)
        known = others.select_related("port__pod", "spare__pod")
        try:
            substitutions = [one.to_core() for one in (*known, self)]
            intended_plant(pod.to_core(), pod.name, (), substitutions)
        except FabricTwinError as refusal:
            raise ValidationError("%(why)s", params={"why": refusal}) from None

    def to_core(self) -> CoreSubstitution:
        """The substitution as the core knows it, by the names of the rule."""
        names = Names(self.port.pod.to_core().layout, self.port.pod.name)
        switch, port = names.port(self.port.number)
        other, spare = names.port(self.spare.number)
        if switch != other:
            spare = f"{other} {spare}"  # which no switch has as a port: refused by that name
        return CoreSubstitution(switch, port, spare, self.reason)
