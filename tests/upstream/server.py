"""Upstream SONiC's gNMI server, told a second time: what it takes, refuses and answers.

Written from `sonic_ocs.md` section 10 and from sonic-net/sonic-gnmi 5ec1c20 (August 2026), and
apart from the product's own simulator, so that one account can be held against the other. Only the
origin `sonic-db` is here: one switch with an address of its own, and an empty target.
"""

import json
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

import grpc
from pygnmi.spec.v080 import gnmi_pb2 as gnmi
from pygnmi.spec.v080 import gnmi_pb2_grpc

from tests.upstream.manner import STRICT, Manner
from tests.upstream.patch import Checkpoint, updated
from tests.upstream.reading import Listener, look_up
from tests.upstream.switch import Asked, Event, Switch
from tests.upstream.words import (
    Refused,
    Tables,
    bare_names,
    below,
    failed,
    names_of,
    not_found,
    pointer_of,
    text_of,
    whole,
)

Code = grpc.StatusCode
_ENCODINGS = (gnmi.JSON, gnmi.JSON_IETF, gnmi.PROTO)


class Gnmi(gnmi_pb2_grpc.gNMIServicer):  # type: ignore[misc] # generated without types
    """The four calls, in the order in which upstream looks at them."""

    def __init__(self, switch: Switch, manner: Manner, login: tuple[str, str] | None) -> None:
        self.switch = switch
        self.manner = manner
        self.login = login
        self._one_set = threading.Lock()
        self._checkpoint: Tables | None = None

    def Capabilities(  # noqa: N802
        self, request: gnmi.CapabilityRequest, context: grpc.ServicerContext
    ) -> gnmi.CapabilityResponse:
        """Say what it speaks."""
        del request
        with _refusing(context):
            self._authenticate(context)
        model = gnmi.ModelData(name="sonic-db", organization="SONiC", version="0.1.0")
        return gnmi.CapabilityResponse(
            supported_models=[model], supported_encodings=_ENCODINGS, gNMI_version="0.7.0"
        )

    def Get(  # noqa: N802
        self, request: gnmi.GetRequest, context: grpc.ServicerContext
    ) -> gnmi.GetResponse:
        """Answer all paths, or refuse all of them for one."""
        with _refusing(context):
            if request.type != gnmi.GetRequest.ALL:
                kind = gnmi.GetRequest.DataType.Name(request.type)
                raise Refused(Code.UNIMPLEMENTED, f"unsupported request type: {kind}")
            if request.encoding not in _ENCODINGS:
                encoding = gnmi.Encoding.Name(request.encoding)
                raise Refused(Code.UNIMPLEMENTED, f"unsupported encoding: {encoding}")
            if request.prefix.target in {*self.switch.databases, "SHOW", "OTHERS"}:
                raise Refused(Code.UNIMPLEMENTED, "a target names another client: not served here")
            _want_native(_origin(request.prefix, request.path))
            database = self._database(request.prefix, request.path)
            self._authenticate(context)
            self.switch.gets.append(database)
            answers = self._read(database, request)
        parts = self.manner.notifications(request.prefix, answers, time.time_ns())
        return gnmi.GetResponse(notification=parts)

    def _read(self, database: str, request: gnmi.GetRequest) -> list[tuple[gnmi.Path, Any]]:
        wanted = [(path, names_of(request.prefix, path)) for path in request.path]
        checkpoint = self._checkpoint
        if database == "CONFIG_DB" and checkpoint is not None:
            # While a Set runs: the state before it. A path that is not in there is no refusal yet:
            # upstream then reads all paths in Redis, where the change may be half done.
            try:
                before = Checkpoint(checkpoint)
                return [(path, before.get(names)) for path, names in wanted if path.elem]
            except Refused:
                pass
        tables = self.switch.tables(database)
        answers = []
        for path, names in wanted:
            content = look_up(database, tables, names, quiet=self.manner.quiet)
            if content in (None, {}):
                if len(names) > 1:
                    raise not_found(f"No valid entry found for path {text_of(path.elem)}")
                continue  # fewer notifications than paths
            if len(names) != 3 and request.encoding == gnmi.JSON:  # gNMI's default!
                # A row is not even looked for then; a table is read, and cannot be written.
                if len(names) == 2:
                    raise not_found(f"No valid entry found for path {text_of(path.elem)}")
                raise not_found("Unknown encoding JSON")
            if len(names) != 3 and request.encoding == gnmi.PROTO:
                raise not_found(f"No proto bytes found in redis {content}")
            answers.append((path, content))
        return answers

    def Set(  # noqa: N802
        self, request: gnmi.SetRequest, context: grpc.ServicerContext
    ) -> gnmi.SetResponse:
        """Delete, replace and update, in this order: all of it or nothing."""
        asked = Asked(
            [whole(request.prefix, path) for path in request.delete],
            [(whole(request.prefix, one.path), _told(one.val)) for one in request.replace],
            [(whole(request.prefix, one.path), _told(one.val)) for one in request.update],
        )
        self.switch.record.append(asked)
        paths = [*request.delete, *(one.path for one in [*request.replace, *request.update])]
        with _refusing(context), self._one_set:
            try:
                _want_native(_origin(request.prefix, paths))
                database = self._database(request.prefix, paths)
                self._authenticate(context)
                if database != "CONFIG_DB":  # APPL_DB, for DASH, is not served here
                    raise failed(f"Set RPC does not support {database}")
                self._set_config(request, asked)
            except Refused as refusal:
                asked.outcome = f"refused: {refusal.words}"
                raise
        done = gnmi.UpdateResult
        return gnmi.SetResponse(
            prefix=request.prefix,
            response=[
                *(done(path=path, op=done.DELETE) for path in request.delete),
                *(done(path=one.path, op=done.REPLACE) for one in request.replace),
                *(done(path=one.path, op=done.UPDATE) for one in request.update),
            ],
        )

    def _set_config(self, request: gnmi.SetRequest, asked: Asked) -> None:
        deletes, replaces, updates = request.delete, request.replace, request.update
        shape = (len(deletes), len(replaces), len(updates))
        # Empty is what names no table: /CONFIG_DB/localhost, or (one of the two) no element at all.
        paths = [*deletes, *(one.path for one in [*replaces, *updates])]
        roots = [not below(request.prefix, path) for path in paths]
        if shape == (1, 0, 1) and all(roots):
            # Checked by YANG and laid aside for a reload: the running configuration stays.
            _parsed(updates[0].val)
            asked.outcome = "set full config"
            return
        if shape == (0, 1, 0) and all(roots):
            tables = _parsed(replaces[0].val)
            asked.outcome = "replace full config"
            self._run(tables)
            return
        before = self.switch.tables("CONFIG_DB")
        asked.patch = _patch(request, Checkpoint(before))
        asked.outcome = "patch"
        if asked.patch:
            self._run(updated(before, asked.patch, self.manner.release))

    def _run(self, tables: Tables) -> None:
        """Change the configuration and save it; until then readers get the checkpoint."""
        self._checkpoint = self.switch.tables("CONFIG_DB") if self.manner.set_seconds else None
        try:
            self.switch.configure(tables)
            time.sleep(self.manner.set_seconds)
        finally:
            self._checkpoint = None
        if self.manner.unsaved:
            raise Refused(self.manner.unsaved, "ConfigSave failed: no space left on device")

    def Subscribe(  # noqa: N802
        self, requests: Iterator[gnmi.SubscribeRequest], context: grpc.ServicerContext
    ) -> Iterator[gnmi.SubscribeResponse]:
        """All that is there, `sync_response`, and then every change of a row (STREAM)."""
        first = next(requests, None)
        with _refusing(context):
            if first is None:
                raise Refused(Code.ABORTED, "stream EOF received before init")
            if not first.HasField("subscribe"):
                words = f"first message must be SubscriptionList: {first}"
                raise Refused(Code.INVALID_ARGUMENT, words)
            asked = first.subscribe
            paths = [subscription.path for subscription in asked.subscription]
            if not paths:
                raise not_found("Invalid subscription path: No Subscription")
            _want_native(_subscribed_origin(asked.prefix, paths))
            database = self._database(asked.prefix, paths)
            self._authenticate(context)
            if asked.mode == gnmi.SubscriptionList.POLL:
                raise Refused(Code.UNIMPLEMENTED, "polls are not served here")
            changes: SimpleQueue[Event | None] = SimpleQueue()
            context.add_callback(lambda: changes.put(None))
            with self.switch.listening(changes.put):
                once = asked.mode == gnmi.SubscriptionList.ONCE
                listeners = [
                    Listener(self.switch, self.manner, database, asked, one)
                    for one in asked.subscription
                ]
                for listener in listeners:
                    yield from listener.first()
                yield gnmi.SubscribeResponse(sync_response=True)
                if once:
                    return
                while (event := changes.get()) is not None:
                    for listener in listeners:
                        yield from listener.on(event)

    def _authenticate(self, context: grpc.ServicerContext) -> None:
        """User and password come as metadata; a certificate was asked for by TLS already."""
        told = {str(key): value for key, value in context.invocation_metadata()}
        if self.login and (told.get("username"), told.get("password")) != self.login:
            raise Refused(Code.UNAUTHENTICATED, "Unauthenticated")

    def _database(self, prefix: gnmi.Path, paths: Sequence[gnmi.Path]) -> str:
        """The one database of a request; refusals are wrapped, a status inside a status."""
        if not paths:  # nothing is asked: the database is not looked at
            return str(prefix.elem[0].name) if prefix.elem else ""
        database = namespace = ""
        for path in paths:
            if not path.elem:
                continue
            elems = [*prefix.elem, *path.elem]
            if len(elems) < 2:
                raise _wrapped("Invalid elem length")
            if database not in ("", elems[0].name):
                raise _wrapped("Target conflict in path")
            if namespace not in ("", elems[1].name):
                raise _wrapped("Namespace/container conflict in path")
            database, namespace = elems[0].name, elems[1].name
        if not database:
            raise _wrapped("No target specified in path")
        if database not in self.switch.databases:
            raise _wrapped("Invalid target: ns , container ")
        return str(database)


