"""`nautobot-server leave_fabric_twin`: take the App's data out of a Nautobot that goes on."""

import os
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from fabric_twin.core.errors import NotPossible
from fabric_twin.operations.drop_data import VARIABLE, WORD
from fabric_twin.operations.leave import (
    APP,
    forget_types,
    refuse_while_running,
    remove_what_names_us,
)

NEXT = (
    "Take fabric_twin out of PLUGINS, run nautobot-server post_upgrade, and start Nautobot again. "
    "Racks, devices and cables stay, as do statuses, roles, custom fields and the change log."
)


class Command(BaseCommand):
    """With web server, workers, scheduler and watch_fabric stopped."""

    help = (
        "Drop all that the App recorded: pods, findings, tickets, orders, histories; with its "
        "schedules and approvals, on which Nautobot's own pages would fail."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """The word without which nothing is dropped."""
        parser.add_argument("--drop-data", action="store_true", help="yes, after a dump")

    def handle(self, *_: Any, drop_data: bool, **__: Any) -> None:
        """Drop it, and say what is left to do."""
        if not drop_data:
            raise CommandError(
                "This drops pods, findings, tickets, orders and histories. Stop web server, "
                "workers, scheduler and watch_fabric, dump the database, and say --drop-data."
            )
        try:
            refuse_while_running()
        except NotPossible as error:
            raise CommandError(str(error)) from None
        os.environ[VARIABLE] = WORD
        for what, many in remove_what_names_us().items():
            self.stdout.write(f"{many:,} {what} removed")
        call_command("migrate", APP, "zero", verbosity=0, interactive=False)
        self.stdout.write(f"tables dropped, and {forget_types():,} types forgotten")
        self.stdout.write(NEXT)
