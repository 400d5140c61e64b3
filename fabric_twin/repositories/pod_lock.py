"""Locks on pods: all of them while one is loaded, adopted or removed; one that is planned on."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError, NotPermitted
from fabric_twin.models import Pod

#: The key of an advisory lock of PostgreSQL: any number that nobody else takes.
_KEY = 0x7057_1A1D
#: How long the holder of a pod may be idle before the database ends its transaction:
#: a worker that was stopped in the middle of a write would keep everybody else waiting.
STOPPED = "60s"


class PodRefused(FabricTwinError):
    """A change of a pod's records that cannot be, as the records stand."""


@contextmanager
def pods_locked(*, keep: bool = True) -> Iterator[None]:
    """A transaction that nobody else's loading overlaps; it is rolled back unless `keep`.

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


def lock_rows(*pods: UUID) -> None:
    """Hold these pods until the transaction ends, in one order for all who hold several.

    A holder that is stopped loses its transaction.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('idle_in_transaction_session_timeout', %s, true)", [STOPPED]
        )
    rows = Pod.objects.select_for_update(no_key=True).filter(pk__in=pods).order_by("pk")
    if len(rows.values_list("pk")) < len(pods):
        raise Pod.DoesNotExist("The pod is not there any more")


def locked_pod(name: str) -> Pod | None:
    """The pod of this name, held until the transaction ends."""
    found: Pod | None = Pod.objects.select_for_update().filter(name=name).first()
    return found


def hold_pod(pod: Pod, user: User | None) -> Pod:
    """A pod that the user may see, held until the transaction ends."""
    rows = Pod.objects.restrict(user, "view") if user else Pod.objects.all()
    held: Pod | None = rows.filter(pk=pod.pk).select_for_update(of=("self",), no_key=True).first()
    if held is None:
        raise NotPermitted(
            "there is no such pod, or you may not see it",
            where="pod",
            remedy="Ask for the permission to view it",
        )
    return held
