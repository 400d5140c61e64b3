"""Circuit files: cross-connects by name, and for whom, as JSON (`design.md` 6.2)."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from fabric_twin.core.circuits import Circuits
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.names import Names
from fabric_twin.core.plans import Circuit
from fabric_twin.inventory.json_files import list_of, read_object, text_of

_SHAPE = (
    '{"version": 1, "circuits": '
    '[{"switch": "iw1-ocs-x-3-2", "a": "7A", "b": "9B", "owner": "job-a"}]}'
)
_PORT = re.compile(r"([1-9]\d{0,3})([AB])", re.ASCII)


def read_circuits(data: bytes, source: str) -> list[Circuit]:
    """Read a circuit file, or refuse it whole; keys that are not a circuit's are left alone."""
    content = read_object(data, source, _SHAPE)
    circuits = circuits_of(list_of(content, "circuits", source, _SHAPE, needed=True), source)
    seen: dict[tuple[str, str, str], Circuit] = {}
    for circuit in circuits:
        first = seen.setdefault(circuit.key, circuit)
        if first is not circuit:
            raise UnusableInput(
                f"{circuit.a} to {circuit.b} on {circuit.switch} was given before, as "
                f"{first.where.rpartition(', ')[2]}",
                where=circuit.where,
                remedy="Give each circuit once, with one owner",
            )
    return circuits


def circuits_of(rows: Sequence[Any], source: str, shape: str = _SHAPE) -> list[Circuit]:
    """Circuits of a list in a file, whatever the pod."""
    return [_circuit(row, f"{source}, circuit {n}", shape) for n, row in enumerate(rows, 1)]


def numbered(circuits: Sequence[Circuit], names: Names) -> tuple[Circuits, list[str]]:
    """The circuits of a pod as columns, and the owner of each; a port is in one circuit only."""
    switches = {name: number for number, name in enumerate(names.switches)}
    taken: dict[tuple[str, str], int] = {}
    columns: list[tuple[int, int, int]] = []
    for number, circuit in enumerate(circuits, 1):
        if circuit.switch not in switches:
            near = next(iter(switches), "")
            raise UnusableInput(
                f"the pod has no switch {circuit.switch[:60]!r}",
                where=circuit.where,
                remedy=f"Name a switch like {near}" if near else "This design has no switches",
            )
        a, b = (_number(circuit, side, names) for side in "AB")
        columns.append((switches[circuit.switch], a, b))
        for port in circuit.ports:
            if (first := taken.setdefault(port, number)) != number:
                raise UnusableInput(
                    f"port {port[1]} of {circuit.switch} is in circuit {first} already",
                    where=circuit.where,
                    remedy="Let a port be in one circuit only",
                )
    table = np.array(columns, dtype=np.int32).reshape(-1, 3)
    return Circuits(table[:, 0], table[:, 1], table[:, 2]), [row.owner for row in circuits]


def _circuit(row: Any, where: str, shape: str) -> Circuit:
    switch, a, b = (text_of(row, key, where, shape) for key in ("switch", "a", "b"))
    for key, port in (("a", a), ("b", b)):
        if not _PORT.fullmatch(port):
            raise UnusableInput(
                f'"{key}" is {port[:40]!r}, not a port', where=where, remedy="Write ports like 7A"
            )
    return Circuit(switch, a, b, text_of(row, "owner", where, shape, default=""), where)


def _number(circuit: Circuit, side: str, names: Names) -> int:
    name = circuit.a if side == "A" else circuit.b
    radix = names.layout.radix
    if name[-1] != side or int(name[:-1]) > radix:
        raise UnusableInput(
            f"{name!r} is not a port of side {side}",
            where=circuit.where,
            remedy=f"Name a port from 1{side} to {radix}{side}",
        )
    return int(name[:-1])
