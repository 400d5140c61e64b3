"""gNMI with one target: deadlines, tries with pauses of random length, and refusals in words."""

import contextlib
import json
import math
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

import grpc

from fabric_twin.core.errors import NoAnswer, NotAsAsked, TooLate
from fabric_twin.dialects import gnmi as pb
from fabric_twin.switches.channels import Way, check_tls, release, take, way_to
from fabric_twin.switches.distrust import Distrust, check_distrust
from fabric_twin.switches.driver import Access, Capabilities, Patience, Target

_AGAIN = {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
}
Path = tuple[str, ...]
#: A path, and the JSON at it.
Told = tuple[Path, bytes]
#: Seconds between tries at most.
LONGEST_PAUSE = 5.0


class Refused(Exception):
    """A target understood a request, and will not."""


class NotLetIn(NotAsAsked):
    """A target that does not know us, or that we do not trust: to try again would not help."""


class Conversation:
    """Requests to a target, over the channel to its address."""

    def __init__(self, target: Target, access: Access, patience: Patience) -> None:
        self.target, self._patience = target, patience
        self.closed = threading.Event()
        self._metadata = (
            (("username", access.user), ("password", access.password)) if access.user else ()
        )
        check_tls(target, access)
        self._access = access
        self._way: Way | None = None
        self._opening = threading.Lock()
        #: What it is subscribed to: others on the channel go on when this one hangs up.
        self._streams: set[Any] = set()

    def close(self) -> None:
        """Hang up."""
        if self.closed.is_set():
            return
        self.closed.set()
        self.hang_up()
        with self._opening:
            if self._way:
                release(self._way)
                self._way = None

    @cached_property
    def _stub(self) -> Any:
        """What is called; the way there is opened when it is needed first."""
        with self._opening:
            if self.closed.is_set():
                raise self.no_answer("the conversation is closed")
            way = way_to(self.target, self._access)
            channel = take(way)
            self._way = way
            return pb.calls_on(channel)

    def look_up_again(self) -> None:
        """Go another time where its name leads, which may be elsewhere by now."""
        with self._opening:
            if self._way and not self.closed.is_set():
                release(self._way)
                self._way = None
                self.__dict__.pop("_stub", None)

    def prefix(self, origin: str = "") -> Any:
        """The prefix that names the target where its address serves many."""
        return pb.Path(target=self.target.called, origin=origin)

    def capabilities(self) -> Capabilities:
        """What the target can do."""
        answer = self._ask(self._stub.Capabilities, pb.CapabilityRequest())
        return Capabilities(
            version=answer.gNMI_version,
            models={model.name: model.version for model in answer.supported_models},
            encodings=tuple(pb.Encoding.Name(one) for one in answer.supported_encodings),
        )

    def get(self, origin: str, paths: Sequence[Path]) -> tuple[list[Told], float]:
        """The JSON under some paths, each with the path that it is at, in any order and parts.

        What is not there is not in it, or the whole is `NotThere`: that is the target's choice. And
        when the target says this was so; NaN where it says nothing.
        """
        request = pb.GetRequest(
            prefix=self.prefix(origin),
            path=[path_of(tuple(names)) for names in paths],
            encoding=pb.Encoding.JSON_IETF,
        )
        answer = self._ask(self._stub.Get, request)
        told = [
            (at or tuple(paths[0]), text)
            for note in answer.notification
            for at, text in texts_of(note)
        ]
        moments = [note.timestamp for note in answer.notification]
        return told, min(moments) / 1e9 if moments else math.nan

    def set(
        self,
        origin: str,
        delete: Sequence[Path],
        update: Sequence[tuple[Path, bytes]],
        until: float = math.inf,
        again: Callable[[], object] = lambda: None,
    ) -> None:
        """Delete and update rows, each by its whole path, in one transaction.

        To try it again does no harm, once `again` is done. It is sent only until a moment of
        `time.monotonic()`, and the target is told to leave it when that is over.
        """
        request = pb.SetRequest(prefix=self.prefix(origin))
        # Messages written one after the other are read as one.
        request.MergeFromString(b"".join(map(_deletion, delete)))
        request.MergeFromString(b"".join(_update(path, value) for path, value in update))
        self._ask(self._stub.Set, request, until, again)

    def subscribe(self, origin: str, paths: Sequence[Path]) -> Iterator[Any]:
        """Every change under some paths, after all there is; ends when the target hangs up."""
        request = pb.SubscribeRequest(
            subscribe=pb.SubscriptionList(
                prefix=self.prefix(origin),
                subscription=[
                    pb.Subscription(path=path_of(tuple(names)), mode=pb.SubscriptionMode.ON_CHANGE)
                    for names in paths
                ],
                mode=pb.SubscriptionList.STREAM,
                encoding=pb.Encoding.JSON_IETF,
            )
        )
        over = threading.Event()

        def requests() -> Iterator[Any]:
            yield request
            # Some targets take the end of requests for the end of the subscription.
            while not (over.is_set() or self.closed.is_set()):
                over.wait(0.5)

        stream: Any = None
        try:
            stream = self._stub.Subscribe(requests(), metadata=self._metadata)
            self._streams.add(stream)
            if not self.closed.is_set():
                yield from stream
        except grpc.RpcError as error:
            if error.code() not in _AGAIN | {grpc.StatusCode.CANCELLED}:
                raise self._refusal(error) from None
        except ValueError:
            # The channel was closed meanwhile.
            return
        finally:
            over.set()
            self._streams.discard(stream)
            if stream:
                stream.cancel()

    def hang_up(self) -> None:
        """End every subscription; others may follow."""
        for stream in list(self._streams):
            stream.cancel()

    def pause(self, tried: int) -> None:
        """Wait before the next try: longer each time, and never as long as others."""
        longest = min(LONGEST_PAUSE, self._patience.pause * 2**tried)
        self.closed.wait(longest * random.uniform(0.5, 1.0))  # noqa: S311  # not a secret

    def no_answer(self, what: str) -> NoAnswer:
        """A refusal that names the target."""
        return NoAnswer(
            what,
            where=self.target.name,
            remedy=f"See whether it runs, and answers gNMI at {self.target.address}",
        )

    def not_as_asked(self, what: str) -> NotAsAsked:
        """The same of one that answers, and not as it was asked."""
        return NotAsAsked(
            what,
            where=self.target.name,
            remedy="Check its address and target, its dialect, and what we may do there",
        )

    def _ask(
        self,
        call: Any,
        request: Any,
        until: float = math.inf,
        again: Callable[[], object] | None = None,
    ) -> Any:
        """Ask, and again while nobody answers; `again` is done before a change is sent anew."""
        for tried in range(self._patience.tries):
            if tried:
                self.pause(tried - 1)
                if again:
                    again()
            left = until - time.monotonic()
            if left <= 0 and not tried:
                raise too_late(self.target.name)
            if left <= 0:
                break
            if self.closed.is_set():
                raise self.no_answer("the conversation is closed")
            try:
                # gRPC keeps to the moment itself, should this process be stopped just here.
                timeout = min(self._patience.request, left)
                return call(request, timeout=timeout, metadata=self._metadata)
            except grpc.RpcError as error:
                if error.code() not in _AGAIN:
                    raise self._refused(error, anew=bool(again and tried)) from None
                last = error
            except ValueError:
                raise self.no_answer("the conversation is closed") from None
        raise self._refusal(last)

    def _refused(self, error: Any, *, anew: bool) -> Exception:
        """What came of a call; a change that is sent anew may be refused because of itself."""
        refusal = self._refusal(error)
        if anew and isinstance(refusal, Refused):
            return self.no_answer(f"it did not answer at first, and then refused ({refusal})")
        return refusal

    def _refusal(self, error: Any) -> Exception:  # noqa: PLR0911  # one for each cause
        code, words = error.code(), error.details() or "no words"
        if code in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED):
            return NotLetIn(
                "it refuses the login", where=self.target.name, remedy="Check user and password"
            )
        if code is grpc.StatusCode.DEADLINE_EXCEEDED:
            return self.no_answer(f"it did not answer within {self._patience.request:g} s")
        if code is grpc.StatusCode.UNAVAILABLE and (way := self._way):
            try:
                check_distrust(way, _short(words), self._patience.request)
            except Distrust as distrust:
                return NotLetIn(distrust.what, where=self.target.name, remedy=distrust.remedy)
        if code is grpc.StatusCode.RESOURCE_EXHAUSTED:
            return self.not_as_asked(f"it refused: {_short(words)}")
        if code in _AGAIN:
            return self.no_answer(f"it did not answer ({_short(words)})")
        if code is grpc.StatusCode.NOT_FOUND:
            return NotThere(_short(words))
        if code in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.FAILED_PRECONDITION):
            return Refused(_short(words))
        # A patch that does not apply is UNKNOWN to SONiC: whatever it is called, it is an answer.
        return Refused(f"{code.name}: {_short(words)}")


