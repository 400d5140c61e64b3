"""Transactions: many queries at one moment, what is done after them, and a lock beyond them."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any
from uuid import UUID

from django.db import IntegrityError, connection, transaction

from fabric_twin.core.errors import NotPossible


@contextmanager
def one_moment() -> Iterator[None]:
    """Read as if nobody wrote meanwhile: a cable that is moved between two queries is no finding.

    Within a transaction that began already, its own view of things holds.
    """
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def after_commit(do: Callable[..., object], *given: Any, **named: Any) -> None:
    """Do something when what was written is on disk; where that fails, it is logged and no more.

    Django logs `__qualname__` on failure; a partial has none, so it is set.
    """
    call = partial(do, *given, **named)
    vars(call)["__qualname__"] = do.__qualname__
    transaction.on_commit(call, robust=True)


@contextmanager
def refused_in_words(said: Mapping[str, tuple[str, str]], where: str) -> Iterator[None]:
    """What a constraint refuses is said in words: what it is, and what to do, by its name."""
    try:
        yield
    except IntegrityError as error:
        constraint = getattr(getattr(error.__cause__, "diag", None), "constraint_name", "")
        if constraint not in said:
            raise
        what, remedy = said[constraint]
        raise NotPossible(what, where=where, remedy=remedy) from error


@contextmanager
def one_at_a_time(kind: int, record: UUID) -> Iterator[bool]:
    """Hold a lock on a record across transactions; whether it was free. A dead holder frees it."""
    key = [kind, record.int & 0x7FFF_FFFF]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", key)
        mine = bool(cursor.fetchone()[0])
    try:
        yield mine
    finally:
        if mine:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", key)
