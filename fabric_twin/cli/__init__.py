"""The command line: `fabric-twin`. It works on files, and knows nothing of Django."""

import gc
import os
import signal
import sys
from importlib import import_module
from typing import Any, cast

import click

from fabric_twin import __version__
from fabric_twin.core.errors import FabricTwinError

#: What each command does, in a line. A command's module is loaded only when it is called, so that
#: `fabric-twin --help` and completion answer at once.
COMMANDS = {
    "designs": "List the kinds of pod that are installed.",
    "cutsheet": "Write the cut sheet of a pod as its design wants it.",
    "audit": "Say what is wrong with a cut sheet, by physical cause.",
    "slice": "Find cubes for a slice, and the circuits that join them.",
    "plan": "Plan a change of circuits, in stages that can each be undone.",
    "replay": "Run a trace of wishes over a pod in simulated time.",
    "render": "Write documents that people read and print: maps, lists, labels and sheets.",
    "up": "Run the whole stack on this machine, and stay until Ctrl-C.",
    "status": "Say what runs, where and since when.",
    "down": "Stop the stack that `up` runs.",
    "completion": "Write the shell completion script.",
}


class LazyGroup(click.Group):
    """A group that loads a command's module when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Commands in the order a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Load a command."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"fabric_twin.cli.{cmd_name}")
        return cast("click.Command", getattr(module, cmd_name))

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002
        formatter: click.HelpFormatter,
    ) -> None:
        """List commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a refusal is told in its own words, never as a traceback."""
        # A sheet is many small lists and no cycle: the collector would only walk them in vain.
        gc.disable()
        try:
            try:
                return super().invoke(ctx)
            finally:
                gc.enable()
                if sys.stdout is not None:
                    sys.stdout.flush()
        except FabricTwinError as refusal:
            _say(str(refusal))
            ctx.exit(refusal.exit_code)
        except BrokenPipeError:
            # Who reads has left. What is still to be flushed at the end must not complain.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(128 + signal.SIGPIPE)
        except OSError as error:
            _say(f"standard output: it cannot be written ({(error.strerror or '?').lower()}).")
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(2)


def _say(words: str) -> None:
    """Tell a person; a control character in a name must not reach the terminal."""
    harmless = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in words)
    click.echo(f"fabric-twin: {harmless}", err=True)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
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
