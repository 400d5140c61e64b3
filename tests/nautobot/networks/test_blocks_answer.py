"""Blocks that Nautobot asks: their readings, their light beside the switches', who they are."""

import re
from typing import Any

from django.core.exceptions import ValidationError
from django.utils import timezone
from nautobot.dcim.models import Device, ModuleType
from nautobot.users.models import User

from fabric_twin.core.errors import FabricTwinError, NotPermitted
from fabric_twin.core.identity import ConfirmedBy, Told
from fabric_twin.models import (
    AuditRun,
    Block,
    Finding,
    LastGoodLight,
    LightDay,
    LightReading,
    OpticalCircuit,
    Reading,
    Reservation,
    Switch,
    Touch,
)
from fabric_twin.operations.audits.audit import WHOLE_POD, Scope
from fabric_twin.operations.audits.confirm_by_circuit import check_confirmable
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.audits.touches import forget, note_touched, touched
from fabric_twin.operations.audits.who_answers import confirm, told_by
from fabric_twin.operations.discovery.accept import accept_cables
from fabric_twin.operations.discovery.discover import discover_cables
from fabric_twin.operations.discovery.kept import acceptable_cables
from fabric_twin.operations.doctor.ways_in import check_ways_in
from fabric_twin.operations.pods.reach import why_not_reached
from fabric_twin.operations.pods.sync import sync_pod
from fabric_twin.presenters.last_read import last_read_of
from fabric_twin.repositories.light_history import baseline_of
from fabric_twin.repositories.pod_record import PodRecord
from tests.nautobot.bases.networks.network_runs import NetworkRunCase
from tests.nautobot.bases.pods.small_pod import make_devices

AB02, ONE = "dc1-ab02", "dc1-ocs-01"
M02 = {"device": AB02, "port": "m02/1"}
#: What is broken, and what an audit calls it.
FAULTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("rate-lowered", {"kind": "slow", **M02, "gbps": 100}),
    ("dark", {"kind": "broken", "cable": "dc1-ab02:m02/1"}),
    ("high-loss", {"kind": "dirty", **M02, "loss_db": 4.0}),
    ("high-loss", {"kind": "dying-transceiver", **M02}),
    ("wrong-part", {"kind": "wrong-transceiver", **M02}),
    ("wrong-serial", {"kind": "wrong-serial", **M02}),
    ("swapped", {"kind": "swapped", "cable": "dc1-ab01:m01/1", "other": "dc1-ab01:m03/1"}),
    ("cube-down", {"kind": "cube-down", "device": AB02}),
    ("stale", {"kind": "silent", "device": AB02}),
)


