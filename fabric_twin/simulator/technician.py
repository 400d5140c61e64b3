"""A technician: carries out the steps of a work order on the hidden plant, sometimes wrongly.

Steps are those of a finding's remedy: move, unplug, add, remove, flip, clean, reseat, replace.
What was done is told as a person would tell it: done, though it may have been the wrong port.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fabric_twin.core.errors import FabricTwinError, UnusableInput
from fabric_twin.simulator.faults.book import Fault, FaultBook
from fabric_twin.simulator.points import NOWHERE

Step = Mapping[str, Any]
#: Which kinds of fault a step mends at its place: a port, a link, a part of a device, or a device.
CURES = {
    "clean": ("dirty",),
    "reseat": (
        *("dirty", "crossed", "tray-down", "cube-down", "switch-down", "switch-rebooting"),
        *("silent", "stale", "absent", "ignores-changes", "idle-mirrors", "halves-changes"),
        *("loses-answers", "saves-slowly", "board-pulled"),
    ),
    "replace": (
        *("dirty", "dying-transceiver", "wrong-transceiver", "wrong-serial", "broken"),
        *("lossy-mirror", "stuck-mirror", "board-out", "board-pulled"),
        *("feed-lost", "fan-lost", "copper-down"),
    ),
}
#: Faults of one mirror: the other side of a duplex port has one of its own.
MIRRORS = ("lossy-mirror", "stuck-mirror")


@dataclass
class Technician:
    """A technician of the simulated room."""

    book: FaultBook
    #: How often a step is done at the port beside.
    errors: float = 0.0
    seed: int = 0
    #: How many steps went wrong. Nobody in the aisle knows.
    slips: int = 0

    def __post_init__(self) -> None:
        """The same technician makes the same mistakes."""
        self._random = np.random.default_rng([self.seed, 6])

    def carry_out(self, steps: Sequence[Step]) -> list[dict[str, Any]]:
        """Do some steps in order; one that cannot be done is told, and the next is tried."""
        told: list[dict[str, Any]] = []
        for number, step in enumerate(steps, 1):
            try:
                self._do(step)
                told.append({"step": number, "done": True})
            except FabricTwinError as refusal:
                told.append({"step": number, "done": False, "why": str(refusal)})
        self.book.cross_out()
        self.book.pod.changed()
        return told

    def _do(self, step: Step) -> None:
        plant, deed = self.book.pod.plant, step.get("do")
        if deed in ("move", "unplug", "remove", "flip"):
            cable = plant.find(str(step.get("cable")))
            end = "b" if step.get("end") == "b" else "a"
            if deed == "move":
                self._move(cable, end, step.get("to"))
            elif deed == "unplug":
                plant.plug(cable, end, NOWHERE)
            elif deed == "remove":
                plant.plug(cable, "a", NOWHERE)
                plant.plug(cable, "b", NOWHERE)
            else:
                plant.crossed[cable] ^= True
                plant.changed()
        elif deed == "add":
            name = str(step.get("cable") or f"new-{len(plant.names) + 1}")
            plant.add(name, self._aim(step.get("a")), self._aim(step.get("b")))
        elif deed in CURES:
            self._cure(step, CURES[str(deed)])
        else:
            raise UnusableInput(
                f"there is no kind of step called {str(deed)[:40]!r}", remedy="Name a step"
            )

    def _move(self, cable: int, end: str, place: Any) -> None:
        """Plug a cable in; one that went into the port beside is a fault like any other."""
        plant, points, slips = self.book.pod.plant, self.book.pod.points, self.slips
        port = self._aim(place)
        if self.slips == slips or end == "a":
            plant.plug(cable, end, port)
            return
        plant.plug(cable, end, points.find_port(str(place[0]), str(place[1])))
        self.book.cross_out()
        device, name = points.names.port(port)
        wish = {"kind": "misplugged", "cable": plant.names[cable], "device": device, "port": name}
        self.book.make(wish, by="technician")

    def _aim(self, place: Any) -> int:
        """The port that is meant; now and then the one beside it, if that is free."""
        if not isinstance(place, list | tuple) or len(place) != 2:
            raise UnusableInput("a step names no device and port", remedy="Give both")
        points, plant = self.book.pod.points, self.book.pod.plant
        port = points.find_port(str(place[0]), str(place[1]))
        layout = points.layout
        if self._random.random() < self.errors:
            beside = port + 1
            same = beside < len(layout.mate) and layout.device[beside] == layout.device[port]
            if same and plant.cable_at(beside) == NOWHERE:
                self.slips += 1
                return beside
        return port

    def _cure(self, step: Step, kinds: Sequence[str]) -> None:
        if self._random.random() < self.errors:
            self.slips += 1
            return  # cleaned the wrong connector, and never knew
        for fault in list(self.book.there.values()):
            if fault.kind.name in kinds and self._is_there(step, fault):
                self.book.mend(fault.number)

    def _is_there(self, step: Step, fault: Fault) -> bool:
        """Whether a step is done where a fault is."""
        device, port, wish = str(step.get("device")), str(step.get("port") or ""), fault.wish
        if "cable" in wish:
            plant = self.book.pod.plant
            here = self._port(device, port)
            return here != NOWHERE and plant.cable_at(here) == plant.find(str(wish["cable"]))
        if fault.kind.name == "tray-down":  # a cube that is reseated starts all its trays
            return not port and f"{wish['device']}-".startswith(f"{device}-")
        if wish.get("device") != device:
            return False
        if "unit" in wish:
            return bool(_unit_of(str(step.get("part") or "")) == wish["unit"])
        there = str(wish.get("port", wish.get("link", "")))
        if "port" not in wish or not port or fault.kind.name in MIRRORS:
            return there == port
        return self._port(device, there) == self._port(device, port) != NOWHERE

    def _port(self, device: str, port: str) -> int:
        """A port by name; nowhere where the step is done at a device, or at a copper link."""
        try:
            return self.book.pod.points.find_port(device, port)
        except UnusableInput:
            return NOWHERE


def _unit_of(part: str) -> int:
    """The number of a part among its like: feeds and fans are counted from 1, boards from 0.

    >>> _unit_of("PSU 2"), _unit_of("LINE-CARD0"), _unit_of("controller")
    (2, 1, 0)
    """
    number = part[len(part.rstrip("0123456789")) :]
    return int(number or 0) + part.startswith("LINE-CARD")
