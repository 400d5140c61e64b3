"""What an order and its steps are about never changes, so that a process may read it once."""

from django.db import migrations

#: What an order's cubes were before it, and what it took off the shelf, is written while it lives.
MAKE = """
CREATE FUNCTION twin_facts_are_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the facts of % never change', TG_TABLE_NAME
        USING ERRCODE = 'check_violation', CONSTRAINT = 'twin_facts_are_kept';
END $$;

CREATE TRIGGER twin_facts_are_kept BEFORE UPDATE OF facts ON fabric_twin_workorder
    FOR EACH ROW WHEN (
        OLD.facts - '{before,used}'::text[] IS DISTINCT FROM NEW.facts - '{before,used}'::text[]
    ) EXECUTE FUNCTION twin_facts_are_kept();

CREATE TRIGGER twin_facts_are_kept BEFORE UPDATE OF facts ON fabric_twin_orderstep
    FOR EACH ROW WHEN (OLD.facts IS DISTINCT FROM NEW.facts)
    EXECUTE FUNCTION twin_facts_are_kept();
"""

UNMAKE = """
DROP TRIGGER twin_facts_are_kept ON fabric_twin_workorder;
DROP TRIGGER twin_facts_are_kept ON fabric_twin_orderstep;
DROP FUNCTION twin_facts_are_kept;
"""


class Migration(migrations.Migration):
    dependencies = [("fabric_twin", "0001_records")]

    operations = [migrations.RunSQL(MAKE, UNMAKE)]
