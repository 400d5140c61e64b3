"""Where the state of a finding, a ticket, an order or a step is written, and nowhere else.

`core/findings/life.py`, `core/orders/life.py` and `core/tickets/life.py` say which state
follows; the operation that asked writes it here. In the tests' database a trigger refuses every
other change of these columns: see `tests/nautobot/bases/state_guard.py`.
"""

from typing import Any

from django.db import connection, transaction

#: What says to the database that the next change of a state is written here.
SETTING = "fabric_twin.writes_state"


def save_state(record: Any, state: str) -> None:
    """Write a record, with all that was changed of it, in the state that an act leads to."""
    record.state = state
    record.full_clean()
    with transaction.atomic(savepoint=False):
        _announce()
        record.save()


def update_state(rows: Any, state: Any, **facts: Any) -> int:
    """Write some rows in the state that an act leads to; how many they were."""
    with transaction.atomic(savepoint=False):
        _announce()
        many = int(rows.update(state=state, **facts))
        if not many:  # perhaps nothing was sent, and nothing took the announcement back
            _announce("")
        return many


def _announce(said: str = "on") -> None:
    """It holds for one statement: the trigger takes it back, or the transaction's end."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config(%s, %s, true)", [SETTING, said])