def _patch(request: gnmi.SetRequest, checkpoint: Checkpoint) -> list[dict[str, Any]]:
    """The JSON patch of a Set, each step tried on the checkpoint first."""
    patch: list[dict[str, Any]] = []
    for path in request.delete:
        if path.elem:
            try:
                checkpoint.remove(bare_names(request.prefix, path))
            except Refused:
                continue  # not there: skipped in silence
        patch.append({"op": "remove", "path": pointer_of(request.prefix, path)})
    for op, updates in (("replace", request.replace), ("add", request.update)):
        for one in updates:
            if not one.HasField("val"):
                raise failed(f"Invalid update {one}")
            if one.path.elem:
                step = checkpoint.replace if op == "replace" else checkpoint.add
                step(bare_names(request.prefix, one.path), one.val.json_ietf_val)
            pointer = pointer_of(request.prefix, one.path)
            patch.append({"op": op, "path": pointer, "value": _parsed(one.val)})
    return patch


def _told(value: gnmi.TypedValue) -> Any:
    """What an update brings, for the record; what is not IETF JSON stays a message."""
    try:
        return json.loads(value.json_ietf_val)
    except ValueError:
        return value


def _parsed(value: gnmi.TypedValue) -> Any:
    if not value.json_ietf_val:
        raise failed("Value encoding is not IETF JSON")
    try:
        return json.loads(value.json_ietf_val)
    except ValueError as problem:
        raise failed(f"JSON unmarshalling error: {problem}") from None


