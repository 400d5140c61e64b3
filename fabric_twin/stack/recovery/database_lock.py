"""One stack runs on a database: on a server of the operator's, another folder may name it too.

The lock is the server's own, and goes with the connection that took it: a stack that was killed
holds nothing. The embedded server is its folder's alone, and needs none.
"""

import os
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from secrets import token_hex
from threading import Event, Thread
from typing import Any

from fabric_twin.core.errors import StackRefused
from fabric_twin.stack.empty_database import address_of

#: "twin", so that no lock of another program's has this number by chance.
_KEY = 0x7477696E
#: Seconds between two looks whether the connection lasts; within which a server answers.
LOOK_EVERY, ANSWER_WITHIN = 5.0, 10
#: Seconds until a server has noticed that a stack has ended.
ENDS_WITHIN = 3.0
_TAKE = "SELECT pg_try_advisory_lock(%s)"
#: Who has it, as far as this user of the server may see.
_HOLDER = """
    SELECT coalesce(application_name, ''), to_char(backend_start, 'YYYY-MM-DD HH24:MI TZ')
    FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND objid = %s AND classid = 0 AND objsubid = 1 AND granted
      AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


class DatabaseLock:
    """A database that this process alone runs a stack on."""

    def __init__(self, settings: Mapping[str, str]) -> None:
        self._address = address_of(settings)
        self._connection: Any = None
        #: As the server is told; the last word tells this lock from every other one.
        process = f"fabric-twin on {socket.gethostname()}, process {os.getpid()}"
        self._name = f"{process[:50]} {token_hex(4)}"
        self._holder = ""
        #: Why it is not held any more, for good.
        self.lost: StackRefused | None = None

    def take(self) -> None:
        """Take it, or refuse with who has it; who has just ended is waited for."""
        import psycopg2

        last = time.monotonic() + ENDS_WITHIN
        with _connected(psycopg2, self._address | {"application_name": self._name}) as connection:
            with connection.cursor() as cursor:
                cursor.execute(_TAKE, [_KEY])
                while cursor.fetchone() == (False,):
                    if time.monotonic() > last:
                        cursor.execute(_HOLDER, [_KEY])
                        raise self._taken(cursor.fetchone())
                    time.sleep(0.1)
                    cursor.execute(_TAKE, [_KEY])
            self._connection = connection

    def keep(self) -> None:
        """Take it again where the connection was lost, as by a restart of the server.

        Where the server does not answer, or has not noticed yet that the connection is lost, the
        next look tries; where another stack was quicker, it is lost.
        """
        import psycopg2

        try:
            with self._connection.cursor() as cursor:
                cursor.execute("SELECT 1")
        except psycopg2.Error:
            self.close()
            try:
                self.take()
            except StackRefused as refused:
                is_away = isinstance(refused.__cause__, psycopg2.Error)
                if not is_away and self._holder != self._name:
                    self.lost = refused

    def close(self) -> None:
        """Leave it to others."""
        with suppress(Exception):
            self._connection.close()

    def _taken(self, holder: tuple[str, str] | None) -> StackRefused:
        self._holder, since = holder or ("", "")
        name, _, _ = self._holder.rpartition(" ")
        return StackRefused(
            f"another stack runs on this database{f' ({name}, since {since})' if name else ''}",
            where=f"database {self._address['dbname']} on {self._address['host']}",
            remedy="Stop that one first, or name another database in NAUTOBOT_DB_NAME",
        )


@contextmanager
def _connected(psycopg2: Any, address: Mapping[str, Any]) -> Iterator[Any]:
    """A connection that stays open unless something fails."""
    try:
        connection = psycopg2.connect(
            **address, connect_timeout=ANSWER_WITHIN, keepalives_idle=ANSWER_WITHIN
        )
    except psycopg2.Error as error:
        raise _away(error, address) from error
    try:
        connection.autocommit = True  # no transaction that stays open with it
        yield connection
    except psycopg2.Error as error:
        connection.close()
        raise _away(error, address) from error
    except BaseException:
        connection.close()
        raise


def _away(error: Exception, address: Mapping[str, Any]) -> StackRefused:
    return StackRefused(
        str(error).strip(),
        where=f"database {address['dbname']} on {address['host']}",
        remedy="See that the server runs, and that NAUTOBOT_DB_* names it",
    )


@contextmanager
def held_alone(settings: Mapping[str, str]) -> Iterator[DatabaseLock]:
    """Hold a database for as long as this lasts; `lost` says when another stack has it."""
    lock, end = DatabaseLock(settings), Event()
    lock.take()

    def look() -> None:
        while not end.wait(LOOK_EVERY) and not lock.lost:
            lock.keep()

    # A server that hangs keeps this thread waiting, and not the one who stops the stack.
    looking = Thread(target=look, name="database lock", daemon=True)
    looking.start()
    try:
        yield lock
    finally:
        end.set()
        looking.join(1)
        if not looking.is_alive():
            lock.close()
