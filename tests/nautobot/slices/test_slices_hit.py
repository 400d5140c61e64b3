"""An audit of the simulated fabric: each finding names the slices it hits, and what they keep."""

from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import strip_tags
from nautobot.users.models import ObjectPermission, User

from fabric_twin.models import AuditRun, Finding, OpticalCircuit, Pod, Slice
from fabric_twin.operations.audits.audit import WHOLE_POD
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.audits.slices_hit import slices_hit
from fabric_twin.operations.slices.make import Wish, make_slice
from tests.nautobot.bases.fabric import FabricTestCase
from tests.nautobot.bases.pods.one_pod import see_one_pod

X32, X42 = "iw-ocs-x-3-2", "iw-ocs-x-4-2"
LIST = reverse("plugins-api:fabric_twin-api:finding-list")
WHOLE = {"x": 1, "y": 1, "z": 1}
ONE_SWITCH = {
    "capacity_after": {"x": 0.9375, "y": 1, "z": 1},
    "switches_lacking": 1,
    "borne": True,
    "stands_still": False,
}
TWO_SWITCHES = {
    "capacity_after": {"x": 0.875, "y": 1, "z": 1},
    "switches_lacking": 2,
    "borne": False,
    "stands_still": False,
}


class SlicesHitTest(FabricTestCase):
    """Cubes 1 and 2 are a slice, so is cube 3, and so are some chips of cube 4."""

    slots = (1, 2, 3, 4)

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        night = User.objects.create(username="night", is_superuser=True)
        pod = Pod.objects.get(name="iw")
        for shape, name, slots in (("4x4x8", "train", (1, 2)), ("4x4x4", "lone", (3,))):
            make_slice(pod, Wish(shape=shape, name=name, slots=slots), night)
        make_slice(pod, Wish(shape="2x2x1", name="chips", slots=(4,)), night)

    def setUp(self) -> None:
        super().setUp()
        self.night = User.objects.get(username="night")
        self.carried(add=True)
        self.user.is_superuser = True
        self.user.save()
        self.client.force_login(self.user)

    def audit(self) -> AuditRun:
        return run_audit(self.pod, WHOLE_POD, How(look=observe_scope))

    def hit(self, user: User | None = None) -> dict[str, list[str]]:
        """By the code of a finding, what it says of slices."""
        codes = dict(Finding.objects.values_list("pk", "code"))
        known = slices_hit(self.pod, user or self.night)
        return {codes[pk]: [str(hit) for hit in hits] for pk, hits in known.items()}

    def lines(self, finding: Finding) -> list[str]:
        """What its page says of slices, a line for each one."""
        page = self.client.get(finding.get_absolute_url()).content.decode()
        _, _, cell = page.partition('value_slices-that-lack-links">')
        return [strip_tags(row) for row in cell.partition("</span>")[0].split("</div>") if row]

    def over_rest(self, **query: Any) -> list[Any]:
        return list(self.client.get(LIST, query).json()["results"])

    def test_a_switch_that_is_killed_names_each_slice_of_whole_cubes(self) -> None:
        number = self.break_it("switch-down", device=X32)
        self.audit()
        finding = Finding.objects.get()
        self.assertEqual(
            self.hit(), {"switch-down": ["lone: X 1 -> 0.9375", "train: X 1 -> 0.9375"]}
        )
        self.assertEqual(self.lines(finding), ["lone: X 1 -&gt; 0.9375", "train: X 1 -&gt; 0.9375"])
        [row] = self.over_rest()
        self.assertEqual(
            row["slices_hit"],
            [
                {
                    "name": name,
                    "capacity_before": WHOLE,
                    **ONE_SWITCH,
                    "with_other_findings": ONE_SWITCH,
                }
                for name in ("lone", "train")
            ],
        )
        table = self.client.get(f"{LIST}?format=csv").content.decode()
        self.assertIn("with_other_findings", table)
        self.control("/mend", number=number)
        self.assertEqual((self.audit().gone, self.hit()), (1, {}))
        self.assertEqual([row["slices_hit"] for row in self.over_rest()], [[]])

    def test_two_switches_of_an_axis_are_more_than_the_slice_bears(self) -> None:
        for switch in (X32, X42):
            self.break_it("switch-down", device=switch)
        self.audit()
        told = (
            "X 1 -> 0.9375. With the other findings: "
            "X 1 -> 0.875; a join lacks 2 switches, and the pod bears 1"
        )
        self.assertEqual(self.hit(), {"switch-down": [f"lone: {told}", f"train: {told}"]})
        for row in self.over_rest():
            for hit in row["slices_hit"]:
                self.assertEqual(hit["with_other_findings"], TWO_SWITCHES)
        Pod.objects.update(bear=2)
        self.pod.refresh_from_db()
        bears = "X 1 -> 0.9375. With the other findings: X 1 -> 0.875"
        self.assertEqual(self.hit(), {"switch-down": [f"lone: {bears}", f"train: {bears}"]})

    def test_each_fault_says_what_it_takes_and_from_whom(self) -> None:
        self.audit()
        still = "it stands still: a join has no link left"
        one_link = ["train: X 1 -> 0.9375"]
        no_cube = [f"train: X 1 -> 0, Y 1 -> 0, Z 1 -> 0; {still}"]
        for code, kind, wish, told in (
            ("cube-down", "", {"device": "iw-c002"}, no_cube),
            ("board-out", "", {"device": X32, "unit": 1}, ["lone: X 1 -> 0.9375", *one_link]),
            ("tray-down", "", {"device": "iw-c001-t06"}, no_cube),
            ("copper-down", "", {"device": "iw-c002", "link": "1.1.1/X+"}, None),
            ("dark", "broken", {"cable": "iw-c001:4.3.2/X+"}, one_link),
            ("fan-lost", "", {"device": X32, "unit": 1}, None),
        ):
            with self.subTest(code):
                Finding.objects.all().delete()
                number = self.break_it(kind or code, **wish)
                try:
                    self.audit()
                    self.assertEqual(self.hit(), {code: told} if told else {})
                finally:
                    self.control("/mend", number=number)

    def test_a_circuit_that_a_slice_does_without_is_not_missed(self) -> None:
        self.audit()
        gone = OpticalCircuit.objects.filter(switch__device__name=X32)
        self.set_circuits(set(), X32)
        gone.update(slice=None)  # as a ticket that has the slice bear its switch leaves the records
        gone.delete()
        run = self.audit()
        self.assertEqual((run.found, run.gate), (0, "pass"))

    def test_only_slices_and_findings_that_a_user_may_view_are_named(self) -> None:
        self.break_it("switch-down", device=X32)
        self.audit()
        guest = User.objects.create(username="guest")
        see_one_pod(guest, "iw", {Pod: "name", Finding: "pod__name"}, {Pod: (), Finding: ()})
        self.assertEqual(self.hit(guest), {})
        allowed = ObjectPermission.objects.create(
            name="one slice", actions=["view"], constraints={"name": "lone"}
        )
        allowed.users.add(guest)
        allowed.object_types.add(ContentType.objects.get_for_model(Slice))
        guest = User.objects.get(pk=guest.pk)
        self.assertEqual(self.hit(guest), {"switch-down": ["lone: X 1 -> 0.9375"]})

    def test_a_list_reads_the_pod_once_however_many_of_its_findings_hit_slices(self) -> None:
        def queries() -> int:
            with CaptureQueriesContext(connection) as asked:
                self.assertTrue(all(row["slices_hit"] for row in self.over_rest(limit=50)))
            return len(asked)

        self.break_it("switch-down", device=X32)
        self.audit()
        queries()  # what Nautobot remembers is remembered
        few = queries()
        for axis in "yz":
            self.break_it("switch-down", device=f"iw-ocs-{axis}-1-1")
        self.audit()
        self.assertEqual((Finding.objects.count(), queries()), (3, few))
