"""What only the fabric shows: it is mended by evidence, and keeps its ID in company."""

from dataclasses import replace
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from nautobot.apps.testing import TestCase
from nautobot.extras.models import ObjectChange

from fabric_twin.core.audit import Finding as CoreFinding
from fabric_twin.core.audit import audit_cabling
from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.diagnosis import Diagnosis
from fabric_twin.core.errors import NotPossible
from fabric_twin.core.findings.dead_switch import CameBack
from fabric_twin.core.findings.proof import Look, Proof
from fabric_twin.models import Finding
from fabric_twin.operations.audits.audit import Scope
from fabric_twin.operations.audits.finding_life import acknowledge, release_findings, take
from fabric_twin.operations.audits.light_evidence import Shown, cross_off
from fabric_twin.operations.orders.findings_to_mend import check_manual
from fabric_twin.repositories.pod_record import PodRecord
from tests.nautobot.bases.audits.small_findings import audit, small_pod


class Fabric:
    """A look at the fabric that shows what the test says."""

    def __init__(self, *dark: int | tuple[int, ...], silent: tuple[str, ...] = ()) -> None:
        #: Ports that are dark; several together are one fault.
        self.dark = [one if isinstance(one, tuple) else (one,) for one in dark]
        self.not_reached = dict.fromkeys(silent, "no answer in 5 s")
        self.fingerprint = f"{dark} {silent}"

    def __call__(self, record: PodRecord, _scope: Scope) -> "Fabric":
        devices = (*record.switches.values(), *record.cubes.values())
        self.asked = frozenset(name for _, name, _ in devices)
        return self

    def keep(self, _record: PodRecord) -> str:
        return "links: 2"

    def came_back(self, _record: Any, _intended: Any, switches: Any) -> dict[int, CameBack]:
        return {switch: CameBack(wanted=0, made=0, slices=0) for switch in switches}

    def diagnose(self, record: PodRecord, intended: Intended) -> Diagnosis:
        """The cabling's own findings, and darkness at some ports of devices that answered."""
        report = audit_cabling(intended, record.plant)
        faults = [tuple(map(record.names.port, numbers)) for numbers in self.dark]
        dark = tuple(
            CoreFinding(
                id="dark " + " and ".join(f"{device} {port}" for device, port in ends),
                code="dark",
                cause=f"No light at {' port '.join(ends[0])}",
                strays=(),
                remedy=(),
                places=ends,
                evidence={"received_dbm": -40.0},
                looks=tuple(Proof(Look.LIGHT, *end) for end in ends),
            )
            for ends in faults
            if not {device for device, _ in ends} & {*self.not_reached}
        )
        every = {end for ends in faults for end in ends}

        def well(proof: Proof) -> bool:
            end = proof.device, proof.port
            return end not in every and proof.device not in self.not_reached

        sizes = report.cables, report.expected
        return Diagnosis(report.pod, report.design, *sizes, dark, self.not_reached, well)


