"""Where devices may be: networks that an administrator names, checked by the resolved address.

A name is looked up once for a conversation, and that very address is spoken to: who can change what
a name means cannot lead a worker elsewhere.
"""

import socket
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from fabric_twin.core.errors import NotPossible, UnusableInput

#: Where networks are named.
SETTING = 'PLUGINS_CONFIG["fabric_twin"]["networks"]'
Network = IPv4Network | IPv6Network


def networks_of(given: object, where: str = SETTING) -> tuple[Network, ...]:
    """The networks of a setting, or a refusal.

    >>> networks_of(["10.7.0.0/16"])
    (IPv4Network('10.7.0.0/16'),)
    """
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise UnusableInput("it is not a list", where=where, remedy='Write it like ["10.7.0.0/16"]')
    found = []
    for one in given:
        try:
            found.append(ip_network(str(one)))
        except ValueError as error:
            raise UnusableInput(
                f"{str(one)[:60]!r} is not a network ({error})",
                where=where,
                remedy="Write networks like 10.7.0.0/16 or 2001:db8:7::/48",
            ) from None
    return tuple(found)


def host_and_port(address: str) -> tuple[str, int]:
    """The two parts of `HOST:PORT`; an IPv6 address loses its brackets."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)


def resolved(
    address: str, networks: Sequence[Network], where: str, *, every: bool = False
) -> tuple[str, int]:
    """The address and port to connect to, which lies in one of these networks; or a refusal.

    Where somebody else looks the name up again, `every` address that it has must lie in one.
    """
    host, port = host_and_port(address)
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        # Nothing was asked of the device: its silence is not known.
        raise NotPossible(
            f"nobody knows the name {host}",
            where=where,
            remedy="Check its address, and the name server that this worker asks",
        ) from None
    found = [_plain(ip_address(str(answer[4][0]).partition("%")[0])) for answer in answers]
    inside = [ip for ip in found if any(ip in n for n in networks if n.version == ip.version)]
    if inside and (len(inside) == len(found) or not every):
        return str(inside[0]), port
    named = ", ".join(map(str, networks)) or "none is named yet"
    raise NotPossible(
        f"its address {host} ({', '.join(dict.fromkeys(map(str, found)))}) lies in no network that "
        f"may be contacted ({named})",
        where=where,
        remedy=f"Correct the address, or have the administrator name its network in {SETTING}",
    )


def _plain(ip: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """An IPv4 address also where it is written as one of IPv6."""
    return (ip.version == 6 and ip.ipv4_mapped) or ip