def too_late(name: str) -> TooLate:
    """A change that is not sent any more."""
    return TooLate(
        "it was not told: the time in which it might be was over",
        where=name,
        remedy="The worker that holds the lease now does the rest",
    )


class NotThere(Refused):
    """A target that has no such path."""


def _short(words: str) -> str:
    """Words of a stranger, for one line."""
    return "".join(c if c.isprintable() else " " for c in words)[:300].rstrip(".")


@lru_cache(2**15)
def _deletion(path: Path) -> bytes:
    """A request that deletes one row, as it is sent: rows are called alike on every switch."""
    written: bytes = pb.SetRequest(delete=[path_of(path)]).SerializeToString()
    return written


@lru_cache(2**15)
def _update(path: Path, value: bytes) -> bytes:
    """A request that updates one row, as it is sent."""
    update = pb.Update(path=path_of(path), val=pb.TypedValue(json_ietf_val=value))
    written: bytes = pb.SetRequest(update=[update]).SerializeToString()
    return written


class Entry(str):
    """The name of a list in a path that leads to one entry of it, by its keys."""

    __slots__ = ("keys_of_entry",)
    keys_of_entry: Mapping[str, str]


def names_of(*paths: Any) -> Path:
    """The names of a prefix and a path, one after the other."""
    return tuple(_entry(elem) if elem.key else elem.name for path in paths for elem in path.elem)


