"""`fabric-twin remote` as its users call it, against a live server."""

from collections.abc import Callable
from typing import NamedTuple

from click.testing import CliRunner, Result

from fabric_twin.cli import main

Remote = Callable[..., Result]


class Live(NamedTuple):
    """A server, and the tokens of its users."""

    address: str
    admin: str
    guest: str
    trainee: str


def running(live: Live) -> Remote:
    """Run `fabric-twin remote`; as the administrator, against the server itself, unless told."""

    def remote(*words: str, url: str = live.address, token: str = live.admin) -> Result:
        env = {"NAUTOBOT_URL": url, "NAUTOBOT_TOKEN": token}
        result = CliRunner().invoke(main, ["remote", *words], env=env, prog_name="fabric-twin")
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert token not in result.output
        return result

    return remote
