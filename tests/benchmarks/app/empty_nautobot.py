"""Nautobot in this process, on an empty database of its own, and a hall to put pods into."""

import os
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fabric_twin.core.garbage import spare_what_is_loaded
from fabric_twin.stack.empty_database import ensure_empty_database
from fabric_twin.stack.postgres import Postgres
from fabric_twin.stack.redis import Redis, redis_settings

CONFIG = Path(__file__).parents[3] / "fabric_twin" / "stack" / "nautobot_config.py"


@contextmanager
def nautobot_on_an_empty_database(kept: Path | None = None) -> Iterator[None]:
    """Nautobot in this process while it is needed; a folder that is kept is used again."""
    with tempfile.TemporaryDirectory(prefix="fabric-twin-bench-") as folder:
        root = kept or Path(folder)
        root.mkdir(parents=True, exist_ok=True)
        root.chmod(0o755)  # as root, PostgreSQL runs as a user of its own
        postgres, redis = Postgres(root / "postgres"), Redis(root / "redis")
        postgres.start()
        redis.start()
        try:
            if not postgres.has("bench"):
                postgres.copy(ensure_empty_database(postgres, print), "bench")
            os.environ |= {
                "NAUTOBOT_ROOT": str(root / "nautobot"),
                "NAUTOBOT_SECRET_KEY": "of a benchmark",
                "NAUTOBOT_LOG_LEVEL": "ERROR",
                **postgres.settings("bench"),
                **redis_settings(redis.folder),
            }
            import nautobot

            with warnings.catch_warnings(action="ignore"):
                nautobot.setup(str(CONFIG))
            spare_what_is_loaded()  # as a worker does
            yield
        finally:
            from django.db import connections

            connections.close_all()
            redis.stop()
            postgres.stop()


def ensure_hall(name: str) -> Any:
    """A location for racks, devices and modules."""
    from django.contrib.contenttypes.models import ContentType
    from nautobot.dcim.models import Device, Location, LocationType, Module, Rack
    from nautobot.extras.models import Status

    kind, _ = LocationType.objects.get_or_create(name="Hall")
    kind.content_types.set(ContentType.objects.get_for_models(Rack, Device, Module).values())
    active = Status.objects.get_for_model(Location).get(name="Active")
    hall, _ = Location.objects.get_or_create(
        name=name, location_type=kind, defaults={"status": active}
    )
    return hall


def seconds(work: Callable[[], Any]) -> float:
    """How long it takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun
