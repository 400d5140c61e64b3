"""SONiC's tables of a switch, read as a state, whatever the dialect."""

import math
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from fabric_twin.core.identity import Told
from fabric_twin.dialects import sonic
from fabric_twin.dialects.sonic import Dialect
from fabric_twin.switches.answer_json import value_of
from fabric_twin.switches.states import (
    CircuitState,
    FactoryLoss,
    Pair,
    PortState,
    PortStatus,
    SwitchState,
)
from fabric_twin.switches.whom import plain_text

Row = Mapping[str, str]
Rows = Mapping[str, Row]
#: A database and a table of it: what is read and watched.
Table = tuple[str, str]
Path = tuple[str, ...]
#: Who a switch is: what somebody called it, and what its maker did.
IDENTITY: tuple[Table, Table] = (sonic.CONFIG, sonic.METADATA), (sonic.STATE, sonic.CHASSIS)


def tables(dialect: Dialect) -> tuple[Table, ...]:
    """Every table that a state is made of; never the large ones."""
    return (
        *circuit_tables(dialect),
        (sonic.CONFIG, sonic.PORT),
        *(() if not dialect.status_by_side else ((sonic.STATE, dialect.ports),)),
        (sonic.STATE, sonic.POWER),
        (sonic.STATE, sonic.FANS),
        (sonic.STATE, sonic.MODULES),
    )


def circuit_tables(dialect: Dialect) -> tuple[Table, ...]:
    """What tells how circuits are, and who says so; where rows of circuits do not, those of ports
    do."""
    ports = () if dialect.status_by_side else ((sonic.STATE, dialect.ports),)
    return (*IDENTITY, (sonic.CONFIG, sonic.CROSS_CONNECT), (sonic.STATE, dialect.circuits), *ports)


def told_of(rows: Mapping[Table, Rows]) -> Told:
    """Who a switch says that it is."""
    named, made = (rows.get(table, {}).values() for table in IDENTITY)
    return Told(
        plain_text(next((row.get(sonic.HOSTNAME) for row in named), "")),
        plain_text(next((row.get(sonic.SERIAL) for row in made), "")),
    )


def path(table: Table) -> Path:
    """The path of a table."""
    database, name = table
    return database, sonic.HOST, name


def state_of(
    name: str, rows: Mapping[Table, Rows], dialect: Dialect, told_at: float
) -> SwitchState:
    """What tables say."""
    said = {word: PortStatus(status) for status, word in dialect.words.items()}
    state = rows.get((sonic.STATE, dialect.ports), {})
    status = {
        port: said.get(row.get(dialect.status, ""), PortStatus.UNKNOWN)
        for port, row in state.items()
    }
    config: Rows = rows.get((sonic.CONFIG, sonic.PORT), {})
    nothing: Row = {}
    ports = {
        port: PortState(
            status[port],
            row.get(sonic.TARGET, ""),
            config.get(port, nothing).get(dialect.forced) == sonic.FORCE_BLOCKED,
            config.get(port, nothing).get(sonic.LABEL, ""),
        )
        for port, row in state.items()
    }
    carried = {
        pair: _circuit(pair, row, status, said, dialect)
        for key, row in rows.get((sonic.STATE, dialect.circuits), {}).items()
        if (pair := _pair(key, row))
    }
    return SwitchState(
        name,
        ports,
        frozenset(
            pair
            for key, row in rows.get((sonic.CONFIG, sonic.CROSS_CONNECT), {}).items()
            if (pair := _pair(key, row))
        ),
        carried,
        power=_works(rows.get((sonic.STATE, sonic.POWER), {})),
        fans=_works(rows.get((sonic.STATE, sonic.FANS), {})),
        boards={
            board: row.get("oper_status") == sonic.ONLINE
            for board, row in rows.get((sonic.STATE, sonic.MODULES), {}).items()
        },
        serial=told_of(rows).serial,
        told_at=told_at,
    )


def factory_loss(row: Any) -> FactoryLoss | None:
    """What a row of factory losses says; nothing, if it cannot be read."""
    try:
        told = FactoryLoss(float(row[sonic.FACTORY_DB]), float(row[sonic.FACTORY_ACCURACY]))
    except (ValueError, TypeError, KeyError):
        return None
    return told if all(map(math.isfinite, told)) else None


def odd_keys(rows: Mapping[Table, Rows]) -> dict[Pair, list[str]]:
    """The keys of configured circuits that are not called by their ports."""
    found: dict[Pair, list[str]] = {}
    for key, row in rows.get((sonic.CONFIG, sonic.CROSS_CONNECT), {}).items():
        if pair := _pair(key, row):
            found.setdefault(pair, []).append(key)
    return {pair: keys for pair, keys in found.items() if keys != [sonic.circuit_key(*pair)]}


def _pair(key: str, row: Row) -> Pair | None:
    """The ports of a circuit, as its row tells them or else its key; some rows are of none."""
    a, b = row.get(sonic.A_SIDE), row.get(sonic.B_SIDE)
    if not (a and b):
        a, _, b = key.partition("-")
    return (a, b) if a and b else None


def _circuit(
    pair: Pair,
    row: Row,
    ports: Mapping[str, PortStatus],
    said: Mapping[str, PortStatus],
    dialect: Dialect,
) -> CircuitState:
    if dialect.status_by_side:
        a, b = row.get(sonic.A_STATUS, ""), row.get(sonic.B_STATUS, "")
        return _without_loss(said.get(a, PortStatus.UNKNOWN), said.get(b, PortStatus.UNKNOWN))
    loss = float(row.get(sonic.LIVE_LOSS, "nan"))
    if row.get(sonic.CIRCUIT_STATUS) == sonic.ENABLED:
        return CircuitState(PortStatus.TUNED, PortStatus.TUNED, loss)
    a, b = (ports.get(port, PortStatus.UNKNOWN) for port in pair)
    # Disabled, and both ports are tuned: the table of ports was read a moment later.
    if a is b is PortStatus.TUNED:
        a = b = PortStatus.TUNING
    return CircuitState(a, b, loss)


@cache
def _without_loss(a: PortStatus, b: PortStatus) -> CircuitState:
    """Circuits of the same statuses are the same to the reader."""
    return CircuitState(a, b)


def _works(rows: Rows) -> dict[str, bool]:
    """Daemons in Python write `True`, others `true` or `1`; what is not told is not broken."""
    return {
        name: all(_is_true(row.get(what, "true")) for what in ("presence", "status"))
        for name, row in rows.items()
    }


def _is_true(word: object) -> bool:
    return str(word).lower() in ("true", "1")


def rows_of(told: Iterable[tuple[Path, bytes]]) -> dict[Table, dict[str, Any]]:
    """Tables from an answer, whether it tells them whole, row by row, or field by field."""
    rows: dict[Table, dict[str, Any]] = {}
    for steps, text in told:
        value = value_of(text)
        # Put below the names that its path has more or fewer of, it is rows of a table.
        for name in reversed(steps[3:]):
            value = {name: value}
        if len(steps) >= 3:
            whole = {(steps[0], steps[2]): value}
        else:
            hosts = value if len(steps) == 1 else {sonic.HOST: value}
            whole = {
                (steps[0], table): at for below in hosts.values() for table, at in below.items()
            }
        for table, made in whole.items():
            for key, row in (made or {}).items():
                rows.setdefault(table, {}).setdefault(key, {}).update(row)
    return rows
