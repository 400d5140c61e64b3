"""Tickets over REST: wished for as a scheduler does, decided by another person, followed."""

from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from nautobot.apps.testing import APITestCase
from nautobot.extras.models import ObjectChange
from nautobot.users.models import Token
from rest_framework.test import APIClient

from fabric_twin.first_records import APPROVERS
from fabric_twin.models import Pod, Reservation, Slice, Ticket, TicketEvent
from tests.nautobot.bases.audits.small_findings import small_pod
from tests.nautobot.bases.pods.small_pod import make_pod
from tests.nautobot.bases.tickets.small_tickets import write_ticket
from tests.nautobot.bases.users import allow

ROOT = "/api/plugins/fabric-twin"


class TicketApiTest(APITestCase):
    """Ada wishes, Otto approves and runs; neither sees the other pod."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod, cls.far = make_pod("v4"), small_pod("far")
        users = get_user_model().objects
        cls.ada, cls.otto = users.create_user("ada"), users.create_user("otto")
        mine = {"pod__name": "v4"}
        for user in (cls.ada, cls.otto):
            allow(user, ["view"], Pod, name="v4")
            allow(user, ["view"], TicketEvent, ticket__pod__name="v4")
        allow(cls.ada, ["view", "add", "change", "emergency"], Ticket, **mine)
        allow(cls.ada, ["view", "add", "change", "delete"], Slice, **mine)
        allow(cls.otto, ["view", "change", "run"], Ticket, **mine)
        cls.otto.groups.add(cls.otto.groups.model.objects.get(name=APPROVERS))
        cls.hidden = write_ticket(cls.far, cls.ada)

    def setUp(self) -> None:
        super().setUp()
        self.clients = {
            user.username: APIClient(
                HTTP_AUTHORIZATION=f"Token {Token.objects.create(user=user).key}"
            )
            for user in (self.ada, self.otto)
        }

    def post(self, who: str, path: str, code: int, **given: Any) -> Any:
        answer = self.clients[who].post(f"{ROOT}/{path}", given, format="json")
        self.assertEqual(answer.status_code, code, answer.content[:400])
        return answer.json()

    def get(self, who: str, path: str) -> Any:
        answer = self.clients[who].get(f"{ROOT}/{path}")
        self.assertHttpStatus(answer, 200)
        return answer.json()

    def do(self, who: str, ticket: Any, deed: str, code: int = 200, **given: Any) -> Any:
        return self.post(who, f"tickets/{ticket['id']}/{deed}/", code, **given)

    def wish(self, **more: Any) -> Any:
        wish = {"shape": "4x4x8", "name": "train"}
        return self.post("ada", "tickets/", 201, pod="v4", kind="slice", wish=wish, **more)

    def test_a_wish_is_a_draft_or_submitted_at_once(self) -> None:
        made = self.wish(title="For Friday", reason="it is Friday")
        self.assertEqual(made["name"], "v4-t1")
        self.assertEqual((made["state"]["value"], made["title"]), ("draft", "For Friday"))
        self.assertNotIn("plan", made)
        plan = self.get("ada", f"tickets/{made['id']}/plan/")
        self.assertEqual([stage["remove"] for stage in plan["stages"]], [[]])
        self.assertEqual(plan["effects"][0]["do"], "make-slice")
        other = {"shape": "4x4x4", "name": "other"}
        sent = self.post(
            "ada", "tickets/", 201, pod=str(self.pod.pk), kind="slice", wish=other, submit=True
        )
        self.assertEqual(sent["state"]["value"], "submitted")

    def test_a_slice_by_ticket_answers_with_the_ticket(self) -> None:
        wish = {"pod": str(self.pod.pk), "shape": "4x4x8", "name": "train", "slots": "3-6"}
        made = self.post("ada", "slices/", 202, by_ticket=True, **wish)
        self.assertEqual((made["name"], made["state"]["value"]), ("v4-t1", "submitted"))
        self.assertEqual(made["wish"]["slots"], "3-6")
        planned = Slice.objects.get(name="train")
        self.assertEqual(planned.status.name, "Planned")
        self.assertEqual(sorted(planned.parts.values_list("cube__slot", flat=True)), [3, 4])

    def test_nobody_approves_their_own_and_another_does(self) -> None:
        made = self.wish(submit=True)
        refused = self.do("ada", made, "approve", 403)
        self.assertIn("nobody decides about their own ticket", refused["what"])
        approved = self.do("otto", made, "approve", said="free cubes only")
        self.assertEqual(approved["state"]["value"], "approved")
        history = self.get("otto", f"ticket-events/?ticket={made['id']}")["results"]
        self.assertEqual(
            [(event["what"], event["said"]) for event in history],
            [("make", ""), ("submit", ""), ("approve", "free cubes only")],
        )

    def test_what_is_not_possible_now_is_a_conflict_that_says_what_is(self) -> None:
        made = self.wish()
        refused = self.do("otto", made, "start", 409)
        self.assertEqual(set(refused), {"what", "where", "remedy"})
        self.assertIn("it is draft", refused["what"])
        self.assertIn("submit", refused["remedy"])

    def test_a_port_that_is_reserved_is_refused_with_the_tickets_name(self) -> None:
        made = self.wish()
        first, *others = Ticket.objects.get(pk=made["id"]).plan["add"]
        back = (first["b"][:-1] + "A", first["a"][:-1] + "B")  # of the same link
        (other,) = [c for c in others if (c["switch"], c["a"], c["b"]) == (first["switch"], *back)]
        named = [{key: one[key] for key in ("switch", "a", "b")} for one in (first, other)]
        circuits = {"circuits": named}
        refused = self.post("ada", "tickets/", 409, pod="v4", kind="hand", wish=circuits)
        self.assertIn("v4-t1", f"{refused['what']} {refused['where']}")

    def test_an_emergency_needs_its_permission_and_a_reason_and_owes_a_review(self) -> None:
        made = self.wish()
        self.do("otto", made, "emergency", 403, said="now")
        self.do("ada", made, "emergency", 400)
        hastened = self.do("ada", made, "emergency", said="the hall floods")
        self.assertEqual((hastened["state"]["value"], hastened["emergency"]), ("approved", True))
        owed = self.get("otto", "tickets/?review_owed=true")
        self.assertEqual([one["name"] for one in owed["results"]], ["v4-t1"])
        self.do("otto", made, "review", 409, said="it was right")
        self.do("ada", made, "withdraw", said="it came up again")
        self.do("ada", made, "review", 403, said="fine")
        reviewed = self.do("otto", made, "review", said="it was right")
        self.assertEqual(reviewed["review"], "it was right")
        self.assertEqual(self.get("otto", "tickets/?review_owed=true")["count"], 0)

    def test_a_denied_ticket_is_withdrawn_and_a_new_draft_is_there(self) -> None:
        made = self.wish(submit=True)
        self.do("otto", made, "deny", said="not on Friday")
        found = self.get("ada", "tickets/?pod=v4")["results"]
        self.assertEqual(
            {one["name"]: one["state"]["value"] for one in found},
            {"v4-t1": "withdrawn", "v4-t1.2": "draft"},
        )

    def test_a_draft_is_edited_and_what_is_submitted_is_not(self) -> None:
        made = self.wish()
        url = f"{ROOT}/tickets/{made['id']}/"
        changed = self.clients["ada"].patch(url, {"title": "Later"}, format="json")
        self.assertEqual(changed.json()["title"], "Later")
        self.clients["ada"].patch(url, {"state": "done"}, format="json")
        self.assertEqual(Ticket.objects.get(pk=made["id"]).state, "draft")
        self.do("ada", made, "submit")
        refused = self.clients["ada"].patch(url, {"title": "Never"}, format="json")
        self.assertEqual(refused.status_code, 409)

    def test_every_change_of_state_is_in_the_change_log_that_webhooks_follow(self) -> None:
        made = self.wish()
        self.do("ada", made, "submit")
        self.do("otto", made, "approve")
        self.do("otto", made, "schedule", start="2036-01-01T00:00:00Z")
        logged = ObjectChange.objects.filter(changed_object_id=made["id"]).order_by("time")
        states = [change.object_data_v2["state"]["value"] for change in logged]
        self.assertEqual(
            list(dict.fromkeys(states)), ["draft", "submitted", "approved", "scheduled"]
        )
        self.assertNotIn("lease_token", logged.last().object_data)

    def test_of_two_pods_one_is_seen_and_acted_on(self) -> None:
        listed = self.get("ada", "tickets/")
        self.assertEqual(listed["count"], 0)
        for path in ("", "plan/", "document/"):
            answer = self.clients["ada"].get(f"{ROOT}/tickets/{self.hidden.pk}/{path}")
            self.assertEqual(answer.status_code, 404, path)
        for deed in ("submit", "approve", "emergency", "start", "undo", "withdraw", "revise"):
            self.post("ada", f"tickets/{self.hidden.pk}/{deed}/", 404, said="x")
        wish = {"shape": "2x2x2", "name": "sly"}
        self.post("ada", "tickets/", 400, pod="far", kind="slice", wish=wish)
        for kind in ("ticket-stages", "ticket-events", "reservations"):
            answer = self.clients["ada"].get(f"{ROOT}/{kind}/")
            self.assertIn(answer.status_code, {200, 403})
            self.assertNotIn("far-t1", answer.content.decode())
        self.hidden.refresh_from_db()
        self.assertEqual(self.hidden.state, "draft")

    def test_a_list_takes_no_more_queries_for_many(self) -> None:
        def queries(limit: int) -> int:
            with CaptureQueriesContext(connection) as asked:
                self.assertEqual(
                    len(self.get("ada", f"tickets/?limit={limit}&depth=1")["results"]), limit
                )
            return len(asked)

        for number in range(1, 9):
            write_ticket(self.pod, self.ada, number)
        queries(2)
        self.assertEqual(queries(2), queries(8))

    def test_what_is_held_is_let_go(self) -> None:
        made = self.wish()
        held = Reservation.objects.filter(ticket=made["id"])
        self.assertGreater(held.count(), 0)
        self.do("ada", made, "withdraw", said="another day")
        self.assertEqual(held.count(), 0)
        self.assertFalse(Slice.objects.filter(name="train").exists())
