"""Tables that threads may make at the same time: Nautobot's own, and ours.

Nautobot takes columns out of the class of a table and puts them back, each time that one is made.
Another thread that looks then fails, or makes a table without them. The page of a record has three
of Nautobot's, whatever it is of: its contacts, its groups and its metadata.
"""

from datetime import datetime
from functools import wraps
from threading import RLock
from typing import Any

from django_tables2 import DateTimeColumn
from nautobot.apps.tables import BaseTable

from fabric_twin.presenters.moments import local_moment


def make_one_at_a_time() -> None:
    """Have each class of tables made by one thread at a time; to ask twice changes nothing."""
    make, making = BaseTable.__init__, dict[type, Any]()
    if make.__module__ == __name__:
        return

    @wraps(make, assigned=("__doc__",))
    def alone(table: Any, *args: Any, **options: Any) -> None:
        with making.setdefault(type(table), RLock()):
            make(table, *args, **options)
            # Who asks the table for its columns later is not shown those of the next one's making.
            table.base_columns = table.base_columns.copy()

    BaseTable.__init__ = alone  # type: ignore[assignment, method-assign]


class Table(BaseTable):
    """A table of ours: its moments are those of every page of ours."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for column in self.columns.iterall():
            if type(column.column) is DateTimeColumn and not hasattr(self, f"render_{column.name}"):
                column.render = _moment


def _moment(value: datetime) -> str:
    """A moment as every page of ours has it; a CSV keeps Nautobot's form."""
    return local_moment(value)
