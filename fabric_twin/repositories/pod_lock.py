"""One at a time: whoever loads, adopts or removes pods waits for whoever does."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError, connection, transaction

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import Pod

#: The key of an advisory lock of PostgreSQL: any number that nobody else takes.
_KEY = 0x7057_1A1D


class PodRefused(FabricTwinError):
    """A change of a pod's records that cannot be, as the records stand."""


@contextmanager
def pods_locked(*, keep: bool = True) -> Iterator[None]:
    """A transaction that nobody else's loading overlaps; nothing of it stays if not `keep`.

    The lock goes with the transaction, so a process that is killed leaves neither rows nor lock.
    """
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_KEY])
            yield
            connection.check_constraints()
            if not keep:
                transaction.set_rollback(True)
    except IntegrityError as error:
        raise PodRefused(
            f"the database refuses it: {str(error).splitlines()[0]}",
            where="pod",
            remedy="Somebody else changed these records, or they are used elsewhere: look, then "
            "try again. Nothing was written",
        ) from None


def locked_pod(name: str) -> Pod | None:
    """The pod of this name, held until the transaction ends."""
    found: Pod | None = Pod.objects.select_for_update().filter(name=name).first()
    return found