class BlocksAnswerTest(NetworkRunCase):
    def audit(self, scope: Scope = WHOLE_POD) -> AuditRun:
        return run_audit(self.pod, scope, How(look=observe_scope))

    def block(self, name: str = "ab02") -> Block:
        return Block.objects.get(pod=self.pod, name=name)

    def test_each_is_read_as_switches_are(self) -> None:
        synced = sync_pod(self.pod)
        self.assertEqual(str(synced), "6 of 6 devices answered; serials learned: 26")
        reading = Reading.objects.get(block=self.block())
        self.assertIsNotNone(reading.answered)
        strands = self.block().strands
        facts = {name: len(reading.facts[name]) for name in ("up", "serials", "sent", "heard")}
        self.assertEqual(facts, dict.fromkeys(facts, strands))
        self.assertEqual(str(sync_pod(self.pod)), "6 of 6 devices answered; nothing changed")
        self.assertIn("6 devices", last_read_of(self.pod, self.root))
        one = sync_pod(self.pod, devices=[AB02])
        self.assertEqual(str(one), "1 of 1 device answered; nothing changed")

    def test_a_network_as_it_should_be_passes_and_its_light_is_kept(self) -> None:
        run = self.audit()
        self.assertEqual((run.gate, run.found, run.not_reached), ("pass", 0, {}))
        self.assertEqual(Reading.objects.count(), 6)
        self.assertEqual(LastGoodLight.objects.filter(switch__isnull=False).count(), 2)
        LightReading.objects.all().update(at=run.created.replace(year=2025))
        self.audit()  # the days before are folded
        self.assertEqual(LightDay.objects.filter(block__isnull=False).count(), 4)
        LightDay.objects.all().update(day=run.created.date().replace(day=1))
        ber = baseline_of(PodRecord(self.pod), run.created.date().replace(day=27)).ber
        assert ber is not None
        per = self.pod.to_core().layout.ports_per_cube
        lit = ber[(self.block().first_port - 1) * per :][: self.block().strands]
        self.assertTrue((lit < 1e-4).all())

    def test_each_fault_is_one_finding_that_mending_closes(self) -> None:
        ModuleType.objects.update(part_number="optical module")
        self.audit()
        for code, wish in FAULTS:
            with self.subTest(**wish):
                Finding.objects.all().delete()
                number = self.break_it(**wish)
                try:
                    self.audit()
                    found = list(Finding.objects.values_list("code", "state"))
                    self.assertEqual(found, [(code, "open")])
                finally:
                    self.control("/mend", number=number)
                run = self.audit()
                self.assertEqual((run.gate, Finding.objects.get().state), ("pass", "mended"))

    def test_a_slow_link_is_seen_at_its_two_blocks_and_closed_by_a_link_of_full_rate(self) -> None:
        number = self.break_it("slow", **M02, gbps=100)
        self.audit()
        finding = Finding.objects.get()
        self.assertEqual(
            finding.cause,
            "The link of dc1-ab01 m01/1 and dc1-ab02 m02/1 runs at 100 Gbit/s, and both ends can "
            "do 400: one of them is set to a lower speed, or its module has lost lanes",
        )
        self.assertEqual(
            set(finding.places.exclude(device_name="").values_list("device_name", "port_name")),
            {("dc1-ab01", "m01/1"), (AB02, "m02/1")},
        )
        OpticalCircuit.objects.all().delete()
        self.settle_circuits()
        self.control("/mend", number=number)
        run = self.audit()  # nothing runs there: nobody has seen that it is mended
        finding.refresh_from_db()
        self.assertEqual((finding.state, finding.seen, run.gone), ("open", False, 0))

    def settle_circuits(self) -> None:
        for switch in self.switches:
            self.set_circuits(set(), switch)

    def test_a_part_of_it_is_audited_by_itself(self) -> None:
        places = frozenset(self.block().places)
        run = self.audit(Scope(slots=places))
        self.assertEqual((run.scope, run.places, run.found), ("block", AB02, 0))
        # Beside the block, the switches and the blocks that its light meets.
        self.assertEqual(Reading.objects.filter(answered__isnull=False).count(), 6)

    def test_a_block_that_is_silent_is_looked_at_again(self) -> None:
        self.audit()
        Touch.objects.all().delete()
        self.break_it("silent", device=AB02)
        note_touched(self.pod.pk, block=[self.block().pk])
        scope, until = touched(PodRecord(self.pod))
        self.assertEqual(scope, Scope(slots=frozenset(self.block().places)))
        run = self.audit(scope or WHOLE_POD)
        self.assertEqual(list(run.not_reached), [AB02])
        forget(self.pod, until, run.not_reached)
        self.assertEqual([touch.block for touch in Touch.objects.all()], [self.block()])
        forget(self.pod, until)
        self.assertFalse(Touch.objects.exists())

    def test_a_changed_block_is_audited_alone(self) -> None:
        Touch.objects.all().delete()
        block = self.block()
        block.description = "moved to row 4"
        with self.captureOnCommitCallbacks(execute=True):
            block.validated_save()
        self.assertEqual([touch.block for touch in Touch.objects.all()], [block])

    def test_a_block_that_goes_has_its_network_audited(self) -> None:
        OpticalCircuit.objects.all().delete()
        Touch.objects.all().delete()
        with self.captureOnCommitCallbacks(execute=True):
            self.block().delete()
        self.assertIn(None, [touch.block for touch in Touch.objects.all()])

    def test_its_workers_reach_it_and_the_doctor_sees_its_ways_in(self) -> None:
        self.assertEqual(why_not_reached(self.pod), "")
        told = [str(one.found) for one in check_ways_in() if one.what == "pod dc1"]
        self.assertEqual(told, ["6 devices, each with an address and a way in"])

    def test_a_fault_of_an_idle_strand_is_seen_and_mended_by_a_light_test(self) -> None:
        self.audit()
        OpticalCircuit.objects.all().delete()
        for switch in self.switches:
            self.set_circuits(set(), switch)
        note = {"first_seen": timezone.now(), "opened": timezone.now(), "last_seen": timezone.now()}
        proof = [["rate", AB02, "m02/1"]]
        finding = Finding.objects.create(
            pod=self.pod, key="slow", code="rate-lowered", severity="error", cause="it is slow",
            proof=proof, seen=False, **note,
        )  # fmt: skip
        number = self.break_it("slow", **M02, gbps=100)
        tested = How(look=observe_scope, light_test=True, user=self.root)
        run_audit(self.pod, WHOLE_POD, tested)
        finding.refresh_from_db()
        self.assertEqual(finding.state, "open")
        self.control("/mend", number=number)
        self.audit()
        run_audit(self.pod, WHOLE_POD, tested)
        finding.refresh_from_db()
        self.assertEqual(finding.state, "mended")
        self.assertFalse(Reservation.objects.exists())

    def test_no_switch_is_confirmed_by_circuits_of_blocks(self) -> None:
        with self.assertRaisesMessage(FabricTwinError, "Confirm it by what its label says"):
            check_confirmable(Switch.objects.get(device__name=ONE), self.root)


