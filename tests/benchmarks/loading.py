"""Loading an Ironwood pod, beside what `validated_save()` in a job's change context would take.

The peer is sampled, some rows of every kind in an empty database, and scaled by how many there are:
to its favour, since its tables stay small. Run by `make bench`.
"""

import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fabric_twin.stack.empty_database import ensure_empty_database
from fabric_twin.stack.postgres import Postgres
from fabric_twin.stack.redis import Redis, redis_settings

CONFIG = Path(__file__).parents[2] / "fabric_twin" / "stack" / "nautobot_config.py"
SAMPLE = 40


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
            yield
        finally:
            from django.db import connections

            connections.close_all()
            redis.stop()
            postgres.stop()


def seconds(work: Callable[[], Any]) -> float:
    """How long it takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def by_hand(place: Any, counts: dict[str, int]) -> float:
    """Seconds for a whole pod by `validated_save()`, from a sample of each kind of row."""
    from django.contrib.auth import get_user_model
    from nautobot.apps.change_logging import web_request_context
    from nautobot.dcim.models import (
        Cable,
        CableType,
        Device,
        DeviceType,
        Interface,
        Module,
        ModuleBay,
        ModuleFamily,
        ModuleType,
        Rack,
    )
    from nautobot.extras.models import Role, Status

    from fabric_twin.models import Cube, Pod, Port

    def status(model: type, name: str = "Active") -> Any:
        return Status.objects.get_for_model(model).get(name=name)

    user = get_user_model().objects.create_superuser("bench")
    pod = Pod.objects.create(name="hand", design="ironwood", location=place, status=status(Pod))
    made: dict[str, list[Any]] = {}
    whole = 0.0

    def sample(kind: str, model: type, facts: Callable[[int], dict[str, Any]]) -> None:
        nonlocal whole
        made[kind] = [model(**facts(number)) for number in range(SAMPLE)]
        each = seconds(lambda: [record.validated_save() for record in made[kind]]) / SAMPLE
        whole += each * counts[kind]
        print(f"  {kind:22} {each * 1000:8.1f} ms a row, {counts[kind]:,} rows")

    role, active = Role.objects.get(name="Tray"), status(Device)
    tray = DeviceType.objects.get(model="ironwood tray")
    family, optics = ModuleFamily.objects.get(), ModuleType.objects.get()
    fibre, lit = CableType.objects.get(name="Fibre"), status(Cable, "Connected")
    with web_request_context(user, context="job"):
        sample(
            "racks", Rack, lambda n: {"name": f"h{n}", "location": place, "status": status(Rack)}
        )
        sample(
            "cubes",
            Cube,
            lambda n: {"pod": pod, "slot": n + 1, "rack": made["racks"][n], "status": status(Cube)},
        )
        sample(
            "devices",
            Device,
            lambda n: {
                "name": f"h{n}",
                "device_type": tray,
                "role": role,
                "status": active,
                "location": place,
                "rack": made["racks"][n],
                "position": 1,
                "face": "front",
            },
        )
        sample(
            "module bays",
            ModuleBay,
            lambda n: {
                "name": "4.3.2/X+",
                "parent_device": made["devices"][n],
                "module_family": family,
            },
        )
        sample(
            "modules",
            Module,
            lambda n: {
                "module_type": optics,
                "parent_module_bay": made["module bays"][n],
                "status": status(Module),
            },
        )
        sample(
            "interfaces",
            Interface,
            lambda n: {
                "name": f"p{n % 2}",
                "device": made["devices"][n],
                "type": "other",
                "status": status(Interface),
            },
        )
        ends = made["interfaces"]
        sample(
            "ports",
            Port,
            lambda n: {"pod": pod, "number": n, "interface": ends[n], "cube": made["cubes"][n]},
        )
        far = [
            Interface(name="far", device=device, type="other", status=status(Interface))
            for device in made["devices"]
        ]
        Interface.objects.bulk_create(far)
        sample(
            "cables",
            Cable,
            lambda n: {
                "label": f"h{n}",
                "status": lit,
                "cable_type": fibre,
                "termination_a": ends[n],
                "termination_b": far[n],
            },
        )
    return whole


def main() -> None:
    """Load, read back, compare."""
    with nautobot_on_an_empty_database():
        from django.contrib.contenttypes.models import ContentType
        from nautobot.dcim.models import Device, Location, LocationType, Module, Rack
        from nautobot.extras.models import Status

        from fabric_twin.models import Pod
        from fabric_twin.repositories.loading import load_pod
        from fabric_twin.repositories.reading import PodRecord

        hall = LocationType.objects.create(name="Hall")
        hall.content_types.set(ContentType.objects.get_for_models(Rack, Device, Module).values())
        active = Status.objects.get_for_model(Location).get(name="Active")
        place = Location.objects.create(name="Hall 1", location_type=hall, status=active)
        counts: dict[str, int] = {}
        load = seconds(lambda: counts.update(load_pod("iw1", "ironwood", place).added))
        again = seconds(lambda: load_pod("iw1", "ironwood", place))
        pod = Pod.objects.get(name="iw1")
        read = min(seconds(lambda: PodRecord(pod).fabric()) for _ in range(3))
        print(f"{sum(counts.values()):,} rows of an Ironwood pod: {load:.1f} s (budget 25 s)")
        print(f"loaded again, nothing to write: {again:.1f} s")
        print(f"read as columns: {read:.2f} s")
        peer = by_hand(place, counts)
        print(f"validated_save(), scaled: {peer:,.0f} s, {peer / load:,.0f} times (budget 50)")
        ok = peer / load >= 50
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
