"""Who may give a record the address of a device: whatever the door, its model asks here."""

from fabric_twin.models import Cube, Switch
from fabric_twin.repositories.change_log import acting_user
from fabric_twin.repositories.permissions import require, require_kinds


def check_connecting(record: Switch | Cube) -> None:
    """Refuse to give a record another address to who may not connect it, whatever the door."""
    user = acting_user()
    if user is None:
        return
    if record.present_in_database:
        require(user, "connect", type(record), [record.pk])
    else:  # of which rows, only the rows themselves could say
        require_kinds(user, "connect", [type(record)])
