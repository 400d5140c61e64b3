"""What an operator's interfaces are in a pod: by a list of them, or by patterns of their names.

"row4-host12 eth3"  --- CSV or pattern --->  "iw1-c007-t03 4.3.2/X+"  ->  its number
"""

import csv
import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from fabric_twin.core.csv_cells import unescape
from fabric_twin.core.cube import AXES
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.groups.labels import switch_label
from fabric_twin.core.groups.layout import GroupLayout
from fabric_twin.core.pods.names import Names
from fabric_twin.core.pods.patterns import (
    Pattern,
    cube_port,
    group_port,
    packet_port,
    switch_port,
)
from fabric_twin.inventory.text import decoded
from fabric_twin.repositories.pod_lock import PodRefused

HEADER = ("device", "port", "is_device", "is_port")
LARGEST = 16 * 2**20
#: How many names are told that no pattern reads.
_NAMED = 3


@dataclass(frozen=True)
class Binding:
    """How an operator's names become ports of the design: a list of them, or patterns."""

    #: CSV: device and port as they are called, device and port as the rule calls them.
    rows: bytes | None = None
    #: Patterns of `rack/device/port`.
    cube_ports: str = ""
    switch_ports: str = ""
    #: Nautobot's filters of interfaces, to look at fewer.
    filters: Mapping[str, list[str]] | None = None


@dataclass(frozen=True)
class Found:
    """An interface that may be a port of the pod."""

    pk: UUID
    device: UUID
    rack: UUID | None
    names: tuple[str, str]
    path: str


def bound_ports(names: Names, found: list[Found], binding: Binding) -> dict[int, Found]:
    """By number: the interface that is this port."""
    pairs = (
        _by_list(names, found, binding.rows)
        if binding.rows is not None
        else _by_patterns(names, found, binding)
    )
    bound: dict[int, Found] = {}
    of_interface: dict[UUID, int] = {}
    for number, interface in pairs:
        for there, what, value in (
            (bound.get(number), " ".join(names.port(number)), interface),
            (of_interface.get(interface.pk), interface.path, number),
        ):
            if there is not None and there != value:
                other = there.path if isinstance(there, Found) else " ".join(names.port(there))
                raise PodRefused(
                    f"{what} is bound twice, also to {other}",
                    where="binding",
                    remedy="Bind every port to one interface",
                )
        bound[number] = interface
        of_interface[interface.pk] = number
    if not bound:
        raise PodRefused(
            f"none of {len(found):,} interfaces is bound to a port",
            where="binding",
            remedy="Compare the patterns with rack/device/port of an interface",
        )
    return bound


def _by_list(names: Names, found: list[Found], data: bytes) -> Iterable[tuple[int, Found]]:
    rows = _read(data)
    numbers = names.find([row[2] for row in rows], [row[3] for row in rows]).tolist()
    by_name: dict[tuple[str, str], list[Found]] = defaultdict(list)
    for interface in found:
        by_name[interface.names].append(interface)
    for line, (row, number) in enumerate(zip(rows, numbers, strict=True), 2):
        where = f"binding, line {line}"
        if number < 0:
            raise UnusableInput(
                f"the design has no port {row[3][:60]!r} of {row[2][:60]!r}",
                where=where,
                remedy="Write is_device and is_port as `fabric-twin cutsheet` does",
            )
        matches = by_name[row[0], row[1]]
        if len(matches) != 1:
            raise UnusableInput(
                f"{'no' if not matches else len(matches)} interface is {row[1][:60]!r} of "
                f"{row[0][:60]!r} at this location",
                where=where,
                remedy="Name one that you may see",
            )
        yield number, matches[0]


def _read(data: bytes) -> list[tuple[str, ...]]:
    text = decoded(data, "binding", LARGEST, "Bind some slots at a time")
    reader = csv.DictReader(io.StringIO(text))
    if not set(HEADER) <= set(reader.fieldnames or ()):
        raise UnusableInput(
            "the header lacks a column", where="binding", remedy=f"Begin with {','.join(HEADER)}"
        )
    return [tuple(unescape((row[name] or "").strip()) for name in HEADER) for row in reader]


_At = Callable[[Mapping[str, str]], Any]


def _readers(names: Names) -> tuple[_At, _At, dict[str, int]]:
    """What says which port the parts of a pattern mean; and switches by what parts call them."""
    layout = names.layout
    if isinstance(layout, GroupLayout):
        columns = layout.cluster.columns
        switches = {switch_label(name): number for number, name in enumerate(layout.switches)}
        return lambda parts: group_port(parts, columns), packet_port, switches
    of_pod = {
        "-".join([AXES[axis].lower(), *map(str, index)]): number
        for number, (axis, index) in enumerate(layout.switches)
    }
    return cube_port, switch_port, of_pod


def _by_patterns(names: Names, found: list[Found], binding: Binding) -> Iterable[tuple[int, Found]]:
    layout = names.layout
    cube = Pattern(binding.cube_ports, f"pattern of {names.part} ports")
    switch = Pattern(binding.switch_ports, "pattern of switch ports")
    read_cube, read_switch, switches = _readers(names)
    labels = {label: number for number, label in enumerate(layout.port_names)}
    local = layout.ports_per_cube
    unread: list[str] = []
    bound = {cube: 0, switch: 0}
    for interface in found:
        if (parts := cube.read(interface.path)) and (at := read_cube(parts)):
            slot, label = at
            port = labels.get(label, local)
            if 1 <= slot <= layout.slots and port < local:
                bound[cube] += 1
                yield (slot - 1) * local + port, interface
        elif (parts := switch.read(interface.path)) and (on := read_switch(parts)):
            number, port = switches.get(on[0]), labels.get(on[1], -1)
            if number is not None and port >= local:
                bound[switch] += 1
                yield layout.cube_ports + number * layout.ports_per_switch + port - local, interface
        elif len(unread) < _NAMED:
            unread.append(interface.path)
    for pattern, many in bound.items():
        if pattern.text and not many:
            raise PodRefused(
                f"it binds none of {len(found):,} interfaces"
                + (f", such as {', '.join(unread)}" if unread else ""),
                where=pattern.where,
                remedy="Compare it with rack/device/port of these, and with what braces may mean",
            )
