"""Nautobot on an embedded PostgreSQL and Redis of this run's own, for all of its workers.

Nautobot's bases bring two thirds of the tests here, the same for every model. A run does those of a
few models, drawn by a seed that it prints; `make test-all` does all of them.
"""

import os
import random
import tempfile
import warnings
from pathlib import Path
from typing import Any

import pytest

from fabric_twin.stack.empty_database import ensure_empty_database
from fabric_twin.stack.postgres import Postgres
from fabric_twin.stack.redis import Redis, redis_settings
from tests.session import SEED

CONFIG = Path(__file__).with_name("nautobot_config.py")
DRAWN = pytest.StashKey[frozenset[str]]()
#: Modules that take minutes: begun late, one worker would go on alone.
_LONG = ("test_audit_of_fabric.py", "test_orders_of_fabric.py", "test_ticket_effects.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--models 4` draws four; `--models 0` takes all."""
    parser.addoption(
        "--models",
        type=int,
        default=4,
        help="of how many models to run Nautobot's own tests; 0: all",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Start the servers once, before workers are; then set Nautobot up in each process."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        _start_servers(config)
    import nautobot

    with warnings.catch_warnings(action="ignore"):  # Nautobot's own, of libraries to come
        nautobot.setup(str(CONFIG))
    # A worker that inherits this would look for the settings before it comes here.
    os.environ.pop("DJANGO_SETTINGS_MODULE")
    config.stash[DRAWN] = _drawn(config.getoption("models"))


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


def _drawn(many: int) -> frozenset[str]:
    """The models whose inherited tests run; the same in every worker, by the seed."""
    from django.apps import apps

    names = sorted(model.__name__ for model in apps.get_app_config("fabric_twin").get_models())
    return frozenset(random.Random(os.environ[SEED]).sample(names, many) if many else names)


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_modify_db_settings: None, django_db_blocker: Any
) -> None:
    """The database of all tests here, which refuses a state that was written past the tables.

    pytest-django's own makes none where all tests that were chosen open connections themselves.
    Nobody drops it, which would write all of it to the disk first: its server goes with the run.
    """
    from django.test.utils import setup_databases

    from tests.nautobot.bases.state_guard import guard_states

    with django_db_blocker.unblock():
        setup_databases(verbosity=0, interactive=False, serialized_aliases=())
        guard_states()


@pytest.fixture(scope="session")
def drawn_models(pytestconfig: pytest.Config) -> frozenset[str]:
    """The names of the models that were drawn."""
    return pytestconfig.stash[DRAWN]


def pytest_report_header(config: pytest.Config) -> str:
    """Say of which models Nautobot's own tests are."""
    drawn = ", ".join(sorted(config.stash[DRAWN]))
    return f"Nautobot's own tests of: {drawn} (all: --models 0)"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what was not drawn. What takes longest begins first, in whatever order the others
    come; what empties the database comes last: all others need what migrations put into it."""
    left_out = [item for item in items if not _is_drawn(item, config.stash[DRAWN])]
    config.hook.pytest_deselected(items=left_out)
    gone = set(left_out)
    items[:] = sorted(
        (item for item in items if item not in gone),
        key=lambda item: (_empties_the_database(item), item.path.name not in _LONG),
    )


def _is_drawn(item: pytest.Item, drawn: frozenset[str]) -> bool:
    """False for a test that Nautobot brings for one of our models, where that was not drawn."""
    case: Any = getattr(item, "cls", None)
    if case is None or not item.function.__module__.startswith("nautobot."):
        return True
    model = getattr(case, "model", None) or getattr(getattr(case, "queryset", None), "model", None)
    is_ours = model is not None and model._meta.app_label == "fabric_twin"
    return not is_ours or model.__name__ in drawn


def _empties_the_database(item: pytest.Item) -> bool:
    from django.test import TestCase, TransactionTestCase

    case = getattr(item, "cls", None)
    return bool(case and issubclass(case, TransactionTestCase) and not issubclass(case, TestCase))