class FabricTest(TestCase):
    """What only the fabric shows, only the fabric mends; and only where it answers."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = small_pod()

    def states(self) -> dict[str, str]:
        found = Finding.objects.filter(pod=self.pod).values_list("key", "state")
        return {key.removeprefix("dark s-"): state for key, state in found}

    def test_nothing_is_mended_because_nobody_looked_or_answered(self) -> None:
        here, there = "c001-t01 2.1.1/X+", "c002-t01 2.1.1/X+"
        audit(self.pod, look=Fabric(0, 24))
        self.assertEqual(self.states(), {here: "open", there: "open"})
        self.assertEqual(audit(self.pod).gone, 0)
        run = audit(self.pod, look=Fabric(silent=("s-c002-t01",)))
        self.assertEqual(self.states(), {here: "mended", there: "open"})
        self.assertEqual(run.not_reached, {"s-c002-t01": "no answer in 5 s"})
        self.assertEqual((run.gate, run.message), ("warn", "links: 2"))
        self.assertEqual(audit(self.pod, look=Fabric()).gone, 1)
        self.assertEqual(self.states(), {here: "mended", there: "mended"})

    def test_what_comes_back_has_all_of_it_to_be_shown_again(self) -> None:
        audit(self.pod, look=Fabric(0))
        finding = Finding.objects.get()
        at = ("s-c001-t01", "2.1.1/X+")
        self.assertEqual(finding.proof, [["light", *at]])
        with transaction.atomic():
            cross_off(self.pod, Shown(frozenset({at})))
        self.assertEqual(Finding.objects.get().proof, [])
        self.assertEqual(audit(self.pod, look=Fabric()).gone, 1)
        audit(self.pod, look=Fabric(0))
        self.assertEqual(Finding.objects.get().proof, [["light", *at]])
        audit(self.pod, look=Fabric(silent=("s-c001-t01",)))
        left = Finding.objects.get()
        self.assertEqual((left.pk, left.state, left.seen), (finding.pk, "open", False))

    def test_what_a_light_test_shows_while_an_audit_writes_stays_crossed_off(self) -> None:
        audit(self.pod, look=Fabric(0))
        at = ("s-c001-t01", "2.1.1/X+")

        class Meanwhile(Fabric):
            def diagnose(self, record: PodRecord, intended: Intended) -> Diagnosis:
                told = super().diagnose(record, intended)

                def well(proof: Proof) -> bool:
                    cross_off(record.pod, Shown(frozenset({at})))
                    return told.well(proof)

                return replace(told, well=well)

        audit(self.pod, look=Meanwhile(silent=("s-c001-t01",)))
        self.assertEqual(Finding.objects.get().proof, [])

    def test_evidence_is_kept_as_it_was_and_as_it_is(self) -> None:
        audit(self.pod, look=Fabric(0))
        found = Finding.objects.get()
        self.assertEqual(found.evidence_then, {"received_dbm": -40.0})
        self.assertTrue(found.observed)


class JoinedTest(TestCase):
    """Two faults that look like one are told by the older finding; the younger keeps its own."""

    ONE, OTHER = "dark s-c001-t01 2.1.1/X+", "dark s-c002-t01 2.1.1/X+"

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = small_pod()
        audit(cls.pod, look=Fabric(0))
        audit(cls.pod, look=Fabric(0, 24))
        cls.operator = get_user_model().objects.create_superuser("operator")

    def other(self) -> Finding:
        return Finding.objects.get(key=self.OTHER)

    def facts(self, *names: str) -> dict[str, Any]:
        return {row.pop("key"): row for row in Finding.objects.values("key", *names)}

    def test_the_younger_is_joined_and_takes_its_id_back_when_they_part(self) -> None:
        acknowledge(self.other(), self.operator, "parts come on Monday")
        run = audit(self.pod, look=Fabric((0, 24)))
        self.assertEqual((run.found, run.new, run.gone, run.still), (1, 0, 0, 1))
        self.assertEqual(
            self.facts("state", "seen", "joined_with__key"),
            {
                self.ONE: {"state": "open", "seen": True, "joined_with__key": None},
                self.OTHER: {"state": "joined", "seen": True, "joined_with__key": self.ONE},
            },
        )
        # Nobody sees either; and the same look again changes nothing.
        audit(self.pod, look=Fabric(silent=("s-c001-t01", "s-c002-t01")))
        self.assertEqual((self.other().state, self.other().seen), ("joined", False))
        audit(self.pod, look=Fabric((0, 24)))
        self.assertEqual((self.other().state, self.other().seen), ("joined", True))
        audit(self.pod, look=Fabric(0, 24))
        parted = self.other()
        self.assertEqual(
            (parted.state, parted.acknowledged_by, parted.acknowledged_why, parted.joined_with),
            ("acknowledged", self.operator, "parts come on Monday", None),
        )
        self.assertEqual(Finding.objects.count(), 2)
        lines = ObjectChange.objects.filter(changed_object_id=parted.pk).order_by("time")
        self.assertEqual(
            [line.change_context_detail for line in lines],
            [
                "acknowledged: parts come on Monday",
                f"joined with dark {self.ONE}",
                "joined with none any more",
            ],
        )

    def test_it_is_not_counted_nor_taken_while_another_one_tells_of_it(self) -> None:
        audit(self.pod, look=Fabric((0, 24)))
        self.assertEqual([one.key for one in self.pod.open_findings], [self.ONE])
        with self.assertRaisesMessage(NotPossible, "it is joined with another one"):
            take(Finding.objects.filter(key=self.OTHER), "s-w1")
        with self.assertRaisesMessage(NotPossible, "joined with another one: "):
            check_manual([self.other()])

    def test_an_order_keeps_it_and_may_release_it_meanwhile(self) -> None:
        take(Finding.objects.filter(key=self.OTHER), "s-w1")
        audit(self.pod, look=Fabric((0, 24)))
        self.assertEqual((self.other().state, self.other().worked_on), ("joined", "s-w1"))
        audit(self.pod, look=Fabric(0, 24))
        self.assertEqual((self.other().state, self.other().worked_on), ("working", "s-w1"))
        audit(self.pod, look=Fabric((0, 24)))
        release_findings(Finding.objects.all(), "s-w1")
        self.assertEqual((self.other().state, self.other().worked_on), ("joined", ""))
        audit(self.pod, look=Fabric(0, 24))
        self.assertEqual(self.other().state, "open")

    def test_each_is_mended_by_what_it_had_to_show(self) -> None:
        audit(self.pod, look=Fabric((0, 24)))
        self.assertEqual(audit(self.pod, look=Fabric(0)).gone, 1)
        mended = self.other()
        self.assertEqual((mended.state, mended.joined_with), ("mended", None))
        self.assertEqual(audit(self.pod, look=Fabric()).gone, 1)

    def test_it_is_open_again_where_the_other_is_mended_and_it_was_not_looked_at(self) -> None:
        audit(self.pod, look=Fabric((0, 24)))
        audit(self.pod, look=Fabric(silent=("s-c002-t01",)))
        self.assertEqual(
            self.facts("state", "seen"),
            {
                self.ONE: {"state": "open", "seen": False},
                self.OTHER: {"state": "joined", "seen": False},
            },
        )
        Finding.objects.get(key=self.ONE).delete()
        audit(self.pod, look=Fabric(silent=("s-c002-t01",)))
        self.assertEqual(
            self.facts("state", "seen"), {self.OTHER: {"state": "open", "seen": False}}
        )
