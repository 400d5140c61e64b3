"""A pod that many classes begin with: loaded once in a process, then copied row by row.

Each class has it as if it had loaded it: under a key of its own, behind the address of its fabric.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

from django.db import connection

from fabric_twin.models import Pod
from fabric_twin.operations.pods.load import load_pod
from tests.nautobot.bases.pods.small_pod import make_location

#: Of every table: what can be written to it.
_COLUMNS = """
    SELECT table_name, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position)
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'
    GROUP BY table_name ORDER BY table_name
"""


@dataclass(frozen=True)
class _Kept:
    """The rows of a loading by table, as text."""

    rows: dict[tuple[str, str], bytes]
    pod: str
    address: str


_KEPT: dict[tuple[str, tuple[int, ...]], _Kept] = {}


def pod_loaded(design: str, slots: Sequence[int], address: str = "") -> Pod:
    """The pod `iw` in a hall, as `load_pod` writes it, in a transaction that wrote nothing yet."""
    kind = design, tuple(slots)
    if kept := _KEPT.get(kind):
        return _copied(kept, address)
    load_pod("iw", design, make_location("Hall"), slots=slots, address=address)
    pod = Pod.objects.get(name="iw")
    _KEPT[kind] = _Kept(_written(), str(pod.pk), address)
    return pod


def _written() -> dict[tuple[str, str], bytes]:
    """All rows that this transaction has written."""
    found: dict[tuple[str, str], bytes] = {}
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_xact_id()::text::bigint % (2 ^ 32)::bigint")
        (first,) = cursor.fetchone()
        cursor.execute(_COLUMNS)
        for table, columns in cursor.fetchall():
            there = f'SELECT {columns} FROM "{table}" WHERE xmin::text::bigint >= {first}'  # noqa: S608
            if rows := _copy(f"COPY ({there}) TO STDOUT"):
                found[table, columns] = rows
    return found


def _copied(kept: _Kept, address: str) -> Pod:
    pod = str(uuid4())
    with connection.cursor() as cursor:
        # Neither triggers nor keys to other tables are asked: these rows passed them once.
        cursor.execute("SET LOCAL session_replication_role = replica")
        for (table, columns), rows in kept.rows.items():
            ours = rows.replace(kept.pod.encode(), pod.encode())
            if kept.address:
                ours = ours.replace(kept.address.encode(), address.encode())
            _copy(f'COPY "{table}" ({columns}) FROM STDIN', ours)
        cursor.execute("SET LOCAL session_replication_role = origin")
        tables = ", ".join(f'"{table}"' for table, _ in kept.rows)
        cursor.execute(f"ANALYZE {tables}")
    return Pod.objects.get(pk=pod)


def _copy(command: str, rows: bytes = b"") -> bytes:
    """What PostgreSQL copies out; or in, from rows."""
    file, raw = io.BytesIO(rows), connection.connection
    with raw.cursor() as cursor:
        cursor.copy_expert(command, file)
    return file.getvalue()
