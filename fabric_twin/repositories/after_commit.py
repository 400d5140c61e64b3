"""What is done once a transaction is over, and undoes nothing if it goes wrong."""

from collections.abc import Callable
from typing import Any

from django.db import transaction


def after_commit(do: Callable[..., object], *given: Any, **named: Any) -> None:
    """Do something when what was written is on disk; where that fails, it is logged and no more.

    A lambda: of what fails, Django logs the name, and fails itself where it has none, as a partial.
    """
    transaction.on_commit(lambda: do(*given, **named), robust=True)
