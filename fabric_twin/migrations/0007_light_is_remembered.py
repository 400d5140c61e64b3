"""How light was on each path when it was last good: a row of lists a switch."""

import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("fabric_twin", "0006_slices_have_letters")]

    operations = [
        migrations.CreateModel(
            name="LastGoodLight",
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
                ("paths", models.JSONField(default=dict)),
                (
                    "pod",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="last_good_light",
                        to="fabric_twin.pod",
                    ),
                ),
                (
                    "switch",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="last_good_light",
                        to="fabric_twin.switch",
                    ),
                ),
            ],
            options={"ordering": ("pod", "switch")},
        )
    ]
