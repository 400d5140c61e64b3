"""What pages say and draw of the jobs of a cluster, of its groups, and of entries on switches."""

import re
from typing import Any

from django.urls import reverse
from django.utils import timezone

from fabric_twin.models import Cube, Finding, OpticalCircuit, Pod, Slice, Switch
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.panels.clusters.jobs import jobs_of
from fabric_twin.repositories.device_readings import write_flow_readings
from fabric_twin.tables import CubeTable, SliceTable
from tests.nautobot.bases.cluster_jobs import ClusterJobsTestCase, done, words_of
from tests.nautobot.bases.users import allow, somebody


class PagesOfJobsTest(ClusterJobsTestCase):
    """As an administrator sees them, and as somebody who may not see all of them."""

    def page(self, record: Any) -> str:
        answer = self.client.get(record.get_absolute_url(), follow=True)
        self.assertHttpStatus(answer, 200)
        return words_of(answer)

    def assertSays(self, said: str, *words: str) -> None:
        for one in words:
            self.assertIn(one, said)

    def test_a_cluster_lists_its_jobs_and_draws_whose_each_group_is(self) -> None:
        said = self.page(self.pod)
        self.assertSays(
            said,
            "Jobs 3",
            "Free groups 6",
            "Open tickets 1",
            "Kept Back From Rings 0.0",
            "in a job 6 free 6",
            "slot 1, g-r01c01, active, in a job, job-a r01c01 C",
            "C job-a: 2 groups E job-b: 3 groups D tiny: 1 group",
            "Job Status On Processors Rings Rings left",
            "C job-a Active row 1 columns 1-2 10 row in row all",
            "E job-b Planned row 2 columns 1-3 15 layer in row, both ways to come",
            "D tiny Active row 1 column 3 2 none needs none",
            "1 job not active",
        )
        self.assertNotIn("cube", said)

    def test_a_job_says_what_it_is_and_which_entries_make_each_ring(self) -> None:
        said = self.page(self.job)
        self.assertSays(
            said,
            "What sequence of 10 processors: 2 groups, 10 in a ring",
            "Groups row 1 columns 1-2",
            "Rings row in row",
            "Rings left all",
            "Flow entries wanted 2 on 1 switch",
            "Axis Plane Way On Entries",
            "row row-1-1 forward row 1 columns 1-2 g-row-01-1-1 2 -> 3, 4 -> 1",
            "Rings of plane row-1-1 of g",
            "r01c01: job-a, place 1 of its ring",
        )
        for words in ("Torus", "Twisted", "Chips", "ircuit"):
            self.assertNotIn(words, said.partition("OBJECT DETAILS")[0])

    def test_a_ring_that_is_open_is_missing(self) -> None:
        OpticalCircuit.objects.filter(a=2).update(a=40)
        self.assertSays(
            self.page(self.job),
            "Rings left stands still",
            "1 ring, 1 of them missing",
            "row row-1-1 forward row 1 columns 1-2 missing",
        )
        self.client.force_login(self.admin)
        rows = self.client.get(reverse("plugins-api:fabric_twin-api:slice-list")).json()["results"]
        [facts] = [row for row in rows if row["name"] == "job-a"]
        self.assertEqual((facts["capacity"], facts["slowest_link"]), ({"row": 0.0}, 0.0))
        table = SliceTable(Slice.objects.order_by("name"))
        self.assertEqual(
            [row.get_cell("capacity") for row in table.rows], ["stands still", "—", "—"]
        )

    def test_what_switches_do_not_show_of_a_ring_is_said(self) -> None:
        switch = Switch.objects.get(number=0)
        write_flow_readings(self.pod, {switch.pk: ""}, timezone.now())
        OpticalCircuit.objects.filter(a=2).update(seen=False)
        self.assertSays(self.page(self.job), "Rings left all; switches lack 1 entry")

    def test_a_job_is_asked_for_anew_and_not_cloned(self) -> None:
        self.assertNotIn("Clone", self.page(self.job))
        self.assertNotIn("Return to Service", self.page(Switch.objects.get(number=0)))
        group = self.page(Cube.objects.get(slot=8))
        self.assertSays(group, "Take out of Service", "Decommission")

    def test_a_job_whose_design_is_gone_has_a_page_that_says_so(self) -> None:
        Pod.objects.update(design="no-such")
        for job in Slice.objects.all():
            self.assertSays(self.page(job), "no-such")

    def test_a_small_job_has_processors_and_no_rings(self) -> None:
        said = self.page(Slice.objects.get(name="tiny"))
        self.assertSays(said, "What small, 2 processors", "Groups row 1 column 3")
        self.assertNotIn("Rings left", said)

    def test_a_group_names_its_job(self) -> None:
        self.assertSays(self.page(Cube.objects.get(slot=1)), "Use in a job", "Jobs job-a")
        self.assertSays(self.page(Cube.objects.get(slot=12)), "Use free", "Jobs none")
        table = CubeTable(Cube.objects.filter(slot__in=[1, 12]).order_by("slot"))
        self.assertEqual([row.get_cell("use") for row in table.rows], ["in a job", "free"])

    def test_a_switch_lists_its_entries(self) -> None:
        OpticalCircuit.objects.filter(a=2).update(seen=False)
        said = self.page(Switch.objects.get(number=0))
        self.assertSays(
            said,
            "Flow entries wanted 2",
            "Wanted and seen differ 1",
            "In Out Job Wanted Seen 2 3 job-a yes no 4 1 job-a yes yes",
        )
        self.assertSays(self.page(Switch.objects.get(number=3)), "No job has an entry on it.")

    def test_an_entry_has_a_page_in_its_own_words(self) -> None:
        entry = OpticalCircuit.objects.get(a=2)
        self.assertEqual(str(entry), "g-row-01-1-1 2 -> 3")
        said = self.page(entry)
        self.assertSays(said, "Flow entry", "In at port 2", "Out at port 3", "Job job-a")
        self.assertNotIn("Light path", said)

    def test_a_finding_says_ports_by_their_numbers(self) -> None:
        now = timezone.now()
        finding = Finding.objects.create(
            pod=self.pod,
            key="one",
            code="ring-shared",
            severity="error",
            cause="What goes out at port 3 of g-row-01-1-1 is of 2 entries: 2->3 and 9->3",
            proof=[["entries", "g-row-01-1-1", side] for side in ("3B", "9A", "")],
            remedy=[{"do": "remove", "text": "remove 9->3 from g-row-01-1-1"}],
            first_seen=now,
            opened=now,
            last_seen=now,
        )
        said = self.page(finding).partition("OBJECT DETAILS")[0]
        self.assertSays(
            said,
            "Mended once g-row-01-1-1 is read, and has the entries for what goes out at port 3 "
            "that jobs need, and no others g-row-01-1-1 is read, and has the entries for what "
            "comes in at port 9 that jobs need, and no others g-row-01-1-1 is read, and has the "
            "entries that jobs need, and no others",
        )
        self.assertEqual(re.findall(r"\b\d+[AB]\b", said), [])

    def test_a_group_that_is_out_is_drawn_so(self) -> None:
        done(wish_ticket(self.pod, "maintenance", {"slots": [2]}, self.admin))
        said = self.page(self.pod)
        self.assertSays(said, "slot 2, g-r01c02, out", "out 1")

    def test_every_tab_and_list_of_a_cluster_opens(self) -> None:
        parts = {
            "slice": self.job,
            "cube": Cube.objects.get(slot=1),
            "switch": Switch.objects.get(number=0),
        }
        urls = [
            reverse(f"plugins:fabric_twin:{model}_{tab}", args=[record.pk])
            for model, record in parts.items()
            for tab in ("findings", "tickets", "changelog", "edit")
        ]
        models = ("pod", "slice", "cube", "switch", "opticalcircuit", "ticket", "port")
        urls += [reverse(f"plugins:fabric_twin:{model}_list") for model in models]
        urls += [reverse("plugins:fabric_twin:shift"), reverse("home")]
        for url in urls:
            with self.subTest(url):
                self.assertHttpStatus(self.client.get(url, follow=True), 200)

    def test_a_job_that_somebody_may_not_see_has_no_name(self) -> None:
        user = somebody("guest")
        allow(user, ["view"], Pod, Cube, Switch)
        allow(user, ["view"], Slice, name="tiny")
        self.client.force_login(user)
        said = self.page(self.pod)
        self.assertSays(said, "2 jobs that you may not see", "(hidden): 5 groups", "tiny")
        self.assertNotIn("job-a", said)
        self.assertSays(self.page(Cube.objects.get(slot=1)), "Jobs (hidden)")
        allow(user, ["view"], OpticalCircuit)
        entry = self.page(OpticalCircuit.objects.get(a=2))
        self.assertSays(entry, "Job (hidden)")
        self.assertNotIn("job-a", entry)
        self.assertHttpStatus(self.client.get(self.job.get_absolute_url()), 404)
        self.assertEqual(
            [row[0] for row in jobs_of(self.pod, user).rows][1:], ["2 jobs that you may not see"]
        )

    def test_entries_are_for_who_may_see_them_all(self) -> None:
        user = somebody("guest")
        allow(user, ["view"], Pod, Slice)
        allow(user, ["view"], OpticalCircuit, a=2)
        self.client.force_login(user)
        said = self.page(self.job)
        self.assertSays(
            said,
            "row row-1-1 forward row 1 columns 1-2 2 entries",
            "you may not see all groups and switches of the cluster",
        )
        self.assertNotIn("g-row-01-1-1", said)

    def test_who_may_see_no_jobs_sees_no_panel_of_them(self) -> None:
        user = somebody("guest")
        allow(user, ["view"], Pod, Cube, Switch)
        self.client.force_login(user)
        said = self.page(self.pod)
        self.assertNotIn("Rings left", said)
        self.assertNotIn("job-a", said)
        said = self.page(Switch.objects.get(number=0))
        self.assertNotIn("In Out Job", said)
