"""Whatever is refused is refused at every door, and in the same words."""

from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from nautobot.apps.testing import TestCase

from fabric_twin.core.orders.life import OrderIs
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.tickets.course import Position
from fabric_twin.core.tickets.life import State
from fabric_twin.models import Finding, Pod, Ticket, WorkOrder
from fabric_twin.operations.acts import Deeds
from fabric_twin.operations.orders.actions import ASK, CORRECT, ORDER_DEEDS
from fabric_twin.operations.orders.lifecycle import make_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.tickets.actions import CONFIRM_LINKS, TICKET_DEEDS
from fabric_twin.repositories.states import update_state
from tests.nautobot.bases.audits.small_findings import audit, fade, small_pod
from tests.nautobot.bases.doors import Doors, FindingDoors, MakingDoors, words_of
from tests.nautobot.bases.run_jobs import log_in_this_transaction
from tests.nautobot.bases.tickets.small_tickets import write_ticket
from tests.nautobot.bases.users import allow

#: Needs of an order have addresses of their own over REST, which tell what was made.
ON_PAGES_ONLY = {ASK, CORRECT}
LONG = "x" * 5_000


def needed(deed: Any) -> dict[str, Any]:
    """What every door wants with an act."""
    stage = {"stage": 1} if deed.name == CONFIRM_LINKS else {}
    return stage | ({"said": "why"} if deed.name != "schedule" else {})


def given_by(deeds: Deeds, given: dict[str, Any]) -> Any:
    """The same for the operation, which knows a step where doors have a number."""
    known = {name: value for name, value in given.items() if name != "stage"}
    return deeds.given(**known, **({"step": Position(given["stage"])} if "stage" in given else {}))


class DoorsTest(TestCase):
    """One record of each kind that has acts, and somebody who may do some of them."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod: Pod = small_pod("s", slots=(1, 2))
        cls.author = get_user_model().objects.create_superuser("author")
        cls.ticket = write_ticket(cls.pod, cls.author)
        cls.order = make_order(cls.pod, OrderWish(kind=Kind.INSTALL, slots=(3,)), cls.author)
        cls.somebody = get_user_model().objects.create_user("somebody")
        allow(cls.somebody, ["view"], Pod, Ticket, WorkOrder, Finding)

    def refusals(self, user: Any, record: Any, deeds: Deeds, act: str, **given: Any) -> set[str]:
        """What every door says of an act; nothing that is done stays."""
        doors = Doors(user)

        def use_case(record: Any, act: str, given: dict[str, Any]) -> str:
            return words_of(lambda: deeds.named(act).do(record, user, given_by(deeds, given)))

        ways = [use_case, doors.page]
        ways += [] if act in ON_PAGES_ONLY else [doors.rest, doors.remote]
        said = set()
        for way in ways:
            with transaction.atomic():
                fresh = type(record).objects.get(pk=record.pk)
                said.add(way(fresh, act, given))
                transaction.set_rollback(True)
        return said

    def each(self) -> Any:
        """Every act with its record."""
        for record, deeds in ((self.ticket, TICKET_DEEDS), (self.order, ORDER_DEEDS)):
            for deed in deeds:
                yield record, deeds, deed

    def test_who_may_only_look_is_refused_every_act(self) -> None:
        for record, deeds, deed in self.each():
            with self.subTest(str(record), act=deed.name):
                [words] = self.refusals(self.somebody, record, deeds, deed.name, **needed(deed))
                self.assertNotEqual(words, "")

    def test_a_reason_is_asked_for_where_it_has_to_be_given(self) -> None:
        for record, deeds, deed in self.each():
            if not deed.needs_reason:
                continue
            with self.subTest(str(record), act=deed.name):
                self.stand(record, min(deed.states or (State.DONE,)))
                [words] = self.refusals(self.author, record, deeds, deed.name, said=" ")
                self.assertIn("no reason is given. Give one: the history keeps it.", words)

    def test_a_reason_is_not_a_book(self) -> None:
        for record, deeds, deed in self.each():
            if not deed.needs_reason:
                continue
            with self.subTest(str(record), act=deed.name):
                self.stand(record, min(deed.states or (State.DONE,)))
                [words] = self.refusals(self.author, record, deeds, deed.name, said=LONG)
                self.assertIn("the reason has 5,000 characters", words)

    def test_an_act_in_a_state_that_has_it_not_says_what_helps(self) -> None:
        for record, deeds, deed in self.each():
            kinds = State if record is self.ticket else OrderIs
            for state in [one for one in kinds if deed.states and one not in deed.states][:1]:
                with self.subTest(str(record), act=deed.name, state=str(state)):
                    self.stand(record, state)
                    said = self.refusals(self.author, record, deeds, deed.name, **needed(deed))
                    self.assertEqual(len(said), 1, said)

    def test_findings_are_acknowledged_and_opened_again_by_the_same_rules(self) -> None:
        fade(self.pod, 0)
        audit(self.pod)
        finding = self.pod.findings.first()
        tried = [
            (self.somebody, "acknowledge", "why", "may not change 1 of 1 findings"),
            (self.somebody, "reopen", "", "may not change 1 of 1 findings"),
            (self.author, "acknowledge", " ", "no reason is given. Give one: the history keeps it"),
            (self.author, "acknowledge", LONG, "the reason has 5,000 characters"),
            (self.author, "reopen", "", "it is open"),
        ]
        for user, act, why, words in tried:
            with self.subTest(act, user=user.username, why=why[:5]):
                doors, said = FindingDoors(user), set()
                for way in (doors.use_case, doors.page, doors.rest):
                    with transaction.atomic():
                        said.add(way(finding, act, {"why": why} if why else {}))
                        transaction.set_rollback(True)
                [refused] = said
                self.assertIn(words, refused)

    def test_an_order_is_refused_in_the_same_words_wherever_it_is_wished_for(self) -> None:
        log_in_this_transaction(self)
        doors = MakingDoors(self.author)
        wishes: dict[str, dict[str, Any]] = {
            "64 crews cannot do an order": {"kind": "install", "slots": "3", "crews": 64},
            "0 crews cannot do an order": {"kind": "install", "slots": "3", "crews": 0},
            "cubes stand in slots 1": {"kind": "install", "slots": "1"},
            "an order of the kind repair names no findings": {"kind": "repair"},
        }
        for words, wish in wishes.items():
            with self.subTest(words):
                ways = (doors.use_case, doors.wish_page, doors.wish_over_rest, doors.job)
                refusals = set()
                for way in ways:
                    with transaction.atomic():
                        refusals.add(way(self.pod, **wish))
                        transaction.set_rollback(True)
                [refused] = refusals
                self.assertIn(words, refused)

    def test_an_order_takes_only_what_its_kind_is_about(self) -> None:
        log_in_this_transaction(self)
        fade(self.pod, 0)
        audit(self.pod)
        doors = MakingDoors(self.author)
        wish = {"kind": "install", "slots": "3", "findings": [self.pod.findings.first()]}
        for way in (doors.use_case, doors.wish_over_rest, doors.job):
            with self.subTest(way.__name__), transaction.atomic():
                self.assertIn("the kind install takes no findings", way(self.pod, **wish))
                transaction.set_rollback(True)

    def stand(self, record: Any, state: str) -> None:
        """The record is in a state, however it came there."""
        update_state(type(record).objects.filter(pk=record.pk), state)
