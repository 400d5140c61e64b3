"""An audit holds ports while it makes test circuits there."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("fabric_twin", "0003_findings_have_proof")]

    operations = [
        migrations.AddField(
            model_name="reservation",
            name="run",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="reservations",
                to="fabric_twin.auditrun",
            ),
        ),
        migrations.RemoveConstraint(model_name="reservation", name="twin_a_ticket_or_an_order"),
        migrations.AddConstraint(
            model_name="reservation",
            constraint=models.CheckConstraint(
                condition=models.Q(ticket__isnull=False, order__isnull=True, run__isnull=True)
                | models.Q(ticket__isnull=True, order__isnull=False, run__isnull=True)
                | models.Q(ticket__isnull=True, order__isnull=True, run__isnull=False),
                name="twin_one_holder",
            ),
        ),
    ]
