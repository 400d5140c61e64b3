"""The records, and what the database itself refuses."""

from django.db import IntegrityError, transaction
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Location, LocationType
from nautobot.extras.models import Status

from fabric_twin.models import Pod


class PodTest(TestCase):
    """Two pods never have one name."""

    def test_the_database_refuses_a_name_that_is_taken(self) -> None:
        active = Status.objects.get_for_model(Pod).get(name="Active")
        hall = LocationType.objects.create(name="Hall")
        place = Location.objects.create(name="Hall 1", location_type=hall, status=active)
        facts = {"name": "iw1", "design": "ironwood", "location": place, "status": active}
        Pod.objects.create(**facts)
        with self.assertRaises(IntegrityError), transaction.atomic():
            Pod.objects.bulk_create([Pod(**facts)])
