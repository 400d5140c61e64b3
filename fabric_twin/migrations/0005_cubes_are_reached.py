"""Where cubes answer, as switches do."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("fabric_twin", "0004_ports_hold_their_interfaces")]

    operations = [
        migrations.AddField(
            "cube",
            "address",
            models.CharField(
                blank=True,
                default="",
                help_text="HOST:PORT of its gNMI server; empty is not reached",
                max_length=255,
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            "cube",
            "target",
            models.CharField(
                blank=True,
                default="",
                help_text="Its name behind an address that several share",
                max_length=64,
            ),
            preserve_default=False,
        ),
    ]
