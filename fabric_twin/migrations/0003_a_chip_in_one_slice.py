"""What no constraint on one row can say: a chip is in one slice, and a whole cube shares none."""

from django.db import migrations

#: Two parts of one cube wait for each other (nothing else does), and then see each other.
MAKE = """
CREATE FUNCTION twin_a_chip_in_one_slice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended(NEW.cube_id::text, 0));
    IF EXISTS (
        SELECT FROM fabric_twin_slicepart AS other
        WHERE other.cube_id = NEW.cube_id AND other.id <> NEW.id AND (
            other.chips IS NULL OR NEW.chips IS NULL OR EXISTS (
                SELECT FROM jsonb_array_elements(other.chips) AS theirs
                JOIN jsonb_array_elements(NEW.chips) AS ours ON theirs = ours
            )
        )
    ) THEN
        RAISE EXCEPTION 'a chip of cube % is in another slice', NEW.cube_id
            USING ERRCODE = 'exclusion_violation', CONSTRAINT = 'twin_a_chip_in_one_slice';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER twin_a_chip_in_one_slice
    AFTER INSERT OR UPDATE OF cube_id, chips ON fabric_twin_slicepart
    FOR EACH ROW EXECUTE FUNCTION twin_a_chip_in_one_slice();
"""

UNMAKE = """
DROP TRIGGER twin_a_chip_in_one_slice ON fabric_twin_slicepart;
DROP FUNCTION twin_a_chip_in_one_slice;
"""


class Migration(migrations.Migration):
    dependencies = [("fabric_twin", "0002_written_ends")]

    operations = [migrations.RunSQL(MAKE, UNMAKE)]
