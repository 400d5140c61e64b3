"""Sync: what the fabric shows becomes what is known of it, and what is silent keeps its age."""

from django.db import connection, transaction
from django.utils import timezone
from nautobot.apps.testing import run_job_for_testing
from nautobot.dcim.models import Module
from nautobot.extras.models import Job, ObjectChange

from fabric_twin.core.diagnosis.kept_readings import unpacked
from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import (
    AuditRun,
    Cube,
    Finding,
    LightDay,
    LightReading,
    OpticalCircuit,
    Pod,
    Reading,
    Switch,
)
from fabric_twin.operations.audits.audit import WHOLE_POD
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.operations.pods.poll import must_look
from fabric_twin.operations.pods.remove import remove_pod
from fabric_twin.operations.pods.sync import sync, sync_pod
from fabric_twin.repositories.circuits import note_seen, numbers_of, write_seen
from fabric_twin.repositories.pod_record import PodRecord
from tests.nautobot.bases.fabric import FabricTestCase

X32 = "iw-ocs-x-3-2"


def circuits() -> list[tuple[int, int, bool, bool]]:
    rows = OpticalCircuit.objects.filter(switch__device__name=X32).order_by("a", "b")
    return list(rows.values_list("a", "b", "wanted", "seen"))


class SyncTest(FabricTestCase):
    def test_every_device_is_read_and_its_serials_are_learned(self) -> None:
        synced = sync_pod(self.pod)
        self.assertEqual(synced.silent, {})
        self.assertEqual(str(synced), "51 of 51 devices answered; serials learned: 336")
        self.assertEqual(Reading.objects.filter(answered__isnull=False).count(), 51)
        self.assertEqual(Module.objects.exclude(serial=None).count(), 3 * 96)
        [light] = LightReading.objects.values_list("levels", flat=True)
        self.assertEqual(len(unpacked(bytes(light))), 51)
        [facts] = Reading.objects.filter(cube__slot=1).values_list("facts", flat=True)
        self.assertEqual(len(facts["serials"]), 96)
        self.assertEqual(facts["up"], "0" * 96)
        self.assertEqual(facts["trays_down"], [])

    def test_a_second_sync_changes_nothing_but_the_time_and_leaves_no_change_record(self) -> None:
        self.assertEqual(sync_pod(self.pod).silent, {})
        before = Reading.objects.order_by("pk").values_list("facts__serials", "facts__status")
        logged = ObjectChange.objects.count()
        again = sync_pod(self.pod)
        self.assertEqual(str(again), "51 of 51 devices answered; nothing changed")
        after = Reading.objects.order_by("pk").values_list("facts__serials", "facts__status")
        self.assertEqual(list(after), list(before))
        self.assertEqual(ObjectChange.objects.count(), logged)
        self.assertEqual(LightReading.objects.count(), 2)

    def test_what_a_ticket_saw_is_not_written_over_by_an_older_look(self) -> None:
        sync_pod(self.pod)
        record = PodRecord(self.pod)
        older = must_look(record, None)
        switch = Switch.objects.get(device__name=X32)
        note_seen({switch.pk: {(1, 2)}}, timezone.now())
        sync(record, older)
        self.assertEqual(circuits(), [(1, 2, False, True)])
        sync_pod(self.pod)
        self.assertEqual(circuits(), [])

    def test_what_was_seen_of_a_pod_goes_with_it(self) -> None:
        sync_pod(self.pod)
        run_audit(self.pod)
        with transaction.atomic():
            remove_pod(self.pod.name, hardware=True)
            connection.check_constraints()
        for model in (Pod, Reading, LightReading, LightDay, AuditRun):
            self.assertFalse(model.objects.exists(), model)

    def test_circuits_come_and_go_as_they_are_seen(self) -> None:
        switch = Switch.objects.get(device__name=X32)
        OpticalCircuit.objects.create(switch=switch, a=1, b=2)
        self.set_circuits({("1A", "2B"), ("2A", "1B")})
        self.assertEqual(sync_pod(self.pod).changed["circuits newly seen"], 2)
        self.assertEqual(circuits(), [(1, 2, True, True), (2, 1, False, True)])
        self.set_circuits({("1A", "1B")})
        synced = sync_pod(self.pod)
        self.assertEqual(synced.changed["circuits seen no more"], 2)
        self.assertEqual(circuits(), [(1, 1, False, True), (1, 2, True, False)])

    def test_a_port_in_two_circuits_is_told_and_recorded_in_one_and_hides_nothing(self) -> None:
        """A server takes it: the record holds a port to one circuit that is seen."""
        self.set_circuits({("1A", "2B")})
        sync_pod(self.pod)
        switch = Switch.objects.get(device__name=X32)
        write_seen({switch.pk: {(1, 1), (1, 2), (3, 4), (5, 4), (6, 6)}})
        seen = [(1, 2, False, True), (3, 4, False, True), (6, 6, False, True)]
        self.assertEqual(circuits(), seen)

    def test_what_a_stranger_calls_a_circuit_is_none_of_ours(self) -> None:
        odd = {("xA", "yB"), ("0A", "1B"), ("40000A", "1B"), ("1B", "2A"), ("\u0661A", "1B")}
        self.assertEqual(numbers_of(frozenset({*odd, ("7A", "9B")})), {(7, 9)})

    def test_who_does_not_answer_is_named_and_keeps_what_was_known_with_its_age(self) -> None:
        self.set_circuits({("1A", "2B")})
        sync_pod(self.pod)
        was = Reading.objects.get(switch__device__name=X32)
        self.break_it("switch-down", device=X32)
        self.break_it("silent", device="iw-c002")
        synced = sync_pod(self.pod)
        self.assertEqual(set(synced.silent), {X32, "iw-c002"})
        self.assertEqual(synced.changed["devices that fell silent"], 2)
        now = Reading.objects.get(switch__device__name=X32)
        self.assertEqual((now.answered, now.facts), (was.answered, was.facts))
        self.assertGreater(now.asked, was.asked)
        self.assertIn("did not answer", now.silence)
        self.assertEqual(circuits(), [(1, 2, False, True)])

    def test_a_serial_that_disagrees_is_left_for_the_audit(self) -> None:
        sync_pod(self.pod)
        self.break_it("wrong-serial", device="iw-c001-t02", port="4.1.1/X+")
        synced = sync_pod(self.pod)
        self.assertEqual(synced.changed, {"transceivers": 1})
        module = Module.objects.get(
            parent_module_bay__name="4.1.1/X+", parent_module_bay__parent_device__name="iw-c001-t02"
        )
        self.assertFalse(module.serial.startswith("R"))
        Pod.objects.update(serials_follow=True)
        self.pod.refresh_from_db()
        self.assertEqual(sync_pod(self.pod).changed, {"serials learned": 1})
        module.refresh_from_db()
        self.assertTrue(module.serial.startswith("R"))

    def test_the_serial_of_a_wrong_part_is_not_learned_for_the_right_one(self) -> None:
        at = {"device": "iw-c001-t02", "port": "4.1.1/X+"}
        foreign = self.break_it("wrong-transceiver", **at)
        run = run_audit(self.pod, WHOLE_POD, How(look=observe_scope))
        self.assertEqual(run.message, "serials learned: 335")
        self.assertEqual(Finding.objects.get().code, "wrong-part")
        self.control("/mend", number=foreign)
        run = run_audit(self.pod, WHOLE_POD, How(look=observe_scope))
        self.assertIn("serials learned: 1", run.message)
        self.assertEqual((run.new, run.gone), (0, 1))

    def test_serials_of_two_modules_that_were_exchanged_follow_in_one_go(self) -> None:
        sync_pod(self.pod)
        one, other = Module.objects.order_by("pk")[:2]
        serials = one.serial, other.serial
        Module.objects.filter(pk=one.pk).update(serial="away")
        Module.objects.filter(pk=other.pk).update(serial=serials[0])
        Module.objects.filter(pk=one.pk).update(serial=serials[1])
        Pod.objects.update(serials_follow=True)
        self.pod.refresh_from_db()
        self.assertEqual(sync_pod(self.pod).changed, {"serials learned": 2})
        one.refresh_from_db()
        other.refresh_from_db()
        self.assertEqual((one.serial, other.serial), serials)

    def test_a_look_of_before_does_not_write_over_a_later_one(self) -> None:
        from fabric_twin.operations.pods.poll import must_look
        from fabric_twin.operations.pods.sync import sync
        from fabric_twin.repositories.pod_record import PodRecord

        before = must_look(PodRecord(self.pod))
        self.set_circuits({("1A", "2B")})
        sync_pod(self.pod)
        self.assertEqual(sync(PodRecord(self.pod), before).changes, "")
        self.assertEqual(circuits(), [(1, 2, False, True)])

    def test_a_dry_run_says_what_would_change_and_writes_nothing(self) -> None:
        synced = sync_pod(self.pod, keep=False)
        self.assertEqual(synced.changed, {"serials learned": 3 * 96 + 48})
        self.assertFalse(Reading.objects.exists())

    def test_a_pod_without_an_address_is_refused(self) -> None:
        Switch.objects.update(address="")
        Cube.objects.update(address="")
        with self.assertRaisesMessage(FabricTwinError, "pod iw: none of its devices"):
            sync_pod(self.pod)

    def test_the_job_syncs_one_switch_or_every_pod_that_has_an_address(self) -> None:
        load_pod("other", "ironwood", self.pod.location, slots=(1,))
        job = Job.objects.get(name="Sync pod")
        switch = Switch.objects.get(device__name=X32)
        result = run_job_for_testing(job, switch=str(switch.pk), username="night")
        self.assertEqual(result.result, "iw: 1 of 1 device answered; serials learned: 1")
        result = run_job_for_testing(job, dryrun=False, username="night")
        self.assertEqual(result.status, "FAILURE")
        self.assertEqual(Reading.objects.filter(pod=self.pod, answered__isnull=False).count(), 51)
        self.assertFalse(Reading.objects.exclude(pod=self.pod).exists())
