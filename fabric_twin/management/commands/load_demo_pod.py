"""`nautobot-server load_demo_pod`: a pod to look at, in a hall of its own."""

from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction
from nautobot.dcim.models import Device, Location, LocationType, Module, Rack
from nautobot.extras.models import Status

from fabric_twin.core.designs import find_design
from fabric_twin.core.slots import parse_slots
from fabric_twin.repositories.loading import load_pod


class Command(BaseCommand):
    """Load a pod of a design; loading it again adds what is missing, and so nothing."""

    help = "Load a demo pod into a hall of its own; `fabric-twin up` does, once."

    def add_arguments(self, parser: CommandParser) -> None:
        """What pod it is."""
        parser.add_argument("--pod", default="iw1")
        parser.add_argument("--design", default="ironwood")
        parser.add_argument("--slots", default="1-64", help="slots that hold cubes")

    def handle(self, *_arguments: Any, **options: Any) -> None:
        """Make the hall and the pod, or neither."""
        slots = parse_slots(options["slots"], find_design(options["design"]).slots)
        user = get_user_model().objects.filter(username="admin").first()
        with transaction.atomic():
            loaded = load_pod(options["pod"], options["design"], _hall(), slots=slots, user=user)
        self.stdout.write(str(loaded))


def _hall() -> Location:
    kind, _ = LocationType.objects.get_or_create(name="Data hall")
    kind.content_types.add(*ContentType.objects.get_for_models(Rack, Device, Module).values())
    active = Status.objects.get_for_model(Location).get(name="Active")
    hall, _ = Location.objects.get_or_create(
        name="Demo hall", location_type=kind, defaults={"status": active}
    )
    return hall
