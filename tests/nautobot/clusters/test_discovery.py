"""Cables of a cluster, discovered by neighbours, compared with the records, and accepted."""

from django.urls import reverse
from nautobot.dcim.models import Cable
from nautobot.extras.models import Status

from fabric_twin.core.errors import FabricTwinError, NotPermitted
from fabric_twin.core.identity import Answering
from fabric_twin.models import AuditRun, Cube, Finding, Pod, Switch
from fabric_twin.operations.audits.run import run_audit
from fabric_twin.operations.audits.who_answers import answering_at, confirm, told_by
from fabric_twin.operations.discovery.accept import accept_cables
from fabric_twin.operations.discovery.discover import discover_cables
from fabric_twin.operations.discovery.kept import acceptable_cables, sentence
from fabric_twin.presenters.runs.discovered import cables_shown
from tests.nautobot.bases.clusters import ClusterTestCase
from tests.nautobot.bases.run_jobs import log_in_this_transaction, run, said
from tests.nautobot.bases.users import allow, somebody

#: 24 cables of chains, and one between each two of four switches.
CABLES = 24 + 6


class DiscoveringClustersTest(ClusterTestCase):
    def shown(self, found: AuditRun) -> dict[str, tuple[str, str, str]]:
        """By cable: the port that stays, where its other end is recorded, and where it is."""
        rows = cables_shown(found, acceptable_cables(found))
        return {row.cable: (row.port, row.was, row.now) for row in rows}

    def test_a_cluster_as_recorded(self) -> None:
        log_in_this_transaction(self)
        job = run("DiscoverCables", self.admin.username, pod=self.pod.pk)
        self.assertEqual(job.status, "SUCCESS", job.result)
        self.assertIn(f"g: cables by neighbours: {CABLES} as recorded, 0 elsewhere", said(job))
        answered = self.pod.readings.filter(answered__isnull=False)
        self.assertEqual(answered.count(), 12 + 4)

    def test_records_follow_the_plugs_and_the_audit_says_what_is_wrong_with_them(self) -> None:
        self.break_it("swapped", cable="g-r01c02:1.1/W1", other="g-r01c03:1.1/W1")
        self.break_it("missing", cable="g-r04c01:1.5/E1")
        self.break_it("swapped", cable="g-row-01-1-1:7", other="g-row-02-1-1:8")
        found = discover_cables(self.pod, self.admin)
        self.assertEqual(
            sentence(found),
            f"g: cables by neighbours: {CABLES - 5} as recorded, 4 elsewhere, 0 not recorded, "
            "1 not shown, 0 not told apart, 0 not looked at.",
        )
        self.assertEqual(
            self.shown(found)["g-r01c02:1.1/W1"],
            ("g-r01c02 port 1.1/W1", "g-row-01-1-1 port 3", "g-row-01-1-1 port 5"),
        )
        self.client.force_login(self.admin)
        page = self.client.get(found.get_absolute_url())
        for words in ("Neighbours show them elsewhere", "Accept what neighbours show"):
            self.assertContains(page, words)
        self.assertNotContains(page, "Light shows")
        url = reverse("plugins:fabric_twin:auditrun_accept", args=[found.pk])
        ports = [one.near for one in acceptable_cables(found)]
        told = self.client.post(url, {"port": ports, "reason": "seen in the rack"}, follow=True)
        self.assertContains(told, "4 cables recorded as neighbours show; audited now.")
        run_audit(self.pod)
        causes = sorted(Finding.objects.values_list("code", flat=True))
        self.assertEqual(causes, ["swapped", "swapped"])
        again = discover_cables(self.pod, self.admin)
        self.assertEqual(again.by_code, {"as-recorded": CABLES - 1, "not-shown": 1})

    def test_a_cable_that_no_record_has_is_written_when_it_is_accepted(self) -> None:
        Cable.objects.filter(label__in=["g-r01c01:1.1/W1", "g-row-01-1-1:7"]).delete()
        found = discover_cables(self.pod, self.admin)
        self.assertEqual(found.by_code, {"as-recorded": CABLES - 2, "no-record": 2})
        accept_cables(found, self.admin, [one.near for one in acceptable_cables(found)], "laid")
        self.assertEqual(run_audit(self.pod).found, 0)

    def test_a_device_without_power_is_named_and_its_cables_are_not_shown(self) -> None:
        self.break_it("cube-down", device="g-row-03-1-1")
        found = discover_cables(self.pod, self.admin)
        self.assertEqual(found.by_code, {"as-recorded": CABLES - 9, "not-shown": 9})
        self.assertEqual(set(found.not_reached), {"g-row-03-1-1"})
        switch = Switch.objects.get(device__name="g-row-03-1-1")
        self.assertIn("does not answer", switch.reading.silence)

    def test_who_answers_at_an_address_that_a_person_gave_is_confirmed_first(self) -> None:
        Switch.objects.filter(device__name="g-row-02-1-1").update(confirmed_by="")
        found = discover_cables(self.pod, self.admin)
        self.assertEqual(set(found.not_reached), {"g-row-02-1-1"})
        switch = Switch.objects.get(device__name="g-row-02-1-1")
        self.assertIs(answering_at(switch), Answering.NOT_CONFIRMED)
        confirm(switch, self.admin, told_by(switch), "its label says so")
        self.assertEqual(discover_cables(self.pod, self.admin).not_reached, {})

    def test_who_may_not_see_its_devices_may_not_ask_them(self) -> None:
        user = somebody("guest")
        allow(user, ["view"], Pod)
        with self.assertRaises(NotPermitted):
            discover_cables(self.pod, user)
        self.assertFalse(AuditRun.objects.exists())

    def test_a_cluster_whose_addresses_are_of_devices_that_are_out_is_refused(self) -> None:
        self.pod.switches.update(address="", target="")
        out = Status.objects.get_for_model(Cube).get(name="Out")
        self.pod.cubes.update(status=out)
        with self.assertRaisesMessage(FabricTwinError, "in service has an address"):
            discover_cables(self.pod, self.admin)
        self.assertEqual(AuditRun.objects.get().state, "failed")

    def test_a_cluster_whose_devices_have_no_address_is_refused(self) -> None:
        for rows in (self.pod.switches, self.pod.cubes):
            rows.update(address="", target="")
        with self.assertRaisesMessage(FabricTwinError, "no device of it has an address"):
            discover_cables(self.pod, self.admin)
