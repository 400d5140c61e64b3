"""A touch: a place of a pod that changed, and that no audit has looked at since."""

from django.db import models
from nautobot.apps.models import BaseModel


class Touch(BaseModel):
    """One row a place, however often it changed; no place is the whole pod.

    It is gone when an audit that began after `last` has looked.
    """

    pod = models.ForeignKey("fabric_twin.Pod", models.CASCADE, related_name="touches")
    port = models.ForeignKey("fabric_twin.Port", models.CASCADE, null=True, related_name="+")
    switch = models.ForeignKey("fabric_twin.Switch", models.CASCADE, null=True, related_name="+")
    cube = models.ForeignKey("fabric_twin.Cube", models.CASCADE, null=True, related_name="+")
    block = models.ForeignKey("fabric_twin.Block", models.CASCADE, null=True, related_name="+")
    since = models.DateTimeField()
    last = models.DateTimeField()

    natural_key_field_names = ("pk",)
    # Nobody's record: it is gone before anybody could look at it.
    is_metadata_associable_model = False

    class Meta:
        ordering = ("pod", "since")
        verbose_name_plural = "touches"
        constraints = (
            models.UniqueConstraint(
                fields=("pod", "port", "switch", "cube", "block"),
                name="twin_one_touch_a_place",
                nulls_distinct=False,
            ),
        )

    def __str__(self) -> str:
        return f"{self.port or self.switch or self.cube or self.block or self.pod}"
