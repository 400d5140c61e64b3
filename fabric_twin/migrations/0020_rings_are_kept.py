"""Multislices say whether their rings are kept, and over which blocks they go."""

from typing import Any

import django.core.validators
from django.db import migrations, models

from fabric_twin.core.tickets.life import State


def _keep(apps: Any, _schema_editor: Any) -> None:
    """Rings that a ticket made, or that needed none, are kept; over the blocks that serve now.

    Not those of a job that is over. A ticket that is open keeps the rings that it makes.
    """
    multislices = apps.get_model("fabric_twin", "Multislice").objects
    tickets = apps.get_model("fabric_twin", "Ticket").objects
    blocks = apps.get_model("fabric_twin", "Block").objects
    multislices.filter(least=0).update(least=1)
    for job in multislices.select_related("ticket"):
        last = _last(tickets, job.ticket)
        parts = list(job.parts.select_related("ticket"))
        slices = [made.slice_id for part in parts if (made := _last(tickets, part.ticket))]
        if any(slices) and (last is None or last.state == "done"):
            multislices.filter(pk=job.pk).update(keeps_rings=True)
        elif last and State(last.state).is_open:
            facts = {"multislice": str(job.pk), "name": job.name, "keeps": True}
            last.plan["effects"] = [*last.plan.get("effects", ()), {"do": "keep-rings", **facts}]
            last.save(update_fields=["plan"])
        for part in parts:
            part.blocks.set(blocks.filter(pod=job.pod_id, serves=part.pod_id))


def _last(tickets: Any, first: Any) -> Any:
    """The last revision of a ticket."""
    if first is None:
        return None
    return tickets.filter(pod=first.pod_id, number=first.number).order_by("-revision").first()


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
