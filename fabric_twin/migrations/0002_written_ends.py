import uuid

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("dcim", "0097_virtualdevicecontext_controller_managed_device_group"),
        ("fabric_twin", "0001_records"),
    ]

    operations = [
        migrations.CreateModel(
            name="WrittenEnd",
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
                ("cable_end", models.CharField(max_length=1)),
                ("device", models.CharField(blank=True, max_length=255)),
                ("port", models.CharField(blank=True, max_length=255)),
                (
                    "cable",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="fabric_written_ends",
                        to="dcim.cable",
                    ),
                ),
                (
                    "pod",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="written_ends",
                        to="fabric_twin.pod",
                    ),
                ),
            ],
            options={
                "ordering": ("pod", "cable", "cable_end"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("cable", "cable_end"), name="twin_one_end_as_written"
                    )
                ],
            },
        ),
    ]
