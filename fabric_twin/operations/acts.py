"""What people do with a record, tickets and work orders alike: one list for every door.

What is listed may still be refused when it is done: only then everything is looked at.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import transaction
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError, UnusableInput
from fabric_twin.core.reasons import check_reason


@dataclass(frozen=True, kw_only=True)
class Given:
    """What is said and given with an act; each kind of record adds its own."""

    said: str = ""


Record = TypeVar("Record", bound=Any)
With = TypeVar("With", bound=Given)


@dataclass(frozen=True)
class Deed(Generic[Record, With]):
    """Something that people do with records of a kind; the answer is the record as it is then."""

    name: str
    #: The permission's action, asked of this very record.
    needs: str
    do: Callable[[Record, User, With], Record]
    #: The states in which it can be done.
    states: Collection[str] = ()
    #: What else has to hold, where a state alone does not say.
    if_also: Callable[[Record, User], bool] | None = None
    needs_reason: bool = False
    #: Whether somebody decides about what the record changes, and so is shown all of it.
    decides: bool = False
    #: How many records it is done with in one go, at most.
    most: int = 1
    #: Who is offered to do it with many, beside what the permission says.
    if_user: Callable[[User], bool] | None = None


class Deeds(Generic[Record, With]):
    """All that people do with records of a kind, in the order of their life."""

    def __init__(self, model: Any, given: type[With], *deeds: Deed[Record, With]) -> None:
        self._model, self._by_name = model, {deed.name: deed for deed in deeds}
        #: How what is said and given with any of them is written.
        self.given = given

    def __iter__(self) -> Iterator[Deed[Record, With]]:
        return iter(self._by_name.values())

    def named(self, name: str) -> Deed[Record, With]:
        """What is done under a name, or a refusal."""
        if name not in self._by_name:
            raise UnusableInput(
                f"there is nothing called {name[:30]!r} to do with a {self._kind}",
                where=self._kind,
                remedy=f"Use one of {', '.join(self._by_name)}",
            )
        return self._by_name[name]

    def possible(self, record: Record, user: User) -> list[Deed[Record, With]]:
        """The acts that this user can do on a record now."""
        here = [deed for deed in self if not deed.states or record.state in deed.states]
        rows = {
            needs: self._model.objects.restrict(user, needs) for needs in {d.needs for d in here}
        }
        may = {needs for needs, mine in rows.items() if mine.filter(pk=record.pk).exists()}
        return [
            deed
            for deed in here
            if deed.needs in may and (deed.if_also is None or deed.if_also(record, user))
        ]

    def for_many(self, user: User) -> list[Deed[Record, With]]:
        """What a list offers this user to do with several records in one go."""
        name = f"{self._model._meta.app_label}.{{}}_{self._model._meta.model_name}"
        return [
            deed
            for deed in self
            if deed.most > 1
            and user.has_perm(name.format(deed.needs))
            and (deed.if_user is None or deed.if_user(user))
        ]

    def check_many(self, deed: Deed[Record, With], many: int) -> None:
        """Refuse what is done with one record at a time, and more records than go at once."""
        if many <= deed.most and deed.most > 1:
            return
        where = str(self._model._meta.verbose_name_plural)
        if deed.most == 1:
            raise UnusableInput(
                f"{deed.name} is done with one {self._kind} at a time",
                where=where,
                remedy="Open the page of each",
            )
        raise UnusableInput(
            f"{many:,} are chosen, and this is done with {deed.most:,} at once",
            where=where,
            remedy="Choose fewer",
        )

    def do_with_all(
        self, deed: Deed[Record, With], records: Collection[Record], user: User, given: With
    ) -> dict[UUID, str]:
        """Do it with each; where some are refused, with none, and say why of each that is."""
        self.check_many(deed, len(records))
        where = str(self._model._meta.verbose_name_plural)
        check_reason(given.said, where, needed=deed.needs_reason)
        refused: dict[UUID, str] = {}
        with transaction.atomic():
            for record in records:
                try:
                    with transaction.atomic():
                        deed.do(record, user, given)
                except FabricTwinError as refusal:
                    refused[record.pk] = str(refusal)
            transaction.set_rollback(bool(refused))
        return refused

    @property
    def _kind(self) -> str:
        return str(self._model._meta.verbose_name)
