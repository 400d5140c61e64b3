"""A command for each thing that people do with a ticket, or a work order, on a server."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from fabric_twin.cli.options import json_option
from fabric_twin.cli.remote.options import server_options

if TYPE_CHECKING:
    from fabric_twin.remote.server import Server

Option = Callable[[Any], Any]
SAID: Option = click.option("--said", default="", help="What you say to it.")


def add_acts(
    group: click.Group,
    acts: Mapping[str, str],
    given: Mapping[str, Sequence[Option]],
    find: Callable[["Server", str], Any],
    write: Callable[..., None],
) -> None:
    """Add a command for each act, with what it means; only a word is given, or these options."""
    for act, told in acts.items():
        command = _command(act, find, write)
        command.__doc__ = told
        for option in reversed(given.get(act, (SAID,))):
            command = option(command)
        group.command(act)(command)


def _command(
    act: str, find: Callable[["Server", str], Any], write: Callable[..., None]
) -> Callable[..., None]:
    @server_options
    @click.argument("name")
    @json_option
    def do(server: "Server", name: str, as_json: bool, **given: Any) -> None:
        said = {key: value for key, value in given.items() if value}
        write(find(server, name).do(act, **said), as_json=as_json)

    return do
