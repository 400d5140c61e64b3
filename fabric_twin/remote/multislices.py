"""Multislices on a server: asked for, looked at and released."""

from typing import Any

from fabric_twin.remote.pods import RemotePod
from fabric_twin.remote.refusals import NotThere
from fabric_twin.remote.server import APP, reading


@reading
def ask(network: RemotePod, **wish: Any) -> dict[str, Any]:
    """Ask for a job over several pods; its tickets are submitted."""
    return network.server.do(f"{APP}multislices/", {"pod": network.pk, **wish})


@reading
def rings(network: RemotePod, name: str) -> dict[str, Any]:
    """How a job of a network stands."""
    return network.server.read(f"{_path(network, name)}rings/")


@reading
def release(network: RemotePod, name: str) -> list[dict[str, Any]]:
    """Ask for the release of all of it; the tickets of that."""
    return list(network.server.do(f"{_path(network, name)}release/", {})["tickets"])


def _path(network: RemotePod, name: str) -> str:
    for found in network.server.seen(f"{APP}multislices/", pod=network.name, name=name):
        if found["name"] == name:  # a server that is asked for no name tells of all
            return f"{APP}multislices/{found['id']}/"
    raise NotThere(
        f"there is no multislice {name} over network {network.name}, or you may not see it",
        where=network.server.address,
        remedy="Check its name, and that you have the permission fabric_twin.view_multislice",
    )
