"""The law of findings through the database: told until mended, with one ID, whatever happens."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from unittest import mock

from nautobot.apps.testing import TestCase

from fabric_twin.core.cabling.plant import Intended
from fabric_twin.core.diagnosis import Diagnosis
from fabric_twin.core.findings.after_look import AfterLook, Known, Seen
from fabric_twin.core.findings.dead_switch import CameBack
from fabric_twin.models import Finding, Pod
from fabric_twin.operations.audits.audit import WHOLE_POD, Scope
from fabric_twin.operations.audits.finding_rows import finding_of, proof_of
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.repositories.pod_record import PodRecord
from tests.diagnosis.histories import SEEN, WORLD, Act, History, lived, turned
from tests.diagnosis.memory import IsWell, Memory, Remembered
from tests.diagnosis.planted import PLANTED, IdByCode, IdByPort
from tests.examples import examples
from tests.nautobot.bases.pods.small import hall

AFTER_LOOK = "fabric_twin.operations.audits.store_findings.after_look"


@dataclass
class Looked:
    """A look at the fabric that has been diagnosed already."""

    diagnosis: Diagnosis
    fingerprint: str = ""
    asked: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.not_reached = self.diagnosis.unobserved

    def __call__(self, record: PodRecord, _scope: Scope) -> "Looked":
        devices = (*record.switches.values(), *record.cubes.values())
        self.asked = frozenset(name for _, name, _ in devices)
        return self

    def keep(self, _record: PodRecord) -> str:
        return ""

    def came_back(
        self, _record: PodRecord, _intended: Intended, switches: Iterable[int]
    ) -> dict[int, CameBack]:
        return {switch: CameBack(wanted=0, made=0, slices=0) for switch in switches}

    def diagnose(self, _record: PodRecord, _intended: Intended) -> Diagnosis:
        return self.diagnosis


@dataclass
class Kept(Memory):
    """What the database has of each look."""

    pod: Pod = field(default_factory=lambda: Pod.objects.get(name="p1"))

    def look(self, diagnosis: Diagnosis) -> None:
        self.looks += 1
        run = run_audit(self.pod, WHOLE_POD, How(look=Looked(diagnosis)))
        rows = Finding.objects.filter(pod=self.pod).exclude(state="mended")
        before, self.left, self.told = self.left, {}, {}
        for row in rows.select_related("joined_with").order_by("first_seen", "key"):
            columns = "device_name", "port_name", "cable_name"
            finding = finding_of(row, list(row.places.values_list(*columns)))
            was = before.get(row.key) or Remembered(row.key, frozenset(), (), (), self.looks)
            seen = row.key in run.keys["found"]
            if seen:
                self.told[row.key] = finding
            self.left[row.key] = Remembered(
                id=row.key,
                codes=was.codes | ({row.code} if seen else frozenset()),
                ports=finding.ports,
                proof=proof_of(row.proof),
                since=was.since,
                joined=row.joined_with.key if row.joined_with else "",
            )
        self.mended = [one for name, one in before.items() if name not in self.left]
        self.unseen = list(rows.filter(seen=False).values_list("key", flat=True))


def drawn(seed: int) -> list[Act]:
    """What happens in a history."""
    random = Random(seed)
    kinds = [random.choice(random.choice((SEEN, WORLD))) for _ in range(random.randint(3, 12))]
    return [(kind, *(random.randrange(32) for _ in range(3))) for kind in kinds]  # type: ignore[misc]


class HistoriesTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        load_pod("p1", "tpu-v4-cwdm8", hall(), slots=(1, 2, 3, 4))

    def test_whatever_happens_each_fault_that_was_seen_is_told_until_it_is_mended(self) -> None:
        for seed in range(examples(4)):
            with self.subTest(seed):
                Finding.objects.all().delete()
                lived(drawn(seed), Kept())

    def test_two_that_look_like_one_are_joined_and_keep_their_ids_when_they_part(self) -> None:
        for acts in PLANTED.values():
            Finding.objects.all().delete()
            history = lived(acts, Kept())
            ids = {name for names in history.ids.values() for name in names}
            self.assertEqual(len(ids), len(history.ids))

    def test_what_a_look_excluded_stays_excluded_while_the_circuits_stay(self) -> None:
        faults: list[Act] = [("broken", 0, 0, 0), ("swapped", 0, 2, 0)]
        for fault in faults:
            Finding.objects.all().delete()
            history = History(Kept())
            history.want(turned(history.bench, 1))
            history.do(fault)
            history.do(("circuits", 2, 0, 0))
            for _ in range(3):
                [told] = history.memory.told.values()
                self.assertEqual(len(told.remedy), 3)
                history.look()

    def test_the_law_fails_for_a_planted_mistake(self) -> None:
        for mistake, acts in PLANTED.items():
            if mistake in (IdByCode, IdByPort):
                continue  # these name what is found otherwise: shown in the core

            def after(found: Sequence[Seen], known: Sequence[Known], well: IsWell) -> AfterLook:
                made = mistake()  # noqa: B023
                judged = made.is_well(mock.Mock(well=well))
                return made.after(found, known, judged)

            Finding.objects.all().delete()
            with self.subTest(mistake.__name__), mock.patch(AFTER_LOOK, after):
                self.assertRaises(AssertionError, lived, acts, Kept())
