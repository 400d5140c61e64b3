"""Without switches, light that was last good is kept by cube."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("fabric_twin", "0014_layouts_are_kept"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="lastgoodlight",
            options={"ordering": ("pod", "switch", "cube")},
        ),
        migrations.AddField(
            model_name="lastgoodlight",
            name="cube",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="last_good_light",
                to="fabric_twin.cube",
            ),
        ),
        migrations.AlterField(
            model_name="lastgoodlight",
            name="switch",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="last_good_light",
                to="fabric_twin.switch",
            ),
        ),
        migrations.AddConstraint(
            model_name="lastgoodlight",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("cube__isnull", True), ("switch__isnull", True), _connector="XOR"
                ),
                name="twin_good_light_of_one",
            ),
        ),
    ]
