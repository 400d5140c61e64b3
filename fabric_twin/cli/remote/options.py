"""Options of every command that speaks to a server."""

import os
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from fabric_twin.cli.files import read_file
from fabric_twin.cli.messages import tell
from fabric_twin.core.errors import UnusableInput
from fabric_twin.core.extras import require_extra

if TYPE_CHECKING:
    from fabric_twin.remote.server import Server

Command = TypeVar("Command", bound=Callable[..., Any])

#: More than any token has.
_LONGEST_TOKEN = 4096


def server_options(command: Command) -> Command:
    """Which server and who asks; the command is given a `server`."""

    @wraps(command)
    def with_server(
        *,
        url: str,
        token_file: str | None,
        ca: str | None,
        verify: bool,
        timeout: float,
        **given: Any,
    ) -> Any:
        return command(server=_server(url, token_file, ca, verify=verify, timeout=timeout), **given)

    for option in (
        click.option(
            "--timeout",
            type=click.FloatRange(0.1, 3600),
            default=60.0,
            show_default=True,
            metavar="SECONDS",
            help="How long to wait for one answer.",
        ),
        click.option(
            "--verify/--no-verify",
            default=True,
            help="Check the server's certificate (the default), or accept any.",
        ),
        click.option("--ca", metavar="FILE", help="Certificates to trust, as PEM."),
        click.option(
            "--token-file",
            metavar="FILE",
            help="Where the token is, - for standard input; NAUTOBOT_TOKEN by default.",
        ),
        click.option(
            "--url",
            envvar="NAUTOBOT_URL",
            required=True,
            metavar="URL",
            help="The address of Nautobot; NAUTOBOT_URL by default.",
        ),
    ):
        option(with_server)
    return cast("Command", with_server)


def filled(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """Refuse what is given and empty, as a variable of a shell that is not set."""
    if value is not None and not value.strip():
        raise click.BadParameter("it is empty; is a variable not set?")
    return value


def pod_option(command: Command) -> Command:
    """`--pod`: which one."""
    return click.option(
        "--pod", required=True, callback=filled, metavar="NAME", help="The pod's name, like iw1."
    )(command)


def wait_option(command: Command) -> Command:
    """`--wait`: how long a job may take."""
    return click.option(
        "--wait",
        type=click.FloatRange(1, 86_400),
        default=900.0,
        show_default=True,
        metavar="SECONDS",
        help="How long to wait for the job there.",
    )(command)


def dry_run_option(command: Command) -> Command:
    """`--dry-run`: try it, and take it back."""
    return click.option(
        "--dry-run", is_flag=True, help="Say what would be done, and change nothing."
    )(command)


def removing_options(command: Command) -> Command:
    """`--dry-run` or `--yes`, one of which is given; the command is told whether it is dry."""

    @wraps(command)
    def meant(*, dry_run: bool, yes: bool, **given: Any) -> Any:
        if dry_run == yes:
            raise click.UsageError(
                "Give --dry-run to see what would be removed, or --yes to remove it."
            )
        return command(dry_run=dry_run, **given)

    agreed = click.option("--yes", is_flag=True, help="Confirm: do it.")(meant)
    return cast("Command", dry_run_option(agreed))


def _server(
    url: str, token_file: str | None, ca: str | None, *, verify: bool, timeout: float
) -> "Server":
    require_extra("remote", "pynautobot", where="remote")
    from fabric_twin.remote.access import Access
    from fabric_twin.remote.server import Server

    if ca and not verify:
        raise click.UsageError("Give either --ca or --no-verify.")
    if ca:
        read_file(ca, 0)
    if not verify:
        import urllib3

        urllib3.disable_warnings()
        tell("the certificate is not checked: anybody may answer, and read the token.")
    return Server(Access(url, _token(token_file), ca or verify, timeout), tell)


def _token(path: str | None) -> str:
    """The token, from a file or the environment; nobody sees it on a command line."""
    if path:
        token = read_file(path, _LONGEST_TOKEN)[0][:_LONGEST_TOKEN].decode("ascii", "replace")
    else:
        token = os.environ.get("NAUTOBOT_TOKEN", "")
    if not token.strip():
        raise UnusableInput(
            "there is none",
            where="the token",
            remedy="Set NAUTOBOT_TOKEN, or name a file with --token-file",
        )
    return token.strip()
