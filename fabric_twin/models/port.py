"""A port: what an interface of a tray or a switch is in the pod."""

from django.db import models
from nautobot.apps.models import BaseModel, extras_features


@extras_features("graphql")
class Port(BaseModel):
    """An interface by its number in the design's layout (`core/pods/layout.py`).

    The rule is not stored: axis, index and side follow from the number.
    """

    is_saved_view_model = True

    pod = models.ForeignKey("fabric_twin.Pod", models.CASCADE, related_name="ports")
    number = models.PositiveIntegerField(help_text="Place in the design's layout, from 0")
    # Who deletes a tray's device by Nautobot's own page is told first what it is in the pod.
    interface = models.OneToOneField("dcim.Interface", models.PROTECT, related_name="fabric_port")
    cube = models.ForeignKey(
        "fabric_twin.Cube", models.CASCADE, related_name="ports", null=True, blank=True
    )
    block = models.ForeignKey(
        "fabric_twin.Block", models.CASCADE, related_name="ports", null=True, blank=True
    )
    switch = models.ForeignKey(
        "fabric_twin.Switch", models.CASCADE, related_name="ports", null=True, blank=True
    )
    module_bay = models.ForeignKey(
        "dcim.ModuleBay",
        models.SET_NULL,
        related_name="fabric_ports",
        null=True,
        blank=True,
        help_text="Where the port's transceiver is plugged",
    )

    natural_key_field_names = ("pod", "number")

    class Meta:
        ordering = ("pod", "number")
        constraints = (
            models.UniqueConstraint(fields=("pod", "number"), name="twin_one_port_a_number"),
            models.CheckConstraint(
                condition=models.Q(cube__isnull=False, block__isnull=True, switch__isnull=True)
                | models.Q(cube__isnull=True, block__isnull=False, switch__isnull=True)
                | models.Q(cube__isnull=True, block__isnull=True, switch__isnull=False),
                name="twin_ports_of_a_cube_a_block_or_a_switch",
            ),
        )

    def __str__(self) -> str:
        return f"{self.interface.parent} {self.interface.name}"
