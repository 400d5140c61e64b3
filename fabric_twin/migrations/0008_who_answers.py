"""Who answers at an address: confirmed, told, and one record a device.

Devices that have an address count as confirmed by their load: what was spoken to goes on, as long
as it is who it should be.
"""

from collections import Counter
from typing import Any

from django.db import migrations, models
from django.utils import timezone

_HOW = [
    ("load", "By its load"),
    ("person", "By a person"),
    ("order", "By a work order"),
    ("test-circuit", "By a test circuit"),
]


def _facts(model: str) -> list[migrations.AddField]:
    return [
        migrations.AddField(
            model,
            "called",
            models.CharField(
                blank=True,
                editable=False,
                help_text="What it calls itself, where that is not its name here",
                max_length=64,
            ),
        ),
        migrations.AddField(
            model,
            "confirmed_by",
            models.CharField(
                blank=True,
                choices=_HOW,
                editable=False,
                help_text="How it is known that the recorded device answers there",
                max_length=16,
            ),
        ),
        migrations.AddField(
            model, "confirmed_at", models.DateTimeField(blank=True, editable=False, null=True)
        ),
    ]


def _told(name: str, help_text: str) -> migrations.AddField:
    field = models.CharField(blank=True, help_text=help_text, max_length=255)
    return migrations.AddField("reading", name, field)


def _confirm(apps: Any, _schema_editor: Any) -> None:
    kinds = [apps.get_model("fabric_twin", name)._default_manager for name in ("Switch", "Cube")]
    _check_alone([kind.exclude(address="") for kind in kinds])
    for kind in kinds:
        reached = kind.exclude(address="")
        reached.update(called=models.F("target"), confirmed_by="load", confirmed_at=timezone.now())


def _check_alone(kinds: Any) -> None:
    """Refuse to go on while two records are one device: which of them is right, a person knows."""
    many = Counter(pair for rows in kinds for pair in rows.values_list("address", "target"))
    if twice := sorted(
        f"{address} {target}".strip() for (address, target), n in many.items() if n > 1
    ):
        raise RuntimeError(
            f"{len(twice)} addresses are each given to more than one device: {', '.join(twice)}. "
            "Take each away from all but one of them, by the release that you have, then migrate."
        )


class Migration(migrations.Migration):
    dependencies = [("fabric_twin", "0007_light_is_remembered")]

    operations = [
        *_facts("switch"),
        *_facts("cube"),
        migrations.AddField(
            "reading",
            "answering",
            models.CharField(
                blank=True,
                help_text="Who answered the last time, if it was not it, surely",
                max_length=16,
            ),
        ),
        _told("told_name", "What calls itself so answered there the last time"),
        _told("told_serial", "The serial of what answered there the last time"),
        migrations.RunPython(_confirm, migrations.RunPython.noop),
        migrations.AddConstraint(
            "switch",
            models.UniqueConstraint(
                fields=("address", "target"),
                condition=models.Q(("address", ""), _negated=True),
                name="twin_one_switch_an_address",
            ),
        ),
        migrations.AddConstraint(
            "cube",
            models.UniqueConstraint(
                fields=("address", "target"),
                condition=models.Q(("address", ""), _negated=True),
                name="twin_one_cube_an_address",
            ),
        ),
        migrations.AlterModelOptions(
            "switch",
            options={
                "ordering": ("pod", "number"),
                "permissions": (
                    ("connect_switch", "Give a switch its address, and confirm who answers"),
                ),
                "verbose_name_plural": "switches",
            },
        ),
        migrations.AlterModelOptions(
            "cube",
            options={
                "ordering": ("pod", "slot"),
                "permissions": (
                    ("connect_cube", "Give a cube its address, and confirm who answers"),
                ),
            },
        ),
    ]
