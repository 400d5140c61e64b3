"""The product's simulator keeps the rules of upstream's server too, in both dialects."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace

import grpc
import pytest
from pygnmi.spec.v080 import gnmi_pb2 as gnmi

from fabric_twin.core.designs import find_design
from fabric_twin.dialects.sonic import DIALECTS
from fabric_twin.simulator.clock import RunningClock
from fabric_twin.simulator.pod import SimulatedPod
from fabric_twin.simulator.serving import Server
from tests.upstream.asking import Request, Rule, Taken, check_refused, check_taken
from tests.upstream.rules import BREAKING, TAKEN

SWITCH = "p-ocs-x-1-1"
EACH = pytest.mark.parametrize("dialect", DIALECTS)


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """Where servers live, in a thread of their own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield loop
    loop.call_soon_threadsafe(loop.stop)
    thread.join()


@contextmanager
def served(loop: asyncio.AbstractEventLoop, dialect: str) -> Iterator[grpc.Channel]:
    """A fresh switch, behind an address of its own."""
    pod = SimulatedPod.build(
        find_design("tpu-v4"), "p", RunningClock(), slots=(1,), dialect=DIALECTS[dialect]
    )

    async def start() -> Server:
        server = Server([pod])
        await server.start(own=[SWITCH])
        return server

    server = asyncio.run_coroutine_threadsafe(start(), loop).result()
    with grpc.insecure_channel(server.addresses[SWITCH]) as channel:
        yield channel
    asyncio.run_coroutine_threadsafe(server.stop(), loop).result()


def renamed(request: Request, dialect: str) -> Request:
    """The same request by the names of a dialect: its table of ports in STATE_DB."""
    made = deepcopy(request)
    if isinstance(made, gnmi.SubscribeRequest):
        paths = [one.path for one in made.subscribe.subscription]
    else:
        paths = list(getattr(made, "path", ()))
    for path in paths:
        names = [elem.name for elem in path.elem]
        if names[:1] == ["STATE_DB"] and names[2:3] == ["OCS_PORT"]:
            path.elem[2].name = DIALECTS[dialect].ports
    return made


@EACH
@pytest.mark.parametrize("rule", BREAKING, ids=str)
def test_what_breaks_a_rule_is_refused_and_changes_nothing(
    loop: asyncio.AbstractEventLoop, rule: Rule, dialect: str
) -> None:
    with served(loop, dialect) as channel:
        check_refused(channel, replace(rule, request=renamed(rule.request, dialect)))


@EACH
@pytest.mark.parametrize("taken", TAKEN, ids=str)
def test_what_is_taken_is_done(loop: asyncio.AbstractEventLoop, taken: Taken, dialect: str) -> None:
    with served(loop, dialect) as channel:
        check_taken(channel, taken)
