"""A driver of Polatis switches: RESTCONF, ports numbered through, and no word on tuning.

Ports 1..N are ingress (our A), N+1..2N egress (our B). It stands for every switch that does not
speak gNMI, and shows that nothing else in the product needs to know.
"""

import base64
import http.client
import json
import math
import random
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from typing import Any

from fabric_twin.core.errors import NoAnswer, NotAsAsked
from fabric_twin.dialects import polatis
from fabric_twin.switches.changes import Applied, Change, Hold
from fabric_twin.switches.channels import check_tls, check_trust
from fabric_twin.switches.conversation import too_late
from fabric_twin.switches.driver import Access, Capabilities, Patience, Target
from fabric_twin.switches.networks import host_and_port, resolved
from fabric_twin.switches.states import CircuitState, PortState, PortStatus, SwitchState
from fabric_twin.switches.verdicts import Trial

#: Seconds between two looks of a watch: the switch tells nothing by itself.
LOOK = 0.5


class PolatisSwitch:
    """A conversation with one Polatis switch."""

    def __init__(self, target: Target, access: Access, patience: Patience) -> None:
        check_tls(target, access)
        self._target, self._access, self._patience = target, access, patience
        self._closed = threading.Event()

    @property
    def target(self) -> Target:
        """Whom it speaks to."""
        return self._target

    def capabilities(self) -> Capabilities:
        """What the switch can do."""
        self._ask("GET", polatis.SWITCH)
        return Capabilities("RESTCONF", {polatis.MODULE: polatis.REVISION}, ("JSON",))

    def read(self) -> SwitchState:
        """Read everything."""
        try:
            return self._state()
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise NotAsAsked(
                f"its answer cannot be read ({error!r:.80})",
                where=self._target.name,
                remedy="Check its address and target, its dialect, and what we may do there",
            ) from None

    def _state(self) -> SwitchState:
        ports = self._ask("GET", polatis.PORTS)[polatis.PORT_CONFIG]["port"]
        pairs = self._ask("GET", polatis.CROSS_CONNECTS)[polatis.PAIRS].get("pair", [])
        half = len(ports) // 2
        tuned = CircuitState(PortStatus.TUNED, PortStatus.TUNED)
        ends = ((_name(row["ingress"], half), _name(row["egress"], half)) for row in pairs)
        circuits = dict.fromkeys(ends, tuned)
        status = dict.fromkeys((port for pair in circuits for port in pair), PortStatus.TUNED)
        joined = {end: other for a, b in circuits for end, other in ((a, b), (b, a))}
        return SwitchState(
            self._target.name,
            {
                name: PortState(
                    status.get(name, PortStatus.BLOCKED),
                    joined.get(name, ""),
                    row.get("status") == polatis.PORT_DISABLED,
                    row.get("label", ""),
                )
                for row in ports
                for name in [_name(row["port-id"], half)]
            },
            frozenset(circuits),
            circuits,
            told_at=time.time(),
        )

    def apply(self, change: Change, *, until: float = math.inf) -> Applied:
        """Replace all cross-connects at once, keeping what is not to change; read it back."""
        before = self.read()
        trial = Trial.of(self._target.name, change, before, shown_late=True)
        if not trial.open:
            return trial.verdict(before)
        if why := trial.conflict(before):
            return trial.refused(why, before)
        half = len(before.ports) // 2
        wanted = before.configured.difference(trial.delete).union(trial.add)
        rows = [{"ingress": _number(a, half), "egress": _number(b, half)} for a, b in wanted]
        try:
            self._ask("PUT", polatis.CROSS_CONNECTS, {polatis.PAIRS: {"pair": rows}}, until)
        except _Refused as refusal:
            return trial.refused(str(refusal), self.read())
        return trial.watch(self._looks())

    def hold(self, hold: Hold, *, until: float = math.inf) -> SwitchState:
        """Block some ports and release others, in one request; read it back."""
        state = self.read()
        half = len(state.ports) // 2
        asked = {
            word: sorted(_number(port, half) for port in ports)
            for word, ports in ((polatis.DISABLE, hold.block), (polatis.ENABLE, hold.release))
            if ports
        }
        if not asked:
            return state
        try:
            self._ask("POST", polatis.SET_STATE, {polatis.INPUT: asked}, until)
        except _Refused as refusal:
            raise self._no_answer(f"it refused: {refusal}", "See which ports it has") from None
        return self.read()

    def watch(self) -> Iterator[SwitchState]:
        """Yield the state now, and whenever it changed: it is asked again and again."""
        told: Any = None
        while not self._closed.is_set():
            try:
                state = self.read()
            except NoAnswer:
                self._closed.wait(LOOK)
                continue
            now = state.ports, state.configured
            if now != told:
                told = now
                yield state
            self._closed.wait(LOOK)

    def close(self) -> None:
        """Hang up; a watch ends."""
        self._closed.set()

    def _looks(self) -> Iterator[SwitchState]:
        deadline, step = time.monotonic() + self._patience.tuning, 0.02
        while True:
            yield self.read()
            if time.monotonic() >= deadline:
                return
            time.sleep(step)
            step = min(1.0, step * 2)

    def _ask(self, method: str, path: str, content: Any = None, until: float = math.inf) -> Any:
        last = ""
        for tried in range(self._patience.tries):
            if tried:
                pause = self._patience.pause * 2 ** (tried - 1)
                self._closed.wait(pause * random.uniform(0.5, 1.0))  # noqa: S311  # not a secret
            left = until - time.monotonic()
            if left <= 0 and not tried:
                raise too_late(self._target.name)
            if left <= 0:
                break
            try:
                timeout = min(self._patience.request, left)
                status, body = self._send(method, path, content, timeout)
            except (OSError, http.client.HTTPException) as error:
                last = type(error).__name__
                continue
            if status in (401, 403):
                raise self._no_answer("it refuses the login", "Check user and password")
            if status in (400, 409):
                raise _Refused(str(body.get("error", "no words"))[:300].rstrip("."))
            if status < 300:
                return body
            last = f"status {status}"
        raise self._no_answer(f"it did not answer ({last})", f"See {self._target.address}")

    def _send(self, method: str, path: str, content: Any, timeout: float) -> tuple[int, Any]:
        access = self._access
        headers = {"Content-Type": polatis.JSON, "Accept": polatis.JSON}
        if access.user:
            secret = base64.b64encode(f"{access.user}:{access.password}".encode()).decode()
            headers["Authorization"] = f"Basic {secret}"
        connection = self._connection(timeout)
        try:
            body = None if content is None else json.dumps(content)
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read()
            return answer.status, json.loads(text) if text else {}
        except ValueError:
            raise self._no_answer("its answer is not JSON", "See whether it is a Polatis") from None
        finally:
            connection.close()

    def _connection(self, timeout: float) -> http.client.HTTPConnection:
        """A connection to the very address that was checked."""
        access, target = self._access, self._target
        if access.insecure:
            return http.client.HTTPConnection(target.address, timeout=timeout)
        check_trust(target, access)
        trusted = access.trusted.decode() if access.trusted else None
        context = ssl.create_default_context(cadata=trusted)
        connection = http.client.HTTPSConnection(target.address, timeout=timeout, context=context)
        if access.networks is not None:
            there = socket.create_connection(
                resolved(target.address, access.networks, target.name), timeout
            )
            host = host_and_port(target.address)[0]
            connection.sock = context.wrap_socket(there, server_hostname=host)
        return connection

    def _no_answer(self, what: str, remedy: str) -> NoAnswer:
        return NoAnswer(what, where=self._target.name, remedy=remedy)


class _Refused(Exception):
    """The switch understood, and will not."""


def _name(number: int, half: int) -> str:
    return f"{number}A" if number <= half else f"{number - half}B"


def _number(port: str, half: int) -> int:
    return int(port[:-1]) + (half if port[-1] == "B" else 0)
