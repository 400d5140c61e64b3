"""`nautobot-server watch_fabric`: follow the switches of every pod, and what waits for a worker."""

import logging
import signal
import threading
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, InterfaceError, close_old_connections

from fabric_twin.operations.audits.run_lease import end_lost_runs
from fabric_twin.operations.audits.touches import call_forgotten
from fabric_twin.operations.audits.watch_switches import LOOK, Watch
from fabric_twin.operations.calls.clock_set_back import ClockWatch
from fabric_twin.operations.calls.heartbeat import say_alive, say_stopped
from fabric_twin.operations.calls.lost_jobs import look_after_jobs
from fabric_twin.operations.keep_calling import keep_calling
from fabric_twin.operations.orders.call_worker import call_forgotten_orders
from fabric_twin.operations.tickets.running.due import call_due

log = logging.getLogger("fabric_twin.watch")
#: What is due is called for by these, and what nobody runs is ended.
CALLS = (
    ClockWatch(),
    call_due,
    call_forgotten,
    call_forgotten_orders,
    look_after_jobs,
    end_lost_runs,
)


class Command(BaseCommand):
    """One process for a whole installation; a second one does no harm."""

    help = (
        "Follow the switches of every pod: a worker audits what changes, a moment later. "
        "Starts tickets whose window begins. Queues tickets, audits, orders and jobs again whose "
        "worker or message was lost, or ends them and says why."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """How often to look whom to follow, and what to make when all are."""
        parser.add_argument("--look", type=float, default=LOOK, help="seconds")
        parser.add_argument("--ready-file", type=Path, help="made when every switch is followed")
        parser.add_argument("--heartbeat-file", type=Path, help="touched every few seconds")

    def handle(
        self,
        *_: Any,
        look: float,
        ready_file: Path | None,
        heartbeat_file: Path | None,
        **__: Any,
    ) -> None:
        """Follow until SIGTERM or SIGINT."""
        watch, stop = Watch(look), threading.Event()

        def end(*_: Any) -> None:
            stop.set()
            watch.stop()

        def beat() -> int:
            if heartbeat_file:
                heartbeat_file.touch()
            return 0

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, end)
        # That it is there is said beside the calls: a broker that hangs holds these up.
        threads = [
            threading.Thread(target=keep_calling, args=(stop, calls), name=name)
            for name, calls in (("calling", CALLS), ("heartbeat", (say_alive, beat)))
        ]
        for thread in threads:
            thread.start()
        try:
            watch.run(ready_file.touch if ready_file else lambda: None)
        finally:
            stop.set()
            for thread in threads:
                thread.join()
            try:
                close_old_connections()
                say_stopped()
            except (DatabaseError, InterfaceError) as error:  # away: it passes for gone later
                log.warning("nobody is told that the watch was stopped: %s", error)
