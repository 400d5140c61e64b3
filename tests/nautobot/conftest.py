"""Nautobot on an embedded PostgreSQL and Redis of this run's own, for all of its workers."""

import os
import tempfile
import warnings
from pathlib import Path

import pytest

from fabric_twin.stack.empty_database import ensure_empty_database
from fabric_twin.stack.postgres import Postgres
from fabric_twin.stack.redis import Redis, redis_settings

CONFIG = Path(__file__).with_name("nautobot_config.py")


def pytest_configure(config: pytest.Config) -> None:
    """Start the servers once, before workers are; then set Nautobot up in each process."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        _start_servers(config)
    import nautobot

    with warnings.catch_warnings(action="ignore"):  # Nautobot's own, of libraries to come
        nautobot.setup(str(CONFIG))
    # A worker that inherits this would look for the settings before it comes here.
    os.environ.pop("DJANGO_SETTINGS_MODULE")


def _start_servers(config: pytest.Config) -> None:
    folder = tempfile.TemporaryDirectory(prefix="fabric-twin-tests-")
    config.add_cleanup(folder.cleanup)
    root = Path(folder.name)
    root.chmod(0o755)  # as root, PostgreSQL runs as a user of its own
    postgres, redis = Postgres(root / "postgres", throw_away=True), Redis(root / "redis")
    postgres.start()
    config.add_cleanup(postgres.stop)
    redis.start()
    config.add_cleanup(redis.stop)
    template = ensure_empty_database(postgres, print)
    os.environ |= {
        "NAUTOBOT_ROOT": str(root / "nautobot"),
        "NAUTOBOT_SECRET_KEY": "of the tests",
        "FABRIC_TWIN_TEST_TEMPLATE": template,
        **postgres.settings("none"),
        **redis_settings(redis.folder),
    }


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What empties the database comes last: all others need what migrations put into it."""
    items.sort(key=_empties_the_database)


def _empties_the_database(item: pytest.Item) -> bool:
    from django.test import TestCase, TransactionTestCase

    case = getattr(item, "cls", None)
    return bool(case and issubclass(case, TransactionTestCase) and not issubclass(case, TestCase))
