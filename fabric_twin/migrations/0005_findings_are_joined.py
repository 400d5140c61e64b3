"""A finding is joined with the one that tells of its fault; nothing that is there is."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("fabric_twin", "0004_audits_test_by_light")]

    operations = [
        migrations.AlterField(
            model_name="finding",
            name="state",
            field=models.CharField(default="open", max_length=16),
        ),
        migrations.AddField(
            model_name="finding",
            name="joined_with",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="joined",
                to="fabric_twin.finding",
            ),
        ),
        migrations.AddConstraint(
            model_name="finding",
            constraint=models.CheckConstraint(
                condition=models.Q(joined_with__isnull=True) | models.Q(state="joined"),
                name="twin_joined_with_whom",
            ),
        ),
    ]
