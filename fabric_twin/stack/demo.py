"""What a newcomer finds: each stage is done once, then says what there is.

A feature adds its stage to STAGES, and to tests/demo.py what the demo asserts of it.
"""

from collections.abc import Callable
from typing import Any

from fabric_twin.stack.console import Console
from fabric_twin.stack.nautobot_server import nautobot_server, run_to_end
from fabric_twin.stack.parts import Stack

POD = "iw1"
#: Three jobs of different shapes leave some cubes free; the last is no more than part of a cube.
SLICES = {"train-12": "8x16x16", "eval-3": "4x4x8", "debug-1": "2x2x1"}


def load_demo(stack: Stack, console: Console) -> None:
    """Do the stages that were not done: what somebody deleted stays deleted."""
    for name, stage in STAGES.items():
        if f"demo: {name}" not in stack.folder.done:
            with console.step(f"Demo: {name}"):
                console.tell(stage(stack, console))
            stack.folder.mark_done(f"demo: {name}")


def a_pod(stack: Stack, console: Console) -> str:
    """An Ironwood pod that has 64 of its 144 cubes so far."""
    log = stack.folder.log("demo")
    run_to_end(nautobot_server("load_demo_pod", "--pod", POD), stack.environment, log, console.tick)
    return f"{POD}, with 64 of its 144 cubes"


def slices(stack: Stack, console: Console) -> str:
    """Slices, wished for as a scheduler would."""
    nautobot = _client(stack)
    pod = nautobot.plugins.fabric_twin.pods.get(name=POD)
    for name, shape in SLICES.items():
        console.tick()
        nautobot.plugins.fabric_twin.slices.create(pod=pod.id, name=name, shape=shape)
    return ", ".join(SLICES)


def _client(stack: Stack) -> Any:
    """The API that everybody else uses, as the administrator."""
    import pynautobot

    return pynautobot.api(stack.address, token=stack.folder.secret("api-token"))


#: In the order in which they are done.
STAGES: dict[str, Callable[[Stack, Console], str]] = {"a pod": a_pod, "slices": slices}
