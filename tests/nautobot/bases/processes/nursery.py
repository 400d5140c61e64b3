"""Start a process that forks workers, each to be killed at a step."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.nautobot.bases.processes.paths import CONFIG, ROOT


class Nursery:
    """Workers that are forked, one command at a time."""

    program = "ticket_nursery.py"

    def __init__(self, environment: dict[str, str]) -> None:
        program = Path(__file__).with_name(self.program)
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore", program, CONFIG],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=environment,
        )
        self._answer("ready")

    def _answer(self, key: str) -> dict[str, Any]:
        assert self.process.stdout
        for line in self.process.stdout:
            if line.startswith("{") and key in (told := json.loads(line)):
                return told
        raise AssertionError("the nursery ended before")

    def ask(self, do: str, **wish: Any) -> dict[str, Any]:
        """How a child ended, and what it said."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"do": do, **wish}) + "\n")
        self.process.stdin.flush()
        return self._answer("ended")

    def said(self, do: str, **wish: Any) -> Any:
        """What a child said that came to its end."""
        told = self.ask(do, **wish)
        assert told["ended"] == "exited", told
        return told["said"]
