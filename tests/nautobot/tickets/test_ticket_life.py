"""A ticket's life in the records: made, decided by somebody else, scheduled, withdrawn, revised."""

from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import ProtectedError
from nautobot.extras.models import (
    ApprovalWorkflowDefinition,
    ApprovalWorkflowStageResponse,
)

from fabric_twin.core.errors import FabricTwinError, NotPermitted, NotPossible, UnusableInput
from fabric_twin.first_records import APPROVERS
from fabric_twin.models import Cube, OpticalCircuit, Pod, Reservation, Slice, Ticket
from fabric_twin.operations.pods.remove import remove_pod
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.operations.slices.release import release_slice
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.approval import waiting_stage
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.operations.tickets.drafts.make import edit_ticket
from fabric_twin.operations.tickets.drafts.revise import revise_ticket
from fabric_twin.operations.tickets.drafts.terms import Terms
from fabric_twin.repositories.states import update_state
from tests.nautobot.bases.pods.small_pod import make_pod
from tests.nautobot.bases.tickets.ticket_case import TicketCase
from tests.nautobot.bases.users import allow


class MakingTest(TicketCase):
    def test_a_draft_holds_what_it_needs_and_wants_no_circuit_yet(self) -> None:
        ticket = self.wish(reason="the job waits")
        self.assertEqual(
            (ticket.name, ticket.state, ticket.title, ticket.reason, ticket.slice.name),
            ("v4-t1", "draft", "Slice train (4x4x8)", "the job waits", "train"),
        )
        made = Slice.objects.get(name="train")
        self.assertEqual(made.status.name, "Planned")
        self.assertEqual(made.parts.count(), 2)
        self.assertEqual(OpticalCircuit.objects.count(), 0)
        # 192 circuits, each on an A and a B port; and both cubes.
        self.assertEqual(ticket.reservations.filter(cube__isnull=True).count(), 2 * 192)
        self.assertEqual(ticket.reservations.filter(cube__isnull=False).count(), 2)
        [stage] = ticket.stages.all()
        self.assertEqual((stage.number, stage.removes, stage.adds), (1, 0, 192))
        self.assertEqual(self.history(ticket), [("make", "ada")])

    def test_a_second_ticket_for_a_port_is_refused_with_the_first_ones_name(self) -> None:
        first = self.wish().plan["add"][0]
        switch, a, b = first["switch"], first["a"][:-1], first["b"][:-1]
        circuits = [{"switch": switch, "a": f"{p}A", "b": f"{q}B"} for p, q in ((a, b), (b, a))]
        before = Reservation.objects.count()
        self.assertRefused(
            f"pod v4: port {a}A of {switch} is reserved by ticket v4-t1 (Slice train (4x4x8)). "
            "Wait until it ends, withdraw it, or choose other ports or cubes.",
            wish_ticket,
            self.pod,
            "hand",
            {"circuits": circuits},
            self.ada,
        )
        self.assertEqual(Reservation.objects.count(), before)
        self.assertEqual([t.name for t in Ticket.objects.all()], ["v4-t1"])

    def test_a_second_ticket_for_a_slice_is_refused(self) -> None:
        make_slice(self.pod, Wish(shape="2x2x2", name="part"), self.root)
        wish_ticket(self.pod, "release", {"slice": "part"}, self.ada)
        self.assertRefused(
            "pod v4: slice part is changed by ticket v4-t1 (Release of slice part (2x2x2)). "
            "Wait until it ends, or withdraw it.",
            wish_ticket,
            self.pod,
            "release",
            {"slice": "part"},
            self.ada,
        )

    def test_a_dry_run_leaves_nothing(self) -> None:
        wish = {"shape": "4x4x8"}
        ticket = wish_ticket(self.pod, "slice", wish, self.ada, keep=False)
        self.assertEqual(ticket.name, "v4-t1")
        for model in (Ticket, Slice, Reservation):
            self.assertEqual(model.objects.count(), 0, model)

    def test_who_may_not_make_the_slice_gets_no_ticket_for_it(self) -> None:
        eve = get_user_model().objects.create_user("eve")
        allow(eve, ["view"], Pod)
        allow(eve, ["add"], Ticket)
        self.assertRefused(
            "permissions: eve may not add slices. Ask for the permission fabric_twin.add_slice "
            "for these slices. Nothing was written.",
            wish_ticket,
            self.pod,
            "slice",
            {"shape": "4x4x4"},
            eve,
        )

    def test_tickets_of_one_pod_are_not_those_of_another(self) -> None:
        other = make_pod("v5", slots=range(1, 3))
        eve = get_user_model().objects.create_user("eve")
        allow(eve, ["view"], Pod)
        allow(eve, ["view", "add", "change", "run"], Ticket, pod__name="v5")
        allow(eve, ["add"], Slice, pod__name="v5")
        wish = {"shape": "4x4x4"}
        self.assertEqual(wish_ticket(other, "slice", wish, eve).name, "v5-t1")
        with self.assertRaises(NotPermitted):
            wish_ticket(self.pod, "slice", wish, eve)
        ticket = self.wish()
        for do in (life.submit, life.withdraw, life.start, life.undo, life.stop, life.resume):
            with self.assertRaises(NotPermitted, msg=do.__name__):
                do(ticket, eve)
        self.assertEqual(Ticket.objects.filter(pod=self.pod).count(), 1)

    def test_only_a_draft_is_edited(self) -> None:
        ticket = edit_ticket(self.wish(), self.ada, Terms(title="Train on two cubes", most_bad=3))
        self.assertEqual((ticket.title, ticket.most_bad), ("Train on two cubes", 3))
        self.assertRefused(
            "ticket v4-t1: it is submitted, and only a draft is changed. "
            "Revise it: that makes a new draft.",
            edit_ticket,
            life.submit(ticket, self.ada),
            self.ada,
            Terms(title="another"),
        )


