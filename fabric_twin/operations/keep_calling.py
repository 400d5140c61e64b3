"""Look for work that waits for a worker, again and again."""

import logging
import threading
from collections.abc import Callable, Iterable

from django.db import close_old_connections, connection

log = logging.getLogger("fabric_twin.watch")
#: Seconds between two looks.
LOOK = 3.0


def keep_calling(
    stop: threading.Event, calls: Iterable[Callable[[], int]], look: float = LOOK
) -> None:
    """Call workers for what is due, until told to stop.

    Whatever is away then, database, Redis or broker, comes back, each with errors of its own.
    """
    while not stop.wait(look):
        for call in calls:
            try:
                close_old_connections()
                call()
            except Exception as error:  # noqa: BLE001 - who looks must outlive all of them
                log.warning("no worker is called: %s", error)
    connection.close()
