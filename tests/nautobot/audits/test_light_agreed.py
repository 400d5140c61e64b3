"""Audits that look say of each cable when light last agreed with its record."""

from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from nautobot.dcim.models import Cable, CableToCableTermination, Interface
from nautobot.users.models import User

from fabric_twin.models import AgreedCable, LightAgreement, Pod, Slice
from fabric_twin.operations.audits.audit import WHOLE_POD, Scope
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.pods.light_agreed import light_told, write_agreed
from fabric_twin.operations.pods.remove import remove_pod
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.operations.slices.release import release_slice
from fabric_twin.repositories.pod_record import PodRecord
from tests.nautobot.bases.fabric import FabricTestCase

CABLE, OTHER = "iw-c001:4.3.2/X+", "iw-c002:4.3.2/X+"
#: What they meet in the slice, which is two cubes long along Z alone.
MEETS, MEETS_OTHER = "iw-c001:1.3.2/X-", "iw-c002:1.3.2/X-"
DARK, MEETS_DARK = "iw-c001:1.4.1/Y+", "iw-c001:1.1.1/Y-"
X32 = "iw-ocs-x-3-2"
VERBS = "SELECT", "INSERT", "UPDATE", "DELETE"


class LightAgreedTest(FabricTestCase):
    """Cubes 1 and 2 are a slice that the switches carry; cube 3 stands idle."""

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        night = User.objects.create(username="night", is_superuser=True)
        wish = Wish(shape="4x4x8", name="train", slots=(1, 2))
        make_slice(Pod.objects.get(name="iw"), wish, night)

    def setUp(self) -> None:
        super().setUp()
        self.night = User.objects.get(username="night")
        self.carried(add=True)

    def audit(self, scope: Scope = WHOLE_POD, how: How | None = None) -> datetime:
        """Audit; the moment from which on light is new."""
        before = timezone.now()
        run_audit(self.pod, scope, how or How(look=observe_scope))
        return before

    def agreed(self) -> dict[str, datetime]:
        return dict(AgreedCable.objects.values_list("cable__label", "agreement__at"))

    def older(self, than: datetime) -> set[str]:
        return {label for label, at in self.agreed().items() if at < than}

    def of_cubes(self, *slots: int) -> set[str]:
        labels = Cable.objects.values_list("label", flat=True)
        return {label for label in labels if label[:7] in {f"iw-c{n:03}" for n in slots}}

    def end(self, label: str) -> CableToCableTermination:
        """The end of a cable on its switch."""
        ends = CableToCableTermination.objects.filter(cable__label=label)
        return ends.get(interface__device__name__contains="-ocs-")

    @staticmethod
    def free_port() -> Interface:
        return Interface.objects.filter(device__name=X32, cable_termination=None).first()

    def test_every_cable_that_carries_light_has_the_time_of_the_audit(self) -> None:
        before = self.audit()
        self.assertEqual(set(self.agreed()), self.of_cubes(1, 2))
        self.assertEqual(self.older(before), set())
        told = light_told([cable.pk for cable in Cable.objects.all()], self.night)
        self.assertEqual(sum(at is None for at in told.values()), len(self.of_cubes(3)))

    def test_the_next_audit_moves_all_of_them_on_by_one_row(self) -> None:
        self.audit()
        [first] = LightAgreement.objects.all()
        keys = set(AgreedCable.objects.values_list("pk", "agreement"))
        self.assertEqual(self.older(self.audit()), set())
        self.assertEqual(set(AgreedCable.objects.values_list("pk", "agreement")), keys)
        self.assertEqual([row.pk for row in LightAgreement.objects.all()], [first.pk])
        record, names = PodRecord(self.pod), list(self.agreed())
        _ = record.cables
        with CaptureQueriesContext(connection) as queries, transaction.atomic():
            write_agreed(record, names, timezone.now())
        told = [query["sql"].split()[0] for query in queries]
        self.assertEqual([word for word in told if word in VERBS], ["SELECT", "UPDATE"])

    def test_a_swap_and_a_dark_cable_keep_the_time_that_they_had(self) -> None:
        first = self.audit()
        swapped = self.break_it("swapped", cable=CABLE, other=OTHER)
        broken = self.break_it("broken", cable=DARK)
        second = self.audit()
        kept = {CABLE, OTHER, MEETS, MEETS_OTHER, DARK, MEETS_DARK}
        self.assertEqual((self.older(second), self.older(first)), (kept, set()))
        self.control("/mend", number=swapped)
        self.control("/mend", number=broken)
        self.assertEqual(self.older(self.audit()), set())
        self.assertEqual(LightAgreement.objects.count(), 1)

    def test_light_never_agreed_with_a_cable_that_was_dark_from_the_first(self) -> None:
        self.break_it("broken", cable=CABLE)
        self.audit()
        self.assertEqual(self.of_cubes(1, 2) - set(self.agreed()), {CABLE, MEETS})

    def test_a_device_that_falls_silent_keeps_the_time_of_its_cables(self) -> None:
        for device, cables in (
            ("iw-c002", self.of_cubes(2)),
            (X32, {CABLE, OTHER, MEETS, MEETS_OTHER}),
        ):
            with self.subTest(device):
                self.audit()
                silent = self.break_it("silent", device=device)
                second = self.audit()
                self.assertEqual(self.older(second), cables)
                self.assertEqual(set(self.agreed()), self.of_cubes(1, 2))
                self.control("/mend", number=silent)

    def test_an_audit_of_one_switch_tells_of_its_cables_alone(self) -> None:
        self.audit()
        number = self.names.switches.index(X32)
        second = self.audit(Scope(switches=frozenset({number})))
        newer = set(self.agreed()) - self.older(second)
        self.assertLessEqual({CABLE, OTHER, MEETS, MEETS_OTHER}, newer)
        self.assertLess(len(newer), len(self.of_cubes(1, 2)))

    def test_circuits_of_a_light_test_tell_of_cables_that_no_slice_uses(self) -> None:
        broken = self.break_it("broken", cable=CABLE)
        self.audit()
        self.carried(add=False)
        release_slice(Slice.objects.get(), self.night)
        self.control("/mend", number=broken)
        second = self.audit()
        self.assertEqual(self.older(second), self.of_cubes(1, 2) - {CABLE, MEETS})
        self.audit(how=How(look=observe_scope, light_test=True, user=self.night))
        newer = set(self.agreed()) - self.older(second)
        self.assertLess({CABLE, MEETS}, newer)
        self.assertTrue(newer & self.of_cubes(3), "what a test circuit joined them to")

    def test_a_cable_whose_record_is_moved_loses_it_at_once(self) -> None:
        self.audit()
        end = self.end(CABLE)
        end.interface = self.free_port()
        with self.captureOnCommitCallbacks(execute=True):
            end.validated_save()
        self.assertEqual(set(self.agreed()), self.of_cubes(1, 2) - {CABLE})
        self.audit()
        self.assertNotIn(CABLE, self.agreed(), "it is still where it was, and recorded elsewhere")

    def test_a_cable_that_is_saved_as_it_was_keeps_it(self) -> None:
        self.audit()
        end = self.end(CABLE)
        with self.captureOnCommitCallbacks(execute=True):
            end.validated_save()
            end.cable.validated_save()
        self.assertEqual(set(self.agreed()), self.of_cubes(1, 2))

    def test_a_cable_that_a_set_moved_loses_it_at_the_next_audit(self) -> None:
        self.audit()
        rows = CableToCableTermination.objects.filter(pk=self.end(CABLE).pk)
        rows.update(interface=self.free_port())
        self.audit()
        self.assertNotIn(CABLE, self.agreed())

    def test_a_cable_that_is_deleted_takes_it_along(self) -> None:
        self.audit()
        Cable.objects.get(label=CABLE).delete()
        others: Any = Cable.objects.filter(label=OTHER)
        CableToCableTermination.objects.filter(cable__label=OTHER).delete()
        others._raw_delete(others.db)
        connection.check_constraints()
        self.assertEqual(set(self.agreed()), self.of_cubes(1, 2) - {CABLE, OTHER})

    def test_it_goes_with_its_pod(self) -> None:
        self.audit()
        self.carried(add=False)
        release_slice(Slice.objects.get(), self.night)
        remove_pod("iw", hardware=True)
        self.assertFalse(LightAgreement.objects.exists())
        self.assertFalse(AgreedCable.objects.exists())
