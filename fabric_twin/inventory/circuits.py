"""Circuit files: cross-connects by name, and for whom, as JSON (`design.md` 6.2)."""

import re
from collections.abc import Sequence
from typing import Any

from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.errors import UnusableInput
from fabric_twin.inventory.json_files import list_of, read_object, text_of

_SHAPE = (
    '{"version": 1, "circuits": '
    '[{"switch": "iw1-ocs-x-3-2", "a": "7A", "b": "9B", "owner": "job-a"}]}'
)
_PORT = re.compile(r"([1-9]\d{0,3})([AB])", re.ASCII)


def read_circuits(data: bytes, source: str) -> list[Circuit]:
    """Read a circuit file, or refuse it whole; keys that are not a circuit's are left alone."""
    content = read_object(data, source, _SHAPE)
    return circuits_of(list_of(content, "circuits", source, _SHAPE, needed=True), source)


def circuits_of(rows: Sequence[Any], source: str, shape: str = _SHAPE) -> list[Circuit]:
    """Circuits of a list in a file, whatever the pod; the same one twice is refused."""
    circuits = [_circuit(row, f"{source}, circuit {n}", shape) for n, row in enumerate(rows, 1)]
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


def _circuit(row: Any, where: str, shape: str) -> Circuit:
    switch, a, b = (text_of(row, key, where, shape) for key in ("switch", "a", "b"))
    for key, port in (("a", a), ("b", b)):
        if not _PORT.fullmatch(port):
            raise UnusableInput(
                f'"{key}" is {port[:40]!r}, not a port', where=where, remedy="Write ports like 7A"
            )
    return Circuit(switch, a, b, text_of(row, "owner", where, shape, default=""), where)
