"""Ten Ironwood pods, 138,240 cables, some full of slices, and those who look at them."""

from typing import Any

from empty_nautobot import ensure_hall, seconds
from sizes import Size

#: The user who may see one pod of the ten may see this one; it is one slice.
POD = "iw3"


def load_pods(size: Size) -> None:
    """Ten pods, some full of slices, and two who look at them."""
    from django.contrib.auth import get_user_model
    from django.contrib.contenttypes.models import ContentType
    from django.db import connection
    from nautobot.dcim.models import (
        Cable,
        Device,
        Interface,
        Location,
        Manufacturer,
        ModuleBay,
        Rack,
    )
    from nautobot.extras.models import ObjectChange, Status
    from nautobot.users.models import ObjectPermission

    from fabric_twin import models
    from fabric_twin.core.errors import NotPossible
    from fabric_twin.operations.pods.load import load_pod
    from fabric_twin.operations.slices.make import Wish, make_slice

    users = get_user_model().objects
    admin = users.create_superuser("sees all")
    for number, name in enumerate(size.pods, 1):
        place = ensure_hall(f"Hall {number}")
        took = seconds(
            lambda name=name, place=place: load_pod(name, "ironwood", place, slots=size.numbers)
        )
        print(f"  {name} loaded in {took:.1f} s", flush=True)
        pod = models.Pod.objects.get(name=name)
        is_one_slice = int(name.removeprefix("iw")) % 3 == 0
        for n, shape in enumerate((size.largest,) if is_one_slice else size.slices):
            try:
                make_slice(pod, Wish(shape=shape, name=f"train-{name}-{n}"), admin)
            except NotPossible as refusal:
                print(f"  {refusal}")
    _write_ends(models)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")  # as PostgreSQL does by itself within minutes
    Manufacturer.objects.get_or_create(name="Nobody")

    looker = users.create_user("sees one")
    prefix = {"name__startswith": f"{POD}-"}
    device = {f"device__{key}": value for key, value in prefix.items()}
    for model, constraints in (
        (models.Pod, {"name": POD}),
        *(
            (model, {"pod__name": POD})
            for model in (
                models.Cube,
                models.Switch,
                models.Port,
                models.Slice,
                models.WrittenEnd,
                models.Finding,
                models.Ticket,
                models.WorkOrder,
                models.AuditRun,
            )
        ),
        (models.SlicePart, {"slice__pod__name": POD}),
        (models.OpticalCircuit, {"switch__pod__name": POD}),
        (Rack, prefix),
        (Device, prefix),
        (Interface, device),
        (ModuleBay, {f"parent_{key}": value for key, value in device.items()}),
        (Cable, {"label__startswith": f"{POD}-"}),
        (Location, {}),
        (Manufacturer, {}),
        (Status, {}),
        (ObjectChange, {}),
    ):
        sight = ObjectPermission.objects.create(
            name=f"{model.__name__} of {POD}", actions=["view"], constraints=constraints or None
        )
        sight.users.add(looker)
        sight.object_types.add(ContentType.objects.get_for_model(model))


def _write_ends(models: Any) -> None:
    """Some cables of which nobody has the port at one end."""
    from nautobot.dcim.models import Cable
    from nautobot.extras.models import Status

    lit = Status.objects.get_for_model(Cable).get(name="Connected")
    pod = models.Pod.objects.get(name=POD)
    cables = Cable.objects.bulk_create(
        Cable(label=f"{POD}-written-{n}", status=lit) for n in range(100)
    )
    models.WrittenEnd.objects.bulk_create(
        models.WrittenEnd(pod=pod, cable=cable, cable_end="B", device="panel", port=str(n))
        for n, cable in enumerate(cables)
    )


def ensure_strangers() -> dict[str, Any]:
    """A rack, devices, an interface and a cable of no pod: what such a page costs without us."""
    from nautobot.dcim.models import Cable, Device, Interface, Location, Rack
    from nautobot.extras.models import Status

    from fabric_twin.models import Pod

    def status(model: Any, name: str = "Active") -> Any:
        return Status.objects.get_for_model(model).get(name=name)

    tray = Device.objects.filter(rack__fabric_cube__pod__name=POD).first()
    assert tray
    place = Location.objects.get(pk=Pod.objects.get(name=POD).location_id)
    rack, new = Rack.objects.get_or_create(
        name=f"{POD}-stranger", location=place, defaults={"status": status(Rack)}
    )
    if new:
        ends = []
        for n in (1, 9):
            device = Device(name=f"{POD}-stranger-{n}", rack=rack, position=n, face="front")
            device.device_type, device.role = tray.device_type, tray.role
            device.location, device.status = place, status(Device)
            device.save()
            made = Interface(device=device, name="eth0", type="other", status=status(Interface))
            made.save()
            ends.append(made)
        Cable(
            label=f"{POD}-stranger",
            status=status(Cable, "Connected"),
            termination_a=ends[0],
            termination_b=ends[1],
        ).save()
    interface = Interface.objects.filter(device__rack=rack).order_by("device__name").first()
    assert interface
    device, cable = interface.device, interface.cable
    return {"Rack": rack, "Device": device, "Interface": interface, "Cable": cable}
