"""Fingerprints of what an audit read: equal where nothing changed."""

import json
from hashlib import blake2b
from typing import Any

from fabric_twin import __version__
from fabric_twin.repositories.pod_record import PodRecord


def fingerprints_of(record: PodRecord, fabric: str | None) -> dict[str, str]:
    """The fingerprint of each input, of what the fabric showed, and of the program that judges."""
    circuits, owners = record.circuits
    inputs = {
        "program": (__version__, record.pod.design, record.pod.name),
        "cubes": record.cubes,
        "switches": record.switches,
        "ports": sorted(record.ports.items()),
        "cables": record.cables,
        "substitutions": [vars(one) for one in record.substitutions],
        "circuits": [circuits.switch.tolist(), circuits.a.tolist(), circuits.b.tolist(), owners],
    }
    seen = {"fabric": fabric} if fabric else {}
    return {name: _fingerprint(what) for name, what in inputs.items()} | seen


def _fingerprint(what: Any) -> str:
    return blake2b(json.dumps(what, default=str).encode(), digest_size=8).hexdigest()
