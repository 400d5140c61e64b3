"""Who may give a record the address of a device: whatever the door, its model asks here."""

from fabric_twin.core.errors import NotPermitted
from fabric_twin.models import Block, Cube, Switch
from fabric_twin.repositories.change_log import acting_user
from fabric_twin.repositories.permissions import require


def check_connecting(record: Switch | Cube | Block) -> None:
    """Refuse to give a record another address to who may not connect it, whatever the door."""
    user = acting_user()
    if user is None:
        return
    if record.present_in_database:
        require(user, "connect", type(record), [record.pk])
    elif (record.address or getattr(record, "flow_address", "")) and not user.is_superuser:
        # Of which rows a user may connect, only rows that are there can say.
        raise NotPermitted(
            "a new record gets no address",
            where="address",
            remedy="Save it without one, then give it its address",
        )
