"""A cluster on Open vSwitch: its state file, and the switches that its entries are sent to."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.core.rings.clusters import cables, named
from tests.core.rings.follow import follow
from tests.openflow.conftest import SWITCHES
from tests.openflow.open_vswitch import OpenVSwitch

OF = ("--design", "groups-a", "--pod", "pg1")
LAYER = ("--axis", "layer=row-1-1")
ROW_1, ROW_2, TIER_1 = SWITCHES


class Cluster:
    """A state file, and the switches that its entries are sent to."""

    def __init__(self, run: Callable[..., Any], ovs: OpenVSwitch, targets: str, state: Path):
        self._run, self.ovs, self._targets, self._state = run, ovs, targets, str(state)

    def change(self, verb: str, *options: str) -> None:
        now = ("--state", self._state) if Path(self._state).exists() else ()
        done = self._run("rings", verb, *OF, *now, *options, "-o", self._state)
        assert done.exit_code == 0, done.stderr

    def send(self, *options: str, targets: str = "") -> Any:
        return self._on_switches("send", targets, *options)

    def check(self, *options: str) -> Any:
        return self._on_switches("check", "", *options)

    def _on_switches(self, verb: str, targets: str, *options: str) -> Any:
        at = ("--targets", targets or self._targets, "--insecure")
        return self._run("rings", verb, *OF, "--state", self._state, *at, *options)

    def rings(self) -> list[list[str]]:
        """The groups that packets pass, by what Open vSwitch traces and the cut sheet joins."""
        found = follow(cables(named("groups-a")), self.ovs.goes(SWITCHES), 4, 4)
        return [sorted({group for group, _ in ring}) for ring in found]


def groups(row: int, *columns: int) -> list[str]:
    return [f"pg1-r{row:02d}c{column:02d}" for column in columns]
