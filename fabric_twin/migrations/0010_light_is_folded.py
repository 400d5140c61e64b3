"""What was read of light waits for the end of its day: a reading rewrites no row.

And Nautobot's job Logs Cleanup may delete job results: it does so by statements that know nothing of
`SET_NULL`, so the database itself forgets them in runs and tickets.
"""

import uuid

import django.db.models.deletion
from django.db import migrations, models

_ON_DELETE = """
DO $$
DECLARE one record;
BEGIN
    FOR one IN
        SELECT conname AS name, conrelid::regclass AS held_by
        FROM pg_constraint
        WHERE contype = 'f' AND confrelid = 'extras_jobresult'::regclass
            AND conrelid IN ('fabric_twin_auditrun'::regclass, 'fabric_twin_ticket'::regclass)
    LOOP
        EXECUTE format(
            'ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %I FOREIGN KEY (job_result_id)'
            ' REFERENCES extras_jobresult (id) ON DELETE {} DEFERRABLE INITIALLY DEFERRED',
            one.held_by, one.name, one.name
        );
    END LOOP;
END $$
"""


class Migration(migrations.Migration):
    dependencies = [("fabric_twin", "0009_nothing_is_lost")]

    operations = [
        migrations.CreateModel(
            name="LightReading",
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
                    "levels",
                    models.BinaryField(
                        help_text="By device, packed: core/diagnosis/kept_readings.py"
                    ),
                ),
                (
                    "pod",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="light_readings",
                        to="fabric_twin.pod",
                    ),
                ),
            ],
            options={"ordering": ("pod", "at")},
        ),
        migrations.RunSQL(_ON_DELETE.format("SET NULL"), _ON_DELETE.format("NO ACTION")),
    ]
