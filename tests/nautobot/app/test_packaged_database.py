"""The packaged database knows all packages that bring tables: a newer one of them is migrated."""

from importlib.metadata import packages_distributions
from pathlib import Path

from django.apps import apps

from fabric_twin.stack.empty_database import WITH_TABLES


def test_every_package_with_migrations_is_named() -> None:
    brought_by = packages_distributions()
    packages = set()
    for app in apps.get_app_configs():
        module = app.module.__name__.partition(".")[0]
        migrations = Path(app.path, "migrations").glob("[0-9]*.py")
        if module != "fabric_twin" and any(migrations):
            packages |= {name.lower().replace("_", "-") for name in brought_by[module]}
    assert packages == {name.lower() for name in WITH_TABLES}
