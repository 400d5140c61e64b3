"""`nautobot-server fabric_doctor`: whether this installation can do its work."""

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from fabric_twin.operations.doctor.checked import Checked, How
from fabric_twin.operations.doctor.examine import examine

_MARKS = {How.GOOD: "  good", How.LOOK: "  LOOK", How.BAD: "** BAD"}


class Command(BaseCommand):
    """Looks, and changes nothing."""

    help = (
        "Check this installation: versions, tables, drivers, clock, queues, scheduler, watch, "
        "networks, certificates, secrets, approvers. Exit 1 where something does not work."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        """For people, or for programs."""
        parser.add_argument("--json", action="store_true", dest="as_json", help="one JSON list")

    def handle(self, *_: Any, as_json: bool, **__: Any) -> None:
        """Say what was found, and what to do."""
        found = []
        for one in examine():
            found.append(one)
            if not as_json:
                self._say(one)
        if as_json:
            self.stdout.write(json.dumps([one.as_json() for one in found], indent=2))
        if any(one.how is How.BAD for one in found):
            sys.exit(1)

    def _say(self, one: Checked) -> None:
        self.stdout.write(f"{_MARKS[one.how]}  {one.what}: {one.found}")
        if one.remedy:
            self.stdout.write(f"        {one.remedy}.")
        self.stdout.flush()
