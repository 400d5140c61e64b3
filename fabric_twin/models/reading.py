"""A reading: what a switch, a cube or a block last said of itself, or that it did not answer.

Also what light showed: on which days, on each path when it was last good, and of which cables.
"""

from django.db import models
from nautobot.apps.models import BaseModel, extras_features

_KEEPS_LIGHT = models.Q(cube__isnull=True) ^ models.Q(switch__isnull=True)
_OF_ONE = (
    models.Q(switch__isnull=False, cube__isnull=True, block__isnull=True)
    | models.Q(switch__isnull=True, cube__isnull=False, block__isnull=True)
    | models.Q(switch__isnull=True, cube__isnull=True, block__isnull=False)
)


@extras_features("graphql")
class Reading(BaseModel):
    """One row a device: who does not answer keeps what was last known of it, with its age.

    `facts` are lists in the order of the device's ports: hundreds of ports are one row.
    """

    pod = models.ForeignKey("fabric_twin.Pod", models.CASCADE, related_name="readings")
    switch = models.OneToOneField(
        "fabric_twin.Switch", models.CASCADE, related_name="reading", null=True, blank=True
    )
    cube = models.OneToOneField(
        "fabric_twin.Cube", models.CASCADE, related_name="reading", null=True, blank=True
    )
    block = models.OneToOneField(
        "fabric_twin.Block", models.CASCADE, related_name="reading", null=True, blank=True
    )
    asked = models.DateTimeField(help_text="When it was last asked")
    answered = models.DateTimeField(null=True, blank=True, help_text="When it last answered")
    told_at = models.DateTimeField(
        null=True, blank=True, help_text="When, by its own clock, what it said was so"
    )
    silence = models.CharField(
        max_length=255, blank=True, help_text="Why it did not answer the last time"
    )
    answering = models.CharField(
        max_length=16, blank=True, help_text="Who answered the last time, if it was not it, surely"
    )
    told_name = models.CharField(
        max_length=255, blank=True, help_text="What calls itself so answered there the last time"
    )
    told_serial = models.CharField(
        max_length=255, blank=True, help_text="The serial of what answered there the last time"
    )
    facts = models.JSONField(default=dict, blank=True)

    natural_key_field_names = ("pk",)

    class Meta:
        ordering = ("pod", "switch", "cube", "block")
        constraints = (
            models.CheckConstraint(condition=_OF_ONE, name="twin_readings_of_one_device"),
        )

    def __str__(self) -> str:
        return f"{self.switch or self.cube or self.block} at {self.asked:%Y-%m-%d %H:%M:%S}"


@extras_features("graphql")
class LightDay(BaseModel):
    """The light of a day: the least, the last and the most of every port of a device.

    One row a device and day, whatever the number of readings; lists are in the order of its ports.
    It is written once the day is over, of the readings that waited for that.
    """

    pod = models.ForeignKey("fabric_twin.Pod", models.CASCADE, related_name="light_days")
    switch = models.ForeignKey(
        "fabric_twin.Switch", models.CASCADE, related_name="light_days", null=True, blank=True
    )
    cube = models.ForeignKey(
        "fabric_twin.Cube", models.CASCADE, related_name="light_days", null=True, blank=True
    )
    block = models.ForeignKey(
        "fabric_twin.Block", models.CASCADE, related_name="light_days", null=True, blank=True
    )
    day = models.DateField()
    readings = models.PositiveIntegerField(help_text="How often it was read that day")
    least = models.JSONField(default=dict)
    last = models.JSONField(default=dict)
    most = models.JSONField(default=dict)

    natural_key_field_names = ("pk",)

    class Meta:
        ordering = ("pod", "day")
        constraints = (
            models.CheckConstraint(condition=_OF_ONE, name="twin_light_of_one_device"),
            models.UniqueConstraint(fields=("switch", "day"), name="twin_one_day_a_switch"),
            models.UniqueConstraint(fields=("cube", "day"), name="twin_one_day_a_cube"),
            models.UniqueConstraint(fields=("block", "day"), name="twin_one_day_a_block"),
        )

    def __str__(self) -> str:
        return f"{self.switch or self.cube or self.block} on {self.day}"


class LightReading(BaseModel):
    """The light that devices of a pod told at one moment: one row, until its day is folded.

    A reading adds it, and rewrites no earlier one.
    """

    pod = models.ForeignKey("fabric_twin.Pod", models.CASCADE, related_name="light_readings")
    at = models.DateTimeField()
    levels = models.BinaryField(help_text="By device, packed: core/diagnosis/kept_readings.py")

    natural_key_field_names = ("pk",)
    # Nobody's record: it is gone before anybody could look at it.
    is_metadata_associable_model = False

    class Meta:
        ordering = ("pod", "at")

    def __str__(self) -> str:
        return f"Light of {self.pod} at {self.at:%Y-%m-%d %H:%M:%S}"


@extras_features("graphql")
class LastGoodLight(BaseModel):
    """How light was on the paths of a switch when each was last good: lists, an entry a path.

    One row a switch, whatever the number of paths: each of its cables with its last partners. Where
    there are no switches it is one row a cube, of the cables whose near ends it has.
    """

    pod = models.ForeignKey("fabric_twin.Pod", models.CASCADE, related_name="last_good_light")
    switch = models.OneToOneField(
        "fabric_twin.Switch",
        models.CASCADE,
        related_name="last_good_light",
        null=True,
        blank=True,
    )
    cube = models.OneToOneField(
        "fabric_twin.Cube",
        models.CASCADE,
        related_name="last_good_light",
        null=True,
        blank=True,
    )
    paths = models.JSONField(default=dict)

    natural_key_field_names = ("pk",)

    class Meta:
        ordering = ("pod", "switch", "cube")
        constraints = (
            models.CheckConstraint(condition=_KEEPS_LIGHT, name="twin_good_light_of_one"),
        )

    def __str__(self) -> str:
        return f"Light of {self.switch or self.cube} when it was last good"


class LightAgreement(BaseModel):
    """A moment at which light agreed with the record of cables, and with these not since.

    It mostly agrees with all: then one row moves on, and not one for each cable.
    """

    pod = models.ForeignKey("fabric_twin.Pod", models.CASCADE, related_name="light_agreements")
    at = models.DateTimeField()

    natural_key_field_names = ("pk",)
    is_metadata_associable_model = False

    class Meta:
        ordering = ("pod", "at")

    def __str__(self) -> str:
        return f"Light of {self.pod} agreed at {self.at:%Y-%m-%d %H:%M:%S}"


class AgreedCable(BaseModel):
    """A cable that light agreed with: it was seen where the record had both ends of the cable.

    It is about these ends: once the record has another, it is gone.
    """

    # The migration makes the constraint: the database deletes it with its cable, however that goes.
    cable = models.OneToOneField(
        "dcim.Cable", models.DO_NOTHING, related_name="fabric_light", db_constraint=False
    )
    agreement = models.ForeignKey(LightAgreement, models.CASCADE, related_name="cables")
    a = models.PositiveIntegerField(help_text="The port at one end, by its number in the pod")
    b = models.PositiveIntegerField(help_text="The port at the other end")

    natural_key_field_names = ("cable",)
    is_metadata_associable_model = False

    class Meta:
        ordering = ("agreement", "a")

    def __str__(self) -> str:
        return str(self.cable)
