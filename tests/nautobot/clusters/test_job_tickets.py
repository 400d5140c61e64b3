"""Tickets for jobs of a cluster as drafts: what they take, what they hold, and who is refused."""

from typing import Any

from django.contrib.auth import get_user_model
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.extras.models import Status

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.tickets.life import State
from fabric_twin.models import (
    Cube,
    OpticalCircuit,
    Pod,
    Port,
    Reservation,
    Slice,
    Switch,
    Ticket,
)
from fabric_twin.operations.orders.lifecycle import make_order, withdraw_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.orders.record import core_of
from fabric_twin.operations.orders.request_tickets import ask_for_tickets
from fabric_twin.operations.orders.return_to_service import bring_back
from fabric_twin.operations.orders.unmet_needs import waits
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.operations.slices.release import release_slice
from fabric_twin.operations.slices.rings import read_rings
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.changes.to_core import changes_of
from fabric_twin.operations.tickets.changes.undo_conflicts import refuse_taken
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.operations.tickets.drafts.propose import propose_ticket
from fabric_twin.repositories.circuits import write_seen
from fabric_twin.repositories.device_readings import write_flow_readings
from fabric_twin.repositories.states import save_state
from tests.nautobot.bases.pods.small import hall


class JobTicketsTest(TestCase):
    """Twelve chains of five, `g`, whose switches nobody can reach."""

    @classmethod
    def setUpTestData(cls) -> None:
        load_pod("g", "small-chains", hall())
        cls.pod = Pod.objects.get(name="g")
        users = get_user_model().objects
        cls.ada, cls.otto = users.create_superuser("ada"), users.create_superuser("otto")

    def wish(self, kind: str = "slice", **wish: Any) -> Ticket:
        return wish_ticket(self.pod, kind, wish, self.ada)

    def done(self, ticket: Ticket, silent: tuple[int, ...] = ()) -> Ticket:
        """As if its switches did all of it, and some others told nothing."""
        changes = changes_of(ticket)
        for number in range(len(changes.course.stages)):
            changes.circuits.write(number + 1)
            self.show(silent)
        changes.circuits.write_at_last()
        changes.effects.finish()
        Reservation.objects.filter(ticket=ticket).delete()
        ticket.refresh_from_db()
        ticket.ended = timezone.now()
        save_state(ticket, State.DONE)
        return ticket

    def show(self, silent: tuple[int, ...]) -> None:
        """Switches show what is wanted."""
        asked = self.pod.switches.exclude(number__in=silent).values_list("pk", flat=True)
        shown: dict[Any, set[tuple[int, int]]] = {pk: set() for pk in asked}
        rows = OpticalCircuit.objects.filter(wanted=True, switch__in=shown)
        for switch, a, b in rows.values_list("switch", "a", "b"):
            shown[switch].add((a, b))
        write_seen(shown)

    def stages(self, ticket: Ticket) -> list[list[str]]:
        return [
            [f"-{c['switch']} {c['a']}{c['b']}" for c in stage["remove"]]
            + [f"+{c['switch']} {c['a']}{c['b']}" for c in stage["add"]]
            for stage in ticket.plan["stages"]
        ]

    def where(self, name: str) -> list[int]:
        parts = Slice.objects.get(name=name).parts.order_by("place")
        return list(parts.values_list("cube__slot", flat=True))

    def assertRefused(self, words: str, kind: str, **wish: Any) -> None:
        with self.assertRaisesMessage(FabricTwinError, words):
            self.wish(kind, **wish)

    def test_a_draft_has_its_groups_and_holds_its_ports(self) -> None:
        ticket = self.wish(name="a", sequence=10)
        self.assertEqual(self.stages(ticket), [["+g-row-01-1-1 2A3B", "+g-row-01-1-1 4A1B"]])
        made = Slice.objects.get(name="a")
        self.assertEqual((made.status.name, made.shape, made.letter), ("Planned", "10", "C"))
        self.assertEqual(self.where("a"), [1, 2])
        held = Reservation.objects.filter(ticket=ticket, cube=None).values_list("side", "port")
        self.assertEqual(sorted(held), [("A", 2), ("A", 4), ("B", 1), ("B", 3)])
        [job] = read_rings(self.pod).state.jobs
        self.assertEqual((job.name, len(job.rings), job.missing), ("a", 1, []))

    def test_two_drafts_take_nothing_from_each_other(self) -> None:
        first, second = (self.wish(name=name, sequence=20) for name in "ab")
        self.assertEqual((self.where("a"), self.where("b")), ([1, 2, 3, 4], [5, 7, 8, 9]))
        rows = [{(c["switch"], c["b"]) for c in one.plan["add"]} for one in (first, second)]
        self.assertFalse(rows[0] & rows[1])

    def test_a_withdrawn_draft_leaves_nothing(self) -> None:
        life.withdraw(self.wish(name="a", sequence=10), self.ada, "not now")
        self.assertFalse(Slice.objects.exists() or Reservation.objects.exists())
        self.assertEqual(len(read_rings(self.pod).state.free), 12)

    def test_a_job_that_is_done_is_known_by_its_entries_and_is_released(self) -> None:
        self.done(self.wish(name="a", sequence=20, both_ways=True))
        [job] = read_rings(self.pod).state.jobs
        self.assertEqual((len(job.rings), job.share), (2, 1.0))
        OpticalCircuit.objects.filter(switch__number=0, a=2).update(a=40)
        self.assertEqual(len(read_rings(self.pod).state.jobs[0].rings), 1)

    def test_a_release_lets_groups_and_links_go(self) -> None:
        self.done(self.wish(name="a", sequence=10))
        release = self.wish("release", slice="a")
        self.assertEqual(self.stages(release), [["-g-row-01-1-1 2A3B", "-g-row-01-1-1 4A1B"]])
        self.assertEqual(Slice.objects.get().status.name, "Releasing")
        self.done(release)
        self.assertFalse(Slice.objects.exists() or OpticalCircuit.objects.exists())

    def test_small_jobs_share_a_group_and_no_processor(self) -> None:
        for name, many in (("a", 2), ("b", 3), ("c", 1)):
            self.done(self.wish(name=name, processors=many))
        chips = {
            made.name: [part.chips for part in made.parts.all()]
            for made in Slice.objects.order_by("name")
        }
        self.assertEqual(chips["a"], [[[1, 1], [1, 2]]])
        self.assertEqual(chips["b"], [[[1, 3], [1, 4], [1, 5]]])
        self.assertNotEqual(self.where("a"), self.where("c"))
        self.done(self.wish("release", slice="a"))
        self.done(self.wish(name="d", processors=2))
        self.assertEqual(Slice.objects.get(name="d").parts.get().chips, [[1, 1], [1, 2]])

    def test_a_group_that_goes_is_replaced_and_comes_back(self) -> None:
        self.done(self.wish(name="a", sequence=10))
        out = self.wish("maintenance", slots=[2])
        self.assertEqual(
            self.stages(out),
            [
                ["-g-row-01-1-1 2A3B", "-g-row-01-1-1 4A1B"],
                ["+g-row-01-1-1 2A5B", "+g-row-01-1-1 6A1B"],
            ],
        )
        self.assertEqual(out.plan["lower_bound"], 4)
        self.done(out)
        self.assertEqual(self.where("a"), [1, 3])
        self.assertEqual(Cube.objects.get(slot=2).status.name, "Out")
        self.done(self.wish("return", slots=[2]))
        self.assertEqual(Cube.objects.get(slot=2).status.name, "Active")
        self.assertIn(1, read_rings(self.pod).state.free)

    def test_a_switch_that_goes_takes_its_entries_out_of_the_records(self) -> None:
        self.done(self.wish(name="a", sequence=60))
        there = OpticalCircuit.objects.filter(switch__number=0).count()
        self.assertGreater(there, 0)
        out = self.wish("maintenance", switches=["g-row-01-1-1"], interrupt=True)
        self.assertFalse(any("g-row-01-1-1" in row for stage in self.stages(out) for row in stage))
        self.done(out, silent=(0,))
        self.assertEqual(OpticalCircuit.objects.filter(switch__number=0, wanted=True).count(), 0)
        self.assertEqual(Switch.objects.get(number=0).status.name, "Maintenance")
        # It kept what it had: seen, and wanted by nobody until it is back.
        kept = OpticalCircuit.objects.filter(switch__number=0)
        self.assertEqual(kept.filter(seen=True).count(), there)
        back = self.wish("return", switches=["g-row-01-1-1"])
        self.assertTrue(back.plan["passed_on"])
        self.done(back)
        [job] = read_rings(self.pod).state.jobs
        self.assertEqual((job.share, kept.filter(wanted=True).count()), (1.0, there))

    def test_a_job_without_a_place_is_named(self) -> None:
        self.done(self.wish(name="a", sequence=60))
        self.assertRefused("a would stand still: it has nowhere to go", "maintenance", slots=[2])
        self.done(self.wish("maintenance", slots=[2], interrupt=True))
        self.assertTrue(read_rings(self.pod).state.lost)

    def test_entries_that_are_missing_or_of_nobody_are_put_right(self) -> None:
        self.done(self.wish(name="a", sequence=10))
        told = {self.pod.switches.get(number=0).pk: ""}
        write_flow_readings(self.pod, told, timezone.now())
        OpticalCircuit.objects.filter(a=2).update(seen=False)
        switch = Switch.objects.get(number=0)
        OpticalCircuit.objects.create(switch=switch, a=2, b=7, wanted=False, seen=True)
        drift = self.wish("drift")
        self.assertEqual(self.stages(drift), [["-g-row-01-1-1 2A7B"], ["+g-row-01-1-1 2A3B"]])
        self.assertRefused("an entry that no job asked for is not accepted", "drift", accept=True)

    def test_what_cannot_be_is_refused_in_words(self) -> None:
        self.done(self.wish(name="a", sequence=10))
        for words, kind, wish in (
            ("there is a job 'a' already", "slice", {"name": "a", "sequence": 5}),
            ("a plane of the cluster has 60 processors", "slice", {"name": "b", "sequence": 99}),
            ("there is no plane col", "slice", {"name": "b", "sequence": 5, "axes": ["x=col"]}),
            ('"name" is missing', "slice", {"sequence": 5}),
            ("it says 'twisted'", "slice", {"name": "b", "sequence": 5, "twisted": True}),
            ("group r01c01 is in use", "slice", {"name": "b", "sequence": 5, "slots": "1"}),
            ("there is no job 'z'", "release", {"slice": "z"}),
            ("there is no kind of ticket 'hand'", "hand", {}),
            ("it names no group, no switch and no port", "maintenance", {}),
            ("the cluster has no group 99", "maintenance", {"slots": [99]}),
            ("has no switch 'x'", "maintenance", {"switches": ["x"]}),
            ("none of it is out of service", "return", {"slots": [3]}),
            ("its switches show what jobs have there", "drift", {}),
            ("has no port '99A'", "drift", {"ports": [["g-row-01-1-1", "99A"]]}),
        ):
            with self.subTest(words):
                self.assertRefused(words, kind, **wish)

    def test_a_cluster_that_is_not_active_takes_no_jobs(self) -> None:
        self.pod.status = Status.objects.get_for_model(Pod).get(name="Planned")
        self.pod.validated_save()
        self.assertRefused("cluster g is planned and takes no jobs", "slice", name="a", sequence=5)

    def test_a_job_in_hand_is_left_alone(self) -> None:
        self.done(self.wish(name="a", sequence=10))
        self.wish("release", slice="a")
        self.assertRefused("is changed by ticket g-t2", "maintenance", slots=[2])

    def test_a_proposal_says_whom_it_concerns(self) -> None:
        self.done(self.wish(name="a", sequence=10))
        facts = propose_ticket(self.pod, "maintenance", {"slots": [2]}).as_json()
        self.assertEqual(facts["blast"]["slices"], ["a"])
        self.assertEqual(facts["blast"]["entries"], {"remove": 2, "add": 2, "lower_bound": 4})
        self.assertEqual(facts["blast"]["told"], ["a goes from row 1 column 2 to row 1 column 3"])
        self.assertEqual(facts["plan"]["notes"][0]["interrupts"], {"a": 2})

    def test_what_moved_a_job_can_be_undone_until_it_moves_again(self) -> None:
        self.done(self.wish(name="a", sequence=10))
        first = self.done(self.wish("maintenance", slots=[2]))
        refuse_taken(first, changes_of(first))
        second = self.done(self.wish("maintenance", slots=[3]))
        refuse_taken(second, changes_of(second))
        with self.assertRaisesMessage(FabricTwinError, "it cannot be undone any more"):
            refuse_taken(first, changes_of(first))

    def test_a_release_can_be_undone_beside_other_jobs(self) -> None:
        for name in "ab":
            self.done(self.wish(name=name, sequence=10))
        self.done(self.wish(name="c", processors=2))
        release = self.done(self.wish("release", slice="a"))
        refuse_taken(release, changes_of(release))

    def test_a_switch_that_went_can_be_undone(self) -> None:
        self.done(self.wish(name="a", sequence=60))
        out = self.wish("maintenance", switches=["g-row-01-1-1"], interrupt=True)
        self.done(out, silent=(0,))
        refuse_taken(out, changes_of(out))

    def test_nothing_is_undone_into_what_is_out_or_gone(self) -> None:
        self.done(self.wish(name="a", sequence=10))
        released = self.done(self.wish("release", slice="a"))
        out = self.done(self.wish("maintenance", slots=[1]))
        self.assertNotUndone(released, "the group in slot 1 is out")
        self.done(self.wish("return", slots=[1]))
        refuse_taken(released, changes_of(released))
        again = self.done(self.wish("maintenance", slots=[1]))
        self.assertNotUndone(out, f"ticket {again.name} made slot 1 out since")
        self.done(self.wish("return", slots=[1]))
        self.done(self.wish("maintenance", switches=["g-row-01-1-1"]))
        self.assertNotUndone(released, "g-row-01-1-1 is out of service")

    def test_a_small_job_is_undone_to_where_it_was_and_nowhere_else(self) -> None:
        self.done(self.wish(name="tiny", processors=3))
        first = self.done(self.wish("maintenance", slots=self.where("tiny")))
        refuse_taken(first, changes_of(first))
        self.done(self.wish("maintenance", slots=self.where("tiny")))
        self.assertNotUndone(first, "job tiny stands on other groups since")
        release_slice(Slice.objects.get(name="tiny"), self.ada)
        self.assertNotUndone(first, "job tiny is gone")

    def test_entries_of_nobody_make_way_for_a_job(self) -> None:
        self.done(self.wish(name="a", sequence=10))
        release_slice(Slice.objects.get(name="a"), self.ada)
        ticket = self.wish(name="b", sequence=5, slots="1")
        self.assertEqual(
            self.stages(ticket),
            [
                ["-g-row-01-1-1 2A3B", "-g-row-01-1-1 4A1B"],
                ["+g-row-01-1-1 2A1B"],
            ],
        )
        self.assertEqual(ticket.risk, "low")
        self.done(ticket)
        [job] = read_rings(self.pod).state.jobs
        self.assertEqual((job.share, read_rings(self.pod).now.left_over), (1.0, frozenset()))

    def test_a_job_takes_the_very_entries_that_nobody_has(self) -> None:
        self.done(self.wish(name="a", sequence=10))
        release_slice(Slice.objects.get(name="a"), self.ada)
        ticket = self.done(self.wish(name="b", sequence=10))
        self.assertEqual(self.stages(ticket), [])
        self.assertEqual(read_rings(self.pod).state.job("b").share, 1.0)
        refuse_taken(ticket, changes_of(ticket))

    def test_nothing_is_undone_over_entries_of_nobody_or_a_port_that_is_out(self) -> None:
        self.done(self.wish(name="a", sequence=10))
        released = self.done(self.wish("release", slice="a"))
        port = Port.objects.filter(cube__slot=2).order_by("number").first()
        port.interface.status = Status.objects.get(name="Failed")
        port.interface.save()
        self.assertNotUndone(released, "port 4 of g-row-01-1-1, or the other end of its cable")
        port.interface.status = Status.objects.get(name="Active")
        port.interface.save()
        self.done(self.wish(name="b", sequence=5, slots="1"))
        release_slice(Slice.objects.get(name="b"), self.ada)
        self.assertNotUndone(released, "an entry of nobody is there: 2 -> 1 on g-row-01-1-1")

    def test_a_job_with_another_name_is_the_same_job(self) -> None:
        self.done(self.wish(name="a", sequence=10))
        moved = self.done(self.wish("maintenance", slots=[2]))
        Slice.objects.filter(name="a").update(name="z")
        refuse_taken(moved, changes_of(moved))
        self.done(self.wish(name="a", sequence=10))
        refuse_taken(moved, changes_of(moved))

    def assertNotUndone(self, ticket: Ticket, why: str) -> None:
        with self.assertRaisesMessage(FabricTwinError, f"it cannot be undone any more: {why}"):
            refuse_taken(ticket, changes_of(ticket))

    def test_a_group_that_is_about_to_go_takes_no_small_job(self) -> None:
        self.done(self.wish(name="a", processors=2))
        [slot] = self.where("a")
        self.wish("maintenance", slots=[slot])
        self.wish(name="b", processors=2)
        self.assertNotEqual(self.where("b"), [slot])
        self.assertRefused(
            "held by a ticket or an order", "slice", name="c", processors=2, slots=str(slot)
        )

    def test_an_order_asks_for_its_group_to_be_free_and_its_ports_come_back(self) -> None:
        self.done(self.wish(name="a", sequence=10))
        order = make_order(self.pod, OrderWish(kind=Kind.DECOMMISSION, slots=(2,)), self.ada)
        needs = core_of(order).needs
        self.assertEqual(
            waits(order, needs, self.ada),
            {"drain": "a flow entry of job a is on g-row-01-1-1 (2 -> 3)"},
        )
        [ticket] = ask_for_tickets(order, self.ada)
        self.assertEqual(
            self.stages(ticket),
            [
                ["-g-row-01-1-1 2A3B", "-g-row-01-1-1 4A1B"],
                ["+g-row-01-1-1 2A5B", "+g-row-01-1-1 6A1B"],
            ],
        )
        self.done(ticket)
        self.assertEqual((self.where("a"), waits(order, needs, self.ada)), ([1, 3], {}))
        self.assertIn(1, read_rings(self.pod).state.short)
        withdraw_order(order, self.ada, "it stays")
        [back] = bring_back(self.pod.pk)
        self.assertEqual((back.kind, back.plan["stages"]), ("return", []))
        self.done(back)
        self.assertIn(1, read_rings(self.pod).state.free)

    def test_a_cable_that_goes_takes_one_lane_and_gives_it_back(self) -> None:
        self.done(self.wish(name="a", sequence=20, both_ways=True))
        [job] = read_rings(self.pod).state.jobs
        between = next(
            [*map(str, (entry.into, entry.out))]
            for ring in job.rings
            for entry in ring.entries
            if entry.out > 6
        )
        at = [["g-row-01-1-1", between[1]]]
        out = self.done(self.wish("maintenance", ports=at, interrupt=True))
        self.assertTrue(read_rings(self.pod).state.held_links)
        refuse_taken(out, changes_of(out))
        self.done(self.wish("return", ports=at))
        [job] = read_rings(self.pod).state.jobs
        self.assertEqual((job.share, read_rings(self.pod).state.held_links), (1.0, frozenset()))
