"""A simulation: pods and networks, what is broken in them, and where they are reached."""

import asyncio
import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fabric_twin.core.cabling.plant import Intended, intended_plant
from fabric_twin.core.circuits.plans import Circuit
from fabric_twin.core.design import Design
from fabric_twin.core.errors import UnusableInput
from fabric_twin.dialects.sonic import DIALECTS, KVM, UPSTREAM
from fabric_twin.simulator.clock import Clock, RunningClock, SteppedClock
from fabric_twin.simulator.control import Control
from fabric_twin.simulator.faults.book import FaultBook
from fabric_twin.simulator.faults.rates import Chance, published
from fabric_twin.simulator.faults.script import Script, make_mistakes
from fabric_twin.simulator.first_circuits import make_first_circuits
from fabric_twin.simulator.json_http import JsonServer
from fabric_twin.simulator.mirrors import TUNING
from fabric_twin.simulator.openflow.listening import FlowSwitch, OpenFlowServer
from fabric_twin.simulator.pod import SimulatedPod
from fabric_twin.simulator.restconf import PolatisFace
from fabric_twin.simulator.saving import load, save, saved_moment
from fabric_twin.simulator.serving import LARGEST, Server
from fabric_twin.simulator.set_log import Heard, set_log
from fabric_twin.simulator.shape import ASKED, SHAPES

