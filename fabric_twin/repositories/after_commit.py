"""What is done once a transaction is over, and undoes nothing if it goes wrong."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.db import transaction


def after_commit(do: Callable[..., object], *given: Any, **named: Any) -> None:
    """Do something when what was written is on disk; where that fails, it is logged and no more.

    Of what fails Django logs the name, and fails itself where there is none: a partial has none.
    """
    call = partial(do, *given, **named)
    vars(call)["__qualname__"] = do.__qualname__
    transaction.on_commit(call, robust=True)
