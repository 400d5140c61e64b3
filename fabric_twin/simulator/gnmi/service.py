"""The gNMI service of a fabric: finds the device that is meant, and lets it answer."""

import asyncio
import hmac
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import grpc

from fabric_twin.dialects import gnmi as pb
from fabric_twin.dialects import openconfig
from fabric_twin.simulator.configuration import Draft
from fabric_twin.simulator.gnmi.cube_tree import CubeTree
from fabric_twin.simulator.gnmi.paths import Steps, compact, message, steps_of
from fabric_twin.simulator.gnmi.refusals import Refusal, invalid, not_found, unavailable
from fabric_twin.simulator.gnmi.subscription import Subscriber, Watched, mode_of
from fabric_twin.simulator.gnmi.switch_tables import SwitchTables
from fabric_twin.simulator.gnmi.transaction import changed, set_response
from fabric_twin.simulator.pod import SimulatedPod

VERSION = "0.8.0"
ENCODINGS = (pb.Encoding.JSON_IETF, pb.Encoding.JSON)
#: Who may call, by user; nothing where anyone may.
Users = Mapping[str, str]
Tree = SwitchTables | CubeTree


class Service:
    """Serves one device of its own address (`alone`), or all devices of some pods."""

    def __init__(self, pods: list[SimulatedPod], users: Users, alone: str = "") -> None:
        self._pods, self._users, self._alone = pods, users, alone
        self._pod_of = {device: pod for pod in pods for device in pod.devices}

    async def Capabilities(self, request: Any, context: Any) -> Any:  # noqa: ARG002, N802
        """Models and encodings."""
        async with self._answering(context):
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
        """Subtrees, one notification a path."""
        async with self._answering(context):
            self._check_encoding(request.encoding)
            device, pod = self._device(request.prefix.target)
            await self._delay(pod, device)
            notes = [self._note(pod, device, request, path) for path in request.path or [pb.Path()]]
            return pb.GetResponse(notification=notes)

    async def Set(self, request: Any, context: Any) -> Any:  # noqa: N802
        """One transaction on one switch."""
        async with self._answering(context):
            device, pod = self._device(request.prefix.target)
            await self._delay(pod, device)
            number = pod.points.switch_numbers.get(device)
            if number is None:
                raise invalid(f"{device} has nothing that can be set")
            paths = [
                *request.delete,
                *(update.path for update in (*request.replace, *request.update)),
            ]
            for origin in {path.origin for path in paths}:
                self._tree(pod, device, origin or request.prefix.origin)
            switch = int(pod.answers[number])
            draft = changed(Draft.of(pod.mirrors, switch), request, pod.dialects[switch])
            pod.commit(switch, draft)
            if pod.manner(device).loses:
                raise unavailable(f"the answer of {device} is lost")
            return set_response(request, self._timestamp(pod))

    async def Subscribe(  # noqa: N802
        self, requests: AsyncIterator[Any], context: Any
    ) -> AsyncIterator[Any]:
        """ONCE, POLL or STREAM."""
        async with self._answering(context):
            first = await anext(aiter(requests), pb.SubscribeRequest())
            mode, wish = mode_of(first), first.subscribe
            self._check_encoding(wish.encoding)
            device, pod = self._device(wish.prefix.target)
            origin = wish.prefix.origin or wish.subscription[0].path.origin
            tree = self._tree(pod, device, origin)
            watched = [
                Watched.of(wish.prefix, one, samples=isinstance(tree, CubeTree))
                for one in wish.subscription
            ]
            prefix = pb.Path(origin=origin, target=wish.prefix.target)

            def encode(node: Any) -> Any:
                return _typed(compact(node), wish.encoding)

            subscriber = Subscriber(tree.entries, encode, partial(self._timestamp, pod), prefix)
            pod.listeners.append(subscriber.stir)
            try:
                if mode == pb.SubscriptionList.STREAM:
                    stream = subscriber.stream(watched, updates_only=wish.updates_only)
                    async for note in stream:
                        self._device(wish.prefix.target)
                        if not pod.manner(device).stale:
                            yield note
                elif mode == pb.SubscriptionList.ONCE:
                    async for note in subscriber.once(watched):
                        yield note
                else:
                    async for request in requests:
                        if not request.HasField("poll"):
                            raise invalid("after the first message only polls may follow")
                        self._device(wish.prefix.target)
                        async for note in subscriber.once(watched):
                            yield note
            finally:
                pod.listeners.remove(subscriber.stir)

    def _note(self, pod: SimulatedPod, device: str, request: Any, path: Any) -> Any:
        tree = self._tree(pod, device, path.origin or request.prefix.origin)
        prefix = steps_of(request.prefix)
        steps = prefix + steps_of(path)
        made = pod.frozen.get((device, steps))
        if made is None:
            made = self._timestamp(pod), _told(tree, steps)
            if pod.manner(device).stale:
                pod.frozen[device, steps] = made
        update = [
            pb.Update(
                path=path if found == steps else message(found[len(prefix) :], origin=path.origin),
                val=_typed(text, request.encoding),
            )
            for found, text in made[1]
        ]
        return pb.Notification(timestamp=made[0], prefix=request.prefix, update=update)

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
        slot = pod.cubes.get(device)
        if slot is not None and not pod.parts.cubes[slot - 1]:
            raise unavailable(f"{device} does not answer")
        return device, pod

    def _tree(self, pod: SimulatedPod, device: str, origin: str) -> Tree:
        number = pod.points.switch_numbers.get(device)
        tree: Tree
        if number is None:
            tree = CubeTree(pod, device, pod.cubes[device])
        else:
            tree = SwitchTables(pod, int(pod.answers[number]))
        if origin not in (tree.origin, "") or (number is not None and not origin):
            raise invalid(f"{device} speaks of the origin {tree.origin}, not of {origin[:40]!r}")
        return tree

    def _check_encoding(self, encoding: int) -> None:
        if encoding not in ENCODINGS:
            names = ", ".join(pb.Encoding.Name(one) for one in ENCODINGS)
            raise Refusal(grpc.StatusCode.UNIMPLEMENTED, f"only {names} are spoken here")

    def _timestamp(self, pod: SimulatedPod) -> int:
        """Nanoseconds since 1970, in the fabric's own time."""
        return int((pod.epoch + pod.clock.now()) * 1e9)

    async def _delay(self, pod: SimulatedPod, device: str) -> None:
        if late := pod.manner(device).late:
            await asyncio.sleep(late)
            self._device(device)

    @asynccontextmanager
    async def _answering(self, context: Any) -> AsyncIterator[None]:
        """Let nobody in who may not, and tell a refusal as a status."""
        try:
            self._let_in(dict(context.invocation_metadata() or ()))
            yield
        except Refusal as refusal:
            await context.abort(refusal.code, refusal.words)
        except ValueError:
            # A string that is not UTF-8, a number out of range.
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "the request cannot be read")

    def _let_in(self, metadata: Mapping[str, Any]) -> None:
        if not self._users:
            return
        user, password = (str(metadata.get(name, "")) for name in ("username", "password"))
        known = self._users.get(user, "")
        same = hmac.compare_digest(known.encode(), password.encode())
        if not known or not same:
            raise Refusal(grpc.StatusCode.UNAUTHENTICATED, "user or password is wrong")


def _told(tree: Tree, steps: Steps) -> list[tuple[Steps, bytes]]:
    """What a path leads to, as text."""
    if len(steps) < 2 if isinstance(tree, CubeTree) else all(step.name != "*" for step in steps):
        return [(steps, tree.text(steps))]
    return [(found, compact(node)) for found, node in tree.find(steps)]


def _typed(text: bytes, encoding: int) -> Any:
    if encoding == pb.Encoding.JSON_IETF:
        return pb.TypedValue(json_ietf_val=text)
    return pb.TypedValue(json_val=text)
