"""`nautobot-server watch_fabric`: follow the switches of every pod until stopped."""

import signal
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from fabric_twin.repositories.watching import LOOK, Watch
from fabric_twin.tasks.audit_touched import call_audit


class Command(BaseCommand):
    """One process for a whole installation; a second one does no harm."""

    help = "Follow the switches of every pod; what changes is audited by a worker in a moment."

    def add_arguments(self, parser: CommandParser) -> None:
        """How often to look whom to follow, and what to make when all are."""
        parser.add_argument("--look", type=float, default=LOOK, help="seconds")
        parser.add_argument("--ready-file", type=Path, help="made when every switch is followed")

    def handle(self, *_: Any, look: float, ready_file: Path | None, **__: Any) -> None:
        """Follow until SIGTERM or SIGINT."""
        watch = Watch(call_audit, look)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: watch.stop())
        watch.run(ready_file.touch if ready_file else lambda: None)
