"""SONiC's tables of one switch, made when they are read.

CONFIG_DB / localhost / OCS_CROSS_CONNECT / 1A-2B / a_side
database    host        table               key     field
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.circuits.driver_boards import BOARDS
from fabric_twin.dialects import sonic
from fabric_twin.dialects.sonic import Dialect
from fabric_twin.simulator.gnmi.paths import Step, Steps, compact, words
from fabric_twin.simulator.gnmi.refusals import NotFound, invalid, not_found
from fabric_twin.simulator.optics import Levels
from fabric_twin.simulator.pod import SimulatedPod
from fabric_twin.simulator.points import NOWHERE

Rows = dict[str, dict[str, str]]
Places = NDArray[np.int64]
#: The frequency and temperature that a switch was measured at in the factory.
MEASURED_AT = ("229.100", "25.00")
ACCURACY = "0.10"
#: Steps of the path to a row.
_ROW = 4


class SwitchTables:
    """What one switch says of itself, by SONiC's names."""

    origin = sonic.ORIGIN

    def __init__(self, pod: SimulatedPod, switch: int) -> None:
        self._pod, self._switch = pod, switch

    @property
    def dialect(self) -> Dialect:
        """Which names it uses."""
        return self._pod.dialects[self._switch]

    def get(self, steps: Steps) -> Any:
        """The subtree at a path."""
        names = [step.name for step in steps]
        if any(step.keys for step in steps):
            raise invalid(f"{words(steps)}: SONiC's paths have no keys in brackets")
        if not names:
            return {db: self.get_database(db) for db in (sonic.CONFIG, sonic.STATE)}
        if len(names) > 1 and names[1] != sonic.HOST:
            raise not_found(f"{words(steps)}: the switch has no host but {sonic.HOST}")
        node: Any = self._tables(names[0])
        if len(names) < 3:
            return self.get_database(names[0])
        try:
            if (names[0], names[2]) == (sonic.STATE, sonic.FACTORY_LOSS) and len(names) > 3:
                return self._factory_row(*names[3:])
            node = node[names[2]]()
            for name in names[3:]:
                node = node[name]
        except (KeyError, TypeError):
            raise not_found(f"{words(steps)}: there is nothing here") from None
        return node

    def get_database(self, database: str) -> dict[str, Rows]:
        """All tables of a database."""
        return {table: rows() for table, rows in self._tables(database).items()}

    def text(self, steps: Steps) -> bytes:
        """The subtree at a path, as JSON; tables of circuits are asked for again and again."""
        names = tuple(str(step) for step in steps)
        if names[2:] not in ((sonic.CROSS_CONNECT,), (self.dialect.circuits,)):
            return compact(self.get(steps))
        # What a table is made of is its key: whatever changes it, nothing has to be remembered.
        made_of, kept = self._circuits_are_made_of(names[0]), self._pod.told
        told = kept.get((self._switch, names))
        if told is None or told[0] != made_of:
            told = kept[self._switch, names] = made_of, compact(self.get(steps))
        return told[1]

    def _circuits_are_made_of(self, database: str) -> tuple[object, ...]:
        mirrors, switch = self._pod.mirrors, self._switch
        if database == sonic.CONFIG:
            return (mirrors.configured[switch].tobytes(),)
        columns = mirrors.steered[switch], mirrors.worn[switch], self._places()
        return (self.dialect.name, *(column.tobytes() for column in columns))

    def find(self, steps: Steps) -> list[tuple[Steps, Any]]:
        """What a path leads to; a * leads to all there are of a name."""
        names = [step.name for step in steps]
        if "*" not in names:
            return [(steps, self.get(steps))]
        first = names.index("*")
        found: list[tuple[Steps, Any]] = []
        for name in self.get(steps[:first]):
            with contextlib.suppress(NotFound):
                found += self.find((*steps[:first], Step(name), *steps[first + 1 :]))
        return found

    def entries(self, steps: Steps) -> Iterator[tuple[Steps, Any]]:
        """A subtree as what is subscribed to: row by row; a row may be there later."""
        try:
            found = self.find(steps)
        except NotFound:
            if len(steps) < _ROW:
                raise
            self.get(steps[: _ROW - 1])
            return
        for path, node in found:
            yield from _rows(path, node)

    def _tables(self, database: str) -> dict[str, Callable[[], Rows]]:
        if database == sonic.CONFIG:
            return {
                sonic.METADATA: self._metadata,
                sonic.PORT: self._port_config,
                sonic.CROSS_CONNECT: self._circuit_config,
            }
        if database == sonic.STATE:
            return {
                self.dialect.ports: self._port_state,
                self.dialect.circuits: self._circuit_state,
                sonic.CHASSIS: self._chassis,
                sonic.MODULES: self._boards,
                sonic.POWER: lambda: self._units("PSU", self._pod.mirrors.feeds),
                sonic.FANS: lambda: self._units("FAN", self._pod.mirrors.fans),
                sonic.PHYSICAL_PATH: self._physical_paths,
                sonic.FACTORY_LOSS: self._factory_loss,
            }
        raise not_found(f"the switch has no database {database[:40]!r}")

    def _metadata(self) -> Rows:
        hostname = self._pod.hostnames[self._switch]
        row = {"hostname": hostname, "switch_type": "ocs", "type": "SonicOCS"}
        return {sonic.HOST: row}

    def _port_config(self) -> Rows:
        mirrors, forced = self._pod.mirrors, self.dialect.forced
        labels, blocked = mirrors.labels[self._switch], mirrors.blocked[self._switch].tolist()
        names = self._pod.points.simplex_names
        return {
            name: {
                sonic.LABEL: labels.get(name, ""),
                forced: sonic.FORCE_BLOCKED if is_blocked else sonic.NORMAL,
            }
            for name, is_blocked in zip(names, blocked, strict=True)
        }

    def _circuit_config(self) -> Rows:
        mirrors, names = self._pod.mirrors, self._pod.points.simplex_names
        joined = mirrors.configured[self._switch]
        a = np.flatnonzero(joined != NOWHERE)
        b = mirrors.radix + joined[a]
        pairs = (
            (names[one], names[other]) for one, other in zip(a.tolist(), b.tolist(), strict=True)
        )
        return {f"{a}-{b}": {sonic.A_SIDE: a, sonic.B_SIDE: b} for a, b in pairs}

    def _statuses(self) -> list[str]:
        """The word for each simplex port; empty where it has no row."""
        said = self.dialect.words
        words = ["", said["blocked"], said["tuned"], said["failed"], said["tuning"]]
        return [words[place] for place in self._places().tolist()]

    def _places(self) -> Places:
        """The status of each simplex port, as its place among the words."""
        pod, switch = self._pod, self._switch
        mirrors, now = pod.mirrors, pod.clock.now()
        steered = mirrors.steered[switch]
        # In order of precedence, the last first.
        status = np.where(steered != NOWHERE, 2, 1)
        status[mirrors.blocked[switch]] = 1
        status[mirrors.stands[switch] != steered] = 3
        status[mirrors.settles[switch] > now] = 4
        status[~mirrors.driven_of(switch)] = 0
        return status

    def _port_state(self) -> Rows:
        names, field = self._pod.points.simplex_names, self.dialect.status
        steered = self._pod.mirrors.steered[self._switch].tolist()
        return {
            name: {
                "connector_type": "LC UPC",
                "connector_pin": "1",
                sonic.TARGET: names[target] if target != NOWHERE else "",
                field: status,
            }
            for name, target, status in zip(names, steered, self._statuses(), strict=True)
            if status
        }

    def _circuit_state(self) -> Rows:
        mirrors, dialect = self._pod.mirrors, self.dialect
        names, statuses = self._pod.points.simplex_names, self._statuses()
        steered = mirrors.steered[self._switch]
        a = np.flatnonzero(steered[: mirrors.radix] != NOWHERE)
        b = steered[a]
        pairs = [
            (one, other, names[one], names[other])
            for one, other in zip(a.tolist(), b.tolist(), strict=True)
            if statuses[one] and statuses[other]
        ]
        rows: Rows = {
            f"{near}-{far}": {sonic.A_SIDE: near, sonic.B_SIDE: far} for _, _, near, far in pairs
        }
        if dialect.status_by_side:
            for row, (one, other, _, _) in zip(rows.values(), pairs, strict=True):
                row[sonic.A_STATUS], row[sonic.B_STATUS] = statuses[one], statuses[other]
            return rows
        losses = self._losses(mirrors.live_loss, a, b).tolist()
        lost = dict(zip(a.tolist(), losses, strict=True))
        for row, (one, other, near, far) in zip(rows.values(), pairs, strict=True):
            tuned = statuses[one] == statuses[other] == dialect.words["tuned"]
            row[sonic.CIRCUIT_STATUS] = sonic.ENABLED if tuned else sonic.DISABLED
            row["physical_path"] = _path(near, far, one, other)
            if tuned:
                row[sonic.LIVE_LOSS] = f"{lost[one]:.2f}"
        return rows

    def _chassis(self) -> Rows:
        serial, model = self._pod.serials[self._switch], f"OCS-{self._pod.mirrors.radix}"
        row = {"serial": serial, "model": model, "revision": "1"}
        return {"chassis 1": row}

    def _boards(self) -> Rows:
        present = self._pod.mirrors.boards[self._switch].tolist()
        return {
            f"LINE-CARD{board}": {
                "desc": "mirror driver",
                "slot": str(board + 1),
                "oper_status": sonic.ONLINE if present[board] else "Empty",
            }
            for board in range(BOARDS)
        }

    def _units(self, what: str, units: Any) -> Rows:
        return {
            f"{what} {number}": {"presence": "true", "status": str(bool(works)).lower()}
            for number, works in enumerate(units[self._switch].tolist(), 1)
        }

    def _physical_paths(self) -> Rows:
        names, radix = self._pod.points.simplex_names, self._pod.mirrors.radix
        return {
            sonic.circuit_key(names[a], names[b]): {
                "physical_path": _path(names[a], names[b], a, b)
            }
            for a in range(radix)
            for b in range(radix, 2 * radix)
        }

    def _factory_loss(self) -> Rows:
        names, radix = self._pod.points.simplex_names, self._pod.mirrors.radix
        a, b = np.repeat(np.arange(radix), radix), np.tile(np.arange(radix, 2 * radix), radix)
        losses = self._losses(self._pod.mirrors.factory_loss, a, b).tolist()
        at = "|".join(MEASURED_AT)
        return {
            f"{names[one]}-{names[other]}|{at}": {"loss_dB": f"{loss:.2f}", "accuracy_dB": ACCURACY}
            for one, other, loss in zip(a.tolist(), b.tolist(), losses, strict=True)
        }

    def _factory_row(self, key: str, *fields: str) -> Any:
        """One row, without the 20,735 others."""
        numbers, radix = self._pod.points.simplex_numbers, self._pod.mirrors.radix
        pair, *at = key.split("|")
        one, _, other = pair.partition("-")
        a, b = numbers[one], numbers[other]
        if tuple(at) != MEASURED_AT or not a < radix <= b:
            raise KeyError(key)
        [loss] = self._losses(self._pod.mirrors.factory_loss, np.array([a]), np.array([b]))
        node: Any = {"loss_dB": f"{loss:.2f}", "accuracy_dB": ACCURACY}
        for field in fields:
            node = node[field]
        return node

    def _losses(self, measure: Callable[[Any, Any, Any], Levels], a: Any, b: Any) -> Levels:
        return measure(np.full(len(a), self._switch), a, b)


def _path(near: str, far: str, a: int, b: int) -> str:
    cells = f"panel A cell {a + 1}, panel B cell {b + 1}"
    return f"{near}, fiber array A {a + 1}, {cells}, fiber array B {b + 1}, {far}"


def _rows(steps: Steps, node: Any) -> Iterator[tuple[Steps, Any]]:
    """Rows under a node: a row has four steps to it, and its database's host is one of them."""
    if len(steps) == 1:
        steps = (*steps, Step(sonic.HOST))
    if len(steps) >= _ROW or not isinstance(node, dict):
        yield steps, node
        return
    for name, below in node.items():
        yield from _rows((*steps, Step(name)), below)
