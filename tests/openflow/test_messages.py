"""OpenFlow as bytes: what comes over the wire is read, or refused in words."""

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric_twin.core.errors import NoAnswer, NotAsAsked, NotPossible, UnusableInput
from fabric_twin.core.identity import Known
from fabric_twin.switches.driver import Access, Patience, Target
from fabric_twin.switches.networks import networks_of
from fabric_twin.switches.openflow import messages
from fabric_twin.switches.openflow.messages import Message, Unreadable
from fabric_twin.switches.openflow.switch import OpenFlowSwitch
from fabric_twin.switches.openflow.table import COOKIE, PRIORITY, Flow, Row

PORTS = st.integers(1, 0xFFFFFEFF)


def row(
    into: int,
    out: int,
    *,
    cookie: int = COOKIE,
    priority: int = PRIORITY,
    table: int = 0,
    idle: int = 0,
    more: bytes = b"",
) -> bytes:
    """A flow as a switch tells it, written from the specification."""
    match = struct.pack("!HHI I 4x", 1, 12, 0x80000004, into)
    does = struct.pack("!HH4x HHIH6x", 4, 24 + len(more), 0, 16, out, 0) + more
    head = struct.pack(
        *("!HBxIIHHHH4xQQQ", 48 + len(match) + len(does), table, 7, 0),
        *(priority, idle, 0, 0, cookie, 5, 300),
    )
    return head + match + does


@given(PORTS, PORTS)
def test_an_entry_is_read_as_it_was_written(into: int, out: int) -> None:
    [found] = messages.rows_of(row(into, 0xFFFFFFF8 if into == out else out))
    assert found.flow == Flow(into, out)
    added, removed = messages.added(found.flow), messages.removed(found)
    assert added[40:56] == removed[40:] == found.match
    assert added[56:] == row(into, 0xFFFFFFF8 if into == out else out)[64:]


@pytest.mark.parametrize(
    "odd",
    [
        row(1, 2, priority=5),
        row(1, 2, table=1),
        row(1, 2, idle=60),
        row(1, 2, more=struct.pack("!HHIH6x", 0, 16, 3, 0)),
    ],
)
def test_a_row_that_is_or_does_anything_else_is_no_entry(odd: bytes) -> None:
    [found] = messages.rows_of(odd)
    assert (found.flow, found.into) == (None, 1)


def test_refusals_are_in_the_words_of_openflow() -> None:
    assert messages.refusal(struct.pack("!HH", 5, 1) + b"our own message") == "OFPFMFC_TABLE_FULL"
    assert messages.refusal(struct.pack("!HH", 5, 99)) == "error type 5, code 99"
    said = messages.refusal(struct.pack("!HH", 0, 0) + b"1.0 is\x07 all\0")
    assert said == "OFPHFC_INCOMPATIBLE: 1.0 is all"
    assert messages.refusal(b"") == "no words"


def test_a_hello_offers_versions_as_bits_or_by_its_own() -> None:
    bits = struct.pack("!HHI", 1, 8, 1 << 1 | 1 << 4)
    for version, body in ((6, bits), (1, bits), (4, b""), (5, b"")):
        messages.check_hello(Message(version, 0, 1, body))
    for version, body in ((1, b""), (6, struct.pack("!HHI", 1, 8, 1 << 6))):
        with pytest.raises(Unreadable, match=r"it speaks OpenFlow 1\.[05] and not 1\.3"):
            messages.check_hello(Message(version, 0, 1, body))


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    """Rows that a switch could tell, cut or with some bytes changed."""
    data = bytearray(b"".join(row(*pair) for pair in draw(st.lists(st.tuples(PORTS, PORTS)))))
    for at, byte in draw(st.lists(st.tuples(st.integers(0, 999), st.integers(0, 255)))):
        if at < len(data):
            data[at] = byte
    return bytes(data[: draw(st.integers(0, len(data)))])


@given(st.one_of(spoilt(), st.binary(max_size=300)))
def test_whatever_comes_is_read_or_refused(data: bytes) -> None:
    for reads in (
        messages.rows_of,
        messages.ports_of,
        messages.datapath_of,
        messages.refusal,
        lambda told: messages.part_of(told, 1),
        lambda told: messages.check_hello(Message(4, 0, 1, told)),
    ):
        with suppress(Unreadable):
            reads(data)  # type: ignore[operator]