class DecidingTest(TicketCase):
    def test_another_person_approves_and_somebody_schedules(self) -> None:
        ticket = self.approved()
        self.assertEqual((ticket.state, ticket.approved_by.username), ("approved", "otto"))
        ticket = life.schedule(ticket, self.otto)
        self.assertEqual(ticket.state, "scheduled")
        self.assertEqual(
            self.history(ticket),
            [("make", "ada"), ("submit", "ada"), ("approve", "otto"), ("schedule", "otto")],
        )

    def test_nobody_approves_their_own_by_no_way(self) -> None:
        self.ada.groups.add(Group.objects.get(name=APPROVERS))
        ticket = life.submit(self.wish(), self.ada)
        words = (
            "ticket v4-t1: it is of ada, and nobody decides about their own ticket. "
            "Ask somebody else who may approve."
        )
        self.assertRefused(words, life.approve, ticket, self.ada)
        # As Nautobot's own pages and API do it.
        answer = ApprovalWorkflowStageResponse(
            approval_workflow_stage=waiting_stage(ticket), user=self.ada, state="Approved"
        )
        with self.assertRaises(PermissionDenied) as denied:
            answer.save()
        self.assertEqual(str(denied.exception), words)
        with self.assertRaises(ValidationError):
            ticket.approved_by = self.ada
            ticket.validated_save()

    def test_who_edited_a_draft_does_not_approve_it(self) -> None:
        ticket = edit_ticket(self.wish(), self.otto, Terms(title="mine too"))
        with self.assertRaises(NotPermitted):
            life.approve(life.submit(ticket, self.ada), self.otto)

    def test_who_is_not_in_the_group_does_not_approve(self) -> None:
        eve = get_user_model().objects.create_user("eve")
        allow(eve, ["view", "change"], Ticket)
        self.assertRefused(
            "ticket v4-t1: eve may not approve it. "
            "Ask somebody of the group Fabric approvers who may see the ticket.",
            life.approve,
            life.submit(self.wish(), self.ada),
            eve,
        )

    def test_without_a_workflow_nothing_is_submitted(self) -> None:
        ApprovalWorkflowDefinition.objects.all().delete()
        self.assertRefused(
            "ticket v4-t1: nobody is defined who would approve it. Define an approval workflow "
            "for tickets with a stage, under Approvals; an upgrade (`nautobot-server "
            "post_upgrade`) makes the first one again.",
            life.submit,
            self.wish(),
            self.ada,
        )

    def test_what_is_denied_goes_back_as_a_new_draft(self) -> None:
        ticket = life.deny(life.submit(self.wish(), self.ada), self.otto, "not this week")
        self.assertEqual((ticket.state, ticket.message), ("withdrawn", "not this week"))
        again = ticket.revised_by
        self.assertEqual(
            (again.name, again.state, again.author, again.slice.name),
            ("v4-t1.2", "draft", self.ada, "train"),
        )
        self.assertEqual(set(Reservation.objects.values_list("ticket", flat=True)), {again.pk})
        self.assertEqual(Slice.objects.get().pk, again.slice_id)

    def test_an_emergency_is_approved_by_a_permission_and_reviewed_by_another(self) -> None:
        ticket = self.wish()
        with self.assertRaises(NotPermitted):
            life.hasten(ticket, self.ada, "the job is down")
        allow(self.ada, ["emergency"], Ticket)
        ada = get_user_model().objects.get(pk=self.ada.pk)
        self.assertRefused(
            "ticket v4-t1: no reason is given. Give one: the history keeps it.",
            life.hasten,
            ticket,
            ada,
            " ",
        )
        ticket = life.hasten(ticket, ada, "the job is down")
        self.assertEqual((ticket.state, ticket.emergency), ("approved", True))
        self.assertRefused(
            "ticket v4-t1: it has not come to its end, and is reviewed after that. "
            "Wait until it is done, undone or withdrawn.",
            life.review,
            ticket,
            self.otto,
            "it was one",
        )
        ticket = life.withdraw(ticket, ada, "it came up again")
        self.assertRefused(
            "ticket v4-t1: no reason is given. Give one: the history keeps it.",
            life.review,
            ticket,
            self.otto,
            " ",
        )
        with self.assertRaises(NotPermitted):
            life.review(ticket, ada, "well done")
        ticket = life.review(ticket, self.otto, "it was one")
        self.assertEqual((ticket.reviewed_by, ticket.review), (self.otto, "it was one"))
        self.assertRefused(
            "ticket v4-t1: it is reviewed already. Nothing is left to do.",
            life.review,
            ticket,
            self.otto,
            "again",
        )


