"""Groups whose commands are loaded when they are called."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, cast

import click


class LazyGroup(click.Group):
    """A group that knows of each command its name and a line; `--help` and completion need no more.

    A command is a module of the package, and a function in it, of the command's name.
    """

    def __init__(
        self, *args: Any, package: str = "", lines: Mapping[str, str] | None = None, **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self._package, self._lines = package, lines or {}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Commands in the order a newcomer needs them."""
        return list(self._lines)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Load a command."""
        if cmd_name not in self._lines:
            return None
        module = import_module(f"{self._package}.{cmd_name}")
        return cast("click.Command", getattr(module, cmd_name))

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002
        formatter: click.HelpFormatter,
    ) -> None:
        """List commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._lines.items()))
