"""What changes in Nautobot is gathered, and audited together a moment later."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from unittest import mock

from django.core.cache import cache
from django.db import transaction
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Device
from nautobot.users.models import User
from small_findings import cable_at, set_status, small_pod

from fabric_twin.models import AuditRun, Cube, Finding, OpticalCircuit, Pod, Switch, Touch
from fabric_twin.repositories.reading import PodRecord
from fabric_twin.repositories.slices import Wish, make_slice, release_slice
from fabric_twin.repositories.touching import answer_call, forget, touch, touched
from fabric_twin.tasks.audit_touched import audit_touched


class TouchTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = small_pod()

    def setUp(self) -> None:
        super().setUp()
        self.pod = Pod.objects.get(name="s")
        answer_call(self.pod.pk)
        self.addCleanup(cache.clear)

    @contextmanager
    def committed(self) -> Iterator[list[object]]:
        """What is done here is committed; yields the audits that were called for."""
        called: list[object] = []
        send = "fabric_twin.tasks.audit_touched.audit_touched.apply_async"
        told = mock.patch(send, side_effect=lambda args, **_: called.append(args))
        with told, self.captureOnCommitCallbacks(execute=True):
            yield called

    def touches(self) -> list[str]:
        return sorted(map(str, Touch.objects.all()))

    def test_a_cable_that_is_saved_touches_both_of_its_ports(self) -> None:
        cable = cable_at(self.pod, 0)
        with self.committed() as called:
            cable.validated_save()
        self.assertEqual(self.touches(), ["s-c001-t01 2.1.1/X+", "s-ocs-x-1-1 1A"])
        self.assertEqual(called, [[str(self.pod.pk)]])

    def test_a_cable_that_is_deleted_touches_them_as_well(self) -> None:
        with self.committed():
            cable_at(self.pod, 0).delete()
        self.assertEqual(self.touches(), ["s-c001-t01 2.1.1/X+", "s-ocs-x-1-1 1A"])

    def test_many_changes_call_for_one_audit_and_are_one_row_a_place(self) -> None:
        with self.committed() as called:
            for _ in range(3):
                for number in range(5):
                    cable_at(self.pod, number).save()
        self.assertEqual(len(called), 1)
        self.assertEqual(Touch.objects.count(), 10)

    def test_interfaces_trays_circuits_switches_and_cubes_touch_what_they_are_about(self) -> None:
        switch, cube = Switch.objects.get(number=0), Cube.objects.get(slot=1)
        port = self.pod.ports.get(number=0)
        cases = (
            (port.interface, {"s-c001-t01 2.1.1/X+"}),
            (OpticalCircuit(switch=switch, a=1, b=2), {"s-ocs-x-1-1"}),
            (switch, {"s-ocs-x-1-1"}),
            (cube, {"s cube 1"}),
        )
        for record, places in cases:
            with self.subTest(type(record).__name__):
                Touch.objects.all().delete()
                with self.committed():
                    record.validated_save()
                self.assertEqual(set(self.touches()), places)
        with self.committed():
            port.interface.device.save()
        self.assertEqual(Touch.objects.filter(port__isnull=False).count(), 12)

    def test_a_slice_touches_its_cubes_when_it_comes_and_when_it_goes(self) -> None:
        user = User.objects.create(username="night", is_superuser=True)
        for change in ("made", "released"):
            Touch.objects.all().delete()
            with self.committed():
                if change == "made":
                    made, _ = make_slice(self.pod, Wish(shape="2x2x2", slots=(2,)), user)
                else:
                    release_slice(made, user)
            self.assertIn("s cube 2", self.touches(), change)

    def test_what_is_of_no_pod_and_what_is_rolled_back_touches_nothing(self) -> None:
        other = Device.objects.exclude(interfaces__fabric_port__isnull=False).first()
        with self.committed():
            if other:
                other.save()
        with self.committed() as called, suppress(ZeroDivisionError), transaction.atomic():
            cable_at(self.pod, 0).save()
            raise ZeroDivisionError
        self.assertEqual((called, self.touches()), ([], []))

    def test_a_pod_that_went_with_what_was_touched_is_no_trouble(self) -> None:
        key = self.pod.pk
        with self.committed() as called:
            touch([key], called.append)
            Pod.objects.filter(pk=key).delete()
        self.assertEqual(called, [])
        self.assertEqual(audit_touched(str(key)), "the pod is gone")

    def test_the_audit_looks_at_just_what_was_touched_and_forgets_it(self) -> None:
        cable = cable_at(self.pod, 0)
        with self.committed():
            set_status(cable, "Decommissioning")
            cable.refresh_from_db()
            cable.save()
        said = audit_touched(str(self.pod.pk))
        self.assertIn("1 findings, 1 new", said)
        run = AuditRun.objects.get()
        self.assertEqual((run.scope, Finding.objects.get().code), ("ports", "missing"))
        self.assertEqual(self.touches(), [])
        self.assertEqual(audit_touched(str(self.pod.pk)), "nothing was touched")

    def test_what_changes_while_an_audit_runs_is_looked_at_by_the_next(self) -> None:
        with self.committed():
            cable_at(self.pod, 0).save()
        answer_call(self.pod.pk)
        scope, until = touched(PodRecord(self.pod))
        with self.committed() as called:
            cable_at(self.pod, 0).save()
        forget(self.pod, until)
        self.assertEqual(len(self.touches()), 2)
        self.assertEqual(len(called), 1)
        self.assertEqual(len(scope.ports), 2)

    def test_a_great_many_places_are_the_whole_pod(self) -> None:
        with self.committed():
            touch([self.pod.pk], lambda _: None)
        scope, _ = touched(PodRecord(self.pod))
        self.assertEqual(scope.kind, "pod")
