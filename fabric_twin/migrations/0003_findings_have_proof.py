"""A finding knows what would show that it is gone, and whether the last look saw it."""

from django.db import migrations, models

#: Findings of before know their places only: what passes there is to be seen well.
GIVE_PROOF = """
UPDATE fabric_twin_finding AS finding SET proof = COALESCE((
    SELECT jsonb_agg(jsonb_build_array(
        CASE WHEN finding.observed THEN 'place' ELSE 'record' END,
        place.device_name, place.port_name
    ) ORDER BY place.number)
    FROM fabric_twin_findingplace AS place
    WHERE place.finding_id = finding.id AND place.device_name <> ''
), '[]'::jsonb) WHERE finding.state <> 'mended';
"""


class Migration(migrations.Migration):
    dependencies = [("fabric_twin", "0002_facts_are_kept")]

    operations = [
        migrations.AddField(
            model_name="finding", name="seen", field=models.BooleanField(default=True)
        ),
        migrations.AddField(
            model_name="finding", name="proof", field=models.JSONField(blank=True, default=list)
        ),
        migrations.RunSQL(GIVE_PROOF, migrations.RunSQL.noop),
    ]