class EndingTest(TicketCase):
    def test_what_is_withdrawn_lets_everything_go(self) -> None:
        ticket = life.withdraw(life.submit(self.wish(), self.ada), self.ada, "no job any more")
        ticket.refresh_from_db()
        self.assertEqual((ticket.state, ticket.slice), ("withdrawn", None))
        self.assertEqual((Slice.objects.count(), Reservation.objects.count()), (0, 0))
        self.assertIsNone(waiting_stage(ticket))
        workflow = ticket.associated_approval_workflows.get()
        self.assertEqual(workflow.current_state, "Canceled")

    def test_a_slice_that_would_be_released_is_as_it_was(self) -> None:
        made, _ = make_slice(self.pod, Wish(shape="4x4x8", name="old"), self.root)
        ticket = wish_ticket(self.pod, "release", {"slice": "old"}, self.ada)
        made.refresh_from_db()
        self.assertEqual(made.status.name, "Releasing")
        life.withdraw(ticket, self.ada)
        made.refresh_from_db()
        self.assertEqual((made.status.name, made.circuits.count()), ("Active", 192))

    def test_a_revision_is_planned_again_and_is_the_users(self) -> None:
        ticket = self.approved()
        allow(self.otto, ["view"], Pod)
        allow(self.otto, ["add"], Ticket, Slice)
        otto = get_user_model().objects.get(pk=self.otto.pk)
        again = revise_ticket(ticket, otto, "on other days")
        ticket.refresh_from_db()
        self.assertEqual((ticket.state, ticket.message), ("withdrawn", "on other days"))
        self.assertEqual((again.name, again.author, again.state), ("v4-t1.2", otto, "draft"))
        self.assertEqual(again.plan["stages"], ticket.plan["stages"])

    def test_one_that_is_done_is_not_revised(self) -> None:
        ticket = self.wish()
        update_state(Ticket.objects.filter(pk=ticket.pk), "done")
        with self.assertRaisesMessage(NotPossible, "it is done, and so cannot be withdrawn"):
            revise_ticket(ticket, self.ada)
        self.assertEqual(Ticket.objects.count(), 1)

    def test_who_denies_says_why(self) -> None:
        ticket = life.submit(self.wish(), self.ada)
        with self.assertRaisesMessage(UnusableInput, "no reason is given"):
            life.deny(ticket, self.otto, " ")

    def test_a_pod_with_an_open_ticket_is_not_removed_and_its_history_goes_with_it(self) -> None:
        ticket = self.wish()
        for stage in (life.submit, life.withdraw):
            with self.assertRaises(FabricTwinError):
                remove_pod("v4", user=self.root)
            stage(ticket, self.ada)
        self.assertIn("1 ticket,", str(remove_pod("v4", user=self.root)))
        self.assertEqual(Ticket.objects.count(), 0)


