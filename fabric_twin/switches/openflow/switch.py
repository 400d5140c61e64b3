"""A driver of packet switches: rows of ours are read, changed and read back, and no others."""

import contextlib
import math
import random
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from fabric_twin.core.errors import NoAnswer, NotAsAsked, TooLate
from fabric_twin.dialects import openflow as of
from fabric_twin.switches.channels import check_tls
from fabric_twin.switches.conversation import too_late
from fabric_twin.switches.driver import Access, Patience, Target
from fabric_twin.switches.openflow import messages
from fabric_twin.switches.openflow.connection import Connection, SaidNo, distrusted
from fabric_twin.switches.openflow.messages import Unreadable
from fabric_twin.switches.openflow.table import (
    COOKIE,
    PRIORITY,
    Applied,
    Difference,
    Flow,
    Row,
    Sent,
    Table,
    check_ports,
)

T = TypeVar("T")
_NOT_SENT = "it was not sent, because of what was refused before"
_UNSENT = "it was not sent, because the switch did not answer before"
_NOT_OURS = "a flow that is not ours has port {} at our priority"
_TOO_LATE = "it was not sent, because the time in which it might be was over"


class OpenFlowSwitch:
    """A conversation with one packet switch.

    The serial of its target's `known` is the datapath id that it should have.
    """

    def __init__(self, target: Target, access: Access, patience: Patience) -> None:
        check_tls(target, access)
        self.target, self._access, self._patience = target, access, patience
        self._connection: Connection | None = None
        self._closed = threading.Event()

    def read(self) -> Table:
        """Read its ports, and the rows that are ours."""
        return self._tried(_table)

    def in_the_way(self, flows: Iterable[Flow]) -> Mapping[Flow, str]:
        """Entries that it would refuse, because a row that is not ours is in their place."""
        rows = self._tried(lambda connection: [*_rows(connection, messages.rows_asked())])
        others = {
            messages.port_of(row.match)
            for row in rows
            if row.priority == PRIORITY and row.cookie != COOKIE
        }
        every = dict.fromkeys(flows, "a flow that is not ours has every port at our priority")
        if None in others:
            return every
        return {flow: _NOT_OURS.format(flow.into) for flow in every if flow.into in others}

    def apply(self, difference: Difference) -> Applied:
        """Remove rows of ours and then add entries, one after the other; read them back.

        It is idempotent: rows that are gone, and entries that are there, are done already.
        """
        before = self.read()
        check_ports(self.target.name, before, difference.add)
        remove = [row for row in difference.remove if row in before.rows]
        add = [flow for flow in difference.add if flow not in before.entries]
        if not (remove or add):
            return Applied(before)
        why = self.send(remove, add).why
        after = self.read()
        there = {*after.rows, *after.entries}
        left = [what for what in why if (what in there) is isinstance(what, Row)]
        return Applied(after, {what: why[what] for what in left})

    def send(self, remove: Iterable[Row], add: Iterable[Flow], *, until: float = math.inf) -> Sent:
        """Remove rows of ours and then add entries, until one is not done; nothing is read back.

        After `until`, a moment of `time.monotonic()`, nothing is sent: `TooLate` where nothing was
        before.
        """
        changes: list[Row | Flow] = [*remove, *add]
        why = dict.fromkeys(changes, _NOT_SENT)
        for number, what in enumerate(changes):
            why[what] = "the switch acknowledged it, and does not show it"
            try:
                self._send(what, until)
            except TooLate:
                if not number:
                    raise
                return Sent(why | dict.fromkeys(changes[number:], _TOO_LATE))
            except SaidNo as refusal:
                return Sent(why | {what: f"it refuses: {refusal}"}, refused=what)
            except (OSError, Unreadable) as error:
                self._hang_up()
                silent = {what: f"the switch did not answer ({_reason(error)})"}
                unsent = dict.fromkeys(changes[number:], _UNSENT)
                return Sent(why | unsent | silent, unknown=what)
        return Sent(why)

    def close(self) -> None:
        """Hang up."""
        self._closed.set()
        self._hang_up()

    def _send(self, what: Row | Flow, until: float) -> None:
        """Make one change, and wait until the switch is done with it."""
        connection = self._connected()
        if isinstance(what, Flow):
            self._check_free(connection, what)
        if time.monotonic() >= until:
            raise too_late(self.target.name)
        body = messages.removed(what) if isinstance(what, Row) else messages.added(what)
        connection.change(body)

    def _check_free(self, connection: Connection, flow: Flow) -> None:
        """Refuse an entry that would be written over another row."""
        match = messages.from_port(flow.into)
        for row in _rows(connection, messages.rows_from_asked(flow.into)):
            if (row.priority, row.match) != (PRIORITY, match):
                continue
            if row.cookie != COOKIE:
                raise SaidNo(_NOT_OURS.format(flow.into))
            if row.flow != flow:
                raise SaidNo(f"another row of ours has port {flow.into}")

    def _connected(self) -> Connection:
        """The connection, or a new one to a switch that shows who it is."""
        if self._connection is None:
            connection = Connection(self.target, self._access, self._patience.request)
            try:
                self._check_datapath(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _check_datapath(self, connection: Connection) -> None:
        """Refuse to go on with another switch than the one recorded."""
        told = messages.datapath_of(connection.ask(of.FEATURES_REQUEST, of.FEATURES_REPLY))
        known = self.target.known
        if known and told != known.serial:
            raise NotAsAsked(
                f"another switch answers at its address (datapath {told}); recorded is datapath "
                f"{known.serial}",
                where=self.target.name,
                remedy="Check its address; if the switch was replaced, record its datapath",
            )

    def _hang_up(self) -> None:
        if self._connection:
            with contextlib.suppress(OSError):
                self._connection.close()
            self._connection = None

    def _tried(self, ask: Callable[[Connection], T]) -> T:
        """Ask as often as patience allows, each time on a connection that is whole."""
        last = ""
        for tried in range(self._patience.tries):
            if tried:
                pause = self._patience.pause * 2 ** (tried - 1)
                self._closed.wait(pause * random.uniform(0.5, 1.0))  # noqa: S311  # not a secret
            if self._closed.is_set():
                last = "nobody waits for it any more"
                break
            try:
                return ask(self._connected())
            except (ssl.SSLEOFError, ssl.SSLZeroReturnError) as error:
                last = _reason(error)
            except ssl.SSLError as error:  # by TLS 1.3 it refuses our certificate only now
                self._hang_up()
                raise distrusted(self.target, error) from None
            except OSError as error:
                last = _reason(error)
            except (Unreadable, SaidNo) as error:
                self._hang_up()
                raise NotAsAsked(
                    str(error) if isinstance(error, Unreadable) else f"it refuses: {error}",
                    where=self.target.name,
                    remedy="Check its address, and that it speaks OpenFlow 1.3 there",
                ) from None
            self._hang_up()
        raise NoAnswer(
            f"it did not answer ({last})",
            where=self.target.name,
            remedy=f"See whether it runs and answers at {self.target.address}",
        )


def _table(connection: Connection) -> Table:
    ports = connection.ask_for_all(of.PORT_DESCRIPTION, messages.ports_asked())
    rows = _rows(connection, messages.our_rows_asked())
    # A switch that does not know cookies shows every row: those of others stay theirs.
    return Table(messages.ports_of(ports), tuple(row for row in rows if row.cookie == COOKIE))


def _rows(connection: Connection, asked: bytes) -> Iterable[Row]:
    return messages.rows_of(connection.ask_for_all(of.FLOW, asked))


def _reason(error: Exception) -> str:
    told = getattr(error, "reason", None) or getattr(error, "strerror", None) or str(error)
    return str(told or type(error).__name__).replace("_", " ").lower()
