"""What survives a restart: the plant, the parts, what is configured and what is broken.

Where mirrors point is not saved: they lose it with power, and are sent there again.
"""

import io
import json
import os
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from fabric_twin.core.errors import UnusableInput
from fabric_twin.dialects import sonic
from fabric_twin.dialects.sonic import DIALECTS
from fabric_twin.simulator.configuration import Draft
from fabric_twin.simulator.faults.book import Fault, FaultBook
from fabric_twin.simulator.mirrors import pairs_of
from fabric_twin.simulator.pod import Manners, SimulatedPod

VERSION = 2
_PLANT = ("a", "b", "crossed", "broken", "loss", "dirt", "glare")
_MIRRORS = ("stuck", "worn", "boards", "pulled", "feeds", "fans", "runs")
_PARTS = ("grid", "launch", "faded", "warm", "slowed", "trays", "cubes", "copper")


def save(path: Path, books: Sequence[FaultBook]) -> None:
    """Write the state of some pods into a file, whole or not at all."""
    columns: dict[str, Any] = {}
    for book in books:
        pod = book.pod
        parts = ((pod.plant, _PLANT), (pod.mirrors, _MIRRORS), (pod.parts, _PARTS))
        for part, names in parts:
            for name in names:
                columns[f"{pod.name}/{type(part).__name__}/{name}"] = getattr(part, name)
        columns[f"{pod.name}/answers"] = pod.answers
    content = {"version": VERSION, "pods": {book.pod.name: _words(book) for book in books}}
    columns["json"] = np.frombuffer(json.dumps(content).encode(), dtype=np.uint8)
    written = io.BytesIO()
    np.savez(written, **columns)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".fabric-twin-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(written.getvalue())
            file.flush()
            os.fsync(file.fileno())
        Path(draft).replace(path)
    finally:
        Path(draft).unlink(missing_ok=True)


def load(path: Path, books: Sequence[FaultBook]) -> list[FaultBook]:
    """Bring pods back to what was saved; those that were not there yet are returned.

    A file that has others as well is refused: what it holds of them would be lost.
    """
    try:
        with np.load(path, allow_pickle=False) as columns:
            content = json.loads(columns["json"].tobytes())
            known = [book for book in books if book.pod.name in content["pods"]]
            for book in known:
                _restore(book, columns, content["pods"][book.pod.name])
            if len(known) < len(content["pods"]):
                raise KeyError
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise UnusableInput(
            f"it does not hold the state of these pods ({type(error).__name__})",
            where=str(path),
            remedy="Name the file of this pod and design, or another to begin anew",
        ) from None
    return [book for book in books if book not in known]


def _words(book: FaultBook) -> dict[str, Any]:
    pod = book.pod
    return {
        "seed": pod.seed,
        "now": pod.clock.now(),
        "epoch": pod.epoch,
        "cables": pod.plant.names,
        "serials": pod.parts.serials,
        "parts": pod.parts.parts,
        **_configurations(pod),
        "stale": [pairs.tolist() for pairs in pod.mirrors.stale],
        "switch_serials": pod.serials,
        "dialects": [dialect.name for dialect in pod.dialects],
        "flows": {name: switch.as_json() for name, switch in pod.packet_switches.items()},
        "manners": {device: vars(manner) for device, manner in pod.manners.items()},
        "made": book.made,
        "faults": [vars(fault) for fault in book.there.values()],
    }


def _restore(book: FaultBook, columns: Any, words: dict[str, Any]) -> None:
    pod = book.pod
    parts = ((pod.plant, _PLANT), (pod.mirrors, _MIRRORS), (pod.parts, _PARTS))
    for part, names in parts:
        for name in names:
            place, now = f"{pod.name}/{type(part).__name__}/{name}", getattr(part, name)
            # Older files do not know of boards that are pulled, and of slow ports.
            saved = columns.get(place, now)
            if part is not pod.plant and saved.shape != now.shape:
                raise ValueError(name)
            setattr(part, name, saved.astype(now.dtype))
    pod.answers = columns[f"{pod.name}/answers"].astype(np.int32)
    pod.plant.names, pod.parts.serials, pod.parts.parts = (
        words[key] for key in ("cables", "serials", "parts")
    )
    pod.begin_anew([DIALECTS[name] for name in words["dialects"]])
    if "configs" in words:
        _restore_configurations(pod, words)
        pod.mirrors.stale = [pairs_of(pairs) for pairs in words["stale"]]
        pod.serials = words["switch_serials"]
    else:
        _restore_columns(pod, columns, words["labels"])
    pod.manners = {device: Manners(**manner) for device, manner in words["manners"].items()}
    # Older files do not know of flows.
    for name, kept in words.get("flows", {}).items():
        pod.packet_switches[name].restore(kept)
    # Devices have clocks of their own, which went on while the fabric was off.
    pod.epoch = max(pod.epoch, words["epoch"])
    book.made = words["made"]
    for saved in words["faults"]:
        book.restore(Fault(**saved))
    pod.plant.changed()
    pod.parts.changed()
    for switch in range(pod.points.switches):
        pod.steer(switch)


def _configurations(pod: SimulatedPod) -> dict[str, Any]:
    """Configurations, each table once: most switches share those that nobody changed."""
    places: dict[int, int] = {}
    tables: list[Any] = []

    def place(table: Any) -> int:
        if id(table) not in places:
            places[id(table)] = len(tables)
            tables.append(table)
        return places[id(table)]

    kept = {
        name: [{table: place(rows) for table, rows in config.items()} for config in configurations]
        for name, configurations in (("configs", pod.configs), ("before", pod.before))
    }
    return {**kept, "tables": tables}


def _restore_configurations(pod: SimulatedPod, words: dict[str, Any]) -> None:
    tables = words["tables"]
    for switch in range(pod.points.switches):
        for name in ("before", "configs"):
            config = words[name][switch]
            pod.take(switch, {table: tables[place] for table, place in config.items()})


def _restore_columns(pod: SimulatedPod, columns: Any, labels: list[dict[str, str]]) -> None:
    """Configurations of a file that was written before switches had tables."""
    names, radix = pod.points.simplex_names, pod.mirrors.radix
    joined, blocked = (columns[f"{pod.name}/Mirrors/{name}"] for name in ("configured", "blocked"))
    for switch in range(pod.points.switches):
        circuits = {
            names[a]: names[radix + b] for a, b in enumerate(joined[switch].tolist()) if b >= 0
        }
        dark = {names[port] for port in np.flatnonzero(blocked[switch]).tolist()}
        pod.take(
            switch,
            Draft(circuits, dark, radix).tables(pod.configs[switch], pod.dialects[switch]),
        )
        rows = dict(pod.configs[switch][sonic.PORT])
        rows |= {port: {**rows[port], sonic.LABEL: text} for port, text in labels[switch].items()}
        pod.take(switch, {**pod.configs[switch], sonic.PORT: rows})


def saved_moment(path: Path) -> float:
    """What time it was in the fabric when it was saved."""
    try:
        with np.load(path, allow_pickle=False) as columns:
            pods = json.loads(columns["json"].tobytes())["pods"]
            return max((float(pod["now"]) for pod in pods.values()), default=0.0)
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
        return 0.0
