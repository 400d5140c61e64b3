"""Multislices say whether their rings are kept, and over which blocks they go."""

from typing import Any

import django.core.validators
from django.db import migrations, models


def _keep(apps: Any, _schema_editor: Any) -> None:
    """Rings that a ticket made, or that needed none, are kept; over the blocks that serve now."""
    multislices = apps.get_model("fabric_twin", "Multislice").objects
    tickets = apps.get_model("fabric_twin", "Ticket").objects
    blocks = apps.get_model("fabric_twin", "Block").objects
    multislices.filter(least=0).update(least=1)
    for job in multislices.select_related("ticket"):
        if job.ticket:
            same = tickets.filter(pod=job.ticket.pod_id, number=job.ticket.number)
            state = same.order_by("-revision").values_list("state", flat=True).first()
        if job.ticket is None or state == "done":
            multislices.filter(pk=job.pk).update(keeps_rings=True)
        for part in job.parts.all():
            part.blocks.set(blocks.filter(pod=job.pod_id, serves=part.pod_id))


class Migration(migrations.Migration):
    dependencies = [
        ("fabric_twin", "0019_multislices"),
    ]

    operations = [
        migrations.AddField(
            model_name="multislice",
            name="keeps_rings",
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.AddField(
            model_name="multislicepart",
            name="blocks",
            field=models.ManyToManyField(related_name="multislice_parts", to="fabric_twin.block"),
        ),
        migrations.AlterField(
            model_name="multislice",
            name="least",
            field=models.PositiveSmallIntegerField(
                default=1,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(1000),
                ],
            ),
        ),
        migrations.RunPython(_keep, migrations.RunPython.noop),
    ]
