"""Forms of a cluster: what they ask for, what they show before, and what they refuse."""

from typing import Any

from django.urls import reverse

from fabric_twin.filters import SwitchFilterSet
from fabric_twin.models import Cube, Pod, Switch, Ticket
from tests.nautobot.bases.cluster_jobs import ClusterJobsTestCase, done, words_of
from tests.nautobot.bases.users import allow, somebody


class FormsOfClustersTest(ClusterJobsTestCase):
    """Tickets for jobs, groups and switches, and the forms of a cluster and its switches."""

    def url(self, kind: str) -> str:
        return f"{reverse('plugins:fabric_twin:ticket_add')}?kind={kind}"

    def form(self, kind: str, **known: Any) -> str:
        answer = self.client.get(self.url(kind), {"kind": kind, "pod": self.pod.pk, **known})
        self.assertHttpStatus(answer, 200)
        return words_of(answer)

    def look(self, kind: str, **given: Any) -> str:
        before = Ticket.objects.count()
        answer = self.client.post(self.url(kind), {"pod": self.pod.pk, "look": 1, **given})
        self.assertHttpStatus(answer, 200)
        self.assertEqual(Ticket.objects.count(), before)
        return words_of(answer)

    def make(self, kind: str, **given: Any) -> Ticket:
        answer = self.client.post(self.url(kind), {"pod": self.pod.pk, "make": 1, **given})
        self.assertHttpStatus(answer, 302)
        return Ticket.objects.order_by("-number").first()

    def group(self, slot: int) -> Cube:
        return Cube.objects.get(slot=slot)

    def test_a_cluster_has_forms_of_its_own(self) -> None:
        said = self.form("slice")
        for words in (
            "A ticket: create job",
            "Processors",
            "Sequence",
            "Axes",
            "Both ways",
            "Groups",
        ):
            self.assertIn(words, said)
        for words in ("Twisted", "Bear", "Circuits by hand", "Topology", "Chips", "Cubes"):
            self.assertNotIn(words, said)
        self.assertIn("A ticket: create job", self.form("hand"))
        self.assertIn("A ticket: correct entries", self.form("drift"))

    def test_who_may_not_make_a_ticket_is_not_told_what_it_would_do(self) -> None:
        user = somebody("guest")
        allow(user, ["view"], Pod, Cube, Switch, Ticket)
        allow(user, ["add", "change"], Ticket)
        allow(user, ["change"], Cube)
        self.client.force_login(user)
        for group in (1, 4):
            said = self.look("maintenance", cubes=[self.group(group).pk])
            self.assertIn("guest may", said)
            self.assertNotIn("job-", said)

    def test_a_job_is_looked_at_and_made(self) -> None:
        asked = {"name": "job-c", "sequence": 15, "axes": "layer=row-1\n", "both_ways": "on"}
        said = self.look("slice", **asked)
        self.assertIn("Job job-c: 15 processors in 3 groups", said)
        ticket = self.make("slice", **asked)
        self.assertEqual(
            ticket.wish,
            {"name": "job-c", "sequence": 15, "axes": ["layer=row-1"], "both_ways": True},
        )
        self.assertEqual(len(ticket.plan["add"]), 6)

    def test_a_job_gets_the_groups_that_are_chosen(self) -> None:
        groups = [self.group(slot).pk for slot in (11, 10)]
        ticket = self.make("slice", name="job-c", sequence=10, cubes=groups)
        self.assertEqual(ticket.wish["slots"], "10-11")

    def test_what_cannot_be_is_refused_in_words(self) -> None:
        for given, words in (
            ({"name": "x"}, "Give one of processors, sequence and shape"),
            (
                {"name": "x", "processors": 2, "sequence": 5},
                "a job is small, a sequence or a shape",
            ),
            ({"name": "x", "sequence": 500}, "a plane of the cluster has 60 processors"),
            ({"name": "x", "sequence": 10**30}, "is no number of processors"),
            ({"name": "x", "sequence": "nan"}, "Enter a whole number"),
            ({"name": "x", "shape": "2y2"}, "'2y2' is no shape"),
            ({"name": "x", "sequence": 5, "axes": "row"}, "'row' is no axis"),
            ({"name": "job-a", "sequence": 5}, "Choose another name, or release it first"),
            ({"sequence": 5}, "This field is required"),
        ):
            with self.subTest(words):
                self.assertIn(words, self.look("slice", **given))

    def test_a_group_goes_and_comes_back(self) -> None:
        said = self.form("maintenance", cubes=self.group(2).pk)
        self.assertIn("Interrupt jobs that have nowhere to go", said)
        self.assertIn(
            "selected",
            self.client.get(
                self.url("maintenance"),
                {"kind": "maintenance", "pod": self.pod.pk, "cubes": self.group(2).pk},
            ).content.decode(),
        )
        ticket = self.make("maintenance", cubes=[self.group(2).pk])
        self.assertEqual(ticket.wish["slots"], [2])
        done(ticket)
        back = self.make("return", cubes=[self.group(2).pk])
        self.assertEqual(back.wish, {"slots": [2], "switches": []})

    def test_a_switch_and_a_rack_go(self) -> None:
        switch = Switch.objects.get(number=3)
        self.assertEqual(
            self.make("maintenance", switches=[switch.pk]).wish["switches"], [str(switch)]
        )
        rack = self.group(10).rack
        self.assertEqual(self.make("maintenance", racks=[rack.pk]).wish["slots"], [10])

    def test_a_job_is_released(self) -> None:
        self.assertEqual(self.make("release", slice=self.job.pk).wish, {"slice": "job-a"})

    def test_a_job_is_released_without_a_ticket(self) -> None:
        url = reverse("plugins:fabric_twin:slice_delete", args=[self.job.pk])
        said = words_of(self.client.get(url))
        self.assertIn("Release the job job-a of cluster g?", said)
        self.assertNotIn("cubes", said)
        answer = self.client.post(url, {"confirm": "on"}, follow=True)
        told = "Released job-a: groups 1-2, 2 flow entries, 2 of them still seen."
        self.assertIn(told, [str(one) for one in answer.context["messages"]])

    def test_buttons_lead_to_forms_that_are_filled_in(self) -> None:
        out = self.group(12)
        done(self.make("maintenance", cubes=[out.pk]))
        for record, there, absent in (
            (self.pod, ("Ask for Job", "Take out of Service"), ("Make Slice", "Change Topology")),
            (self.group(1), ("Take out of Service", "Decommission"), ("Return to Service",)),
            (out, ("Return to Service",), ("Take out of Service",)),
            (Switch.objects.get(number=0), ("Maintenance",), ("Return to Service",)),
            (self.job, ("Release by Ticket",), ()),
        ):
            said = words_of(self.client.get(record.get_absolute_url(), follow=True))
            for words in there:
                self.assertIn(words, said)
            for words in absent:
                self.assertNotIn(words, said)

    def test_slices_of_cubes_are_not_made_in_a_cluster(self) -> None:
        url = reverse("plugins:fabric_twin:slice_add")
        answer = self.client.post(url, {"pod": self.pod.pk, "shape": "10"})
        self.assertIn("Ask for a job with rings: by a ticket", words_of(answer))

    def test_a_switch_is_given_where_it_takes_entries(self) -> None:
        switch = Switch.objects.get(number=0)
        url = reverse("plugins:fabric_twin:switch_edit", args=[switch.pk])
        self.assertIn("OpenFlow address", words_of(self.client.get(url)))
        given = {
            "pod": self.pod.pk,
            "number": 0,
            "device": switch.device_id,
            "status": switch.status_id,
            "dialect": "sonic",
            "flow_address": "10.7.0.11:6653",
        }
        self.assertIn("or neither", words_of(self.client.post(url, given)))
        self.assertHttpStatus(self.client.post(url, {**given, "datapath": "a1"}), 302)
        switch.refresh_from_db()
        self.assertEqual(
            (switch.flow_address, switch.datapath), ("10.7.0.11:6653", "00000000000000a1")
        )
        said = words_of(self.client.get(switch.get_absolute_url()))
        self.assertIn("10.7.0.11:6653", said)
        found = SwitchFilterSet({"datapath": ["00000000000000a1"]}).qs
        self.assertEqual([str(one) for one in found], ["g-row-01-1-1"])

    def test_a_cluster_keeps_a_share_back_and_bears_nothing(self) -> None:
        url = reverse("plugins:fabric_twin:pod_edit", args=[self.pod.pk])
        said = words_of(self.client.get(url))
        self.assertIn("Kept back from rings", said)
        self.assertNotIn("Bear", said)
        pod = self.pod
        given = {"name": "g", "design": pod.design, "location": pod.location_id}
        given["status"] = pod.status_id
        for share, code, kept in (
            ("0.1", 302, 0.1),
            ("nan", 200, 0.1),
            ("1.5", 200, 0.1),
            ("", 302, 0.0),
        ):
            with self.subTest(share):
                self.assertHttpStatus(self.client.post(url, {**given, "kept_back": share}), code)
                self.assertEqual(Pod.objects.get(pk=pod.pk).kept_back, kept)

    def test_who_may_not_see_a_group_cannot_name_it(self) -> None:
        user = somebody("guest")
        allow(user, ["view"], Pod)
        allow(user, ["view", "add"], Ticket)
        self.client.force_login(user)
        said = self.look("maintenance", cubes=[self.group(2).pk])
        self.assertIn("is not one of the available choices", said)
        self.assertNotIn("g-r01c02", said)
