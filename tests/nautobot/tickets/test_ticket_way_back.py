"""The way back of a ticket that is done: what took its old place is named before anything moves."""

from typing import Any

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import Cube, Reservation, Slice, SlicePart, Ticket
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.operations.slices.release import release_slice
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.changes.drains import interrupted_by, not_drained
from tests.nautobot.bases.tickets.ticketed import TicketedCase


class WayBackTest(TicketedCase):
    """Four cubes; slices under a cube stand on the first three."""

    slots = range(1, 5)

    def setUp(self) -> None:
        super().setUp()
        for slot in (1, 2, 3):
            self.under_a_cube(f"job-{slot}", slot)

    def under_a_cube(self, name: str, slot: int) -> Slice:
        made, _ = make_slice(self.pod, Wish(shape="2x2x4", name=name, slots=(slot,)), self.otto)
        return made

    def assertRefused(self, words: str, do: Any, *args: Any) -> None:
        with self.assertRaises(FabricTwinError) as refused:
            do(*args)
        self.assertEqual(str(refused.exception), words)

    def test_slices_do_not_go_back_to_what_another_one_took(self) -> None:
        moved = self.done("defragment", {"shape": "4x4x12"})
        slot = min({1, 2, 3} - {slots[0] for slots in self.where().values()})
        other = self.under_a_cube("other", slot)
        where = self.where()
        self.assertRefused(
            f"ticket iw-t1: it cannot be undone any more: slice other stands on the cube in slot "
            f"{slot}, where job-{slot} was. Make room there first, or make a new ticket.",
            life.ask_undo,
            moved,
            self.otto,
            "it came too early",
        )
        self.assertEqual((self.where(), Reservation.objects.count()), (where, 0))
        release_slice(other, self.otto)
        self.undone(moved)
        self.assertEqual(self.where(), {"job-1": [1], "job-2": [2], "job-3": [3]})

    def test_a_slice_does_not_come_back_where_its_name_or_its_chips_are_anothers(self) -> None:
        released = self.done("release", {"slice": "job-1"})
        other = self.under_a_cube("job-1", 2)
        self.assertRefused(
            "ticket iw-t1: it cannot be undone any more: another slice is called job-1. "
            "Make room there first, or make a new ticket.",
            life.ask_undo,
            released,
            self.otto,
            "it came too early",
        )
        Slice.objects.filter(pk=other.pk).update(name="other")
        whole, _ = make_slice(self.pod, Wish(shape="4x4x4", name="whole", slots=(1,)), self.otto)
        self.assertRefused(
            "ticket iw-t1: it cannot be undone any more: slice whole stands on the cube in slot 1, "
            "where job-1 was. Make room there first, or make a new ticket.",
            life.ask_undo,
            released,
            self.otto,
            "it came too early",
        )
        release_slice(whole, self.otto)
        self.undone(released)
        self.assertEqual(self.where()["job-1"], [1])

    def test_circuits_do_not_come_back_to_ports_of_others(self) -> None:
        switch = "iw-ocs-x-3-2"
        self.done("hand", {"circuits": [{"switch": switch, "a": "3A", "b": "4B"}]})
        gone = self.done("hand", {"circuits": []})
        self.done("hand", {"circuits": [{"switch": switch, "a": "3A", "b": "3B"}]})
        self.assertRefused(
            f"ticket iw-t2: it cannot be undone any more: 3A to 3B on {switch} is wanted now. "
            "Make room there first, or make a new ticket.",
            life.ask_undo,
            gone,
            self.otto,
            "it came too early",
        )

    def test_an_end_that_cannot_be_written_holds_the_ticket_with_words(self) -> None:
        ticket = self.approved("defragment", {"shape": "4x4x12"})
        [to] = {part["slot"] for one in ticket.plan["effects"] for part in one["to"]["cubes"]}
        intruder = Slice.objects.create(
            pod=self.pod,
            name="intruder",
            shape="4x4x4",
            status=Slice.objects.get(name="job-1").status,
        )
        chips = [[x, y, z] for x in (1, 2, 3, 4) for y in (1, 2, 3, 4) for z in (1, 2, 3, 4)]
        taken = list(SlicePart.objects.filter(cube__slot=to).values_list("chips", flat=True))
        free = [chip for chip in chips if not any(chip in some for some in taken)]
        cube = Cube.objects.get(pod=self.pod, slot=to)
        SlicePart.objects.create(slice=intruder, cube=cube, place=0, chips=free)
        where = self.where()
        held = self.started(ticket)
        self.assertEqual(
            (held.state, held.message),
            (
                "failed",
                "the records cannot be written: pod iw: a cube was taken meanwhile. Try again.",
            ),
        )
        self.assertEqual(self.where(), where)
        intruder.delete()
        self.carried_out(life.resume(held, self.otto), "done")

    def test_slices_under_a_cube_are_drained_before_they_move_and_before_they_move_back(
        self,
    ) -> None:
        ticket = self.approved("defragment", {"shape": "4x4x12"})
        names = not_drained(ticket)
        self.assertEqual(len(names), 2)
        undrained = f"nobody confirmed that slice {names[0]} and 1 more is drained"
        with self.assertRaisesMessage(FabricTwinError, undrained):
            self.goes_on(life.start(ticket, self.otto))
        done = self.run_on(ticket)
        self.assertEqual(not_drained(done), [])
        asked = life.ask_undo(done, self.ada, "the job is back")
        self.assertEqual(not_drained(asked), sorted(names))
        asked = life.approve(asked, self.otto)
        with self.assertRaisesMessage(FabricTwinError, undrained):
            life.undo(asked, self.otto)
        self.drained(asked, names)
        self.carried_out(life.undo(asked, self.otto), "undone")

    def test_to_undo_what_is_done_is_a_change_that_somebody_else_approves(self) -> None:
        done = self.done("slice", {"shape": "4x4x4", "name": "train", "slots": "4"})
        self.assertRefused(
            "ticket iw-t1: it is done, and to undo it is a change that somebody else approves. "
            "Ask for its undo first.",
            life.undo,
            done,
            self.otto,
        )
        asked = life.ask_undo(done, self.otto, "no job any more")
        self.assertEqual((asked.state, Reservation.objects.count()), ("done", 0))
        self.assertRefused(
            "ticket iw-t1: it is of otto, and nobody decides about their own ticket. "
            "Ask somebody else who may approve.",
            life.approve,
            asked,
            self.otto,
        )
        denied = life.deny(asked, self.ada, "it runs")
        self.assertEqual((denied.state, denied.message), ("done", "it is not undone. it runs"))
        with self.assertRaisesMessage(FabricTwinError, "is a change that somebody else approves"):
            life.undo(denied, self.otto)
        # Who wrote it may approve what another one asks for.
        asked = life.approve(life.ask_undo(denied, self.otto, "now it ended"), self.ada)
        self.assertRefused(
            "ticket iw-t1: nobody confirmed that slice train is drained. "
            "Confirm it on the ticket's page when its job has ended.",
            life.undo,
            asked,
            self.otto,
        )
        self.drained(asked, ["train"])
        undone = self.carried_out(life.undo(asked, self.otto), "undone")
        lines = undone.events.order_by("number").values_list("what", "who__username")
        self.assertEqual(
            [line for line in lines if line[1]][-6:],
            [
                ("ask-undo", "otto"),
                ("deny-undo", "ada"),
                ("ask-undo", "otto"),
                ("approve-undo", "ada"),
                ("drained", "otto"),
                ("undo", "otto"),
            ],
        )

    def test_in_an_emergency_one_that_is_done_is_undone_at_once_and_reviewed(self) -> None:
        done = self.done("slice", {"shape": "4x4x4", "name": "train", "slots": "4"})
        with self.assertRaisesMessage(FabricTwinError, "nobody asked for its undo"):
            life.hasten(done, self.otto, "smoke")
        hastened = life.hasten(life.ask_undo(done, self.otto, "smoke"), self.otto, "smoke")
        self.assertEqual((hastened.state, hastened.emergency), ("done", True))
        self.drained(hastened, ["train"])
        undone = self.carried_out(life.undo(hastened, self.otto), "undone")
        with self.assertRaisesMessage(FabricTwinError, "nobody reviews their own ticket"):
            life.review(undone, self.otto, "well done")

    def started(self, ticket: Ticket) -> Ticket:
        """Begun, however it ends."""
        self.drained(ticket, interrupted_by(ticket))
        return self.goes_on(life.start(ticket, self.otto))
