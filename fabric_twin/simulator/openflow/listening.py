"""An address of its own for each packet switch: there a controller connects to it."""

import asyncio
import contextlib
import resource
import ssl
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from fabric_twin.core.counted import counted
from fabric_twin.core.errors import UnusableInput
from fabric_twin.simulator.openflow import messages
from fabric_twin.simulator.openflow.conversation import Conversation, HangUp
from fabric_twin.simulator.openflow.messages import HEAD, Request
from fabric_twin.simulator.openflow.packet_switch import PacketSwitch
from fabric_twin.simulator.pod import SimulatedPod

HOST = "127.0.0.1"
#: How many controllers may be connected to each switch, and files for all else.
CONNECTIONS, SPARE = 2, 256


class FlowSwitch(NamedTuple):
    """Where a packet switch answers, and the datapath id that it showed when it began."""

    address: str
    datapath: str


@dataclass
class OpenFlowServer:
    """The OpenFlow addresses of the packet switches of some pods, on this machine."""

    pods: Sequence[SimulatedPod]
    #: Key and certificate; without them, no TLS.
    tls: tuple[bytes, bytes] | None = None
    #: The authority whose certificates let a controller in; without it, none is asked for.
    client_ca: bytes | None = None
    #: By name, where each answers.
    switches: dict[str, FlowSwitch] = field(default_factory=dict)
    _servers: list[asyncio.Server] = field(default_factory=list)
    _writers: set[asyncio.StreamWriter] = field(default_factory=set)

    async def start(self, first: int = 0) -> None:
        """Begin to listen: at free ports, or at one after the other from the first."""
        context = _context(self.tls, self.client_ca) if self.tls else None
        every = [(pod, switch) for pod in self.pods for switch in pod.packet_switches.values()]
        _make_room(len(every))
        if first and first + len(every) > 2**16:
            raise UnusableInput(
                f"there are no {counted(len(every), 'port')} from {first} on",
                where="--openflow-port",
                remedy=f"Choose {2**16 - len(every)} at most",
            )
        for number, (pod, switch) in enumerate(every):
            server = await self._listen(pod, switch, first and first + number, context)
            self._servers.append(server)
            port = server.sockets[0].getsockname()[1]
            self.switches[switch.name] = FlowSwitch(f"{HOST}:{port}", switch.datapath_id)

    async def stop(self) -> None:
        """Hang up."""
        for server in self._servers:
            server.close()
        for writer in list(self._writers):
            writer.close()

    async def _listen(
        self, pod: SimulatedPod, switch: PacketSwitch, port: int, context: ssl.SSLContext | None
    ) -> asyncio.Server:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self._writers.add(writer)
            try:
                with contextlib.suppress(OSError, EOFError, HangUp):
                    await _converse(pod, switch, reader, writer)
            finally:
                self._writers.discard(writer)
                writer.close()

        try:
            return await asyncio.start_server(serve, HOST, port, ssl=context)
        except OSError:
            raise UnusableInput(
                f"port {port} of this machine is taken, or not allowed",
                where="--openflow-port",
                remedy="Choose another, or leave it out to get free ones",
            ) from None


def _make_room(switches: int) -> None:
    """Have as many files open as each switch and some connections to it need, or refuse."""
    needed = switches * (1 + CONNECTIONS) + SPARE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        soft = most
    if soft != resource.RLIM_INFINITY and soft < needed:
        raise UnusableInput(
            f"{counted(switches, 'switch')} need {needed:,} open files, and {soft:,} are allowed",
            where="--openflow",
            remedy=f"Allow more (ulimit -n {needed}), or simulate a smaller cluster",
        )


async def _converse(
    pod: SimulatedPod,
    switch: PacketSwitch,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> None:
    """Say hello and answer, until one of both hangs up, or the switch has no power."""
    conversation = Conversation(
        switch,
        lambda: _up(pod, switch),
        lambda: pod.manner(switch.name),
        pod.on_configured,
    )
    greeted, boots = False, switch.boots

    def runs_on() -> bool:
        return pod.has_power(switch.name) and switch.boots == boots

    while runs_on():
        manner = pod.manner(switch.name)
        if not (greeted or manner.silent):
            writer.write(messages.hello())
            greeted = True
        request = await _received(reader)
        pod.advance()
        manner = pod.manner(switch.name)
        await asyncio.sleep(manner.late)
        if manner.silent or not runs_on():
            continue
        try:
            for said in conversation.answer(request):
                writer.write(said)
        finally:
            await writer.drain()


async def _received(reader: asyncio.StreamReader) -> Request:
    version, kind, length, number = HEAD.unpack(await reader.readexactly(HEAD.size))
    if length < HEAD.size:
        raise EOFError
    return Request(version, kind, number, await reader.readexactly(length - HEAD.size))


def _up(pod: SimulatedPod, switch: PacketSwitch) -> Mapping[int, bool]:
    """By port, whether its link is up."""
    here = pod.ports_of(switch.name)
    return dict(zip(switch.ports, pod.links()[0][here].tolist(), strict=True))


def _context(tls: tuple[bytes, bytes], client_ca: bytes | None) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.TemporaryDirectory(prefix="fabric-twin-") as folder:
        files = [Path(folder) / name for name in ("key.pem", "certificate.pem")]
        for file, content in zip(files, tls, strict=True):
            file.touch(mode=0o600)
            file.write_bytes(content)
        context.load_cert_chain(files[1], files[0])
    if client_ca is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(cadata=client_ca.decode("ascii", "ignore"))
    return context