#: Every other switch speaks the other dialect.
MIXED = "mixed"
#: What switches tell of who they are: their hostname, their serial.
IDENTITIES = {
    "both": (True, True),
    "hostname": (True, False),
    "serial": (False, True),
    "none": (False, False),
}
#: Real seconds between two savings.
SAVING = 1.0


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is to be simulated."""

    #: Pods of one design, by name, and which of their slots hold cubes.
    design: Design | None = None
    pods: Sequence[str] = ()
    slots: tuple[int, ...] | None = None
    networks: Sequence[Intended] = ()
    #: What switches carry when they are first switched on.
    circuits: Sequence[Circuit] = ()
    seed: int = 1
    script: Script = field(default_factory=Script)
    dialect: str = UPSTREAM.name
    #: Which of hostname and serial switches tell; not every platform fills both.
    identity: str = "both"
    #: How switches answer where the protocol leaves it to them.
    shape: str = ASKED.name
    #: Whether switches come without a row for a port or a circuit.
    bare: bool = False
    #: Whether the first row of a table makes the table, as in releases since October 2025.
    makes_tables: bool = True
    #: Real seconds that a switch saves a change for.
    saving: float = 0.0
    #: Seconds that a batch of mirrors takes.
    tuning: float = TUNING
    #: How many times faster than real time; 0 is step by step.
    speed: float = 1.0
    state: Path | None = None

    def plants(self) -> Iterator[Intended]:
        """What is to be built, as its rules want it: pods first."""
        if self.design:
            for pod in self.pods:
                yield intended_plant(self.design, pod, self.slots)
        yield from self.networks


@dataclass(frozen=True, kw_only=True)
class Addresses:
    """Where it is to be reached, and by whom."""

    port: int = 0
    control_port: int = 0
    own_addresses: bool = False
    #: Whether packet switches answer OpenFlow, and the port of the first; 0 is any that is free.
    openflow: bool = False
    openflow_port: int = 0
    #: Switches that also answer as a Polatis would.
    polatis: Sequence[str] = ()
    users: Mapping[str, str] = field(default_factory=dict)
    tls: tuple[bytes, bytes] | None = None
    #: The authority of the certificates that clients must have; none where they need none.
    client_ca: bytes | None = None
    #: Bytes of one message at most.
    largest: int = LARGEST
    #: Where every Set is written down.
    sets: Path | None = None


@dataclass(eq=False)
class Simulation:
    """Pods and networks that live, and what is broken in them."""

    books: list[FaultBook]
    clock: Clock
    chances: list[Chance]
    state: Path | None = None
    _unsaved: bool = False

    @classmethod
    def begin(cls, wanted: Wanted) -> "Simulation":
        """Build the pods, or bring them back to what was saved."""
        known = wanted.state is not None and wanted.state.exists()
        start = saved_moment(wanted.state) if wanted.state and known else 0.0
        clock: Clock = RunningClock(wanted.speed, start) if wanted.speed else SteppedClock(start)
        books = [
            FaultBook(_pod(wanted, intended, clock, wanted.seed + number))
            for number, intended in enumerate(wanted.plants())
        ]
        chances = []
        new = load(wanted.state, books) if wanted.state and known else books
        make_first_circuits([book.pod for book in new], _circuits_of(wanted, new, books))
        for number, book in enumerate(books):
            rates = wanted.script.rates
            seed = wanted.seed + number
            if book in new:
                make_mistakes(book, wanted.script.mistakes, seed)
                wanted.script.begin(book, _of(book, alone=len(books) == 1))
            given = published(book.pod) if rates is None else rates
            chances.append(Chance(book, given, seed + int(start)))
        simulation = cls(books, clock, chances, wanted.state)
        for book in books:
            book.pod.on_configured = simulation.to_be_saved
        # At once: what cannot be kept is said now, and not when it is lost.
        simulation.save()
        return simulation

    @property
    def pods(self) -> list[SimulatedPod]:
        """The pods."""
        return [book.pod for book in self.books]

    def to_be_saved(self) -> None:
        """Something changed that a restart must not lose."""
        self._unsaved = True

    def save(self) -> None:
        """Write what survives a restart."""
        if self.state is None:
            return
        self._unsaved = False
        try:
            save(self.state, self.books)
        except OSError as error:
            raise UnusableInput(
                f"the state cannot be kept there ({(error.strerror or '?').lower()})",
                where=str(self.state),
                remedy="Name a file in a folder that may be written to",
            ) from None

    @contextlib.asynccontextmanager
    async def serving(self, addresses: Addresses) -> Any:
        """Answer at some addresses, for as long as this is open."""
        with set_log(addresses.sets) as heard:
            async with self._serving(addresses, heard) as served:
                yield served

    @contextlib.asynccontextmanager
    async def _serving(self, addresses: Addresses, heard: Heard) -> Any:
        server = Server(
            self.pods,
            addresses.users,
            addresses.tls,
            addresses.client_ca,
            addresses.largest,
            heard,
        )
        every = [device for pod in self.pods for device in sorted(pod.devices)]
        await server.start(addresses.port, every if addresses.own_addresses else ())
        flows = OpenFlowServer(self.pods, addresses.tls, addresses.client_ca)
        if addresses.openflow:
            await flows.start(addresses.openflow_port)
        control = JsonServer(Control(self.books).answer, addresses.users, addresses.control_port)
        faces = {
            name: JsonServer(PolatisFace(self._pod_of(name), name).answer, addresses.users)
            for name in addresses.polatis
        }
        saving = asyncio.create_task(self._keep_saved())
        try:
            polatis = {name: face.address for name, face in faces.items()}
            at = server.address, control.address
            yield Served(*at, server.addresses, polatis, flows.switches)
        finally:
            saving.cancel()
            for http in (control, *faces.values()):
                http.close()
            await flows.stop()
            await server.stop()
            self.save()

    def _pod_of(self, switch: str) -> SimulatedPod:
        for pod in self.pods:
            if switch in pod.points.switch_numbers:
                return pod
        raise UnusableInput(
            f"no pod has a switch {switch[:60]!r}", where="--polatis", remedy="Name a switch"
        )

    async def _keep_saved(self) -> None:
        while True:
            await asyncio.sleep(SAVING)
            if self._unsaved:
                self.save()


@dataclass(frozen=True)
class Served:
    """Where a simulation answers."""

    gnmi: str
    control: str
    #: By device, where each has an address of its own.
    own: Mapping[str, str]
    #: By switch, where it also answers RESTCONF.
    polatis: Mapping[str, str]
    #: By packet switch, where they answer OpenFlow.
    openflow: Mapping[str, FlowSwitch] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """For a program that started it."""
        return {
            "version": 1,
            "gnmi": self.gnmi,
            "control": f"http://{self.control}",
            "addresses": dict(self.own),
            "polatis": dict(self.polatis),
            "openflow": {name: switch._asdict() for name, switch in self.openflow.items()},
        }


def _pod(wanted: Wanted, intended: Intended, clock: Clock, seed: int) -> SimulatedPod:
    pod = SimulatedPod.of(intended, clock, seed=seed, tuning=wanted.tuning)
    if wanted.dialect == MIXED:
        spoken = [(UPSTREAM, KVM)[number % 2] for number in range(pod.points.switches)]
    else:
        spoken = [DIALECTS[wanted.dialect]] * pod.points.switches
    named, numbered = IDENTITIES[wanted.identity]
    pod.begin_anew(spoken, named=named, bare=wanted.bare)
    pod.shape, pod.saving = SHAPES[wanted.shape], wanted.saving
    pod.makes_tables = wanted.makes_tables
    if not numbered:
        pod.serials = [""] * pod.points.switches
    return pod


def _circuits_of(
    wanted: Wanted, new: Sequence[FaultBook], books: Sequence[FaultBook]
) -> Sequence[Circuit]:
    """The first circuits of pods that are new; what was saved has its own."""
    saved = {switch for one in books if one not in new for switch in one.pod.points.switch_numbers}
    return [circuit for circuit in wanted.circuits if circuit.switch not in saved]


def _of(book: FaultBook, *, alone: bool) -> Any:
    """Whether a fault of a script is of this pod: by the name it gives, or that of a device."""

    def mine(wish: Mapping[str, Any]) -> bool:
        if alone:
            return True
        name = book.pod.name
        given = [str(wish.get(key, "")) for key in ("pod", "device", "cable")]
        return given[0] == name or any(text.startswith(f"{name}-") for text in given[1:])

    return mine
