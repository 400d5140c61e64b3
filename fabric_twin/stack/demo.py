"""What a newcomer finds: each stage is done once, through the API that everybody else uses.

A feature adds its stage to STAGES, and to tests/e2e what the demo asserts of it.
"""

from collections.abc import Callable
from typing import Any

from fabric_twin.stack.console import Console
from fabric_twin.stack.parts import Stack

#: A stage gets a client (pynautobot) of the administrator's, and says what there is now.
Stage = Callable[[Any], str]

STAGES: dict[str, Stage] = {}


def load_demo(stack: Stack, console: Console) -> None:
    """Do the stages that were not done: what somebody deleted stays deleted."""
    left = [name for name in STAGES if f"demo: {name}" not in stack.folder.done]
    if not left:
        return
    import pynautobot

    nautobot = pynautobot.api(stack.address, token=stack.folder.secret("api-token"))
    for name in left:
        with console.step(name):
            console.tell(STAGES[name](nautobot))
        stack.folder.mark_done(f"demo: {name}")
