"""A device whose ports are a pod's is not deleted while they are."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("fabric_twin", "0003_a_chip_in_one_slice")]

    operations = [
        migrations.AlterField(
            model_name="port",
            name="interface",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="fabric_port",
                to="dcim.interface",
            ),
        ),
    ]
