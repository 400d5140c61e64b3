"""A lease on a record: a token, and an expiry by the database's clock.

A worker writes in transactions that ask for both; who was stopped, and goes on when another
has taken the place or the time is over, writes nothing. Workers' own clocks differ, and are not
asked.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar, Self
from uuid import UUID

from django.db import connection
from django.db.models import Model, Q
from django.db.models.functions import Now

from fabric_twin.core.errors import LeaseLost
from fabric_twin.repositories.states import update_state

#: How long who writes may say nothing before the database ends what it writes: less than any lease
#: lasts after it was renewed for the last time.
SILENCE = timedelta(seconds=45)
#: How a record is without a lease.
NO_LEASE: dict[str, Any] = {"lease_token": None, "lease_until": None}
#: Records that nobody works on: none has a lease, or it is over.
ALONE = Q(lease_until__isnull=True) | Q(lease_until__lte=Now())


@dataclass(frozen=True)
class Lease:
    """The right to write of one record, which is `running`."""

    #: What kind of record it is, and what to do when the lease is lost.
    model: ClassVar[type[Model]]
    remedy: ClassVar[str]
    #: Columns of megabytes, which a writer reads only where it needs them.
    large: ClassVar[tuple[str, ...]] = ()

    pk: UUID
    name: str
    token: UUID
    length: timedelta

    def mine(self) -> Any:
        """The record, as long as the lease holds."""
        return self.model._default_manager.filter(
            pk=self.pk, state="running", lease_token=self.token, lease_until__gt=Now()
        )

    def renew(self) -> Self:
        """Go on working, if the lease is not over."""
        if not self.mine().update(lease_until=Now() + self.length):
            raise self.lost()
        return self

    def hold(self) -> Any:
        """Begin to write: nobody takes the record away until the transaction ends.

        If the worker is stopped in the middle, the database ends the transaction before the lease.
        """
        with connection.cursor() as cursor:
            most = max(1, int(min(self.length, SILENCE).total_seconds() * 1000))
            cursor.execute(f"SET LOCAL idle_in_transaction_session_timeout = {most}")
        rows = self.mine().defer(*self.large)
        record = rows.select_for_update(no_key=True, of=("self",)).first()
        if record is None:
            raise self.lost()
        return record

    def write(self, **facts: Any) -> None:
        """Change the record last of all, so that a lost lease undoes all before it."""
        rows = self.mine()
        if not (update_state(rows, **facts) if "state" in facts else rows.update(**facts)):
            raise self.lost()

    def lost(self) -> LeaseLost:
        """The refusal of a worker that comes too late."""
        return LeaseLost(
            "its lease is over, and nothing was written", where=self.name, remedy=self.remedy
        )
