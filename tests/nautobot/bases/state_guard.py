"""Triggers of the tests' database: only `repositories/states.py` writes a state."""

from django.db import connection

from fabric_twin.models import Finding, OrderStep, Ticket, WorkOrder
from fabric_twin.repositories.states import SETTING

GUARDED = (Finding, Ticket, WorkOrder, OrderStep)

_REFUSE = f"""
CREATE OR REPLACE FUNCTION tests_refuse_state() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF coalesce(current_setting('{SETTING}', true), '') <> 'on' THEN
        RAISE EXCEPTION 'the state of % became %, and no table said so', TG_TABLE_NAME, NEW.state;
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION tests_end_announcement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('{SETTING}', '', true);
    RETURN NULL;
END $$;
"""
_EACH = """
CREATE OR REPLACE TRIGGER tests_refuse_state BEFORE UPDATE ON {table} FOR EACH ROW
    WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION tests_refuse_state();
CREATE OR REPLACE TRIGGER tests_end_announcement AFTER UPDATE ON {table} FOR EACH STATEMENT
    EXECUTE FUNCTION tests_end_announcement();
"""


def guard_states() -> None:
    """From now on this database refuses a state that was written past the tables."""
    with connection.cursor() as cursor:
        cursor.execute(_REFUSE)
        for model in GUARDED:
            cursor.execute(_EACH.format(table=model._meta.db_table))
