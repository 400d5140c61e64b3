"""A place of a server, by its name."""

from uuid import UUID

from fabric_twin.core.errors import UnusableInput
from fabric_twin.remote.refusals import NotThere
from fabric_twin.remote.server import Server, reading

#: How many places of one name are told apart.
_NAMED = 5


@reading
def find_location(server: Server, named: str) -> str:
    """The key of a location by its name, or by its key where several have the name."""
    wanted = {"id": named} if _is_key(named) else {"name": named}
    rows = server.seen("dcim/locations/", limit=str(_NAMED + 1), **wanted)
    if not rows:
        raise NotThere(
            f"there is no location {named}, or you may not see it",
            where=server.address,
            remedy="Check --location, and that you have the permission dcim.view_location",
        )
    if len(rows) > 1:
        ids = [str(row["id"]) for row in rows]
        raise UnusableInput(
            f"there are several locations {named}",
            where=server.address,
            remedy="Give the id of one as --location: "
            f"{', '.join(ids[:_NAMED])}{', ..' * (len(ids) > _NAMED)}",
        )
    return str(rows[0]["id"])


def _is_key(named: str) -> bool:
    try:
        UUID(named)
    except ValueError:
        return False
    return True
