"""Every kind of wish, whole: proposed, approved, carried out; then what is shown and recorded.

After each the inventory wants what the switches show, nothing is held, and an audit finds nothing.
"""

from typing import Any

from nautobot.dcim.models import Cable

from fabric_twin.core.errors import NotPossible
from fabric_twin.models import Port, Slice, SlicePart, Substitution, Ticket
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.create import mend_by_ticket, wish_ticket
from tests.nautobot.bases.tickets.ticketed import TicketedCase


class SliceTest(TicketedCase):
    """Three cubes."""

    def test_a_slice_is_made_and_released_again(self) -> None:
        self.done("slice", {"shape": "4x4x8", "name": "train", "slots": "2,3"})
        self.assertEqual(self.where(), {"train": [2, 3]})
        self.assertEqual(len(self.shown()), 96)
        self.assertEqual(Slice.objects.get().status.name, "Active")
        self.assertSettled()
        released = self.done("release", {"slice": "train"})
        self.assertEqual((Slice.objects.count(), self.shown()), (0, set()))
        self.assertSettled()
        self.undone(released)
        self.assertEqual(self.where(), {"train": [2, 3]})
        self.assertEqual(len(self.shown()), 96)
        self.assertSettled()


class DefragmentTest(TicketedCase):
    """Six cubes, of which slices under a cube leave gaps."""

    slots = range(1, 7)

    def test_slices_under_a_cube_are_brought_together(self) -> None:
        for slot in (1, 2, 3):
            wish = {"shape": "2x2x4", "name": f"job-{slot}", "slots": str(slot)}
            self.done("slice", wish)
        self.done("slice", {"shape": "4x4x8", "name": "train", "slots": "4,5"})
        before = self.places()
        moved = self.done("defragment", {"shape": "4x4x12"})
        self.assertEqual(moved.kind, "defragment")
        self.assertEqual(len({slot for name, slot, _ in self.places() if name != "train"}), 1)
        self.assertSettled()
        made = self.done("slice", {"shape": "4x4x12", "name": "big"})
        self.assertSettled()
        self.undone(made)
        self.undone(moved)
        self.assertEqual(self.places(), before)
        self.assertSettled()

    def places(self) -> list[Any]:
        """Where each slice stands, chip by chip."""
        rows = SlicePart.objects.order_by("slice__name", "place")
        return list(rows.values_list("slice__name", "cube__slot", "chips"))


class DriftTest(TicketedCase):
    """A slice on two of four cubes, and circuits made by hand beside it."""

    slots = range(1, 5)
    switch = "iw-ocs-x-3-2"

    def before(self) -> None:
        self.done("slice", {"shape": "4x4x8", "name": "train", "slots": "1,2"})
        by_hand = [{"switch": self.switch, "a": "3A", "b": "4B"}]
        self.done("hand", {"circuits": by_hand})
        self.assertSettled()

    def setUp(self) -> None:
        super().setUp()
        self.slices = {(a, b) for s, a, b in self.wanted() if s == self.switch} - {("3A", "4B")}

    def test_what_the_switches_show_is_accepted_and_given_up_again(self) -> None:
        self.set_circuits(self.slices | {("3A", "3B")})
        before = self.wanted()
        [finding] = self.audited()
        self.assertEqual(finding.code, "circuit-missing")
        ticket = self.approved("drift", {"accept": True})
        self.assertEqual(ticket.title, "2 circuits wanted as the switches show them")
        self.assertEqual(ticket.reservations.count(), 3)
        with self.assertRaisesMessage(NotPossible, "is reserved by ticket iw-t3"):
            other = [{"switch": self.switch, "a": "4A", "b": "3B"}]
            wish_ticket(self.pod, "hand", {"circuits": other}, self.ada)
        self.run_on(ticket)
        self.assertEqual(
            self.wanted() ^ before, {(self.switch, "3A", "3B"), (self.switch, "3A", "4B")}
        )
        self.assertSettled()
        self.undone(ticket)
        self.assertEqual(self.wanted(), before)
        self.assertEqual([one.code for one in self.audited()], ["circuit-missing"])

    def test_what_is_not_shown_any_more_is_not_accepted(self) -> None:
        self.set_circuits(self.slices | {("3A", "4B"), ("4A", "3B")})
        self.audited()
        ticket = self.approved("drift", {"accept": True})
        self.set_circuits(self.slices | {("3A", "4B")})
        ended = self.goes_on(life.start(ticket, self.otto))
        self.assertEqual(ended.state, "withdrawn")
        self.assertIn("switches show other circuits", ended.message)
        self.assertSettled()

    def test_what_the_switches_show_is_refused_and_set_back(self) -> None:
        self.set_circuits(self.slices - {min(self.slices)} | {("3A", "3B")})
        before = self.wanted()
        [finding] = self.audited()
        ticket = self.decided(mend_by_ticket(finding, self.ada))
        self.run_on(ticket)
        self.assertEqual(self.wanted(), before)
        self.assertSettled()
        with self.assertRaisesMessage(NotPossible, "is what is wanted"):
            wish_ticket(self.pod, "drift", {}, self.ada)

    def test_what_a_slice_lacks_is_not_accepted(self) -> None:
        self.set_circuits(self.slices - {min(self.slices)} | {("3A", "4B")})
        self.audited()
        with self.assertRaisesMessage(NotPossible, "a slice's circuits follow from its cubes"):
            wish_ticket(self.pod, "drift", {"accept": True}, self.ada)


