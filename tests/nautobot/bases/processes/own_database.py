"""A database that processes of a test share."""

import os
from contextlib import closing
from typing import Self

import psycopg2

_TABLES = ("fabric_twin_pod", "fabric_twin_port", "dcim_rack", "dcim_interface", "dcim_cable")


class Database:
    """A copy of the migrated database, until it is dropped."""

    def __init__(self, name: str) -> None:
        self.name = f"{name}_{os.getpid()}"

    def __enter__(self) -> Self:
        template = os.environ["FABRIC_TWIN_TEST_TEMPLATE"]
        self.ask(f"CREATE DATABASE {self.name} TEMPLATE {template}", "postgres")
        return self

    def __exit__(self, *_: object) -> None:
        self.ask(f"DROP DATABASE {self.name} WITH (FORCE)", "postgres")

    def ask(self, query: str, name: str = "") -> int:
        """One number."""
        server = {"host": os.environ["NAUTOBOT_DB_HOST"], "user": os.environ["NAUTOBOT_DB_USER"]}
        with closing(psycopg2.connect(dbname=name or self.name, **server)) as connection:
            connection.autocommit = True
            with connection.cursor() as cursor:
                cursor.execute(query)
                return cursor.fetchone()[0] if cursor.description else 0

    def rows(self) -> dict[str, int]:
        """How many rows each table has."""
        return {table: self.ask(f"SELECT count(*) FROM {table}") for table in _TABLES}  # noqa: S608
