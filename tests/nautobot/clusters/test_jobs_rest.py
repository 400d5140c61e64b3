"""Jobs of a cluster over REST, GraphQL and the remote command line."""

import json
from typing import Any

from django.urls import reverse
from nautobot.core.graphql import execute_query
from nautobot.dcim.models import Interface

from fabric_twin.metrics import metrics
from fabric_twin.models import OpticalCircuit, Pod, Port, Slice, Ticket
from fabric_twin.remote import slices as remote_slices
from fabric_twin.remote import tickets as remote_tickets
from fabric_twin.remote.pods import find_pod
from tests.nautobot.bases.cluster_jobs import ClusterJobsTestCase
from tests.nautobot.bases.doors import Doors
from tests.nautobot.bases.pods.small_pod import status_of
from tests.nautobot.bases.users import allow, somebody


class JobsOverRestTest(ClusterJobsTestCase):
    """What programs ask for and are told."""

    def url(self, name: str, *args: Any) -> str:
        return reverse(f"plugins-api:fabric_twin-api:{name}", args=args)

    def post(self, name: str, given: dict[str, Any]) -> Any:
        return self.client.post(self.url(name), given, content_type="application/json")

    def test_a_ticket_asks_for_a_job(self) -> None:
        wish = {"name": "job-c", "sequence": 15, "axes": ["layer=row"], "both_ways": True}
        answer = self.post(
            "ticket-list", {"pod": "g", "kind": "slice", "wish": wish, "submit": True}
        )
        self.assertHttpStatus(answer, 201)
        self.assertEqual(answer.json()["title"], "Job job-c: 15 processors in 3 groups")
        self.assertEqual(answer.json()["wish"], wish)

    def test_a_slice_is_asked_for_by_a_ticket(self) -> None:
        asked = {"pod": str(self.pod.pk), "name": "job-c", "sequence": 10, "slots": "10-11"}
        answer = self.post("slice-list", {**asked, "by_ticket": True})
        self.assertHttpStatus(answer, 202)
        self.assertEqual(answer.json()["wish"], {"name": "job-c", "sequence": 10, "slots": "10-11"})

    def test_what_does_not_fit_is_refused_whole(self) -> None:
        of_pod = {"pod": str(self.pod.pk), "name": "x", "by_ticket": True}
        before = Ticket.objects.count(), Slice.objects.count()
        for given, code, words in (
            ({**of_pod, "shape": "1x1", "twisted": True}, 400, "A job of a cluster has none."),
            ({**of_pod, "sequence": 5, "bear": 1}, 400, "A job of a cluster has none."),
            ({**of_pod, "sequence": 10**40}, 400, "is no number of processors"),
            ({**of_pod, "sequence": "nan"}, 400, "A valid integer is required."),
            ({**of_pod, "axes": [{}], "sequence": 5}, 400, "Not a valid string."),
            ({**of_pod}, 400, "a job is small, a sequence or a shape"),
            ({**of_pod, "sequence": 5, "by_ticket": False}, 409, "Ask for a job with rings"),
        ):
            with self.subTest(str(given)):
                answer = self.post("slice-list", given)
                self.assertHttpStatus(answer, code)
                self.assertIn(words, json.dumps(answer.json()))
        self.assertEqual((Ticket.objects.count(), Slice.objects.count()), before)

    def test_a_job_is_told_with_its_rings(self) -> None:
        facts = self.client.get(self.url("slice-circuits", self.job.pk)).json()
        self.assertEqual(
            facts,
            {
                "version": 1,
                "name": "job-a",
                "shape": "10",
                "twisted": False,
                "cubes": [{"at": [0], "slot": 1}, {"at": [1], "slot": 2}],
                "rings": {
                    "form": "sequence",
                    "processors": 10,
                    "columns": 0,
                    "axes": [{"name": "row", "planes": ["row-1-1"]}],
                    "both_ways": False,
                    "laid": [
                        {
                            "axis": "row",
                            "plane": "row-1-1",
                            "way": "forward",
                            "groups": ["r01c01", "r01c02"],
                            "entries": ["row-01-1-1 2->3", "row-01-1-1 4->1"],
                        }
                    ],
                    "missing": [],
                },
            },
        )
        OpticalCircuit.objects.filter(a=2).update(a=40)
        facts = self.client.get(self.url("slice-circuits", self.job.pk)).json()
        missing = [{"axis": "row", "plane": "row-1-1", "way": "forward"}]
        self.assertEqual((facts["rings"]["laid"], facts["rings"]["missing"]), ([], missing))

    def test_lists_say_what_is_left_of_the_rings(self) -> None:
        rows = self.client.get(self.url("slice-list")).json()["results"]
        told = {row["name"]: (row["capacity"], row["slowest_link"]) for row in rows}
        self.assertEqual(
            told, {"job-a": ({"row": 1.0}, 1.0), "job-b": (None, None), "tiny": (None, None)}
        )
        asked = execute_query("{ slices { name capacity slowest_link } }", user=self.admin)
        self.assertIsNone(asked.errors)
        self.assertIn(
            {"name": "job-a", "capacity": {"row": 1.0}, "slowest_link": 1.0}, asked.data["slices"]
        )
        for name in ("pod", "cube", "switch", "opticalcircuit", "slicepart", "ticket"):
            self.assertHttpStatus(self.client.get(self.url(f"{name}-list")), 200)

    def test_what_a_cluster_is_used_for_is_told_as_of_a_pod(self) -> None:
        port = Port.objects.filter(cube__slot=9).order_by("number").first()
        port.interface.status = status_of(Interface, "Failed")
        port.interface.save()
        said = self.client.get(self.url("pod-utilisation", self.pod.pk)).json()
        uses = {"in a job": 6, "free": 5, "small jobs only": 1}
        self.assertEqual((said["uses"], said["free_cubes"], said["slices"]), (uses, 5, 3))
        self.assertEqual((said["chips"], said["chips_in_use"]), (12 * 5, 5 * 5 + 2))
        self.assertEqual(
            said["fits"],
            "The largest that fit now: 3 groups of one row, 2 groups of one column, small jobs of "
            "at most 5 processors",
        )
        told = [
            (sample.labels["use"], int(sample.value))
            for metric in metrics
            for family in metric()
            if family.name == "fabric_twin_slots"
            for sample in family.samples
        ]
        self.assertEqual(dict(told), uses)
        self.assertIn("1 small jobs only", self.client.get(reverse("home")).content.decode())

    def test_a_share_kept_back_is_a_share(self) -> None:
        url = self.url("pod-detail", self.pod.pk)
        for share in ("nan", "inf", -0.1, 1, "much"):
            with self.subTest(share):
                answer = self.client.patch(
                    url, {"kept_back": share}, content_type="application/json"
                )
                self.assertHttpStatus(answer, 400)
        answer = self.client.patch(url, {"kept_back": 0.1}, content_type="application/json")
        self.assertHttpStatus(answer, 200)
        row = self.client.get(self.url("slice-detail", self.job.pk)).json()
        self.assertEqual(row["slowest_link"], 0.9)

    def test_a_switch_takes_entries_where_it_may_be_connected(self) -> None:
        url = self.url("switch-detail", self.pod.switches.get(number=0).pk)
        given = {"flow_address": "10.7.0.11:6653", "datapath": "00000000000000a1"}
        answer = self.client.patch(url, given, content_type="application/json")
        self.assertHttpStatus(answer, 200)
        self.assertEqual({key: answer.json()[key] for key in given}, given)

    def test_who_may_not_see_all_entries_is_told_none(self) -> None:
        user = somebody("guest")
        allow(user, ["view"], Pod, Slice)
        allow(user, ["view"], OpticalCircuit, a=2)
        self.client.force_login(user)
        answer = self.client.get(self.url("slice-circuits", self.job.pk))
        self.assertHttpStatus(answer, 403)
        self.assertIn("you may not see all flow entries of the job", json.dumps(answer.json()))
        planned = Slice.objects.get(name="job-b")
        # Its entries are in a ticket, which the guest may not see.
        self.assertHttpStatus(self.client.get(self.url("slice-circuits", planned.pk)), 403)

    def test_the_remote_command_line_asks_and_lists(self) -> None:
        server = Doors(self.admin).server
        pod = find_pod(server, "g")
        ticket = remote_tickets.ask(pod, "slice", {"name": "job-c", "sequence": 10}, submit=True)
        self.assertEqual(ticket.facts["title"], "Job job-c: 10 processors in 2 groups")
        found = remote_slices.slices(pod, lambda *_: None)
        self.assertEqual(
            [(one.name, one.shape, one.slots) for one in found][:2],
            [("job-a", "10", (1, 2)), ("job-b", "15", (4, 5, 6))],
        )
