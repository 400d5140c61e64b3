"""Forms of tickets: what they are filled with, what they keep, and what they refuse in words."""

import json
import uuid
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from nautobot.apps.testing import TestCase

from fabric_twin.core.errors import UnusableInput
from fabric_twin.models import OpticalCircuit, Pod, Ticket
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.repositories.states import update_state
from tests.nautobot.bases.pods.small_pod import make_pod

BEGINS, ENDS = "2036-01-01 00:00:00", "2036-01-02 00:00:00"


class TicketFormsTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = make_pod("v4")
        cls.admin = get_user_model().objects.create_superuser("planner")
        make_slice(cls.pod, Wish(shape="4x4x8", name="train"), cls.admin)

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()

    def wished(self, kind: str, status: int = 200, **asked: Any) -> str:
        """What the form of this kind answers when it is asked for the draft, or for a look."""
        url = f"{reverse('plugins:fabric_twin:ticket_add')}?kind={kind}"
        asked = {"pod": self.pod.pk} | ({} if "look" in asked else {"make": "1"}) | asked
        answer = self.client.post(url, asked)
        self.assertHttpStatus(answer, status)
        return answer.content.decode()

    def draft(self, kind: str, **asked: Any) -> Ticket:
        self.wished(kind, 302, **asked)
        return Ticket.objects.latest("created")

    def url(self, name: str, ticket: Ticket) -> str:
        return reverse(f"plugins:fabric_twin:ticket_{name}", args=[ticket.pk])

    def test_the_page_of_a_part_fills_the_form_of_its_maintenance(self) -> None:
        for field, part in {
            "cubes": self.pod.cubes.get(slot=1),
            "switches": self.pod.switches.get(number=0),
        }.items():
            with self.subTest(field):
                page = self.client.get(part.get_absolute_url()).content.decode()
                url = reverse("plugins:fabric_twin:ticket_add")
                link = page.partition(f'href="{url}?kind=maintenance')[2].partition('"')[0]
                known = link.replace("&amp;", "&")
                self.assertIn(f"{field}={part.pk}", known)
                form = self.client.get(f"{url}?kind=maintenance{known}").content.decode()
                self.assertRegex(form, rf'<option value="{part.pk}"[^>]*selected')

    def test_a_look_says_what_keeps_the_draft_from_being_made(self) -> None:
        switch = self.pod.switches.get(number=0)
        asked = {"switches": [switch.pk], "interrupt": "on"}
        self.assertNotIn("cannot be made", self.wished("maintenance", look="1", **asked))
        first = self.draft("release", slice=self.pod.slices.get().pk)
        of, by = (f'<a href="{one.get_absolute_url()}">{one}</a>' for one in (switch, first))
        why = f"pod v4: port 1A of {of} is reserved by ticket {by} (Release of slice train (4x4x8))"
        why += ". Wait until it ends, withdraw it, or choose other ports or cubes."
        page = self.wished("maintenance", look="1", **asked)
        self.assertIn(f"What it would do: Maintenance of {switch}", page)
        self.assertIn(f"This draft cannot be made now: {why}", page)
        self.assertIn(why, self.wished("maintenance", **asked))
        self.assertEqual([one.name for one in Ticket.objects.all()], ["v4-t1"])

    def test_slices_bear_as_many_switches_as_the_pod_says_where_that_is_chosen(self) -> None:
        url = f"{reverse('plugins:fabric_twin:ticket_add')}?kind=maintenance&pod={self.pod.pk}"
        form = self.client.get(url).content.decode()
        self.assertIn("A join of two cubes may lack 1 switch in this pod", form)
        self.assertNotRegex(form, r'name="bear"[^>]*checked')
        switch = self.pod.switches.get(number=0)
        page = self.wished("maintenance", look="1", switches=[switch.pk], bear="on")
        self.assertIn("1 slice is slower until it is returned", page)
        self.assertIn(
            "Capacity left: X 0.9375 (before: 1), Y 1, Z 1. Slowest link: 1/2. 2 detours", page
        )
        made = self.draft("maintenance", switches=[switch.pk], bear="on")
        self.assertEqual((made.wish["bear"], made.risk), (1, "medium"))
        life.withdraw(made, self.admin)
        kept = self.draft("maintenance", switches=[switch.pk])
        self.assertEqual((kept.wish["bear"], kept.risk), (0, "high"))

    def test_what_is_left_open_is_as_the_proposal_has_it(self) -> None:
        switch = self.pod.switches.get(number=0)
        asked = {"switch": switch.pk, "port": "1", "spare": ""}
        self.assertIn("Stop and hold", self.wished("spare", look="1", **asked))
        self.assertEqual(self.draft("spare", **asked).on_failure, "hold")

    def test_what_is_chosen_is_as_it_was_chosen(self) -> None:
        asked = {"switch": self.pod.switches.get(number=0).pk, "port": "1"}
        self.assertEqual(self.draft("spare", on_failure="undo", **asked).on_failure, "undo")

    def test_what_is_emptied_is_empty_from_then_on(self) -> None:
        terms = {"reason": "for Friday", "window_start": BEGINS, "window_end": ENDS, "most_bad": 3}
        ticket = self.draft("slice", shape="2x2x2", **terms)
        kept = {"title": ticket.title, "on_failure": "undo"}
        answer = self.client.post(self.url("edit_draft", ticket), kept)
        self.assertRedirects(answer, ticket.get_absolute_url())
        ticket.refresh_from_db()
        found = (ticket.reason, ticket.window_start, ticket.window_end, ticket.most_bad)
        self.assertEqual(found, ("", None, None, 0))
        page = self.client.post(self.url("edit_draft", ticket), kept | {"title": ""})
        self.assertIn("This field is required", page.content.decode())

    def test_a_window_is_scheduled_as_the_form_says_and_no_other(self) -> None:
        ticket = self.draft("slice", shape="2x2x2", window_start=BEGINS, window_end=ENDS)
        url = f"{self.url('act', ticket)}?do=schedule"
        update_state(Ticket.objects.all(), "approved")
        self.assertIn("2036-01-01", self.client.get(url).content.decode())
        refused = self.client.post(url, {"start": ENDS, "end": BEGINS}, follow=True)
        self.assertIn(
            "ticket v4-t1: its window would end at 2036-01-01 00:00 UTC, and begin at "
            "2036-01-02 00:00 UTC. Give both ends of another window, or neither.",
            refused.content.decode(),
        )
        self.client.post(url, {"start": "", "end": ""})
        ticket.refresh_from_db()
        found = (ticket.state, ticket.window_start, ticket.window_end)
        self.assertEqual(found, ("scheduled", None, None))

    def test_circuits_made_by_hand_all_go_with_an_empty_list(self) -> None:
        switch = self.pod.switches.get(number=0)
        OpticalCircuit.objects.create(switch=switch, a=5, b=69, wanted=True, seen=True)
        content = json.dumps({"version": 1, "circuits": []}).encode()
        given = SimpleUploadedFile("circuits.json", content)
        page = self.wished("hand", circuits=given, look="1")
        self.assertIn('name="kept" value="[]"', page)
        ticket = self.draft("hand", kept="[]")
        self.assertEqual([stage.removes for stage in ticket.stages.all()], [1])

    def test_what_cannot_be_is_refused_on_the_form(self) -> None:
        slice_ = {"shape": "2x2x2"}
        for asked, words in (
            ({"most_bad": 2**40}, "it cannot allow 1,099,511,627,776 bad circuits"),
            ({"window_start": ENDS, "window_end": BEGINS}, "its window would end at 2036"),
            ({"finding": "abc"}, "finding: the pod v4 has no finding &#x27;abc&#x27;"),
            ({"finding": uuid.uuid4()}, "finding: the pod v4 has no finding"),
        ):
            with self.subTest(words):
                self.assertIn(words, self.wished("slice", **slice_, **asked))
        over = {"window_start": ENDS, "window_end": BEGINS}
        self.assertIn(
            "its window would end at 2036", self.wished("slice", look="1", **slice_, **over)
        )
        self.assertFalse(Ticket.objects.exists())

    def test_what_is_of_another_pod_is_not_taken_for_this_ones(self) -> None:
        other = make_pod("v4b")
        make_slice(other, Wish(shape="4x4x8", name="train"), self.admin)
        for kind, asked in (
            ("maintenance", {"cubes": [other.cubes.get(slot=1).pk]}),
            ("maintenance", {"switches": [other.switches.get(number=0).pk]}),
            ("spare", {"switch": other.switches.get(number=0).pk, "port": "1"}),
            ("release", {"slice": other.slices.get().pk}),
        ):
            with self.subTest(asked):
                self.assertIn("Choose what is of the pod v4.", self.wished(kind, **asked))
        self.assertFalse(Ticket.objects.exists())

    def test_a_window_that_is_over_is_refused_and_one_that_went_by_stays(self) -> None:
        over = {"window_start": "2020-01-01 00:00:00", "window_end": "2020-01-02 00:00:00"}
        words = "its window is over since 2020-01-02 00:00 UTC. Give another one, or none yet."
        self.assertIn(words, self.wished("slice", shape="2x2x2", **over))
        ticket = self.draft("slice", shape="2x2x2")
        url = self.url("edit_draft", ticket)
        kept = {"title": ticket.title, "on_failure": "undo"}
        self.assertIn(words, self.client.post(url, kept | over).content.decode())
        Ticket.objects.update(
            window_end=datetime(2020, 1, 2, tzinfo=UTC),
            window_start=datetime(2020, 1, 1, tzinfo=UTC),
        )
        self.assertRedirects(
            self.client.post(url, kept | over | {"reason": "late"}), ticket.get_absolute_url()
        )

    def test_the_history_says_which_window_it_was_given(self) -> None:
        ticket = self.draft("slice", shape="2x2x2")
        kept = {"title": ticket.title, "on_failure": "undo"}
        self.client.post(self.url("edit_draft", ticket), kept | {"window_start": BEGINS})
        update_state(Ticket.objects.all(), "approved")
        url = f"{self.url('act', ticket)}?do=schedule"
        self.client.post(url, {"start": BEGINS, "end": ENDS})
        self.client.post(url, {"start": "", "end": ""})
        said = ticket.events.order_by("number").values_list("what", "said")
        self.assertEqual(
            list(said)[1:],
            [
                (
                    "edit",
                    "title, reason, on_failure, most_bad, window: from 2036-01-01 00:00 UTC",
                ),
                ("schedule", "2036-01-01 00:00 UTC to 2036-01-02 00:00 UTC"),
                ("schedule", "as soon as possible"),
            ],
        )

    def test_an_answer_is_as_long_as_nautobot_keeps_it_or_refused(self) -> None:
        ticket = life.submit(self.draft("slice", shape="2x2x2"), self.user)
        self.client.force_login(self.admin)
        url = f"{self.url('act', ticket)}?do=deny"
        page = self.client.post(url, {"said": "w" * 256}).content.decode()
        self.assertIn("an answer has at most 255 characters, and this has 256", page)
        with self.assertRaises(UnusableInput) as refused:
            life.deny(ticket, self.admin, "w" * 256)
        self.assertEqual(
            str(refused.exception),
            "ticket v4-t1: an answer has at most 255 characters, and this has 256. "
            "Say it shorter; a note on the ticket may be longer.",
        )
        self.client.post(url, {"said": "w" * 255})
        self.assertEqual(ticket.events.filter(what="deny").get().said, "w" * 255)

    def test_an_address_that_is_no_tickets_is_none(self) -> None:
        for name in ("tickets/edit/", "tickets/import/", "tickets/abc/", "findings/abc/"):
            with self.subTest(name):
                answer = self.client.get(f"/plugins/fabric-twin/{name}")
                self.assertHttpStatus(answer, 404)
        self.assertTrue(Pod.objects.exists())
