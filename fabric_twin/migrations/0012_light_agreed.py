"""When light last agreed with each cable.

A row of it goes with its cable by the database itself: also where cables are deleted as sets, and
where an audit writes while somebody deletes.
"""

import uuid

import django.db.models.deletion
from django.db import migrations, models

_WITH_ITS_CABLE = """
ALTER TABLE fabric_twin_agreedcable ADD CONSTRAINT fabric_twin_agreedcable_with_its_cable
FOREIGN KEY (cable_id) REFERENCES dcim_cable (id)
ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
"""


class Migration(migrations.Migration):
    dependencies = [("fabric_twin", "0011_what_findings_cost")]

    operations = [
        migrations.CreateModel(
            name="LightAgreement",
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
                ("at", models.DateTimeField()),
                (
                    "pod",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="light_agreements",
                        to="fabric_twin.pod",
                    ),
                ),
            ],
            options={"ordering": ("pod", "at")},
        ),
        migrations.CreateModel(
            name="AgreedCable",
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
                (
                    "a",
                    models.PositiveIntegerField(
                        help_text="The port at one end, by its number in the pod"
                    ),
                ),
                ("b", models.PositiveIntegerField(help_text="The port at the other end")),
                (
                    "agreement",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="cables",
                        to="fabric_twin.lightagreement",
                    ),
                ),
                (
                    "cable",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="fabric_light",
                        to="dcim.cable",
                    ),
                ),
            ],
            options={"ordering": ("agreement", "a")},
        ),
        migrations.RunSQL(_WITH_ITS_CABLE, migrations.RunSQL.noop),
    ]
