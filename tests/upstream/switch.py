"""One switch behind the server: two databases of plain dicts, and a STATE_DB that follows."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.upstream.words import Row, Table, Tables


class Event(NamedTuple):
    """What Redis tells its listeners: which row, and `hset`, `hdel` or `del`."""

    database: str
    table: str
    key: str
    what: str


@dataclass
class Asked:
    """One Set as it came, whatever became of it."""

    deletes: list[str]
    replaces: list[tuple[str, Any]]
    updates: list[tuple[str, Any]]
    #: `patch`, `set full config`, `replace full config`, or `refused: ...`.
    outcome: str = ""
    patch: list[dict[str, Any]] = field(default_factory=list)

    @property
    def at_root(self) -> bool:
        """Whether it would replace the whole configuration: what no client of ours may ask."""
        return "full config" in self.outcome or any(not step["path"] for step in self.patch)


class Switch:
    """Ports 1A to nA and 1B to nB, and whatever CONFIG_DB says of them.

    Nothing is checked: a port may be in two circuits (the last one steers it), and a circuit may
    name ports that are not there (which never reaches STATE_DB).
    """

    def __init__(
        self,
        *,
        radix: int = 16,
        circuits: Mapping[str, tuple[str, str]] | None = None,
        bare: bool = False,
        hostname: str = "ocs-1",
        serial: str = "SN-0001",
        fan_true: str = "True",  # str(bool), as thermalctld writes it
        psu_true: str = "true",
        tuning_seconds: float = 0,
    ) -> None:
        self.ports = [f"{number}{side}" for side in "AB" for number in range(1, radix + 1)]
        self.tuning_seconds = tuning_seconds
        #: Ports whose beam steering never succeeds.
        self.failing: set[str] = set()
        self.record: list[Asked] = []
        #: The database of each Get.
        self.gets: list[str] = []
        self._lock = threading.RLock()
        self._listeners: list[Callable[[Event], None]] = []
        self._timer: threading.Timer | None = None
        self.databases: dict[str, Tables] = {
            "CONFIG_DB": _config(self.ports, hostname, circuits or {}, bare=bare),
            "STATE_DB": _state(self.ports, serial, fan_true, psu_true),
            # The others are there, and hold nothing that we serve.
            "APPL_DB": {},
            "ASIC_DB": {},
            "COUNTERS_DB": {},
        }
        self._settle()

    def tables(self, database: str) -> Tables:
        """What is there now. Tables are never changed in place, so an answer is of one moment."""
        return self.databases[database]

    def put(self, database: str, table: str, key: str, fields: Row | None) -> None:
        """Write a row past gNMI, as a daemon would; None takes it away."""
        with self._lock:
            tables = self.tables(database)
            rows = {name: row for name, row in tables.get(table, {}).items() if name != key}
            if fields is not None:
                rows[key] = dict(fields)
            self._write(database, {**tables, table: rows})

    def configure(self, tables: Tables) -> None:
        """Take a new CONFIG_DB, and steer: targets at once, and statuses when tuning has ended."""
        with self._lock:
            self._write("CONFIG_DB", tables)
            if self._timer:
                self._timer.cancel()
            if not self.tuning_seconds:
                self._settle()
                return
            self._follow(tuning=True)
            self._timer = threading.Timer(self.tuning_seconds, self._settle)
            self._timer.daemon = True
            self._timer.start()

    def close(self) -> None:
        """Stop steering."""
        if self._timer:
            self._timer.cancel()

    @contextmanager
    def listening(self, listener: Callable[[Event], None]) -> Iterator[None]:
        """Tell the listener of every change of a row."""
        self._listeners.append(listener)
        try:
            yield
        finally:
            self._listeners.remove(listener)

    def _settle(self) -> None:
        with self._lock:
            self._follow(tuning=False)

    def _follow(self, *, tuning: bool) -> None:
        """Bring STATE_DB to what CONFIG_DB says, by the truth table of section 3."""
        config, state = self.tables("CONFIG_DB"), self.tables("STATE_DB")
        ports: Table = {port: dict(row) for port, row in state["OCS_PORT"].items()}
        circuits = {
            key: (row["a_side"], row["b_side"])
            for key, row in config.get("OCS_CROSS_CONNECT", {}).items()
            if {row.get("a_side"), row.get("b_side")} <= ports.keys()
        }
        targets = dict(circuits.values()) | {b: a for a, b in circuits.values()}
        for port, row in ports.items():
            target = targets.get(port, "")
            blocked = config.get("OCS_PORT", {}).get(port, {}).get("state") == "force_blocked"
            final = "blocked" if blocked or not target else "tuned"
            final = "failed" if port in self.failing else final
            moves = row["target_simplex_port_id"] != target or row["status"] != final
            row["status"] = "tuning" if tuning and moves else final
            row["target_simplex_port_id"] = target
        told = {
            key: {
                "a_side": a,
                "b_side": b,
                "a_side_status": ports[a]["status"],
                "b_side_status": ports[b]["status"],
            }
            for key, (a, b) in circuits.items()
        }
        self._write("STATE_DB", {**state, "OCS_PORT": ports, "OCS_CROSS_CONNECT": told})

    def _write(self, database: str, after: Tables) -> None:
        before = self.databases[database]
        self.databases[database] = {table: rows for table, rows in after.items() if rows}
        for table in before.keys() | after.keys():
            old, new = before.get(table, {}), after.get(table, {})
            if old is new or old == new:
                continue
            for key in [*old, *(key for key in new if key not in old)]:
                for what in _changes(old.get(key), new.get(key)):
                    for listener in list(self._listeners):
                        listener(Event(database, table, key, what))


def _changes(old: Row | None, new: Row | None) -> Iterator[str]:
    """A row is written before fields that it has no more are taken out of it."""
    if new is None:
        yield "del"
    elif new != old:
        yield "hset"
        if old and old.keys() - new.keys():
            yield "hdel"


def _config(
    ports: list[str], hostname: str, circuits: Mapping[str, tuple[str, str]], *, bare: bool
) -> Tables:
    """The configuration at first; a bare switch has neither ports nor circuits in it."""
    machine = {"hostname": hostname, "switch_type": "ocs", "type": "SonicOCS"}
    tables: Tables = {"DEVICE_METADATA": {"localhost": machine}}
    if not bare:
        tables["OCS_PORT"] = {port: {"label": "", "state": "normal"} for port in ports}
    if circuits:
        tables["OCS_CROSS_CONNECT"] = {
            key: {"a_side": a, "b_side": b} for key, (a, b) in circuits.items()
        }
    return tables


def _state(ports: list[str], serial: str, fan_true: str, psu_true: str) -> Tables:
    """What daemons have written: ports, all possible paths and their loss, and the platform."""
    pairs = [(a, b) for a in ports for b in ports if a.endswith("A") and b.endswith("B")]
    return {
        "OCS_PORT": {
            port: {
                "connector_type": "LC UPC",
                "connector_pin": str(1 + ports.index(port)),
                "target_simplex_port_id": "",
                "status": "blocked",
            }
            for port in ports
        },
        "OCS_CROSS_CONNECT_PHYSICAL_PATH": {
            f"{a}-{b}": {"physical_path": [a, "panel A", "panel B", b]} for a, b in pairs
        },
        "OCS_FACTORY_INSERTION_LOSS": {
            f"{a}-{b}|229.100|25.00": {"loss_dB": "1.50", "accuracy_dB": "0.10"} for a, b in pairs
        },
        "CHASSIS_INFO": {"chassis 1": {"serial": serial, "model": "OCS", "revision": "A"}},
        "FAN_INFO": {
            f"FAN {number}": {"presence": fan_true, "status": fan_true, "speed": "60"}
            for number in (1, 2)
        },
        "PSU_INFO": {
            f"PSU {number}": {"presence": psu_true, "status": psu_true} for number in (1, 2)
        },
    }