def _want_native(origin: str) -> None:
    if origin != "sonic-db":
        raise Refused(Code.UNIMPLEMENTED, f"Unsupported origin: {origin}")


def _origin(prefix: gnmi.Path, paths: Sequence[gnmi.Path]) -> str:
    """The prefix decides; without one, all paths must say the same."""
    if prefix.origin:
        return str(prefix.origin)
    if len({path.origin for path in paths}) > 1:
        raise Refused(Code.UNIMPLEMENTED, "Origin conflict in path")
    return str(paths[0].origin) if paths else ""


def _subscribed_origin(prefix: gnmi.Path, paths: Sequence[gnmi.Path]) -> str:
    """A subscription's paths may not differ from its prefix either."""
    told = _origin(gnmi.Path(), paths)
    if told and prefix.origin and told != prefix.origin:
        raise Refused(Code.INVALID_ARGUMENT, "Origin conflict between prefix and paths")
    if not told and not prefix.origin and not prefix.target:
        raise Refused(Code.UNIMPLEMENTED, "Empty target data not supported")
    return str(prefix.origin or told)


def _wrapped(words: str) -> Refused:
    return not_found(f"rpc error: code = Unimplemented desc = {words}")


@contextmanager
def _refusing(context: grpc.ServicerContext) -> Iterator[None]:
    try:
        yield
    except Refused as refusal:
        context.abort(refusal.code, refusal.words)


class Served:
    """A server that runs: where, what it holds, and what it was asked."""

    def __init__(self, address: str, switch: Switch) -> None:
        self.address = address
        self.switch = switch

    @property
    def record(self) -> list[Asked]:
        """Every Set, in the order in which they came."""
        return self.switch.record


@contextmanager
def serve(
    manner: Manner = STRICT,
    *,
    credentials: grpc.ServerCredentials | None = None,
    login: tuple[str, str] | None = None,
    **content: Any,
) -> Iterator[Served]:
    """Serve one switch on this machine; `content` is that of `Switch`."""
    switch = Switch(**{"bare": manner.bare, **content})
    server = grpc.server(ThreadPoolExecutor(max_workers=16))
    gnmi_pb2_grpc.add_gNMIServicer_to_server(Gnmi(switch, manner, login), server)
    if credentials:
        port = server.add_secure_port("127.0.0.1:0", credentials)
    else:
        port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield Served(f"127.0.0.1:{port}", switch)
    finally:
        switch.close()
        server.stop(grace=0).wait()
