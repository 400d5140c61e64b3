"""Records of cables follow what light showed: all that are chosen, or none."""

from typing import Any

from django.urls import reverse
from django.utils import timezone
from nautobot.apps.testing import APITestCase, TestCase
from nautobot.dcim.models import Cable, Device, Interface

from fabric_twin.core.errors import FabricTwinError, NotPermitted, NotPossible, UnusableInput
from fabric_twin.models import (
    AgreedCable,
    AuditRun,
    OpticalCircuit,
    Pod,
    Port,
    Touch,
    WrittenEnd,
)
from fabric_twin.models.audit_run import RunStateChoices, ScopeChoices
from fabric_twin.operations.audits.run_lease import queue_run
from fabric_twin.operations.discovery.accept import accept_cables
from fabric_twin.operations.pods.light_agreed import write_agreed
from fabric_twin.repositories.pod_record import PodRecord
from tests.nautobot.bases.audits.small_findings import cable_at, fade, small_pod
from tests.nautobot.bases.users import admin, allow, somebody

WHY = "the sheet was wrong"


def ends(pod: Pod) -> dict[str, tuple[Any, Any]]:
    """Where every cable ends, by its key."""
    return {cable.pk: (cable.a, cable.b) for cable in PodRecord(pod).cables}


def discovery(pod: Pod, *cables: tuple[str, str, int, int, int]) -> AuditRun:
    """A discovery that showed these cables: how, key, port of the cube, recorded, shown."""
    run = queue_run(pod, scope=ScopeChoices.CABLES, light=True)
    rows = [[*cable, False, ""] for cable in cables]
    counts = dict.fromkeys(("in_use", "strangers", "not_made"), 0)
    kept = {**counts, "rounds": 2, "cables": rows, "left": {}, "accepted": []}
    AuditRun.objects.filter(pk=run.pk).update(
        state=RunStateChoices.DONE, ended=timezone.now(), keys={"cables": kept}
    )
    run.refresh_from_db()
    return run


def swapped(pod: Pod, one: int, other: int) -> AuditRun:
    """Light shows the cables at two ports of cubes in each other's place."""
    want = PodRecord(pod).intended().want
    rows = (
        ("elsewhere", str(cable_at(pod, near).pk), near, int(want[near]), int(want[there]))
        for near, there in ((one, other), (other, one))
    )
    return discovery(pod, *rows)


class AcceptingTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = small_pod()

    def setUp(self) -> None:
        super().setUp()
        self.admin = admin()
        self.before = ends(self.pod)
        self.near = PodRecord(self.pod).intended().a.tolist()[:3]

    def refused(self, kind: type[FabricTwinError], what: str, run: AuditRun, **more: Any) -> None:
        """It says why, and no record is another."""
        ports = more.pop("ports", self.near[:2])
        user = more.pop("user", self.admin)
        there = ends(self.pod)
        with self.assertRaisesMessage(kind, what):
            accept_cables(run, user, ports, more.pop("reason", WHY))
        self.assertEqual(ends(self.pod), there)

    def test_two_that_are_swapped_take_each_others_places_and_are_audited(self) -> None:
        one, other, _ = self.near
        run = swapped(self.pod, one, other)
        with self.captureOnCommitCallbacks(execute=True):
            self.assertEqual(accept_cables(run, self.admin, [one, other], WHY), 2)
        keys = [str(cable_at(self.pod, near).pk) for near in (one, other)]
        (a, b), (c, d) = (self.before[key] for key in keys)
        after = ends(self.pod)
        self.assertEqual((after[keys[0]], after[keys[1]]), ((a, d), (c, b)))
        self.assertEqual(after.keys(), self.before.keys())
        touched = set(Touch.objects.values_list("port__number", flat=True))
        self.assertEqual(touched, {a, b, c, d})
        run.refresh_from_db()
        [accepted] = run.discovered["accepted"]
        self.assertEqual((accepted["reason"], accepted["ports"]), (WHY, sorted([one, other])))
        self.refused(UnusableInput, "are accepted already", run)

    def test_a_cable_that_no_record_has_is_added(self) -> None:
        near = self.near[0]
        cable = cable_at(self.pod, near)
        far = int(PodRecord(self.pod).intended().want[near])
        cable.delete()
        run = discovery(self.pod, ("no-record", "", near, -2, far))
        accept_cables(run, self.admin, [near], WHY)
        fresh = cable_at(self.pod, near)
        self.assertEqual(ends(self.pod)[str(fresh.pk)], (near, far))
        self.assertEqual(fresh.status.name, "Connected")

    def test_a_record_that_changed_since_stops_all_of_them(self) -> None:
        run = swapped(self.pod, *self.near[:2])
        fade(self.pod, self.near[1])
        self.refused(NotPossible, "its record has changed since it was looked at", run)

    def test_a_port_that_another_record_has_is_not_taken(self) -> None:
        run = swapped(self.pod, *self.near[:2])
        self.refused(NotPossible, "the records have cable", run, ports=self.near[:1])

    def test_a_port_that_carries_a_circuit_now_is_left(self) -> None:
        run = swapped(self.pod, *self.near[:2])
        switch = self.pod.switches.order_by("number").first()
        for port in range(1, 5):
            OpticalCircuit.objects.create(switch=switch, a=port, b=port)
        self.refused(NotPossible, "a circuit is on it", run)

    def test_only_what_light_proved_and_the_last_discovery_showed_is_accepted(self) -> None:
        run = swapped(self.pod, *self.near[:2])
        self.refused(UnusableInput, "not offered", run, ports=self.near[2:])
        self.refused(UnusableInput, "no cable is chosen", run, ports=[])
        self.refused(UnusableInput, "no reason is given", run, reason=" ")
        discovery(self.pod)
        self.refused(NotPossible, "a later discovery has looked", run)
        self.refused(NotPossible, "it has shown no cables", queue_run(self.pod))

    def test_who_may_not_change_every_cable_is_refused(self) -> None:
        run = swapped(self.pod, *self.near[:2])
        person = somebody("person")
        allow(person, ["view"], Pod, AuditRun, Cable)
        self.refused(NotPermitted, "may not change cables", run, user=person)
        other = somebody("other person")
        allow(other, ["view"], Pod, AuditRun, Cable, Device, Interface, Port, WrittenEnd)
        allow(other, ["change"], Cable, pk=str(cable_at(self.pod, self.near[0]).pk))
        self.refused(NotPermitted, "may not change 1 of 2 cables", run, user=other)

    def test_who_may_not_view_what_is_behind_the_cables_learns_no_names(self) -> None:
        run = swapped(self.pod, *self.near[:2])
        person = somebody("person")
        allow(person, ["view"], Pod, AuditRun)
        allow(person, ["change"], Cable)
        self.refused(NotPermitted, "may not view", run, ports=self.near[:1], user=person)

    def test_light_has_not_agreed_with_a_cable_in_its_new_place(self) -> None:
        record = PodRecord(self.pod)
        write_agreed(record, [cable.name for cable in record.cables], timezone.now())
        moved = {str(cable_at(self.pod, near).pk) for near in self.near[:2]}
        run = swapped(self.pod, *self.near[:2])
        with self.captureOnCommitCallbacks(execute=True):
            accept_cables(run, self.admin, self.near[:2], WHY)
        left = {str(key) for key in AgreedCable.objects.values_list("cable", flat=True)}
        self.assertEqual(left, self.before.keys() - moved)


class AcceptingPagesTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = small_pod()
        near = PodRecord(cls.pod).intended().a.tolist()
        cls.run_ = swapped(cls.pod, *near[:2])

    def test_who_may_not_view_cables_sees_counts_and_no_names(self) -> None:
        person = somebody("person")
        allow(person, ["view"], Pod, AuditRun)
        self.client.force_login(person)
        page = self.client.get(self.run_.get_absolute_url()).content.decode()
        self.assertIn("You may not view all cables of the pod", page)
        self.assertNotIn("Light shows them elsewhere", page)
        url = reverse("plugins:fabric_twin:auditrun_accept", args=[self.run_.pk])
        self.assertContains(self.client.get(url, follow=True), "You may not view all cables")

    def test_a_discovery_has_no_report_of_findings(self) -> None:
        self.client.force_login(admin())
        page = self.client.get(self.run_.get_absolute_url())
        self.assertNotContains(page, "form=pdf")
        url = reverse("plugins:fabric_twin:auditrun_report", args=[self.run_.pk])
        self.assertContains(self.client.get(url, follow=True), "a discovery looks for no findings")


class AcceptingApiTest(APITestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = small_pod()
        cls.near = PodRecord(cls.pod).intended().a.tolist()[:2]
        cls.run_ = swapped(cls.pod, *cls.near)

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()
        self.url = f"/api/plugins/fabric-twin/audit-runs/{self.run_.pk}/"

    def test_what_light_shows_is_told_by_name_and_accepted_by_number(self) -> None:
        told = self.client.get(f"{self.url}cables/", **self.header).data
        self.assertEqual([one["number"] for one in told["cables"]], self.near)
        self.assertEqual([one["how"] for one in told["cables"]], ["elsewhere"] * 2)
        wish = {"cables": self.near, "reason": WHY}
        answer = self.client.post(f"{self.url}accept/", wish, format="json", **self.header)
        self.assertHttpStatus(answer, 200)
        again = self.client.post(f"{self.url}accept/", wish, format="json", **self.header)
        self.assertHttpStatus(again, 400)

    def test_it_is_asked_for_where_devices_have_addresses(self) -> None:
        url = f"/api/plugins/fabric-twin/pods/{self.pod.pk}/discover/"
        answer = self.client.post(url, format="json", **self.header)
        self.assertHttpStatus(answer, 409)
        self.assertIn("no device of it has an address", str(answer.data))
