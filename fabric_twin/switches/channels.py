"""gRPC channels: all that speak to one address in one way share one, and its one handshake.

A gateway or a simulator serves a whole pod: 192 handshakes cost more than all that is then said.
"""

import threading
from dataclasses import dataclass, field
from typing import Any

import grpc

from fabric_twin.core.errors import UnusableInput
from fabric_twin.switches.driver import Access, Target
from fabric_twin.switches.networks import host_and_port, resolved

#: Whole subtrees are large: the factory's loss table of a switch alone is megabytes.
LARGEST = 64 * 2**20
OPTIONS = [
    # A proxy of the worker's would be spoken to in the place of the address that was checked.
    ("grpc.enable_http_proxy", 0),
    ("grpc.max_receive_message_length", LARGEST),
    # Servers hang up on who asks more often than every five minutes whether they are there.
    ("grpc.keepalive_time_ms", 330_000),
    # gRPC's own pause after a lost connection; ours decides when to try again.
    ("grpc.initial_reconnect_backoff_ms", 100),
    # How long one attempt to connect may take, whatever its name says: a busy machine takes a
    # while to shake hands.
    ("grpc.min_reconnect_backoff_ms", 10_000),
    ("grpc.max_reconnect_backoff_ms", 2_000),
]
_LOCAL = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True)
class Way:
    """How an address is spoken to; who speaks is told with each request."""

    address: str
    insecure: bool
    server_name: str
    trusted: bytes | None = field(repr=False)
    certificate: bytes | None = field(repr=False)
    key: bytes | None = field(repr=False)


@dataclass
class _Shared:
    """A channel, and how many have it."""

    channel: Any
    users: int = 0


_shared: dict[Way, _Shared] = {}
_lock = threading.Lock()


def check_tls(target: Target, access: Access) -> None:
    """Refuse to speak without TLS to another machine."""
    if access.insecure and target.address.rpartition(":")[0] not in _LOCAL:
        raise UnusableInput(
            f"{target.address} is not this machine, so it must not be contacted without TLS",
            where=target.name,
            remedy="Leave out --insecure",
        )


def check_trust(target: Target, access: Access) -> None:
    """Refuse to show who we are to whom nothing says that it may be trusted."""
    if bool(access.certificate) != bool(access.key):
        raise UnusableInput(
            "a certificate to show is there without its key, or a key without its certificate",
            where=target.name,
            remedy="Give both: FABRIC_TWIN_GNMI_CERT and FABRIC_TWIN_GNMI_KEY, or the device's own",
        )
    if access.logs_in and access.trusted is None and not access.insecure:
        raise UnusableInput(
            "nothing says which certificate to trust, so nobody logs in",
            where=target.name,
            remedy="Name the file with the certificate to trust in FABRIC_TWIN_GNMI_CA, or give it "
            "to the group of the device",
        )


def check_login(target: Target, access: Access) -> None:
    """Refuse what gRPC cannot send beside a request: it would say that its own call is invalid."""
    if not access.user:
        return  # nor is a password sent
    for what, word in (("user", access.user), ("password", access.password)):
        if not (word.isascii() and word.isprintable()):
            raise UnusableInput(
                f"the {what} has a character that cannot be sent, such as a letter with an accent "
                "or the end of a line",
                where=target.name,
                remedy=f"Give the device a {what} of printable ASCII, and look for a line break "
                "where it is kept",
            )


def way_to(target: Target, access: Access) -> Way:
    """How a target is spoken to; its name, where it has one, is looked up now."""
    check_tls(target, access)
    check_trust(target, access)
    check_login(target, access)
    address, name = target.address, access.server_name
    if access.networks is not None:
        ip, port = resolved(address, access.networks, target.name)
        host = host_and_port(address)[0]
        # The address that was checked is the one spoken to; the certificate is for the name.
        address, name = (f"[{ip}]:{port}" if ":" in ip else f"{ip}:{port}"), name or host
        name = "" if name == ip else name
    return Way(address, access.insecure, name, access.trusted, access.certificate, access.key)


def take(way: Way) -> Any:
    """The channel of a way, for one more; nothing is sent yet."""
    with _lock:
        shared = _shared.get(way) or _shared.setdefault(way, _Shared(_opened(way)))
        shared.users += 1
        return shared.channel


def release(way: Way) -> None:
    """One does without the channel; the last one closes it, with all that is under way on it."""
    with _lock:
        shared = _shared[way]
        shared.users -= 1
        if not shared.users:
            del _shared[way]
    if not shared.users:
        shared.channel.close()


def _opened(way: Way) -> Any:
    if way.insecure:
        return grpc.insecure_channel(way.address, OPTIONS)
    options: list[tuple[str, Any]] = list(OPTIONS)
    if way.server_name:
        options.append(("grpc.ssl_target_name_override", way.server_name))
    credentials = grpc.ssl_channel_credentials(way.trusted, way.key, way.certificate)
    return grpc.secure_channel(way.address, credentials, options)