@contextmanager
def answering(does: Callable[[socket.socket], None]) -> Iterator[str]:
    """Somebody who answers each connection in some way; where."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    with connection, suppress(OSError):
                        does(connection)
                        # What it has not read would reset the connection, and what it said with it.
                        connection.shutdown(socket.SHUT_WR)
                        while connection.recv(4096):
                            pass

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"127.0.0.1:{listening.getsockname()[1]}"
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join(30)


def read(address: str, access: Access | None = None) -> None:
    target = Target("s", address, known=Known("s", "a" * 16))
    patience = Patience(request=0.5, tries=2, pause=0.001)
    with closing(OpenFlowSwitch(target, access or Access(insecure=True), patience)) as switch:
        switch.read()


HELLO = struct.pack("!BBHI", 4, 0, 8, 1)
FEATURES = struct.pack("!BBHI QIBB2xII", 4, 6, 32, 2, 0xAAAAAAAAAAAAAAAA, 0, 1, 0, 0, 0)


@given(st.sampled_from([b"", HELLO, HELLO + FEATURES]), st.binary(min_size=1, max_size=200))
@settings(max_examples=60)
def test_whoever_answers_is_refused_or_silent_and_never_a_fault(known: bytes, odd: bytes) -> None:
    def speak(connection: socket.socket) -> None:
        connection.sendall(known + odd)

    with answering(speak) as at, pytest.raises(NoAnswer):
        read(at)


@pytest.mark.parametrize(
    ("sends", "why"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n", "it does not begin with a hello"),
        (struct.pack("!BBHI", 1, 0, 8, 1), "it speaks OpenFlow 1.0 and not 1.3"),
        (struct.pack("!BBHI", 4, 0, 3, 1), "a message of it says that it has 3 bytes"),
        (HELLO + struct.pack("!BBHI", 1, 6, 8, 2), "it speaks version 1 after a hello of"),
        (HELLO + struct.pack("!BBHI", 4, 6, 8, 2), "its features are cut short"),
        (HELLO + struct.pack("!BBHIHH", 4, 1, 12, 2, 1, 5), "it refuses: OFPBRC_EPERM"),
        (HELLO + FEATURES + struct.pack("!BBHIHH4x", 4, 19, 16, 3, 1, 0), "it answers with multi"),
        (HELLO + FEATURES.replace(b"\xaa", b"\xbb"), "another switch answers at its address"),
    ],
)
def test_what_is_odd_is_said(sends: bytes, why: str) -> None:
    def speak(connection: socket.socket) -> None:
        connection.sendall(sends)

    with answering(speak) as at, pytest.raises(NotAsAsked) as refusal:
        read(at)
    assert refusal.value.what.startswith(why)


def test_who_answers_without_end_is_left() -> None:
    part = struct.pack("!BBHIHH4x", 4, 19, 16 + 64 * 1000, 3, 13, 1) + bytes(64 * 1000)

    def without_end(connection: socket.socket) -> None:
        connection.sendall(HELLO + FEATURES)
        while True:
            connection.sendall(part)

    with answering(without_end) as at, pytest.raises(NoAnswer) as refusal:
        read(at)
    assert "its answer is longer than 16 MB" in str(refusal.value) or "answer" in refusal.value.what


def test_who_says_nothing_is_silent() -> None:
    with answering(lambda connection: connection.recv(1) and None) as at, pytest.raises(NoAnswer):
        read(at)
    with pytest.raises(NoAnswer, match="connection refused"):
        read("127.0.0.1:9")


def test_only_this_machine_is_spoken_to_without_tls_and_no_network_that_nobody_named() -> None:
    with pytest.raises(UnusableInput, match="must not be contacted without TLS"):
        read("10.0.0.7:6653")
    named = Access(insecure=True, networks=networks_of(["10.7.0.0/16"]))
    with pytest.raises(NotPossible, match="lies in no network"):
        read("127.0.0.1:9", named)


def test_a_row_is_told_by_its_place() -> None:
    [odd] = messages.rows_of(row(7, 2, priority=5))
    assert str(odd) == "table 0, priority 5, in_port 7"
    assert str(Row(3, 5, COOKIE, messages.ANYTHING, None, None)) == (
        "table 3, priority 5, match 0001000400000000"
    )
