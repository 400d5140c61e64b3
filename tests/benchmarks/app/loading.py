"""Loading an Ironwood pod, beside what `validated_save()` in a job's change context would take.

The peer is sampled, some rows of every kind in an empty database, and scaled by how many there are:
to its favour, since its tables stay small. Run by `make bench`.
"""

import argparse
from collections.abc import Callable
from typing import Any

from empty_nautobot import ensure_hall, nautobot_on_an_empty_database, seconds
from sizes import SMALL, WHOLE, Size


def by_hand(place: Any, counts: dict[str, int], rows: int) -> float:
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
        made[kind] = [model(**facts(number)) for number in range(rows)]
        each = seconds(lambda: [record.validated_save() for record in made[kind]]) / rows
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


def run(size: Size) -> None:
    """Load, read back, compare."""
    from django.contrib.auth import get_user_model

    from fabric_twin.models import Pod
    from fabric_twin.operations.pods.load import load_pod
    from fabric_twin.presenters.pod_fabric import fabric_of
    from fabric_twin.repositories.pod_record import PodRecord

    place = ensure_hall("Hall 1")

    def load() -> dict[str, int]:
        return dict(load_pod("iw1", "ironwood", place, slots=size.numbers).added)

    counts: dict[str, int] = {}
    first = seconds(lambda: counts.update(load()))
    again = seconds(load)
    pod = Pod.objects.get(name="iw1")
    reader = get_user_model().objects.create_superuser("reader")
    read = min(seconds(lambda: fabric_of(PodRecord(pod), reader)) for _ in range(3))
    print(f"{sum(counts.values()):,} rows of an Ironwood pod: {first:.1f} s (budget 8 s)")
    print(f"loaded again, nothing to write: {again:.1f} s")
    print(f"read as columns: {read:.2f} s")
    peer = by_hand(place, counts, size.sample)
    print(f"validated_save(), scaled: {peer:,.0f} s, {peer / first:,.0f} times")


def main() -> None:
    """Load, on an empty database."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="only show that it works")
    wish = parser.parse_args()
    with nautobot_on_an_empty_database():
        run(SMALL if wish.small else WHOLE)


if __name__ == "__main__":
    main()
