"""The way back of a ticket that is done: what took its old place is named before anything moves."""

from typing import Any

from ticketed import TicketedCase

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import Cube, Reservation, Slice, SlicePart, Ticket
from fabric_twin.repositories import ticket_life as life
from fabric_twin.repositories.slices import Wish, make_slice, release_slice


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
            life.undo,
            moved,
            self.otto,
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
            life.undo,
            released,
            self.otto,
        )
        Slice.objects.filter(pk=other.pk).update(name="other")
        whole, _ = make_slice(self.pod, Wish(shape="4x4x4", name="whole", slots=(1,)), self.otto)
        self.assertRefused(
            "ticket iw-t1: it cannot be undone any more: slice whole stands on the cube in slot 1, "
            "where job-1 was. Make room there first, or make a new ticket.",
            life.undo,
            released,
            self.otto,
        )
        release_slice(whole, self.otto)
        self.undone(released)
        self.assertEqual(self.where()["job-1"], [1])

    def test_circuits_do_not_come_back_to_ports_of_others(self) -> None:
        switch = "iw-ocs-x-3-2"
        self.done("hand", {"circuits": [{"switch": switch, "a": "3A", "b": "4B"}]})
        gone = self.done("hand", {"switches": [switch], "circuits": []})
        self.done("hand", {"circuits": [{"switch": switch, "a": "3A", "b": "3B"}]})
        self.assertRefused(
            f"ticket iw-t2: it cannot be undone any more: 3A to 3B on {switch} is wanted now. "
            "Make room there first, or make a new ticket.",
            life.undo,
            gone,
            self.otto,
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

    def started(self, ticket: Ticket) -> Ticket:
        """Begun, however it ends."""
        self.drained(ticket, [])
        return self.goes_on(life.start(ticket, self.otto))
