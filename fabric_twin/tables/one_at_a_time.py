"""Tables that threads may make at the same time.

Nautobot takes columns out of the class of a table and puts them back, each time that one is made.
Another thread that looks then fails, or makes a table without them.
"""

from datetime import datetime
from threading import RLock
from typing import Any, ClassVar

from django_tables2 import DateTimeColumn
from nautobot.apps.tables import BaseTable

from fabric_twin.presenters.moments import local_moment


class Table(BaseTable):
    """A table of which each class is made by one thread at a time."""

    _making: ClassVar[Any] = RLock()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._making = RLock()

    def __init__(self, *args: Any, **options: Any) -> None:
        with self._making:
            super().__init__(*args, **options)
        for column in self.columns.iterall():
            if type(column.column) is DateTimeColumn and not hasattr(self, f"render_{column.name}"):
                column.render = _moment


def _moment(value: datetime) -> str:
    """A moment as every page of ours has it; a CSV keeps Nautobot's form."""
    return local_moment(value)
