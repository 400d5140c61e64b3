"""A pod's cables out of core records, where no App knows the pod.

What is of the pod is told by names: devices are named as the rule names them.

    devices -> interfaces -> cable      both ends are of the pod: all there is to know
    cable -> far end                    where one end is not
    interface -> end of its path        where the far end is a patch panel's
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from fabric_twin.core.audit.places import natural
from fabric_twin.core.counted import counted
from fabric_twin.core.errors import NotPermitted
from fabric_twin.core.pods.names import check_pod_name, pod_of
from fabric_twin.inventory.recorded_cables import Named, SheetCable
from fabric_twin.remote.refusals import NotThere
from fabric_twin.remote.server import Progress, Server, reading

#: Devices of one question, so that an answer holds about a thousand interfaces.
TRAYS, SWITCHES = 128, 4
#: Cables or interfaces of one question.
MANY = 500
NOWHERE: Named = ("", "")
#: The App's field of what is printed on a cable, for who has loaded cables with it once.
PRINTED_LABEL = "fabric_twin_label"

_SWITCH = re.compile(r"-ocs-[a-z](?:-\d+)+$")
_METRES = {"km": "1000", "m": "1", "cm": "0.01", "mi": "1609.344", "ft": "0.3048", "in": "0.0254"}
_FACTS = "id label length length_unit status { name } cable_type { is_shuffle } _custom_field_data"
_INTERFACES = f"""query ($devices: [String]) {{ devices(id: $devices) {{
  name interfaces {{ id name cable_termination {{ cable_end cable {{ {_FACTS} }} }} }}
}} }}"""
_FAR = """query ($cables: [String]) { cables(id: $cables) { id terminations {
  cable_end interface { name device { name } } front_port { id } rear_port { id }
} } }"""
_PATHS = """query ($interfaces: [String]) { interfaces(id: $interfaces) {
  id connected_interface { name device { name } }
} }"""


@dataclass(frozen=True)
class CoreSheet:
    """The cables of a pod that a user may see."""

    cables: tuple[SheetCable, ...]
    #: Cables of which the user may see one end only.
    half_hidden: int = 0
    #: There are fibre pairs, and of none it can be told whether its strands are exchanged.
    strands_hidden: bool = False

    def rows(self) -> Iterator[tuple[str, ...]]:
        """The rows of a cut sheet."""
        return (row for cable in self.cables for row in cable.rows())


@reading
def read_core_cables(server: Server, pod: str, progress: Progress) -> CoreSheet:
    """Read the cables of the devices that are named after a pod."""
    check_pod_name(pod)
    devices = server.rows("devices", "name", progress, "devices", name__isw=[f"{pod}-"])
    names = {row["name"]: row["id"] for row in devices if pod_of(row["name"] or "") == pod}
    if not names:
        raise NotThere(
            f"no device is named after pod {pod}, or none that you may see",
            where=server.address,
            remedy="Check --pod, and that you have the permission dcim.view_device",
        )
    plant = _Plant(server, progress)
    switches = sorted(name for name in names if _SWITCH.search(name))
    trays = sorted(names.keys() - set(switches))
    plant.read([names[name] for name in trays], TRAYS)
    plant.read([names[name] for name in switches], SWITCHES)
    plant.follow()
    plant.check_statuses()
    return CoreSheet(tuple(plant.cables()), len(plant.hidden), plant.strands_are_hidden)


class _Plant:
    """What is known so far: of each cable its facts, and the ends that were found."""

    def __init__(self, server: Server, progress: Progress) -> None:
        self._server, self._progress = server, progress
        self._facts: dict[str, dict[str, Any]] = {}
        self._ends: dict[str, dict[str, Named]] = {}
        self._interface: dict[tuple[str, str], str] = {}
        #: Cables that are the last of a path through panels: another one stands for it.
        self._ended: set[str] = set()
        self.hidden: set[str] = set()

    def read(self, devices: Sequence[str], many: int) -> None:
        """The cables at the interfaces of some devices."""
        for page in _pages(devices, many):
            for device in self._server.query(_INTERFACES, devices=page)["devices"]:
                for interface in device["interfaces"]:
                    self._note(device["name"], interface)
            self._progress("cables", len(self._facts))

    def _note(self, device: str, interface: dict[str, Any]) -> None:
        plugged = interface["cable_termination"] or {}
        if cable := plugged.get("cable"):
            end = plugged["cable_end"]
            self._facts[cable["id"]] = cable
            self._ends.setdefault(cable["id"], {})[end] = (device, interface["name"])
            self._interface[cable["id"], end] = interface["id"]

    def follow(self) -> None:
        """Find the far ends of cables that leave the pod, through panels too."""
        half = [cable for cable, ends in self._ends.items() if len(ends) == 1]
        through: dict[str, str] = {}
        for page in _pages(half, MANY):
            for cable in self._server.query(_FAR, cables=page)["cables"]:
                key = cable["id"]
                [near] = self._ends[key]
                far = [end for end in cable["terminations"] if end["cable_end"] != near]
                if not far:
                    continue  # it is not plugged in there
                if port := _named(far[0]["interface"]):
                    self._ends[key][_other(near)] = port
                elif far[0]["front_port"] or far[0]["rear_port"]:
                    through[self._interface[key, near]] = key
                else:
                    self.hidden.add(key)
        self._follow_panels(through)

    def _follow_panels(self, through: dict[str, str]) -> None:
        at = {self._near(cable): cable for cable in through.values()}
        reached: dict[str, Named | None] = {}
        for page in _pages(list(through), MANY):
            for row in self._server.query(_PATHS, interfaces=page)["interfaces"]:
                reached[through[row["id"]]] = _named(row["connected_interface"])
            self._progress("paths through panels", len(reached))
        for cable in sorted(through.values(), key=lambda key: _place(self._near(key))):
            to = reached.get(cable)
            if to is None or cable in self._ended:
                continue
            last = at.get(to)
            [near] = self._ends[cable]
            self._ends[cable][_other(near)] = to
            if last and last != cable:
                self._ended.add(last)

    def _near(self, cable: str) -> Named:
        return next(iter(self._ends[cable].values()))

    def check_statuses(self) -> None:
        """Refuse cables of which nobody may tell whether they are there or planned."""
        unknown = sum(not facts["status"] for facts in self._facts.values())
        if unknown:
            raise NotPermitted(
                f"you may not see the status of {counted(unknown, 'cable')}",
                where=self._server.address,
                remedy="Ask for the permission extras.view_status: a planned cable would be taken "
                "for one that is there",
            )

    @property
    def strands_are_hidden(self) -> bool:
        """Whether there are fibre pairs, and no cable has a type that may be seen."""
        types = any(facts["cable_type"] for facts in self._facts.values())
        return not types and any(_is_pair(*ends.values()) for ends in self._ends.values())

    def cables(self) -> Iterator[SheetCable]:
        """Every cable once, in the order of its ports, under a name of its own."""
        taken: set[str] = set()
        here = [cable for cable in self._facts if cable not in self._ended]
        for key in sorted(here, key=lambda key: min(map(_place, self._ends[key].values()))):
            facts, ends = self._facts[key], self._ends[key]
            a, b = ends.get("A", NOWHERE), ends.get("B", NOWHERE)
            name = facts["label"] or _default_name(a, b) or f"#{key}"
            if name in taken:
                name = f"{name} #{key}"
            taken.add(name)
            yield SheetCable(
                name,
                a,
                b,
                facts["status"]["name"].lower(),
                metres(facts["length"], facts["length_unit"] or ""),
                str((facts["_custom_field_data"] or {}).get(PRINTED_LABEL) or ""),
                crossed=_is_pair(a, b) and bool((facts["cable_type"] or {}).get("is_shuffle")),
            )


def metres(length: int | None, unit: str) -> str:
    """Write a length of any of Nautobot's units, without zeros that say nothing.

    >>> metres(1250, "cm"), metres(12, "m"), metres(10, "FT"), metres(None, "")
    ('12.5', '12', '3.048', '')
    """
    factor = _METRES.get(unit.lower())
    if not length or factor is None:
        return ""
    text = f"{length * Decimal(factor):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _pages(keys: Sequence[str], many: int) -> Iterator[Sequence[str]]:
    return (keys[first : first + many] for first in range(0, len(keys), many))


def _named(interface: dict[str, Any] | None) -> Named | None:
    """A port by name; None where there is none, or none that may be seen."""
    if not interface or not interface["device"]:
        return None
    return interface["device"]["name"] or "", interface["name"]


def _other(end: str) -> str:
    return "B" if end == "A" else "A"


def _place(end: Named) -> tuple[Any, ...]:
    """Trays come before switches, as in the design's numbering."""
    return (not end[0], bool(_SWITCH.search(end[0])), natural(end))


def _default_name(*ends: Named) -> str:
    """The cube end's, as the rule would name it."""
    for device, port in ends:
        cube, tray, _ = device.rpartition("-t")
        if tray and "/" in port:
            return f"{cube}:{port}"
    return ""


def _is_pair(*ends: Named) -> bool:
    """Whether a cable is a fibre pair: it is on a duplex port of a switch, which is a number."""
    return any(_SWITCH.search(device) and port.isdecimal() for device, port in ends)
