"""How many switches a slice of a pod may lack while it runs."""

import django.core.validators
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("fabric_twin", "0012_light_agreed"),
    ]

    operations = [
        migrations.AddField(
            model_name="pod",
            name="bear",
            field=models.PositiveSmallIntegerField(
                default=1, validators=[django.core.validators.MaxValueValidator(1000)]
            ),
        ),
    ]
