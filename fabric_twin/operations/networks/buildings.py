"""Where blocks stand that are not beside their switches: locations of Nautobot, by name or id."""

from collections.abc import Iterable
from uuid import UUID

from nautobot.dcim.models import Device, Location, Rack
from nautobot.users.models import User

from fabric_twin.core.errors import UnusableInput


def find_locations(named: Iterable[str], user: User | None) -> dict[str, Location]:
    """By what a file or a wish calls them; what the user may not view is not there."""
    return {name: find_location(name, user) for name in sorted(set(named))}


def find_location(named: str, user: User | None) -> Location:
    """The location of this name, or of this id where several have the name; or a refusal."""
    rows = Location.objects.restrict(user, "view") if user else Location.objects.all()
    found = list(rows.filter(**_by(named)).select_related("location_type")[:2])
    where = f"location {named[:60]}"
    if not found:
        raise UnusableInput(
            "there is no such location, or you may not view it",
            where=where,
            remedy="Name a location of Nautobot, or give its id",
        )
    if len(found) > 1:
        raise UnusableInput(
            "several locations have this name", where=where, remedy="Give the id of one"
        )
    place: Location = found[0]
    holds = set(place.location_type.content_types.values_list("model", flat=True))
    if not {model._meta.model_name for model in (Rack, Device)} <= holds:
        raise UnusableInput(
            f"a {place.location_type} holds no racks with devices",
            where=where,
            remedy="Name one that does, such as a room of that building",
        )
    return place


def _by(named: str) -> dict[str, object]:
    try:
        return {"pk": UUID(named)}
    except ValueError:
        return {"name": named}
