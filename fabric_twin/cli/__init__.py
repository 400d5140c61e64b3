"""The command line: `fabric-twin`. It works on files, without Django."""

import contextlib
import io
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

import click

from fabric_twin import __version__
from fabric_twin.cli.lazy import LazyGroup
from fabric_twin.cli.messages import tell
from fabric_twin.cli.options import JSON, look_in_folder
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.garbage import seldom_collected

#: What each command does, in a line. A command's module is loaded only when it is called, so that
#: `fabric-twin --help` and completion answer at once.
COMMANDS = {
    "designs": "List the designs that there are, each with its kind.",
    "cutsheet": "Write the cut sheet of a pod as its design wants it.",
    "audit": "Say what is wrong with a cut sheet, by physical cause.",
    "slice": "Find cubes for a slice, and the circuits that join them.",
    "plan": "Plan a change of circuits, in stages that can each be undone.",
    "network": "Write and audit the cables of a network of blocks.",
    "chip": "Write, audit and draw the netlist of a chip whose cores are on rings of light.",
    "topology": "Plan how blocks are joined over a layer of switches.",
    "rings": "Give jobs their rings over a cluster of groups.",
    "maintenance": "Say what must move before somebody touches a part of a pod.",
    "replay": "Run a trace of slice requests over a pod in simulated time.",
    "render": "Write documents that people read and print: maps, lists, labels and sheets.",
    "order": "Write work orders: manual steps, rack by rack.",
    "simulate": "Simulate pods, clusters or a network, and answer for them over gNMI.",
    "discover": "Learn by light which cable is in which port.",
    "remote": "The same commands against a remote Nautobot.",
    "up": "Run the whole stack on this machine, and stay until Ctrl-C.",
    "status": "Say what runs, what hangs, where and since when; exit 3 unless all of it is ready.",
    "doctor": "Check the Nautobot that this is installed in, and say what to do.",
    "down": "Stop the stack that `up` runs.",
    "completion": "Write the shell completion script.",
}


class Main(LazyGroup):
    """The program: a refusal is told in its own words, never as a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command, and tell how it ended by its exit code."""
        _write_in_full()
        try:
            try:
                with _stopped_in_order(), seldom_collected():  # a sheet is many small lists
                    return super().invoke(ctx)
            finally:
                if sys.stdout is not None:
                    sys.stdout.flush()
        except FabricTwinError as refusal:
            tell(str(refusal))
            for line in refusal.details:
                tell(f"  {line}")
            if ctx.meta.get(JSON):
                click.echo(json.dumps({"error": refusal.as_json()}, indent=2))
            ctx.exit(refusal.exit_code)
        except BrokenPipeError:
            # Who reads has left. What is still to be flushed at the end must not complain.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(128 + signal.SIGPIPE)
        except OSError as error:
            tell(f"standard output: it cannot be written ({(error.strerror or '?').lower()}).")
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(2)
        except _Stopped as stopped:
            ctx.exit(128 + stopped.number)
        except KeyboardInterrupt:
            ctx.exit(128 + signal.SIGINT)


def _write_in_full() -> None:
    """Give standard output a buffer where PYTHONUNBUFFERED took it away.

    Without one, a disk that fills or a reader that leaves takes a part of a text, and Python lets
    the rest go without a word.
    """
    bare = getattr(sys.stdout, "buffer", None)
    if isinstance(bare, io.RawIOBase):
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(bare), encoding=sys.stdout.encoding, errors=sys.stdout.errors
        )


class _Stopped(BaseException):
    """Somebody ended the program by a signal."""

    def __init__(self, number: int) -> None:
        self.number = number


@contextlib.contextmanager
def _stopped_in_order() -> Iterator[None]:
    """Let who ends the program find no half-made file: what is begun is taken back first."""

    def stop(number: int, _frame: object) -> None:
        raise _Stopped(number)

    before = {}
    if threading.current_thread() is threading.main_thread():
        # One that is ignored (nohup) stays so, and a caller's own handler stays theirs.
        numbers = (signal.SIGTERM, signal.SIGHUP)
        before = {n: signal.SIG_DFL for n in numbers if signal.getsignal(n) is signal.SIG_DFL}
    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@click.group(
    cls=Main,
    package=__name__,
    lines=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="fabric-twin")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Know what a pod's cabling should be, and what is wrong with it.

    \b
    Exit codes: 0 clean or done, 1 findings or not possible, 2 unusable input, 3 no answer.

    \b
    Examples:
      fabric-twin cutsheet --design ironwood --pod iw1 -o iw1.csv
      fabric-twin audit iw1.csv --design ironwood --pod iw1
    """
    if os.environ.get("NO_COLOR"):
        ctx.color = False
    look_in_folder()
