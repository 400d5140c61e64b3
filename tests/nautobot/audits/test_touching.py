"""What changes in Nautobot is gathered, and audited together a moment later."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any
from unittest import mock
from uuid import uuid4

from django.core.cache import cache
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import CableToCableTermination, Device, Interface
from nautobot.users.models import User

from fabric_twin.models import AuditRun, Cube, Finding, OpticalCircuit, Pod, Switch, Touch
from fabric_twin.operations.audits.touches import (
    answer_call,
    call_forgotten,
    forget,
    touch,
    touched,
)
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.operations.slices.release import release_slice
from fabric_twin.repositories.pod_record import PodRecord
from fabric_twin.tasks.background.audit_touched import audit_touched
from tests.nautobot.bases.audits.small_findings import cable_at, set_status, small_pod


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
        told = mock.patch(
            "fabric_twin.operations.dispatch.audit_soon",
            side_effect=lambda pod, countdown: called.append(pod),  # noqa: ARG005
        )
        # In a transaction of its own: what gathered in the test's before is not of it.
        with told, self.captureOnCommitCallbacks(execute=True), transaction.atomic():
            yield called

    def touches(self) -> list[str]:
        return sorted(map(str, Touch.objects.all()))

    def test_a_cable_that_is_saved_touches_both_of_its_ports(self) -> None:
        cable = cable_at(self.pod, 0)
        with self.committed() as called:
            cable.validated_save()
        self.assertEqual(self.touches(), ["s-c001-t01 2.1.1/X+", "s-ocs-x-1-1 1A"])
        self.assertEqual(called, [self.pod.pk])

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

    def test_records_of_nobody_of_ours_cost_a_question_a_transaction(self) -> None:
        place = self.pod.location
        kind, role, status = (
            getattr(Switch.objects.first().device, name)
            for name in ("device_type", "role", "status")
        )
        facts = {"device_type": kind, "role": role, "status": status, "location": place}
        others = [Device.objects.create(name=f"other {n}", **facts) for n in range(20)]
        with CaptureQueriesContext(connection) as asked, self.committed() as called:
            for other in others:
                other.save()
        ours = [q["sql"] for q in asked if "fabric_twin_" in q["sql"]]
        self.assertEqual((len(ours), called), (1, []), ours)

    def test_a_call_that_was_lost_with_its_worker_is_made_again(self) -> None:
        with self.committed():
            touch([self.pod.pk])
        cache.clear()  # the call is forgotten after a while, and so are those of earlier tests
        late, soon = timedelta(minutes=-2), timedelta(minutes=2)

        def called(touched: timedelta, **run: Any) -> int:
            """How often an audit is called for, of two looks."""
            Touch.objects.update(last=timezone.now() + touched)
            if run:
                AuditRun.objects.create(pod=self.pod, number=1, scope="pod", **run)
            with mock.patch("fabric_twin.operations.dispatch.audit_soon"):
                times = call_forgotten() + call_forgotten()
            cache.clear()
            AuditRun.objects.all().delete()
            return times

        ends = {"lease_until": timezone.now() + soon, "lease_token": uuid4()}
        over = {"lease_until": timezone.now() + late, "lease_token": uuid4()}
        for told, run, times in (
            ("nobody came", {}, 1),
            ("it came, and failed, and says why", {"state": "failed"}, 1),
            ("it is at work", {"state": "running", **ends}, 0),
            ("it died at work", {"state": "running", **over}, 1),
            ("it died, as somebody found", {"state": "lost"}, 1),
            ("another one looked elsewhere", {"state": "done"}, 1),
        ):
            with self.subTest(told):
                self.assertEqual(called(late, **run), times)
        self.assertEqual(called(timedelta()), 0)

    def test_what_a_savepoint_takes_back_touches_nothing_and_what_follows_does(self) -> None:
        with self.committed() as called:
            with suppress(ZeroDivisionError), transaction.atomic():
                cable_at(self.pod, 0).save()
                raise ZeroDivisionError
            cable_at(self.pod, 1).save()
        self.assertEqual((called, len(self.touches())), ([self.pod.pk], 2))

    def test_an_end_that_is_written_elsewhere_touches_the_port_that_it_left(
        self,
    ) -> None:
        end = CableToCableTermination.objects.filter(interface__fabric_port__number=0).get()
        port, device = self.pod.ports.get(number=0), end.interface.device
        facts = {"type": end.interface.type, "status": end.interface.status}
        end.interface = Interface.objects.create(device=device, name="spare", **facts)
        with self.committed():
            end.save()
        self.assertEqual(self.touches(), [str(port)])

    def test_a_bay_that_goes_with_its_module_touches_the_ports_that_were_in_it(self) -> None:
        port = self.pod.ports.exclude(module_bay=None).order_by("number").first()
        with self.committed():
            port.module_bay.delete()
        self.assertIn(str(port), self.touches())

    def test_a_question_that_fails_is_logged_and_undoes_nothing(self) -> None:
        asked = mock.patch("fabric_twin.change_signals.Port.objects.filter")
        with asked as ports, self.assertLogs("django.test", "ERROR") as logged, self.committed():
            ports.side_effect = OperationalError("away")
            cable_at(self.pod, 0).save()
        self.assertIn("Error calling _Gathered in on_commit() (away)", logged.output[0])

    def test_a_pod_that_went_with_what_was_touched_is_no_trouble(self) -> None:
        key = self.pod.pk
        with self.committed() as called:
            touch([key])
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
        self.assertIn("1 finding, 1 new", said)
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

    def test_a_place_of_which_a_device_did_not_answer_stays_touched(self) -> None:
        far, near = Switch.objects.get(pod=self.pod, number=1), Cube.objects.get(slot=1)
        at, of_cube = self.pod.ports.filter(switch=far).first(), self.pod.ports.get(number=0)
        with self.committed():
            touch([self.pod.pk], switch=[far.pk], cube=[near.pk], port=[at.pk, of_cube.pk])
        until = max(Touch.objects.values_list("last", flat=True))
        forget(self.pod, until, {str(far.device): "it does not answer"})
        self.assertEqual(self.touches(), sorted([str(at), str(far)]))
        forget(self.pod, until, [near.rack.name])
        self.assertEqual(self.touches(), [], "now the switch has answered")
        with self.committed():
            touch([self.pod.pk])
        [whole] = Touch.objects.all()
        forget(self.pod, whole.last, [str(far.device), near.rack.name])
        self.assertEqual(self.touches(), sorted([str(far), str(near)]))
        self.assertEqual(
            {(one.since, one.last) for one in Touch.objects.all()}, {(whole.since, whole.last)}
        )

    def test_what_nobody_can_look_at_is_tried_each_time_after_longer(self) -> None:
        with self.committed():
            touch([self.pod.pk])
        for minutes, pause in ((2, 120), (30, 1800), (600, 3600)):
            at = timezone.now() - timedelta(minutes=minutes)
            Touch.objects.update(since=at, last=timezone.now() - timedelta(minutes=1.5))
            with mock.patch("fabric_twin.operations.audits.touches.cache") as kept:
                kept.add.return_value = False
                call_forgotten()
            [(_, _, seconds)] = [call.args for call in kept.add.call_args_list]
            self.assertAlmostEqual(seconds, pause, delta=2)

    def test_an_audit_that_leaves_it_touched_does_not_call_for_the_next_at_once(self) -> None:
        with self.committed():
            touch([self.pod.pk])
        cache.clear()
        Touch.objects.update(last=timezone.now() - timedelta(minutes=2))
        told = mock.patch("fabric_twin.operations.dispatch.audit_soon")
        with told:
            self.assertEqual(call_forgotten(), 1)
            answer_call(self.pod.pk)  # it looked, and a device did not answer
            self.assertEqual(call_forgotten(), 0)
        with self.committed() as called:
            touch([self.pod.pk])
        self.assertEqual(called, [self.pod.pk], "what changes anew is not kept waiting")

    def test_a_great_many_places_are_the_whole_pod(self) -> None:
        with self.committed():
            touch([self.pod.pk])
        scope, _ = touched(PodRecord(self.pod))
        self.assertEqual(scope.kind(self.pod), "pod")
