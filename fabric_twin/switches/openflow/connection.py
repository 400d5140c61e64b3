"""A connection to a switch, on which each request has its answer within some seconds."""

import contextlib
import itertools
import socket
import ssl
import time

from fabric_twin.core.errors import NotAsAsked, NotPossible
from fabric_twin.dialects import openflow as of
from fabric_twin.switches.channels import check_tls, check_trust
from fabric_twin.switches.distrust import as_file
from fabric_twin.switches.driver import Access, Target
from fabric_twin.switches.networks import host_and_port, resolved
from fabric_twin.switches.openflow import messages
from fabric_twin.switches.openflow.messages import HEADER, LONGEST, MOST, Message, Unreadable


class SaidNo(Exception):
    """The switch understood, and will not: its words."""


class Connection:
    """A connection that has said hello. It raises OSError where nobody answers in time."""

    def __init__(self, target: Target, access: Access, seconds: float) -> None:
        self._seconds, self._numbers = seconds, itertools.count(1)
        self._ends = time.monotonic() + seconds
        self._socket = _opened(target, access, seconds)
        try:
            self._send(of.HELLO, messages.hello())
            messages.check_hello(self._received(first=True))
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Hang up; who waits for an answer, in another thread, waits no longer."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def ask(self, kind: int, answer: int, body: bytes = b"") -> bytes:
        """Send a request; the body of its answer."""
        self._begin()
        return self._answer(self._send(kind, body), answer)

    def ask_for_all(self, kind: int, body: bytes) -> bytes:
        """Send a multipart request; all parts of its answer."""
        self._begin()
        number = self._send(of.MULTIPART_REQUEST, body)
        found = bytearray()
        more = True
        while more:
            part, more = messages.part_of(self._answer(number, of.MULTIPART_REPLY), kind)
            found += part
            if len(found) > MOST:
                raise Unreadable(f"its answer is longer than {MOST // 2**20} MB")
        return bytes(found)

    def change(self, body: bytes) -> None:
        """Change a row, and wait until the switch is done with it; `SaidNo` where it refuses."""
        self._begin()
        number = self._send(of.FLOW_MOD, body)
        barrier = self._send(of.BARRIER_REQUEST)
        said = ""
        while True:
            message = self._message()
            if message.kind == of.ERROR and message.number in (number, barrier):
                said = messages.refusal(message.body)
            if message.number == barrier and message.kind in (of.ERROR, of.BARRIER_REPLY):
                break
        if said:
            raise SaidNo(said)

    def _begin(self) -> None:
        self._ends = time.monotonic() + self._seconds

    def _answer(self, number: int, kind: int) -> bytes:
        while True:
            message = self._message()
            if message.number == number and message.kind == of.ERROR:
                raise SaidNo(messages.refusal(message.body))
            if message.number == number and message.kind == kind:
                return message.body

    def _message(self) -> Message:
        """The next message but echoes, which are answered; what nobody asked for is passed by."""
        while True:
            message = self._received()
            if message.kind != of.ECHO_REQUEST:
                return message
            self._socket.sendall(messages.written(of.ECHO_REPLY, message.number, message.body))

    def _send(self, kind: int, body: bytes = b"") -> int:
        number = next(self._numbers)
        self._socket.settimeout(self._left())
        self._socket.sendall(messages.written(kind, number, body))
        return number

    def _received(self, *, first: bool = False) -> Message:
        version, kind, length, number = HEADER.unpack(self._bytes(HEADER.size))
        if first and kind not in (of.HELLO, of.ERROR):
            raise Unreadable("it does not begin with a hello")
        if version != of.VERSION and not first:
            raise Unreadable(f"it speaks version {version} after a hello of OpenFlow 1.3")
        if not HEADER.size <= length <= LONGEST:
            raise Unreadable(f"a message of it says that it has {length} bytes")
        return Message(version, kind, number, self._bytes(length - HEADER.size))

    def _bytes(self, many: int) -> bytes:
        found = bytearray()
        while len(found) < many:
            self._socket.settimeout(self._left())
            more = self._socket.recv(many - len(found))
            if not more:
                raise ConnectionResetError(0, "it hung up")
            found += more
        return bytes(found)

    def _left(self) -> float:
        left = self._ends - time.monotonic()
        if left <= 0:
            raise TimeoutError(0, f"no answer within {self._seconds:g} s")
        return left


def _opened(target: Target, access: Access, seconds: float) -> socket.socket:
    """A connection to the very address that was checked."""
    check_tls(target, access)
    check_trust(target, access)
    address = host_and_port(target.address)
    name = access.server_name or address[0]
    if access.networks is not None:
        address = resolved(target.address, access.networks, target.name)
    try:
        plain = socket.create_connection(address, seconds)
    except UnicodeError:
        raise NotPossible(
            f"{address[0]} is no name of a host",
            where=target.name,
            remedy="Correct its address",
        ) from None
    try:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if access.insecure:
            return plain
        return _context(access).wrap_socket(plain, server_hostname=name)
    except BaseException as error:
        plain.close()
        if isinstance(error, ssl.SSLError):
            raise distrusted(target, error) from None
        raise


def distrusted(target: Target, error: ssl.SSLError) -> NotAsAsked:
    """One of the two does not trust the other, or the switch does not speak TLS."""
    reason = str(error.reason or error.strerror or "?").replace("_", " ").lower()
    return NotAsAsked(
        f"the TLS handshake failed ({reason})",
        where=target.name,
        remedy="Name in FABRIC_TWIN_GNMI_CA the file with the certificate to trust, and in "
        "FABRIC_TWIN_GNMI_CERT and FABRIC_TWIN_GNMI_KEY those of the certificate to show",
    )


def _context(access: Access) -> ssl.SSLContext:
    trusted = access.trusted.decode("ascii", "ignore") if access.trusted else None
    context = ssl.create_default_context(cadata=trusted)
    if access.certificate and access.key:
        with as_file(access.certificate) as certificate, as_file(access.key) as key:
            context.load_cert_chain(certificate, key, password="")
    return context
