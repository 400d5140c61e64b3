"""SONiC's tables of one switch, made when they are read.

CONFIG_DB / localhost / OCS_CROSS_CONNECT / 1A-2B / a_side
database    host        table               key     field
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fabric_twin.core.circuits.driver_boards import BOARDS
from fabric_twin.dialects import sonic
from fabric_twin.dialects.sonic import Dialect
from fabric_twin.simulator.configuration import Table, Tables
from fabric_twin.simulator.gnmi.paths import compact
from fabric_twin.simulator.optics import Levels
from fabric_twin.simulator.pod import SimulatedPod
from fabric_twin.simulator.points import NOWHERE
from fabric_twin.simulator.shape import Names

Rows = dict[str, dict[str, str]]
Places = NDArray[np.int64]
#: The frequency and temperature that a switch was measured at in the factory.
MEASURED_AT = ("229.100", "25.00")
ACCURACY = "0.10"
#: Tables with a row for every pair of ports.
_LARGE = (sonic.PHYSICAL_PATH, sonic.FACTORY_LOSS)


class Same:
    """Equal to another one of the very same object: configurations are never changed in place."""

    def __init__(self, there: object) -> None:
        self._there = there

    def __eq__(self, other: object) -> bool:
        """Whether both are of one object."""
        return isinstance(other, Same) and self._there is other._there

    __hash__ = None  # type: ignore[assignment]


class SwitchTables:
    """What one switch says of itself, by SONiC's names."""

    def __init__(self, pod: SimulatedPod, switch: int) -> None:
        self._pod, self._switch = pod, switch
        #: Rows of factory losses that were asked for together.
        self._factory: Rows = {}

    @property
    def dialect(self) -> Dialect:
        """Which names it uses."""
        return self._pod.dialects[self._switch]

    def config(self) -> Tables:
        """The tables of its configuration."""
        return self._pod.configs[self._switch]

    def names(self, database: str) -> list[str]:
        """The tables of a database that may have rows."""
        return list(self.config() if database == sonic.CONFIG else self._state_tables())

    def rows(self, database: str, table: str) -> Table:
        """The rows of a table; none where there is no such table."""
        if database == sonic.CONFIG:
            return self.config().get(table, {})
        made = self._state_tables().get(table)
        return made() if made else {}

    def has_rows(self, database: str, table: str) -> bool:
        """Whether a table has any; the large ones always have, and are not made to see it."""
        return table in _LARGE or bool(self.rows(database, table))

    def find(self, database: str, names: Names) -> Any:
        """All tables, a table, a row or a field; nothing where there is none."""
        if not names:
            every = {table: self.rows(database, table) for table in self.names(database)}
            return {table: rows for table, rows in every.items() if rows}
        if (database, *names[:1]) == (sonic.STATE, sonic.FACTORY_LOSS) and len(names) > 1:
            key, rest = names[1], names[2:]
            node: Any = (self._factory or self._factory_rows([key])).get(key)
        else:
            node, rest = self.rows(database, names[0]), names[1:]
        for name in rest:
            node = node.get(name) if isinstance(node, Mapping) else None
        return node

    def will_be_asked(self, database: str, paths: Iterable[Names]) -> None:
        """Make rows of factory losses, which are asked for by key, all at once."""
        large = (sonic.STATE, sonic.FACTORY_LOSS)
        keys = [names[1] for names in paths if (database, *names[:1]) == large and len(names) > 1]
        self._factory = self._factory_rows(keys) if keys else {}

    def text(self, database: str, names: Names) -> bytes | None:
        """The same as JSON; tables of circuits and ports are asked for again and again."""
        if len(names) != 1 or (made_of := self._is_made_of(database, names[0])) is None:
            node = self.find(database, names)
            return None if node in (None, {}) else compact(node)
        # What a table is made of is its key: whatever changes it, nothing has to be remembered.
        kept, key = self._pod.told, (self._switch, database, names[0])
        told = kept.get(key)
        if told is None or told[0] != made_of:
            rows = self.rows(database, names[0])
            told = kept[key] = made_of, compact(rows) if rows else None
        return told[1]

    def _is_made_of(self, database: str, table: str) -> object:
        """What a table that is asked for often is made of."""
        mirrors, switch, dialect = self._pod.mirrors, self._switch, self.dialect
        if database == sonic.CONFIG:
            return Same(self.config().get(table))
        if table not in (dialect.circuits, dialect.ports):
            return None
        columns = mirrors.carried[switch], mirrors.steered[switch], self._places()
        worn = mirrors.worn[switch].tobytes()
        return (dialect.name, worn, *(column.tobytes() for column in columns))

    def _state_tables(self) -> dict[str, Callable[[], Rows]]:
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
        carried = mirrors.carried[self._switch]
        a, b = carried[:, 0], carried[:, 1]
        pairs = [
            (one, other, names[one], names[other])
            for one, other in carried.tolist()
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
        lost = dict(zip(map(tuple, carried.tolist()), losses, strict=True))
        looks_at = mirrors.steered[self._switch].tolist()
        for row, (one, other, near, far) in zip(rows.values(), pairs, strict=True):
            tuned = statuses[one] == statuses[other] == dialect.words["tuned"]
            row[sonic.CIRCUIT_STATUS] = sonic.ENABLED if tuned else sonic.DISABLED
            row["physical_path"] = _path(near, far, one, other)
            # Light is measured where both mirrors look at each other.
            if tuned and (looks_at[one], looks_at[other]) == (other, one):
                row[sonic.LIVE_LOSS] = f"{lost[one, other]:.2f}"
        return rows

    def _chassis(self) -> Rows:
        serial, model = self._pod.serials[self._switch], f"OCS-{self._pod.mirrors.radix}"
        row = {"serial": serial, "model": model, "revision": "1"}
        return {"chassis 1": row}

    def _boards(self) -> Rows:
        mirrors, switch = self._pod.mirrors, self._switch
        present, pulled = mirrors.boards[switch].tolist(), mirrors.pulled[switch].tolist()
        return {
            f"LINE-CARD{board}": {
                "desc": "mirror driver",
                "slot": str(board + 1),
                "oper_status": sonic.ONLINE if present[board] else "Empty",
            }
            for board in range(BOARDS)
            if not pulled[board]
        }

    def _units(self, what: str, units: Any) -> Rows:
        # The daemon of fans writes Python's str(bool), that of power feeds does not.
        spell = str if what == "FAN" else lambda well: str(well).lower()
        return {
            f"{what} {number}": {"presence": spell(True), "status": spell(bool(works))}
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

    def _factory_rows(self, keys: Iterable[str]) -> Rows:
        """Some rows, without the 20,736 that there are; keys of none are left out."""
        numbers, radix = self._pod.points.simplex_numbers, self._pod.mirrors.radix
        there, a, b = list[str](), list[int](), list[int]()
        for key in keys:
            pair, *at = key.split("|")
            near, _, far = pair.partition("-")
            one, other = numbers.get(near, NOWHERE), numbers.get(far, NOWHERE)
            if tuple(at) == MEASURED_AT and 0 <= one < radix <= other:
                there.append(key)
                a.append(one)
                b.append(other)
        losses = self._losses(self._pod.mirrors.factory_loss, np.array(a, int), np.array(b, int))
        return {
            key: {"loss_dB": f"{loss:.2f}", "accuracy_dB": ACCURACY}
            for key, loss in zip(there, losses.tolist(), strict=True)
        }

    def _losses(self, measure: Callable[[Any, Any, Any], Levels], a: Any, b: Any) -> Levels:
        return measure(np.full(len(a), self._switch), a, b)


def _path(near: str, far: str, a: int, b: int) -> str:
    cells = f"panel A cell {a + 1}, panel B cell {b + 1}"
    return f"{near}, fiber array A {a + 1}, {cells}, fiber array B {b + 1}, {far}"
