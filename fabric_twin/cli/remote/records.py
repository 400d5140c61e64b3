"""The commands that tickets and work orders of a server have in common."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from fabric_twin.cli.files import write_bytes
from fabric_twin.cli.options import json_option
from fabric_twin.cli.remote.options import pod_option, server_options
from fabric_twin.cli.remote.written import write_record, write_records

if TYPE_CHECKING:
    from fabric_twin.remote.records import RemoteRecord
    from fabric_twin.remote.server import Server

Option = Callable[[Any], Any]
SAID: Option = click.option("--said", default="", help="Comment on the action.")


@dataclass(frozen=True)
class Records:
    """Tickets, or work orders: how a group of commands finds them, and writes them."""

    group: click.Group
    #: Their kind on a server, which takes long to load.
    kind: Callable[[], "type[RemoteRecord]"]
    #: One for programs, and for people.
    as_object: Callable[[Any], dict[str, Any]]
    line: Callable[[Any], str]

    def find(self, server: "Server", name: str) -> Any:
        """One by its name."""
        from fabric_twin.remote.records import find_record

        server.need_app(str(self.group.name))
        return find_record(server, self.kind(), name)

    def write(self, found: Any, *, as_json: bool) -> None:
        """Write how one stands."""
        write_record(self.as_object(found), self.line(found), as_json=as_json)

    def add_list(self, many: str, told: str, states: Sequence[str]) -> None:
        """Add the command that lists those of a pod, under what many of them are called."""

        @self.group.command("list", help=told)
        @server_options
        @pod_option
        @click.option(
            "--state",
            "states",
            type=click.Choice(states),
            multiple=True,
            help="Only these; may be given again. All that are open by default.",
        )
        @json_option
        def list_(server: "Server", pod: str, states: tuple[str, ...], as_json: bool) -> None:
            from fabric_twin.remote.records import records

            server.need_app(str(self.group.name))
            found = records(server, self.kind(), pod, states)
            rows = [(self.as_object(one), self.line(one)) for one in found]
            write_records(pod, many, rows, as_json=as_json)

    def add_show(self, told: str, forms: Sequence[str], whole: str) -> None:
        """Add the command that says how one stands, or writes the whole of it in a form."""

        @self.group.command("show", help=told)
        @server_options
        @click.argument("name")
        @click.option("--form", type=click.Choice(forms), help=whole)
        @click.option(
            "-o", "--output", default="-", metavar="FILE", help="Output file; - is standard output."
        )
        @json_option
        def show(server: "Server", name: str, form: str | None, output: str, as_json: bool) -> None:
            found = self.find(server, name)
            if form is None:
                self.write(found, as_json=as_json)
            else:
                write_bytes(found.document(form), output)

    def add_acts(self, acts: Mapping[str, str], given: Mapping[str, Sequence[Option]]) -> None:
        """Add a command for each act, with what it means; a word is given, or these options."""
        for act, told in acts.items():
            command = self._act(act)
            for option in reversed(given.get(act, (SAID,))):
                command = option(command)
            self.group.command(act, help=told)(command)

    def _act(self, act: str) -> Callable[..., None]:
        @server_options
        @click.argument("name")
        @json_option
        def do(server: "Server", name: str, as_json: bool, **given: Any) -> None:
            said = {key: value for key, value in given.items() if value}
            self.write(self.find(server, name).do(act, **said), as_json=as_json)

        return do