def _entry(elem: Any) -> Entry:
    entry = Entry(elem.name)
    entry.keys_of_entry = dict(elem.key)
    return entry


def texts_of(note: Any) -> Iterator[Told]:
    """What a notification tells: each path, and the JSON at it."""
    for update in note.update:
        yield names_of(note.prefix, update.path), _text(update.val)


def _text(value: Any) -> bytes:
    """The JSON of a value, whatever it is written in."""
    kind = value.WhichOneof("value")
    if kind in ("json_ietf_val", "json_val"):
        told: bytes = getattr(value, kind)
        return told
    return json.dumps(getattr(value, kind) if kind else None).encode()


@lru_cache(2**15)
def path_of(names: tuple[str, ...]) -> Any:
    """A path without keys; callers do not change it."""
    return pb.Path(elem=[pb.PathElem(name=name) for name in names])


def wait_until(deadline: float, step: float) -> bool:
    """Sleep a step, or until a moment of the monotonic clock; whether there is time left."""
    left = deadline - time.monotonic()
    if left > 0:
        time.sleep(max(0.0, min(step, left)))
    return left > 0


@contextlib.contextmanager
def in_words(conversation: Conversation) -> Iterator[None]:
    """Tell what a target refused, or answered badly, as no answer."""
    try:
        yield
    except Refused as refusal:
        raise conversation.not_as_asked(f"it refused: {refusal}") from None
    except (
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as error:
        raise conversation.not_as_asked(f"its answer cannot be read ({error!r:.200})") from None
