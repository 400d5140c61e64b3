"""Who runs a job, where, whether the watch is there, and which orders wait for the fabric."""

import uuid
from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def _key() -> Any:
    return models.UUIDField(
        default=uuid.uuid4, editable=False, primary_key=True, serialize=False, unique=True
    )


class Migration(migrations.Migration):
    dependencies = [("fabric_twin", "0008_who_answers")]

    operations = [
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                ("id", _key()),
                ("name", models.CharField(max_length=32, unique=True)),
                ("at", models.DateTimeField()),
            ],
            options={"ordering": ("name",)},
        ),
        migrations.CreateModel(
            name="JobLease",
            fields=[
                ("id", _key()),
                (
                    "job_result",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="fabric_lease",
                        to="extras.jobresult",
                    ),
                ),
                (
                    "lease_until",
                    models.DateTimeField(help_text="None where nobody has it", null=True),
                ),
                ("called", models.DateTimeField(help_text="When it was last called for")),
                ("calls", models.PositiveSmallIntegerField(default=1)),
                (
                    "lost_before",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="How many workers were lost that were to do the same"
                    ),
                ),
                (
                    "is_lost",
                    models.BooleanField(
                        default=False, help_text="Ended because nobody ran it any more"
                    ),
                ),
                ("ended", models.DateTimeField(null=True)),
                (
                    "status",
                    models.CharField(blank=True, help_text="How it ended", max_length=30),
                ),
                ("result", models.JSONField(null=True)),
                (
                    "handed_on",
                    models.JSONField(
                        default=list, help_text="Workers that reached no device, and handed it on"
                    ),
                ),
            ],
            options={"ordering": ("called",)},
        ),
        migrations.AddField(
            model_name="pod",
            name="queue",
            field=models.ForeignKey(
                blank=True,
                help_text="Its workers speak to the pod's switches; empty: the default queue",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="fabric_pods",
                to="extras.jobqueue",
            ),
        ),
        migrations.AddField(
            model_name="workorder",
            name="advance_asked",
            field=models.DateTimeField(
                blank=True,
                editable=False,
                help_text="Since when the fabric has its part to do, and no worker has done it",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="workorder",
            name="advance_calls",
            field=models.PositiveIntegerField(
                default=0, editable=False, help_text="How often that was asked for"
            ),
        ),
    ]