class RespectTest(TicketCase):
    """What is done without a ticket leaves alone what one holds."""

    def test_a_slice_is_put_beside_it(self) -> None:
        ticket = self.wish(shape="4x4x16", name="big")
        held = set(ticket.slice.parts.values_list("cube__slot", flat=True))
        made, _ = make_slice(self.pod, Wish(shape="4x4x16"), self.root)
        self.assertTrue(held.isdisjoint(made.parts.values_list("cube__slot", flat=True)))

    def test_a_slice_that_finds_no_place_says_who_has_it(self) -> None:
        self.wish(shape="4x4x16", name="big")
        make_slice(self.pod, Wish(shape="4x4x8"), self.root)
        with self.assertRaises(NotPossible) as refused:
            make_slice(self.pod, Wish(shape="4x4x16"), self.root)
        self.assertIn("is reserved by ticket v4-t1 (Slice big (4x4x16))", str(refused.exception))

    def test_a_slice_in_hand_is_not_released(self) -> None:
        made, _ = make_slice(self.pod, Wish(shape="4x4x8", name="old"), self.root)
        wish_ticket(self.pod, "release", {"slice": "old"}, self.ada)
        self.assertRefused(
            "pod v4: slice old is changed by ticket v4-t1 (Release of slice old (4x4x8)). "
            "Wait until it ends, or withdraw it.",
            release_slice,
            made,
            self.root,
        )

    def test_a_slice_in_hand_keeps_its_name_and_its_status(self) -> None:
        made, _ = make_slice(self.pod, Wish(shape="2x2x2", name="part"), self.root)
        ticket = wish_ticket(self.pod, "release", {"slice": "part"}, self.ada)
        made.refresh_from_db()
        active = type(made.status).objects.get_for_model(Slice).get(name="Active")
        words = "slice part is changed by ticket v4-t1 (Release of slice part (2x2x2))."
        for column, value in (("name", "mine"), ("status", active)):
            changed = Slice.objects.get(pk=made.pk)
            setattr(changed, column, value)
            with self.assertRaisesMessage(ValidationError, words):
                changed.validated_save()
        made.description = "what it was for"
        made.validated_save()
        life.withdraw(ticket, self.ada)
        made.refresh_from_db()
        made.name = "mine"
        made.validated_save()

    def test_circuits_and_cubes_of_it_are_not_edited(self) -> None:
        self.wish()
        port = Reservation.objects.filter(side="A").order_by("switch__number", "port").first()
        circuit = OpticalCircuit(switch=port.switch, a=port.port, b=100)
        words = (
            f"port {port.port}A of {port.switch} is reserved by ticket v4-t1 (Slice train (4x4x8))."
        )
        with self.assertRaisesMessage(ValidationError, words):
            circuit.validated_save()
        cube = Cube.objects.filter(reservations__isnull=False).first()
        cube.status = type(cube.status).objects.get(name="Out")
        with self.assertRaises(ValidationError):
            cube.validated_save()
        seen = OpticalCircuit.objects.create(
            switch=port.switch, a=port.port, b=100, wanted=False, seen=True
        )
        with self.assertRaises(ProtectedError):
            seen.delete()