class SpareCase(TicketedCase):
    """A slice on two of three cubes; a port of a switch is bad."""

    __test__ = False
    switch = "iw-ocs-x-3-2"
    bad, spare, fault = "", "", ""

    def test_a_spare_takes_the_place_of_a_bad_port_and_gives_it_back(self) -> None:
        self.done("slice", {"shape": "4x4x8", "name": "train", "slots": "1,2"})
        self.assertSettled()
        before, shown = self.records(), self.shown()
        fault = self.break_it("lossy-mirror", device=self.switch, port=self.fault, loss_db=6.0)
        [finding] = self.audited()
        ticket = self.decided(mend_by_ticket(finding, self.ada))
        self.assertEqual(
            ticket.title, f"{self.switch}: spare {self.spare} in place of port {self.bad}"
        )
        self.run_on_until_held(ticket)
        self.move_cable(self.bad, self.spare)
        self.carried_out(life.resume(ticket, self.otto), "done")
        self.assertEqual(
            list(
                Substitution.objects.values_list("port__interface__name", "spare__interface__name")
            ),
            [(self.bad, self.spare)],
        )
        [made] = Substitution.objects.all()
        made.full_clean()
        self.assertEqual(
            {c for c in self.shown() if c[0] != self.switch},
            {c for c in shown if c[0] != self.switch},
        )
        self.assertNotEqual(self.shown(), shown)
        self.assertSettled()

        self.control("/mend", number=fault)
        self.move_cable(self.spare, self.bad)
        self.undone(ticket)
        self.assertEqual(self.records(), before)
        self.assertEqual((Substitution.objects.count(), self.shown()), (0, shown))
        self.assertSettled()

    def run_on_until_held(self, ticket: Ticket) -> None:
        self.drained(ticket, ["train"])
        ended = self.goes_on(life.start(ticket, self.otto))
        self.assertEqual((ended.state, ended.stage), ("failed", 2), ended.message)

    def move_cable(self, before: str, after: str) -> None:
        """By hand, and in the record."""
        here, there = (self.port(name).interface for name in (before, after))
        cable = here.cable
        [told] = self.control(
            "/work",
            steps=[{"do": "move", "cable": self.cable, "end": "b", "to": [self.switch, after]}],
        )["told"]
        self.assertEqual(told, {"step": 1, "done": True})
        label, kind, status = cable.label, cable.cable_type, cable.status
        far = next(end for end in (cable.termination_a, cable.termination_b) if end != here)
        cable.delete()
        for one in (far, there):
            one.refresh_from_db()
        Cable(
            termination_a=far, termination_b=there, label=label, cable_type=kind, status=status
        ).validated_save()

    def port(self, name: str) -> Port:
        return Port.objects.get(
            pod=self.pod, interface__name=name, interface__device__name=self.switch
        )


class SplitSpareTest(SpareCase):
    """A cable is one strand, to 1A."""

    __test__ = True
    design = "tpu-v5p"
    bad, spare, fault = "1A", "141A", "1A"
    cable = "iw-c001:4.3.2/X+"


class PairedSpareTest(SpareCase):
    """A cable is a pair of fibres, to duplex port 1."""

    __test__ = True
    design = "tpu-v4"
    bad, spare, fault = "1", "129", "1A"
    cable = "iw-c001:4.3.2/X+"
