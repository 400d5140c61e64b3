"""How a cube, a block, a group or a packet switch answers gNMI: OpenConfig's tree, by the letter of
the specification.
"""

from collections.abc import Iterator
from typing import Any

from fabric_twin.dialects import gnmi as pb
from fabric_twin.dialects import openconfig
from fabric_twin.simulator.gnmi.cube_tree import CubeTree
from fabric_twin.simulator.gnmi.openconfig_tree import OpenConfigTree
from fabric_twin.simulator.gnmi.packet_tree import PacketTree
from fabric_twin.simulator.gnmi.paths import Steps, compact, message, steps_of
from fabric_twin.simulator.gnmi.refusals import NotFound, invalid, unimplemented
from fabric_twin.simulator.gnmi.subscription import Beat, News, check_sample
from fabric_twin.simulator.pod import SimulatedPod

ENCODINGS = (pb.Encoding.JSON_IETF, pb.Encoding.JSON)
#: Seconds between samples at least.
SHORTEST = 0.05
_MODELS = {name for name, _ in openconfig.MODELS}


class CubeSide:
    """One of them."""

    origin = "openconfig"

    def __init__(self, pod: SimulatedPod, device: str) -> None:
        self._pod, self._device = pod, device
        tree = PacketTree if pod.points.is_packet else CubeTree
        self._tree: OpenConfigTree = tree(pod, device)

    def get(self, request: Any, timestamp: int) -> list[Any]:
        """One notification a path."""
        _check_form(request.encoding, request.use_models)
        if request.type not in pb.GetRequest.DataType.values():
            raise invalid(f"there is no type of data {request.type}")
        return [self._note(request, path, timestamp) for path in request.path or [pb.Path()]]

    def watched(self, wish: Any) -> list["TreeNews"]:
        """What is subscribed to."""
        if not wish.subscription:
            raise invalid("a Subscribe begins with a list of subscriptions")
        _check_form(wish.encoding, wish.use_models)
        for one in wish.subscription:
            self._check_path(wish.prefix, one.path)
        return [TreeNews(self._tree, wish, one) for one in wish.subscription]

    def _note(self, request: Any, path: Any, timestamp: int) -> Any:
        self._check_path(request.prefix, path)
        prefix = steps_of(request.prefix)
        steps = prefix + steps_of(path)
        made = self._pod.frozen.get((self._device, steps))
        if made is None:
            made = timestamp, self._told(steps)
            if self._pod.manner(self._device).stale:
                self._pod.frozen[self._device, steps] = made
        # All that a cube tells is state: it has nothing that can be configured.
        told = [] if request.type == pb.GetRequest.CONFIG else made[1]
        update = [
            pb.Update(
                path=path if found == steps else message(found[len(prefix) :], origin=path.origin),
                val=_typed(text, request.encoding),
            )
            for found, text in told
        ]
        return pb.Notification(timestamp=made[0], prefix=request.prefix, update=update)

    def _told(self, steps: Steps) -> list[tuple[Steps, bytes]]:
        """What a path leads to, as text."""
        if len(steps) < 2 and not any(step.is_wild for step in steps):
            return [(steps, self._tree.text(steps))]
        return [(found, compact(node)) for found, node in self._tree.find(steps)]

    def _check_path(self, prefix: Any, path: Any) -> None:
        origin = path.origin or prefix.origin
        if origin not in (self.origin, ""):
            raise invalid(
                f"{self._device} speaks of the origin {self.origin}, not of {origin[:40]!r}"
            )
        if prefix.element or path.element:
            raise invalid("paths are made of elem: element is of long ago")


class TreeNews:
    """One path of a subscription: entries of lists, and what was last sent of each."""

    def __init__(self, tree: OpenConfigTree, wish: Any, subscription: Any) -> None:
        self._tree, self._encoding = tree, wish.encoding
        self._steps = steps_of(wish.prefix, subscription.path)
        origin = wish.prefix.origin or subscription.path.origin
        self.prefix = pb.Path(origin=origin, target=wish.prefix.target)
        self.beat = _beat(wish, subscription)
        self._told: dict[Steps, Any] = {}

    def all(self) -> Iterator[News]:
        """All there is."""
        yield self._news(whole=True)

    def changes(self) -> Iterator[News]:
        """What is another since it was told last."""
        yield self._news(whole=False)

    def _news(self, *, whole: bool) -> News:
        told, now = self._told, dict(self._entries())
        self._told = now
        gone = [message(steps) for steps in told if steps not in now]
        news = [
            pb.Update(path=message(steps), val=_typed(compact(value), self._encoding))
            for steps, value in now.items()
            if whole or steps not in told or told[steps] != value
        ]
        return News(news, gone)

    def _entries(self) -> Iterator[tuple[Steps, Any]]:
        """What is there; what is not may come."""
        try:
            yield from self._tree.entries(self._steps)
        except NotFound:
            return


def _beat(wish: Any, subscription: Any) -> Beat:
    """As asked for; where the target decides, it samples."""
    mode = subscription.mode
    if mode not in pb.SubscriptionMode.values():
        raise invalid(f"there is no mode of a subscription {mode}")
    beat = Beat(heartbeat=subscription.heartbeat_interval / 1e9)
    if wish.mode == pb.SubscriptionList.STREAM and mode != pb.SubscriptionMode.ON_CHANGE:
        beat.sample = check_sample(subscription, SHORTEST)
        beat.suppress = subscription.suppress_redundant
    return beat


def _check_form(encoding: int, models: Any) -> None:
    if encoding not in ENCODINGS:
        names = ", ".join(pb.Encoding.Name(one) for one in ENCODINGS)
        raise unimplemented(f"unsupported encoding: only {names} are spoken here")
    if models and {model.name for model in models} != _MODELS:
        raise unimplemented("use_models is not supported: the tree is told whole")


def _typed(text: bytes, encoding: int) -> Any:
    if encoding == pb.Encoding.JSON_IETF:
        return pb.TypedValue(json_ietf_val=text)
    return pb.TypedValue(json_val=text)
