"""The gNMI service of a fabric: finds the device that is meant, and lets it answer."""

import asyncio
import hmac
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import grpc

from fabric_twin.dialects import gnmi as pb
from fabric_twin.dialects import openconfig
from fabric_twin.simulator.gnmi.config_patch import set_response
from fabric_twin.simulator.gnmi.cube_side import ENCODINGS, CubeSide
from fabric_twin.simulator.gnmi.refusals import Refusal, invalid, not_found, unavailable
from fabric_twin.simulator.gnmi.subscription import Subscriber, Watched, mode_of
from fabric_twin.simulator.gnmi.switch_side import SwitchSide
from fabric_twin.simulator.pod import SimulatedPod
from fabric_twin.simulator.set_log import Heard

VERSION = "0.8.0"
#: Who may call, by user; nothing where anyone may, or a certificate says who.
Users = Mapping[str, str]


class Service:
    """Serves one device of its own address (`alone`), or all devices of some pods."""

    def __init__(
        self, pods: list[SimulatedPod], users: Users, heard: Heard, alone: str = ""
    ) -> None:
        self._pods, self._users, self._heard, self._alone = pods, users, heard, alone
        self._pod_of = {device: pod for pod in pods for device in pod.devices}

    async def Capabilities(self, request: Any, context: Any) -> Any:  # noqa: ARG002, N802
        """Models and encodings."""
        async with self._refusing(context):
            self._let_in(context)
            models = [
                pb.ModelData(name=name, organization=openconfig.ORGANIZATION, version=version)
                for name, version in openconfig.MODELS
            ]
            ocs = [
                pb.ModelData(name=name, organization="SONiC", version="0.5")
                for name in ("sonic-ocs-port", "sonic-ocs-cross-connect")
            ]
            is_cube = any(self._alone in pod.cubes for pod in self._pods)
            is_switch = bool(self._alone) and not is_cube
            return pb.CapabilityResponse(
                supported_models=ocs if is_switch else models if is_cube else ocs + models,
                supported_encodings=ENCODINGS,
                gNMI_version=VERSION,
            )

    async def Get(self, request: Any, context: Any) -> Any:  # noqa: N802
        """Subtrees of one device."""
        async with self._refusing(context):
            device, pod = self._device(request.prefix.target)
            side = _side(pod, device)
            # A switch looks at what is asked before it looks at who asks.
            wanted = side.reads(request) if isinstance(side, SwitchSide) else None
            self._let_in(context)
            await self._delay(pod, device)
            now = self._timestamp(pod)
            if isinstance(side, CubeSide):
                return pb.GetResponse(notification=side.get(request, now))
            assert wanted  # noqa: S101  # a switch's
            return pb.GetResponse(notification=side.get(request, wanted, now))

    async def Set(self, request: Any, context: Any) -> Any:  # noqa: N802
        """One transaction on one switch."""
        async with self._refusing(context):
            self._heard(request)
            device, pod = self._device(request.prefix.target)
            side = _side(pod, device)
            wanted = side.changes(request) if isinstance(side, SwitchSide) else None
            self._let_in(context)
            await self._delay(pod, device)
            if isinstance(side, CubeSide) or wanted is None:
                raise invalid(f"{device} has nothing that can be set")
            await side.set(request, wanted)
            if pod.manner(device).loses:
                raise unavailable(f"the answer of {device} is lost")
            return set_response(request, self._timestamp(pod))

    async def Subscribe(  # noqa: N802
        self, requests: AsyncIterator[Any], context: Any
    ) -> AsyncIterator[Any]:
        """ONCE, POLL or STREAM."""
        async with self._refusing(context):
            first = await anext(aiter(requests), pb.SubscribeRequest())
            mode, wish = mode_of(first), first.subscribe
            device, pod = self._device(wish.prefix.target)
            side = _side(pod, device)
            wanted = side.watches(wish) if isinstance(side, SwitchSide) else None
            self._let_in(context)
            watched: Sequence[Watched]
            if isinstance(side, CubeSide):
                watched = side.watched(wish)
            else:
                assert wanted  # noqa: S101  # a switch's
                watched = side.watched(wish, wanted)
            subscriber = Subscriber(watched, partial(self._timestamp, pod))
            answers = self._answers(subscriber, mode, wish, requests)
            pod.listeners.append(subscriber.stir)
            try:
                async for note in answers:
                    self._device(wish.prefix.target)
                    if not (mode == pb.SubscriptionList.STREAM and pod.manner(device).stale):
                        yield note
            finally:
                pod.listeners.remove(subscriber.stir)

    async def _answers(
        self, subscriber: Subscriber, mode: int, wish: Any, requests: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        """What a subscription yields, until it is over."""
        if mode == pb.SubscriptionList.ONCE:
            async for note in subscriber.once():
                yield note
        elif mode == pb.SubscriptionList.POLL:
            async for request in requests:
                if not request.HasField("poll"):
                    raise invalid("after the first message only polls may follow")
                self._device(wish.prefix.target)
                async for note in subscriber.once():
                    yield note
        else:
            hearing = asyncio.create_task(_hear(requests, subscriber))
            try:
                async for note in subscriber.stream(updates_only=wish.updates_only):
                    yield note
            finally:
                hearing.cancel()

    def _device(self, target: str) -> tuple[str, SimulatedPod]:
        """The device that a target means, if it answers."""
        if self._alone and target not in ("", self._alone):
            raise not_found(f"only {self._alone} answers here")
        device = self._alone or target
        if not device:
            raise invalid("many devices answer here: name one as target")
        pod = self._pod_of.get(device)
        if pod is None:
            raise not_found(f"nothing here is called {device[:60]!r}")
        pod.advance()
        switch = pod.points.switch_numbers.get(device)
        if pod.manner(device).silent or (
            switch is not None and not pod.answering(int(pod.answers[switch]))
        ):
            raise unavailable(f"{device} does not answer")
        if device in pod.cubes and not pod.has_power(device):
            raise unavailable(f"{device} does not answer")
        return device, pod

    def _timestamp(self, pod: SimulatedPod) -> int:
        """Nanoseconds since 1970, in the fabric's own time."""
        return int((pod.epoch + pod.clock.now()) * 1e9)

    async def _delay(self, pod: SimulatedPod, device: str) -> None:
        if late := pod.manner(device).late:
            await asyncio.sleep(late)
            self._device(device)

    @asynccontextmanager
    async def _refusing(self, context: Any) -> AsyncIterator[None]:
        """Tell a refusal as a status."""
        try:
            yield
        except Refusal as refusal:
            await context.abort(refusal.code, refusal.words)
        except ValueError:
            # A string that is not UTF-8, a number out of range.
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "the request cannot be read")

    def _let_in(self, context: Any) -> None:
        """Let nobody in who may not."""
        if not self._users:
            return
        metadata = dict(context.invocation_metadata() or ())
        user, password = (str(metadata.get(name, "")) for name in ("username", "password"))
        known = self._users.get(user, "")
        same = hmac.compare_digest(known.encode(), password.encode())
        if not known or not same:
            raise Refusal(grpc.StatusCode.UNAUTHENTICATED, "user or password is wrong")


async def _hear(requests: AsyncIterator[Any], subscriber: Subscriber) -> None:
    """A stream is asked for once, and then only listened to."""
    async for _ in requests:
        subscriber.end(invalid("after the first message of a stream none may follow"))


def _side(pod: SimulatedPod, device: str) -> SwitchSide | CubeSide:
    if device in pod.points.switch_numbers:
        return SwitchSide(pod, device)
    return CubeSide(pod, device)
