"""Circuits with their owners, and what is unhealthy, as JSON (`design.md` 6.2)."""

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from fabric_twin.core.circuits import Circuits
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.names import Names
from fabric_twin.inventory.json_files import list_of, read_object, text_of, whole_number

SHAPE = (
    '{"version": 1, "circuits": '
    '[{"switch": "iw1-ocs-x-3-2", "a": "7A", "b": "9B", "owner": "job"}]}'
)
UNHEALTHY = '{"unhealthy": {"slots": [7], "ports": [["iw1-ocs-x-3-2", "7A"]]}}'
_PORT = re.compile(r"([1-9]\d{0,5})([AB])", re.ASCII)


@dataclass(frozen=True)
class Row:
    """One circuit as it is written."""

    switch: str
    a: str
    b: str
    owner: str


def circuit_rows(rows: list[Any], source: str, shape: str = SHAPE) -> list[Row]:
    """Circuits as text."""
    found = []
    for number, row in enumerate(rows, 1):
        where = f"{source}, circuit {number}"
        switch, a, b = (text_of(row, key, where, shape) for key in ("switch", "a", "b"))
        found.append(Row(switch, a, b, text_of(row, "owner", where, shape, default="")))
    return found


def read_circuits(data: bytes, source: str, names: Names) -> tuple[Circuits, list[str]]:
    """The circuits of a pod as columns, and the owner of each; a port is in one circuit only."""
    content = read_object(data, source, SHAPE)
    rows = circuit_rows(list_of(content, "circuits", source, SHAPE), source)
    switches = _switches(names)
    taken: dict[tuple[int, str], int] = {}
    columns: list[tuple[int, int, int]] = []
    for number, row in enumerate(rows, 1):
        where = f"{source}, circuit {number}"
        switch = _switch(switches, row.switch, where)
        columns.append((switch, _port(names, row.a, "A", where), _port(names, row.b, "B", where)))
        for port in (row.a, row.b):
            if (first := taken.setdefault((switch, port), number)) != number:
                raise UnusableInput(
                    f"port {port} of {row.switch} is in circuit {first} already",
                    where=where,
                    remedy="Let a port be in one circuit only",
                )
    table = np.array(columns, dtype=np.int32).reshape(-1, 3)
    return Circuits(table[:, 0], table[:, 1], table[:, 2]), [row.owner for row in rows]


@dataclass(frozen=True)
class Unhealthy:
    """Slots and ports that no slice should use; a port is (switch, side, number)."""

    slots: frozenset[int] = frozenset()
    ports: frozenset[tuple[int, int, int]] = frozenset()


def read_unhealthy(data: bytes, source: str, names: Names) -> Unhealthy:
    """What is unhealthy in a file of what is in use."""
    given = read_object(data, source, UNHEALTHY).get("unhealthy", {})
    if not isinstance(given, dict):
        raise UnusableInput(
            '"unhealthy" is not an object', where=source, remedy=f"Write {UNHEALTHY}"
        )
    slots = set()
    for value in list_of(given, "slots", source, UNHEALTHY):
        slot = whole_number(value, "a slot", source, UNHEALTHY)
        if not 1 <= slot <= names.layout.slots:
            raise UnusableInput(
                f"slot {slot} is not within 1 to {names.layout.slots}",
                where=source,
                remedy="Name slots that the design has",
            )
        slots.add(slot)
    switches = _switches(names)
    ports = set()
    for number, row in enumerate(list_of(given, "ports", source, UNHEALTHY), 1):
        where = f"{source}, unhealthy port {number}"
        pair = row if isinstance(row, list) and len(row) == 2 else [None, None]
        named = {"switch": pair[0], "port": pair[1]}
        switch = _switch(switches, text_of(named, "switch", where, UNHEALTHY), where)
        port = text_of(named, "port", where, UNHEALTHY)
        for letter in port[-1:] if port[-1:] in {"A", "B"} else "AB":
            value = _port(names, f"{port.rstrip('AB')}{letter}", letter, where)
            ports.add((switch, "AB".index(letter), value))
    return Unhealthy(frozenset(slots), frozenset(ports))


def _switches(names: Names) -> dict[str, int]:
    first = names.layout.slots * names.layout.cube.trays
    return {names.device(first + n): n for n in range(len(names.layout.switches))}


def _switch(switches: dict[str, int], name: str, where: str) -> int:
    if name not in switches:
        near = next(iter(switches), "")
        raise UnusableInput(
            f"the pod has no switch {name[:60]!r}",
            where=where,
            remedy=f"Name a switch like {near}" if near else "This design has no switches",
        )
    return switches[name]


def _port(names: Names, name: str, side: str, where: str) -> int:
    match = _PORT.fullmatch(name)
    if not match or match[2] != side or int(match[1]) > names.layout.radix:
        raise UnusableInput(
            f"{name[:40]!r} is not a port of side {side}",
            where=where,
            remedy=f"Name a port from 1{side} to {names.layout.radix}{side}",
        )
    return int(match[1])
