"""Pages of tickets: what they say, whom they let act, and how many queries a long one takes."""

import json
import re
from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags
from nautobot.apps.testing import TestCase

from fabric_twin.documents.tickets.ticket import about, concerns
from fabric_twin.documents.tickets.ticket_files import FORMS
from fabric_twin.models import Pod, Ticket
from fabric_twin.operations.calls.heartbeat import say_alive
from fabric_twin.operations.tickets.history import note
from fabric_twin.panels.ticket import steps_of
from fabric_twin.presenters.ticket import ticket_facts
from fabric_twin.repositories.states import update_state
from tests.nautobot.bases.audits.small_findings import small_pod
from tests.nautobot.bases.pods.one_pod import see_one_pod
from tests.nautobot.bases.tickets.small_tickets import OWNER, write_ticket

#: How each kind is tied to its pod.
POD_OF = {Pod: "name", Ticket: "pod__name"}


class TicketPagesTest(TestCase):
    @classmethod
    def setUpTestData(cls) -> None:
        cls.author = get_user_model().objects.create_user("ann")
        cls.mine, cls.theirs = small_pod("mine"), small_pod("theirs")
        cls.ticket = write_ticket(cls.mine, cls.author, reason="for the run of Friday")
        cls.other = write_ticket(cls.theirs, cls.author, title="not yours to see")

    def setUp(self) -> None:
        super().setUp()
        self.user.is_superuser = True
        self.user.save()

    def become_a_user_of(self, pod: str, *actions: str) -> None:
        """See one pod and its tickets; more only as named."""
        see_one_pod(self.user, pod, POD_OF, {Ticket: actions})

    def page(self, url: Any, **headers: str) -> str:
        url = url if isinstance(url, str) else url.get_absolute_url()
        response = self.client.get(url, headers=headers)
        self.assertHttpStatus(response, 200)
        return response.content.decode()

    def buttons(self, ticket: Ticket) -> set[str]:
        return set(re.findall(r"/act/\?do=([a-z-]+)", self.page(ticket)))

    def test_the_page_says_what_the_documents_say(self) -> None:
        page = " ".join(self.page(self.ticket).split())
        facts = ticket_facts(Ticket.objects.get(pk=self.ticket.pk))
        for said in (*about(facts).values(), *concerns(facts).values()):
            self.assertIn(said, page)
        self.assertIn("mine-ocs-x-1-1", page)
        self.assertIn("wished for", page)
        self.assertIn('aria-current="step"', page)

    def test_every_form_is_a_file_of_its_kind(self) -> None:
        url = reverse("plugins:fabric_twin:ticket_document", args=[self.ticket.pk])
        for form, kind in FORMS.items():
            with self.subTest(form):
                answer = self.client.get(f"{url}?form={form}")
                self.assertHttpStatus(answer, 200)
                self.assertEqual(answer["Content-Type"], kind)
                self.assertIn(f'filename="mine-t1.{form}"', answer["Content-Disposition"])
        calendar = self.client.get(f"{url}?form=ics").content.decode().replace("\r\n ", "")
        self.assertIn(f"{self.ticket.get_absolute_url()}\r\nSTATUS", calendar)
        self.assertEqual(self.client.get(f"{url}?form=doc").status_code, 302)

    def test_buttons_are_what_can_be_done_now_by_who_looks(self) -> None:
        self.become_a_user_of("mine")
        self.assertEqual(self.buttons(self.ticket), set())
        self.become_a_user_of("mine", "change")
        self.assertEqual(self.buttons(self.ticket), {"submit"})
        self.become_a_user_of("mine", "add", "change")
        self.assertEqual(self.buttons(self.ticket), {"submit", "revise", "withdraw"})
        self.become_a_user_of("mine", "add", "change", "emergency", "run")
        self.assertEqual(self.buttons(self.ticket), {"submit", "emergency", "revise", "withdraw"})
        update_state(Ticket.objects.filter(pk=self.ticket.pk), "running")
        self.assertEqual(self.buttons(self.ticket), {"stop", "undo"})
        update_state(Ticket.objects.filter(pk=self.ticket.pk), "undone")
        self.assertEqual(self.buttons(self.ticket), {"revise"})
        update_state(Ticket.objects.filter(pk=self.ticket.pk), "done")
        self.assertEqual(self.buttons(self.ticket), {"ask-undo"})

    def test_the_steps_say_that_it_runs_back_and_where_to(self) -> None:
        def steps(**facts: Any) -> list[tuple[str, str]]:
            rows = Ticket.objects.filter(pk=self.ticket.pk)
            update_state(rows, facts.pop("state", "running"), **facts)
            shown = steps_of(Ticket.objects.get(pk=self.ticket.pk))
            return [(step["label"], step["look"]) for step in shown][4:]

        forward = [("Running", "now"), ("Done", "ahead")]
        self.assertEqual(steps(state="running"), forward)
        back = [("Running back", "now"), ("Undone", "ahead")]
        self.assertEqual(steps(direction="back"), [("Running", "past"), *back])
        held = [("Running", "past"), ("Running back", "past"), ("Failed", "now")]
        self.assertEqual(steps(state="failed"), held)
        note(self.ticket, "finish")
        done = [("Running", "past"), ("Done", "past")]
        self.assertEqual(steps(state="running"), [*done, *back])
        self.assertEqual(steps(state="undone"), [*done, ("Undone", "now")])

    def test_only_a_draft_is_edited(self) -> None:
        url = reverse("plugins:fabric_twin:ticket_edit_draft", args=[self.ticket.pk])
        self.assertIn(url, self.page(self.ticket))
        terms = {"title": "Later", "reason": "", "on_failure": "hold", "most_bad": "2"}
        answer = self.client.post(url, terms)
        self.assertRedirects(answer, self.ticket.get_absolute_url())
        self.assertIn("Stop and hold as soon as more than 2", self.page(self.ticket))
        update_state(Ticket.objects.filter(pk=self.ticket.pk), "submitted")
        self.assertNotIn(url, self.page(self.ticket))
        refused = self.client.post(url, terms | {"title": "Never"})
        self.assertIn("alert-warning", refused.content.decode())
        self.ticket.refresh_from_db()
        self.assertEqual(self.ticket.title, "Later")

    def test_a_run_is_asked_again_and_a_new_state_makes_a_new_page(self) -> None:
        url = reverse("plugins:fabric_twin:ticket_progress", args=[self.ticket.pk])
        self.assertNotIn("hx-get", self.page(url))
        update_state(Ticket.objects.filter(pk=self.ticket.pk), "running")
        answer = self.client.get(f"{url}?was=running")
        self.assertIn(f'hx-get="{url}?was=running"', answer.content.decode())
        self.assertNotIn("HX-Refresh", answer)
        self.assertEqual(self.client.get(f"{url}?was=scheduled")["HX-Refresh"], "true")

    def test_a_run_says_how_many_circuits_are_changed_and_how_long_the_rest_may_take(self) -> None:
        url = reverse("plugins:fabric_twin:ticket_progress", args=[self.ticket.pk])

        def said() -> tuple[str, str]:
            page = self.page(url)
            [share] = re.findall(r'aria-label="Circuits" aria-valuenow="(\d+)"', page)
            [words] = re.findall(r"<p[^>]*>([^<]* circuits [^<]*)</p>", page)
            return share, words

        rows = Ticket.objects.filter(pk=self.ticket.pk)
        self.ticket.stages.all().delete()
        begun = timezone.now() - timedelta(seconds=10)
        for number, (state, adds) in enumerate((("done", 100), ("switching", 5900)), 1):
            self.ticket.stages.create(
                number=number,
                state=state,
                adds=adds,
                removes=20,
                started=begun,
                ended=timezone.now() if state == "done" else None,
            )
        update_state(rows, "running")
        share, words = said()
        self.assertEqual(share, "1")
        self.assertRegex(words, r"^120 of 6,040 circuits are changed; about 8 min more\.$")
        update_state(rows, "running", direction="back")
        self.ticket.stages.filter(number=2).update(state="undone")
        self.assertEqual(said(), ("98", "5,920 of 6,040 circuits are changed back."))

    def test_of_two_pods_one_is_seen(self) -> None:
        self.become_a_user_of("mine", "change")
        listed = self.page(reverse("plugins:fabric_twin:ticket_list"), hx_request="true")
        self.assertIn("mine-t1", listed)
        self.assertNotIn("theirs-t1", listed)
        self.assertNotIn("not yours to see", listed)
        for name in (
            "ticket",
            "ticket_document",
            "ticket_progress",
            "ticket_act",
            "ticket_edit_draft",
        ):
            with self.subTest(name):
                url = reverse(f"plugins:fabric_twin:{name}", args=[self.other.pk])
                self.assertIn(self.client.get(url).status_code, {403, 404})
                if name == "ticket_act":
                    posted = self.client.post(f"{url}?do=submit", {"said": ""})
                    self.assertIn(posted.status_code, {403, 404})
        self.other.refresh_from_db()
        self.assertEqual(self.other.state, "draft")

    def test_who_may_not_add_tickets_wishes_for_none(self) -> None:
        self.become_a_user_of("mine")
        url = reverse("plugins:fabric_twin:ticket_add")
        self.assertEqual(self.client.get(url).status_code, 403)

    def test_a_wish_shows_what_it_would_do_and_holds_nothing(self) -> None:
        url = reverse("plugins:fabric_twin:ticket_add")
        page = self.page(f"{url}?kind=slice&pod={self.mine.pk}")
        self.assertIn("See what it would do", page)
        asked = {"pod": self.mine.pk, "shape": "2x2x4", "look": "1"}
        answer = self.client.post(f"{url}?kind=slice", asked)
        page = answer.content.decode()
        self.assertIn("What it would do", page)
        self.assertIn("Slice 2x2x4-1", page)
        self.assertIn('<svg class="drawing"', page)
        self.assertEqual(Ticket.objects.filter(pod=self.mine).count(), 1)
        refused = self.client.post(f"{url}?kind=slice", asked | {"shape": "64x64x64"})
        self.assertIn("alert-warning", refused.content.decode())

    def test_every_kind_has_its_form(self) -> None:
        url = reverse("plugins:fabric_twin:ticket_add")
        for kind, field in {
            "slice": "shape",
            "release": "slice",
            "hand": "circuits",
            "spare": "spare",
            "defragment": "shape",
            "maintenance": "boards",
            "drift": "reason",
        }.items():
            with self.subTest(kind):
                page = self.page(f"{url}?kind={kind}")
                self.assertIn(f'name="{field}"', page)
                # A browser sends no form in which something is missing that has to be there.
                self.assertNotRegex(page, r'name="(title|on_failure)"[^>]*\brequired')

    def test_records_list_their_tickets(self) -> None:
        for kind, record in (
            ("switch", self.mine.switches.get(number=0)),
            ("cube", self.mine.cubes.get(slot=1)),
        ):
            with self.subTest(kind):
                url = reverse(f"plugins:fabric_twin:{kind}_tickets", args=[record.pk])
                self.assertIn(url, self.page(record))
                shown = self.page(url)
                self.assertEqual(self.ticket.get_absolute_url() in shown, kind == "switch")

    def test_the_pod_and_the_home_page_count_what_is_open(self) -> None:
        self.assertIn("Open tickets", self.page(self.mine))
        self.assertIn("2 open, 0 running", self.page(reverse("home")))

    def test_the_home_page_has_no_row_for_what_a_user_may_not_see(self) -> None:
        def rows() -> list[str]:
            panel = self.page(reverse("home")).partition('id="homepanel-fabric-twin"')[2]
            panel = panel.partition("</ul>")[0]
            return [" ".join(strip_tags(row).split()) for row in panel.split("<li ")[1:]]

        self.assertIn("Stuck: 1", rows()[0], "nobody watches")
        say_alive()
        self.assertIn("Nothing is stuck", rows()[0])
        self.assertEqual(len(rows()), 12)
        self.become_a_user_of("mine")
        shown = [re.sub(r"^.*>", "", row).strip() for row in rows()]
        self.assertEqual([row for row in shown if not row], [])
        self.assertTrue(any("Tickets" in row for row in shown))
        self.assertFalse(any("Work orders" in row for row in shown))

    def test_a_long_word_in_a_title_breaks(self) -> None:
        Ticket.objects.filter(pk=self.ticket.pk).update(title="w" * 255)
        listed = self.page(reverse("plugins:fabric_twin:ticket_list"), hx_request="true")
        self.assertRegex(listed, r'<td class="text-break">\s*w{255}')

    def test_a_long_ticket_takes_no_more_queries_and_is_drawn_in_bounds(
        self,
    ) -> None:
        long = write_ticket(self.mine, self.author, 2, circuits=600)
        self.page(self.ticket)  # what Nautobot remembers is remembered
        sizes, queries = [], []
        for ticket in (self.ticket, long):
            with CaptureQueriesContext(connection) as asked:
                sizes.append(len(self.page(ticket)))
            queries.append(len(asked))
        self.assertEqual(queries[0], queries[1])
        self.assertLess(sizes[1], sizes[0] + 200_000)

    def test_a_file_of_circuits_is_kept_between_looking_and_making(self) -> None:
        from django.core.files.uploadedfile import SimpleUploadedFile

        circuits = [{"switch": "mine-ocs-x-1-1", "a": "1A", "b": "2B"}]
        content = json.dumps({"version": 1, "circuits": circuits}).encode()
        url = f"{reverse('plugins:fabric_twin:ticket_add')}?kind=hand"
        given = SimpleUploadedFile("circuits.json", content)
        page = self.client.post(url, {"pod": self.mine.pk, "circuits": given, "look": "1"})
        self.assertIn("mine-ocs-x-1-1", page.content.decode())
        self.assertRegex(page.content.decode(), r'name="kept" value="\[\{&quot;switch')
        empty = self.client.post(url, {"pod": self.mine.pk, "look": "1"})
        self.assertIn("Choose a file of circuits", empty.content.decode())

    def test_the_owner_of_circuits_is_escaped(self) -> None:
        self.assertIn(f"{OWNER}", self.page(self.ticket))
        Ticket.objects.filter(pk=self.ticket.pk).update(title="<script>alert(1)</script>")
        self.assertNotIn("<script>alert(1)", self.page(self.ticket))
