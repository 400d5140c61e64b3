"""What a slice was made without comes back by a ticket, and by no other way."""

from fabric_twin.core.errors import NotPossible
from fabric_twin.models import OpticalCircuit, Slice, Switch
from fabric_twin.operations.slices.bearing import left_of
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.operations.tickets.drafts.propose import propose_ticket
from tests.nautobot.bases.pods.small_pod import status_of
from tests.nautobot.bases.tickets.ticketed import TicketedCase
from tests.our_rows import sets_of, switches_set

SWITCH = "iw-ocs-x-1-1"
BACK = {"switches": [SWITCH]}


class ReturnTest(TicketedCase):
    """Six cubes; a switch of theirs is in maintenance."""

    slots = range(1, 7)

    def setUp(self) -> None:
        super().setUp()
        self.is_now("Maintenance")

    def is_now(self, status: str) -> None:
        Switch.objects.filter(device__name=SWITCH).update(status=status_of(Switch, status))

    def capacity(self, name: str) -> float:
        made = Slice.objects.get(name=name)
        return left_of([made])[made.pk].capacity["x"]

    def test_circuits_that_were_never_made_come_when_the_switch_is_back(self) -> None:
        self.done("slice", {"shape": "4x4x8", "name": "job-a", "bear": 1})
        self.assertEqual((self.capacity("job-a"), len(self.wanted())), (0.9375, 94))
        self.assertEqual([(one.code, one.cause) for one in self.audited()], [])
        sets = len(sets_of(self.sets))
        ticket = self.done("return", BACK)
        self.assertEqual(ticket.wish, {**BACK, "ports": []})
        self.assertEqual(self.pod.switches.get(number=0).status.name, "Active")
        self.assertEqual((self.capacity("job-a"), len(self.wanted())), (1, 96))
        self.assertEqual(switches_set(self.sets, sets), {SWITCH})
        self.assertSettled()

    def test_a_slice_that_got_circuits_since_is_released_and_not_undone(self) -> None:
        ticket = self.done("slice", {"shape": "4x4x8", "name": "job-a", "bear": 1})
        self.done("return", BACK)
        with self.assertRaisesMessage(
            NotPossible, f"slice job-a has got 1A to 1B on {SWITCH} since"
        ):
            life.ask_undo(ticket, self.ada, "again")
        self.done("release", {"slice": "job-a"})
        self.assertEqual(self.wanted(), set())

    def test_a_slice_that_a_ticket_makes_or_releases_gets_nothing(self) -> None:
        made = wish_ticket(
            self.pod, "slice", {"shape": "4x4x8", "name": "job-a", "bear": 1}, self.ada
        )
        self.assertEqual(
            propose_ticket(self.pod, "return", BACK).warnings,
            ("job-a gets nothing: an open ticket makes, releases or moves it",),
        )
        self.done("return", BACK)
        self.assertEqual(OpticalCircuit.objects.count(), 0)
        life.withdraw(made, self.ada)
        self.assertFalse(Slice.objects.exists())

    def test_a_maintenance_is_not_undone_for_a_slice_that_is_gone(self) -> None:
        self.is_now("Active")
        self.done("slice", {"shape": "4x4x8", "name": "job-a"})
        ticket = self.done("maintenance", {"switches": [SWITCH], "bear": 1})
        self.done("release", {"slice": "job-a"})
        with self.assertRaisesMessage(NotPossible, "slice job-a is gone"):
            life.ask_undo(ticket, self.ada, "again")
        self.done("return", BACK)
        self.assertEqual(self.pod.switches.get(number=0).status.name, "Active")

    def test_what_is_in_service_and_lacks_nothing_is_refused(self) -> None:
        self.is_now("Active")
        self.done("slice", {"shape": "4x4x8", "name": "job-a"})
        with self.assertRaisesMessage(NotPossible, "no slice lacks light there"):
            wish_ticket(self.pod, "return", BACK, self.ada)
