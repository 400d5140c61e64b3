"""The seam: what a driver of switches can do, and how one is found.

A driver is found by the entry-point group `fabric_twin.switches`. Its entry point names something
that is called with a target and how to get in, and answers with a `SwitchDriver` for that target;
nothing is sent until it is asked to. A driver is used by one thread at a time.
"""

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, Self, runtime_checkable

from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.identity import Known
from fabric_twin.switches.changes import Applied, Change, Hold
from fabric_twin.switches.networks import Network
from fabric_twin.switches.states import CubeState, FactoryLoss, Pair, SwitchState

GROUP = "fabric_twin.switches"
#: The driver that speaks gNMI with SONiC's tables.
DEFAULT_DRIVER = "gnmi"


@dataclass(frozen=True)
class Target:
    """One switch or one cube, and where it answers."""

    #: The device: `iw1-ocs-x-3-2`, `iw1-c007`.
    name: str
    #: `host:port`
    address: str
    #: What requests call the device, where its address serves many; empty at one of its own.
    called: str = ""
    driver: str = DEFAULT_DRIVER
    #: The device that should answer there; None where nothing is recorded to hold it against.
    known: Known | None = None
    #: Speak to it though nobody has confirmed it: for the test circuit that does.
    unconfirmed: bool = False


@dataclass(frozen=True)
class Access:
    """How to get in. Secrets are never shown, logged or compared."""

    user: str = ""
    password: str = field(default="", repr=False, compare=False)
    #: PEM of whom to trust; the system's by default.
    trusted: bytes | None = field(default=None, repr=False, compare=False)
    #: PEM of what we show to be let in (mTLS): a certificate, and its key.
    certificate: bytes | None = field(default=None, repr=False, compare=False)
    key: bytes | None = field(default=None, repr=False, compare=False)
    #: Where devices may be; None is anywhere, for who names an address on a command line.
    networks: tuple[Network, ...] | None = None
    #: No TLS, and so only on this machine.
    insecure: bool = False
    #: The name a certificate is made for, where it is not the address.
    server_name: str = ""

    @classmethod
    def from_environment(cls, *, insecure: bool = False) -> Self:
        """FABRIC_TWIN_GNMI_USER, _PASSWORD, _SERVER_NAME; _CA, _CERT and _KEY are files."""
        return cls(
            user=_variable("USER"),
            password=_variable("PASSWORD"),
            trusted=None if insecure else _file("CA", "the certificate to trust"),
            certificate=None if insecure else _file("CERT", "the certificate to show"),
            key=None if insecure else _file("KEY", "the key of the certificate to show"),
            insecure=insecure,
            server_name=_variable("SERVER_NAME"),
        )

    @property
    def logs_in(self) -> bool:
        """Whether it shows who we are."""
        return bool(self.user or self.key)


def _variable(name: str) -> str:
    return os.environ.get(f"FABRIC_TWIN_GNMI_{name}", "")


def _file(name: str, what: str) -> bytes | None:
    """What is in a file that a variable names."""
    path = _variable(name)
    try:
        return Path(path).read_bytes() if path else None
    except OSError as error:
        raise UnusableInput(
            f"the file {path} cannot be read ({(error.strerror or '?').lower()})",
            where=f"FABRIC_TWIN_GNMI_{name}",
            remedy=f"Name the file with {what}",
        ) from None


@dataclass(frozen=True)
class Patience:
    """How long a driver waits, and how often it tries."""

    #: Seconds for one request.
    request: float = 5.0
    #: Seconds for mirrors to come to rest after a change.
    tuning: float = 10.0
    #: How often a request is tried that did not get through.
    tries: int = 3
    #: Seconds before the second try; later ones wait longer, each a random part of it.
    pause: float = 0.2


@dataclass(frozen=True)
class Capabilities:
    """What a target can do."""

    #: The protocol's own version.
    version: str
    #: Models by name: their versions.
    models: Mapping[str, str]
    encodings: tuple[str, ...]
    #: Which names of SONiC's tables it uses; empty for other protocols.
    dialect: str = ""


class SwitchDriver(Protocol):
    """A conversation with one switch.

    Whatever goes unanswered is a `NoAnswer`, after as many tries as patience allows.
    """

    @property
    def target(self) -> Target:
        """Whom it speaks to."""

    def capabilities(self) -> Capabilities:
        """What the switch can do."""

    def read(self) -> SwitchState:
        """Read everything, in one request where the protocol can."""

    def apply(self, change: Change, *, until: float = math.inf) -> Applied:
        """Make a change in one transaction, wait for the mirrors, and read back what came of it.

        Where nothing is to be changed, circuits are read, and no more. After `until`, a moment of
        `time.monotonic()`, nothing is sent that would change anything, not even as another try:
        then it is `TooLate`, and nothing was done. Who asks has its turn only until then.
        """

    def hold(self, hold: Hold, *, until: float = math.inf) -> SwitchState:
        """Block some ports and release others, in one transaction; read it back.

        What the switch shows then is the answer, and never what it acknowledged. `until` is as for
        circuits.
        """

    def watch(self) -> Iterator[SwitchState]:
        """Yield the state now, and whenever it changed.

        After an interruption it connects anew and yields the whole state: what was missed is in
        it. It ends when the driver is closed.
        """

    def close(self) -> None:
        """Hang up; a watch ends."""


@runtime_checkable
class FactoryKnown(Protocol):
    """An optional ability of a driver: the loss of each pair, measured in the factory."""

    def factory_losses(self, pairs: Sequence[Pair]) -> Mapping[Pair, FactoryLoss]:
        """What some pairs lost; those of which the switch has nothing to say are not in it."""


class CubeReader(Protocol):
    """A conversation with one cube."""

    @property
    def target(self) -> Target:
        """Whom it speaks to."""

    def capabilities(self) -> Capabilities:
        """What the cube can do."""

    def read(self) -> CubeState:
        """Read everything, in one request where the protocol can."""

    def neighbours(self) -> CubeState:
        """Read only whom its ports hear: all else is empty."""

    def close(self) -> None:
        """Hang up."""


class Driver(Protocol):
    """What an entry point of the group names."""

    def __call__(self, target: Target, access: Access, patience: Patience) -> SwitchDriver:
        """A driver for one target."""