class DiscoveryTest(NetworkRunCase):
    """Strands that no circuit uses are joined, and say in which port of a switch they are."""

    def setUp(self) -> None:
        super().setUp()
        OpticalCircuit.objects.filter(switch__device__name=ONE).delete()
        self.set_circuits(set(), ONE)

    def wired(self) -> dict[tuple[str, str], tuple[str, str]]:
        """The records: in which port of a switch each strand is."""
        rows = self.pod.ports.filter(block__isnull=False).select_related("interface__device")
        found = {}
        for port in rows:
            far = port.interface.connected_endpoint
            found[str(port.interface.device), port.interface.name] = (str(far.device), far.name)
        return found

    def test_cables_are_where_they_are_recorded_and_circuits_stay(self) -> None:
        run = discover_cables(self.pod, self.root)
        self.assertEqual(run.state, "done")
        self.assertEqual(run.by_code, {"as-recorded": 24, "not-looked-at": 24})
        self.assertFalse(Reservation.objects.exists())
        sync_pod(self.pod)
        self.assertEqual(OpticalCircuit.objects.filter(seen=True, wanted=True).count(), 12)
        self.assertFalse(OpticalCircuit.objects.filter(wanted=False).exists())

    def test_two_exchanged_cables_are_shown_and_accepted(self) -> None:
        one, other = "dc1-ab01:m01/1", "dc1-ab03:m01/1"
        before = self.wired()
        self.break_it("swapped", cable=one, other=other)
        run = discover_cables(self.pod, self.root)
        self.assertEqual(run.by_code, {"as-recorded": 22, "elsewhere": 2, "not-looked-at": 24})
        accept_cables(run, self.root, [c.near for c in acceptable_cables(run)], "seen by light")
        ends = [("dc1-ab01", "m01/1"), ("dc1-ab03", "m01/1")]
        after = self.wired()
        self.assertEqual([after[end] for end in ends], [before[end] for end in ends[::-1]])
        page = self.client
        page.force_login(self.root)
        told = page.get(run.get_absolute_url()).content.decode()
        self.assertNotIn(
            "cube", re.sub('(?s)<nav.*?</nav>|<script.*?</script>|href=".*?"', "", told)
        )


class WhoAnswersTest(NetworkRunCase):
    """Nothing is believed of a block that is not the recorded one."""

    def block(self) -> Block:
        return Block.objects.get(pod=self.pod, name="ab02")

    def test_a_device_that_was_not_confirmed_tells_nothing_until_somebody_says_who_it_is(
        self,
    ) -> None:
        block = self.block()
        block.validated_save()
        self.assertEqual(block.confirmed_by, ConfirmedBy.LOAD)
        block.device = make_devices(self.pod, [AB02 + "-new"])[0]
        with self.assertRaisesMessage(ValidationError, "these stay"):
            block.validated_save()
        Block.objects.filter(pk=block.pk).update(confirmed_by="", confirmed_at=None)
        sync_pod(self.pod)
        told = told_by(self.block())
        self.assertEqual(told.name, AB02)
        self.assertEqual(Reading.objects.get(block=block).facts, {})
        nobody = User.objects.create(username="nobody")
        with self.assertRaises(NotPermitted):
            confirm(self.block(), nobody, told, "its label")
        with self.assertRaisesMessage(FabricTwinError, "another device answers now"):
            confirm(self.block(), self.root, Told("dc1-ab09", "X"), "its label")
        confirm(self.block(), self.root, told, "its label")
        self.assertEqual(self.block().confirmed_by, ConfirmedBy.PERSON)
        self.assertEqual(sync_pod(self.pod).silent, {})
        self.assertTrue(Reading.objects.get(block=block).facts)

    def test_another_device_at_its_address_is_a_finding_and_is_not_believed(self) -> None:
        Block.objects.filter(name="ab02").update(called="dc1-ab09")
        run_audit(self.pod, WHOLE_POD, How(look=observe_scope))
        self.assertEqual(Finding.objects.get().code, "refused")
        self.assertEqual(Reading.objects.get(block=self.block()).facts, {})

    def test_a_serial_that_somebody_typed_confirms_no_block(self) -> None:
        Block.objects.filter(name="ab02").update(confirmed_by="", confirmed_at=None)
        Device.objects.filter(name=AB02).update(serial="X1")
        sync_pod(self.pod)
        self.assertEqual(Reading.objects.get(block=self.block()).facts, {})

    def test_two_records_never_have_one_address(self) -> None:
        block, switch = self.block(), Switch.objects.get(device__name=ONE)
        block.address, block.target = switch.address, switch.target
        with self.assertRaisesMessage(Exception, "of pod dc1 already"):
            block.validated_save()
