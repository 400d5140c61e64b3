"""What was read of light waits for the end of its day: a reading rewrites no row."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("fabric_twin", "0009_nothing_is_lost")]

    operations = [
        migrations.CreateModel(
            name="LightReading",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                        unique=True,
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "levels",
                    models.BinaryField(
                        help_text="By device, packed: core/diagnosis/kept_readings.py"
                    ),
                ),
                (
                    "pod",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="light_readings",
                        to="fabric_twin.pod",
                    ),
                ),
            ],
            options={"ordering": ("pod", "at")},
        )
    ]
