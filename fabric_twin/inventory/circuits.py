"""Circuit files: cross-connects by name, and for whom, as JSON."""

import json
import re
from typing import Any

from fabric_twin.core.circuit_rules import Unhealthy
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.plans import Circuit

#: A pod's file is about 2 MB when it is written with spaces; this is eight of the largest.
LARGEST = 16 * 2**20
LONGEST_NAME = 255
_SHAPE = (
    '{"version": 1, "circuits": '
    '[{"switch": "iw1-ocs-x-3-2", "a": "7A", "b": "9B", "owner": "job-a"}]}'
)
_UNHEALTHY = '{"unhealthy": {"slots": [7], "ports": [["iw1-ocs-x-3-2", "7A"]]}}'
_PORT = re.compile(r"[1-9][0-9]{0,3}[AB]")
_SWITCH_PORT = re.compile(r"[1-9][0-9]{0,3}[AB]?")


def read_circuits(data: bytes, source: str) -> list[Circuit]:
    """Read a circuit file, or refuse it whole; keys that are not a circuit's are left alone."""
    content = _read_json(data, source, _SHAPE)
    rows = content.get("circuits") if isinstance(content, dict) else None
    if not isinstance(rows, list) or content.get("version", 1) != 1:
        raise UnusableInput(
            "there is no list of circuits of version 1", where=source, remedy=f"Write {_SHAPE}"
        )
    circuits = [_circuit(row, f"{source}, circuit {n}") for n, row in enumerate(rows, 1)]
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


def read_unhealthy(data: bytes, source: str) -> Unhealthy:
    """Read what is unhealthy from an in-use file; its slices are none of a plan's business."""
    content = _read_json(data, source, _UNHEALTHY)
    given = content.get("unhealthy", {}) if isinstance(content, dict) else None
    if not isinstance(given, dict) or content.get("version", 1) != 1:
        raise UnusableInput(
            "there is no object of version 1 that says what is unhealthy",
            where=source,
            remedy=f"Write {_UNHEALTHY}",
        )
    slots, ports = given.get("slots", []), given.get("ports", [])
    if not isinstance(slots, list) or not all(type(slot) is int for slot in slots):
        raise UnusableInput(
            '"slots" is not a list of numbers', where=source, remedy=f"Write {_UNHEALTHY}"
        )
    if not isinstance(ports, list):
        raise UnusableInput('"ports" is not a list', where=source, remedy=f"Write {_UNHEALTHY}")
    return Unhealthy(
        frozenset(slots),
        frozenset(_pair(row, f"{source}, port {n}") for n, row in enumerate(ports, 1)),
    )


def _read_json(data: bytes, source: str, shape: str) -> Any:
    if len(data) > LARGEST:
        raise UnusableInput(
            f"the file is larger than {LARGEST // 2**20} MiB",
            where=source,
            remedy="Give the circuits of one pod",
        )
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        raise UnusableInput(
            "the file is not JSON", where=f"{source}, line {line}", remedy=f"Write {shape}"
        ) from None


def _circuit(row: Any, where: str) -> Circuit:
    given = row if isinstance(row, dict) else {}
    switch, a, b = (_name(given.get(key), key, where) for key in ("switch", "a", "b"))
    for key, port in (("a", a), ("b", b)):
        if not _PORT.fullmatch(port):
            raise UnusableInput(
                f'"{key}" is {port[:40]!r}, not a port', where=where, remedy="Write ports like 7A"
            )
    owner = given.get("owner")
    return Circuit(switch, a, b, _name(owner, "owner", where) if owner else "", where)


def _name(name: Any, key: str, where: str) -> str:
    """Text that may be printed: what it holds comes back in reports and refusals."""
    if not isinstance(name, str) or not name:
        raise UnusableInput(
            f'"{key}" is missing, or not text', where=where, remedy=f"Write {_SHAPE}"
        )
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise UnusableInput(
            f'"{key}" has more than {LONGEST_NAME} characters, or one that cannot be printed',
            where=where,
            remedy="Write a name that people can read",
        )
    return name


def _pair(row: Any, where: str) -> tuple[str, str]:
    if not isinstance(row, list) or len(row) != 2:
        raise UnusableInput(
            "it is not a switch and a port", where=where, remedy=f"Write {_UNHEALTHY}"
        )
    switch, port = _name(row[0], "switch", where), _name(row[1], "port", where)
    if not _SWITCH_PORT.fullmatch(port):
        raise UnusableInput(
            f"{port[:40]!r} is not a port", where=where, remedy="Write ports like 7A"
        )
    return switch, port
