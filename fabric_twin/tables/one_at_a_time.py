"""Tables that threads may make at the same time.

Nautobot takes columns out of the class of a table and puts them back, each time that one is made.
Another thread that looks then fails, or makes a table without them.
"""

from threading import RLock
from typing import Any, ClassVar

from nautobot.apps.tables import BaseTable


class Table(BaseTable):
    """A table of which each class is made by one thread at a time."""

    _making: ClassVar[Any] = RLock()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._making = RLock()

    def __init__(self, *args: Any, **options: Any) -> None:
        with self._making:
            super().__init__(*args, **options)
