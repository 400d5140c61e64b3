"""What the pages and papers of a ticket say in a cluster: jobs, groups and flow entries."""

import csv
import io
import json
import re

from django.urls import reverse
from pypdf import PdfReader

from fabric_twin.models import Ticket
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.presenters.acts import told_of
from fabric_twin.presenters.ticket import ticket_document_of
from tests.nautobot.bases.cluster_jobs import ClusterJobsTestCase, words_of

#: Words of pods that mean nothing here.
_OF_PODS = re.compile(r"(?i)\b(circuits?|slices?|cubes?|go dark|chips?)\b")


class TicketsOfClustersToldTest(ClusterJobsTestCase):
    """A group of a job goes: its page, its look before, its papers, and what is asked of people."""

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        cls.out: Ticket = wish_ticket(cls.pod, "maintenance", {"slots": [2]}, cls.admin)

    def document(self, form: str, ticket: Ticket | None = None) -> bytes:
        return ticket_document_of(ticket or self.out, form)[2]

    def assertOfClusters(self, said: str) -> None:
        self.assertEqual(_OF_PODS.findall(said), [])

    def test_the_page_says_what_happens_to_jobs(self) -> None:
        said = words_of(self.client.get(self.out.get_absolute_url()))
        for words in (
            "Cluster g (small-chains)",
            "Kind Maintenance",
            "Stop and undo as soon as an entry is bad",
            "Jobs interrupted job-a",
            "What happens job-a goes from row 1 column 2 to row 3 column 1",
            "no plan changes fewer than",
            "Not touched job-b , tiny",
            "Free groups before 6 Free groups after 5",
            "group 2 becomes Out (it is Active)",
            "Loses entries",
            "of job-a goes",
        ):
            self.assertIn(words, said)
        self.assertOfClusters(said.partition("OBJECT DETAILS")[0])

    def test_a_job_that_is_made_is_told_with_its_groups(self) -> None:
        said = words_of(self.client.get(self.ticket.get_absolute_url()))
        for words in ("Kind Create job", "the job job-b (15, groups 4-6) is created", "Job job-b"):
            self.assertIn(words, said)
        self.assertOfClusters(said.partition("OBJECT DETAILS")[0])

    def test_every_paper_has_entries_and_no_circuits(self) -> None:
        for form in ("html", "md"):
            with self.subTest(form):
                said = re.sub(r"(?s)<style.*?</style>|<[^>]+>", " ", self.document(form).decode())
                self.assertIn("Flow entries", said)
                self.assertOfClusters(said)
        pages = PdfReader(io.BytesIO(self.document("pdf"))).pages
        self.assertOfClusters(" ".join(page.extract_text() for page in pages))
        facts = json.loads(self.document("json"))
        self.assertEqual(facts["concerns"]["Jobs interrupted"], "job-a")
        rows = list(csv.DictReader(io.StringIO(self.document("csv", self.ticket).decode())))
        self.assertEqual(
            rows[0],
            {
                "stage": "1",
                "do": "add",
                "switch": "g-row-02-1-1",
                "in": "1",
                "out": "6",
                "job": "job-b",
                "undo by": "remove",
            },
        )

    def test_what_is_asked_of_people_is_of_jobs(self) -> None:
        self.assertEqual(
            told_of("confirm-drained", self.out), "The jobs that it interrupts run nothing."
        )
        self.assertEqual(
            told_of("withdraw", self.out),
            "The ticket ends undone and releases its ports and groups.",
        )
        life.submit(self.out, self.admin)
        self.out.refresh_from_db()
        self.assertIn("job runs nothing", told_of("start", self.out))
        url = f"{reverse('plugins:fabric_twin:ticket_act', args=[self.out.pk])}?do=confirm-drained"
        said = words_of(self.client.get(url, follow=True))
        self.assertOfClusters(said)

    def test_a_look_before_is_told_the_same(self) -> None:
        url = f"{reverse('plugins:fabric_twin:ticket_add')}?kind=release"
        given = {"pod": self.pod.pk, "slice": self.job.pk, "look": 1}
        said = words_of(self.client.post(url, given))
        self.assertIn("Release job job-a", said)
        self.assertIn("Jobs interrupted job-a", said)
