"""Serving pods: one address for all devices, and one for each where that is wanted."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import grpc
from grpc_reflection.v1alpha import reflection

from fabric_twin.core.errors import UnusableInput
from fabric_twin.dialects import gnmi
from fabric_twin.simulator.gnmi.service import Service
from fabric_twin.simulator.pod import SimulatedPod
from fabric_twin.simulator.set_log import Heard

#: Bytes: whole subtrees are large, and what is sent here is small.
LARGEST, LARGEST_REQUEST = 64 * 2**20, 4 * 2**20
HOST = "127.0.0.1"
#: Real seconds a wait for the next event lasts at most: events may be entered meanwhile.
NAP = 0.25


@dataclass
class Server:
    """The gNMI addresses of some pods, on this machine."""

    pods: list[SimulatedPod]
    users: Mapping[str, str] = field(default_factory=dict)
    #: Key and certificate; without them, no TLS.
    tls: tuple[bytes, bytes] | None = None
    #: The authority whose certificates let a client in; without it, none is asked for.
    client_ca: bytes | None = None
    #: Bytes of an answer at most.
    largest: int = LARGEST
    #: Is called with every Set.
    heard: Heard = lambda _request: None
    address: str = ""
    #: The address of each device that has one of its own.
    addresses: dict[str, str] = field(default_factory=dict)
    _servers: list[grpc.aio.Server] = field(default_factory=list)
    _time: asyncio.Task[None] | None = None

    async def start(self, port: int = 0, own: Iterable[str] = ()) -> None:
        """Begin to answer for all devices at one address, and for some at one of their own."""
        self.address = await self._listen(Service(self.pods, self.users, self.heard), port)
        for device in own:
            service = Service(self.pods, self.users, self.heard, alone=device)
            self.addresses[device] = await self._listen(service)
        self._time = asyncio.create_task(self._pass_time())

    async def stop(self) -> None:
        """Hang up."""
        if self._time:
            self._time.cancel()
        await asyncio.gather(*(server.stop(0.1) for server in self._servers))

    async def _listen(self, service: Service, port: int = 0) -> str:
        server = grpc.aio.server(
            options=[
                ("grpc.max_send_message_length", self.largest),
                ("grpc.max_receive_message_length", min(self.largest, LARGEST_REQUEST)),
                ("grpc.so_reuseport", 0),
            ]
        )
        server.add_generic_rpc_handlers((gnmi.handlers(service),))
        spoken = [gnmi.SERVICE, reflection.SERVICE_NAME]
        reflection.enable_server_reflection(spoken, server, pool=gnmi.POOL)
        address = f"{HOST}:{port}"
        try:
            if self.tls:
                credentials = grpc.ssl_server_credentials(
                    [self.tls], self.client_ca, require_client_auth=self.client_ca is not None
                )
                bound = server.add_secure_port(address, credentials)
            else:
                bound = server.add_insecure_port(address)
        except RuntimeError:
            bound = 0
        if not bound:
            raise UnusableInput(
                f"port {port} of this machine is taken, or not allowed",
                where="--port",
                remedy="Choose another, or leave it out to get a free one",
            )
        await server.start()
        self._servers.append(server)
        return f"{HOST}:{bound}"

    async def _pass_time(self) -> None:
        """Let happen what is due, though nobody asks."""
        while True:
            waits = [NAP]
            for pod in self.pods:
                pod.advance()
                if (moment := pod.timeline.next) is not None:
                    wait = pod.clock.wait_for(moment)
                    waits += [wait] if wait is not None else []
            await asyncio.sleep(max(0.002, min(waits)))
