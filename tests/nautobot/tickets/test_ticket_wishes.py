"""Tickets are planned from the records as they stand, and nothing is written by that."""

from typing import Any

from django.contrib.auth import get_user_model
from django.utils import timezone
from nautobot.apps.testing import TestCase
from nautobot.dcim.models import Rack

from fabric_twin.core.errors import NotPermitted, NotPossible, UnusableInput
from fabric_twin.core.proposals.effects import (
    MoveSlice,
    SetPortStatus,
    SetSlotStatus,
    SetSwitchStatus,
    Substitute,
)
from fabric_twin.models import (
    Cube,
    Finding,
    FindingPlace,
    OpticalCircuit,
    Reading,
    Reservation,
    Slice,
    Switch,
    Ticket,
)
from fabric_twin.operations.slices.make import Wish, make_slice
from fabric_twin.operations.slices.occupancy import read_in_use
from fabric_twin.operations.tickets.drafts.propose import propose_ticket, wish_of_finding
from fabric_twin.repositories.pod_lock import hold_pod
from tests.nautobot.bases.pods.small_pod import add_ports, make_pod, status_of


class WishCase(TestCase):
    """A pod with cubes in slots 1 to 8, a slice of two cubes, and a part of a third."""

    @classmethod
    def setUpTestData(cls) -> None:
        cls.pod = make_pod("v4")
        cls.admin = get_user_model().objects.create_superuser("planner")
        for name, shape in (("train", "4x4x8"), ("part", "2x2x2")):
            make_slice(cls.pod, Wish(shape=shape, name=name), cls.admin)

    def switch(self, number: int = 0) -> Switch:
        return self.pod.switches.get(number=number)

    def read(self, switch: Switch) -> None:
        """The switch was read, and shows no circuit but those that are seen."""
        now = timezone.now()
        Reading.objects.create(pod=self.pod, switch=switch, asked=now, answered=now)

    def finding(self, code: str, *places: tuple[str, str], **facts: Any) -> Finding:
        now = timezone.now()
        found = Finding.objects.create(
            pod=self.pod, key=code, code=code, severity="error", cause="It is.",
            first_seen=now, opened=now, last_seen=now, **facts,
        )  # fmt: skip
        for number, (device, port) in enumerate(places):
            rack = Rack.objects.filter(name=device).first()
            FindingPlace.objects.create(
                finding=found, number=number, device_name=device, port_name=port, rack=rack
            )
        return found


class PlanningTest(WishCase):
    def test_a_plan_begins_with_what_the_switches_show(self) -> None:
        one, two = self.switch(0), self.switch(1)
        self.read(one)
        seen = OpticalCircuit.objects.filter(switch=one, slice__name="train").order_by("a")
        seen.filter(a__lte=1).update(seen=True)
        OpticalCircuit.objects.create(switch=two, a=9, b=73, wanted=False, seen=True)
        now, _ = read_in_use(self.pod)
        gone = {
            circuit.key
            for circuit in propose_ticket(self.pod, "release", {"slice": "train"}).plan.remove
        }
        # Of the switch that was read only what it shows; of the others what is wanted.
        self.assertEqual(
            now.missing, {c.key for c in now.circuits if c.switch == str(one) and c.a != "1A"}
        )
        self.assertEqual({key for key in gone if key[0] == str(one)}, {(str(one), "1A", "65B")})
        self.assertEqual(len(gone), 192 - 3)
        self.assertEqual(now.left_over, {(str(two), "9A", "73B")})

    def test_a_cube_by_its_rack_is_drained_and_set_out(self) -> None:
        proposal = propose_ticket(self.pod, "maintenance", {"racks": ["v4-c002"]})
        self.assertEqual(proposal.title, "Maintenance of v4-c002 in slot 2")
        move, status = proposal.effects
        self.assertIsInstance(move, MoveSlice)
        self.assertEqual((move.before.slots, move.after.slots), ((1, 2), (1, 4)))
        self.assertEqual(status, SetSlotStatus(2, "Active", "Out"))
        self.assertEqual(proposal.wish["slots"], [2])
        self.assertEqual(len(proposal.plan.remove), len(proposal.plan.add))
        self.assertEqual(proposal.blast.after.free, (5, 6, 7, 8))

    def test_a_rack_of_switches_is_its_switches(self) -> None:
        rack = Rack.objects.create(name="row 9", location=self.pod.location, status=status_of(Rack))
        switch = self.switch(3)
        switch.device.rack = rack
        switch.device.save()
        proposal = propose_ticket(self.pod, "maintenance", {"racks": ["row 9"], "interrupt": True})
        self.assertEqual(proposal.effects, (SetSwitchStatus(str(switch), "Active", "Maintenance"),))
        self.assertEqual([one.name for one in proposal.stranded], ["train"])
        self.assertEqual({circuit.switch for circuit in proposal.plan.remove}, {str(switch)})
        with self.assertRaises(UnusableInput) as refused:
            propose_ticket(self.pod, "maintenance", {"racks": ["attic"]})
        self.assertEqual(
            str(refused.exception),
            "rack attic: neither a cube nor a switch of pod v4 stands in it. Name a rack that has "
            "one.",
        )

    def test_a_driver_boards_ports_are_set_out(self) -> None:
        layout = self.pod.to_core().layout
        add_ports(self.pod, range(layout.cube_ports, layout.cube_ports + 20))
        switch = self.switch(0)
        proposal = propose_ticket(self.pod, "maintenance", {"boards": [[str(switch), 0]]})
        ports = tuple(map(str, range(1, 18)))
        self.assertEqual(
            proposal.effects, (SetPortStatus(str(switch), ports, "Active", "Maintenance"),)
        )
        self.assertEqual([one.name for one in proposal.stranded], ["train"])

    def test_a_bad_port_is_left_for_a_spare(self) -> None:
        switch = str(self.switch(5))
        proposal = propose_ticket(self.pod, "spare", {"port": [switch, "1A"], "reason": "stuck"})
        self.assertEqual(proposal.effects, (Substitute(switch, "1", "129", "stuck"),))
        self.assertEqual(proposal.on_failure, "hold")

    def test_what_an_open_ticket_holds_is_nobody_elses_to_plan_with(self) -> None:
        ticket = Ticket.objects.create(
            pod=self.pod, number=3, author=self.admin, kind="hand", title="Somebody's"
        )
        for slot in (2, 4):
            Reservation.objects.create(ticket=ticket, cube=self.pod.cubes.get(slot=slot))
        Reservation.objects.create(ticket=ticket, switch=self.switch(7), side="A", port=5)
        proposal = propose_ticket(self.pod, "slice", {"shape": "4x4x12"})
        self.assertEqual(proposal.effects[0].made.slots, (6, 7, 8))
        stuck = propose_ticket(self.pod, "maintenance", {"slots": [1]})
        self.assertEqual([one.why for one in stuck.stranded], ["held by ticket v4-t3"])

    def test_a_dry_run_of_a_ticket_writes_nothing(self) -> None:
        before = [list(m.objects.order_by("pk").values()) for m in (Slice, OpticalCircuit, Cube)]
        for kind, wish in (
            ("slice", {"shape": "4x4x8", "twisted": True}),
            ("release", {"slice": "part"}),
            ("maintenance", {"slots": [1]}),
            ("hand", {"circuits": []}),
        ):
            again = propose_ticket(self.pod, kind, propose_ticket(self.pod, kind, wish).wish)
            self.assertEqual(again.kind, kind)
        after = [list(m.objects.order_by("pk").values()) for m in (Slice, OpticalCircuit, Cube)]
        self.assertEqual(before, after)

    def test_who_may_not_see_the_pod_plans_nothing(self) -> None:
        stranger = get_user_model().objects.create_user("stranger")
        with self.assertRaises(NotPermitted):
            hold_pod(self.pod, stranger)


class FindingTest(WishCase):
    def assertAnswered(self, finding: Finding, kind: str, wish: dict[str, Any]) -> None:
        self.assertEqual(wish_of_finding(finding), (kind, wish))

    def test_each_finding_that_optics_can_answer_has_its_ticket(self) -> None:
        switch = str(self.switch(2))
        self.assertAnswered(
            self.finding("port-failed", (switch, "1A")),
            "spare",
            {"port": [switch, "1A"], "reason": "port-failed"},
        )
        self.assertAnswered(
            self.finding("circuit-missing", (switch, "1A"), (switch, "66B")),
            "drift",
            {"ports": [[switch, "1A"], [switch, "66B"]]},
        )
        self.assertAnswered(
            self.finding(
                "board-out",
                (switch, ""),
                (switch, "1A"),
                remedy=[{"do": "replace", "device": switch, "port": "", "part": "LINE-CARD3"}],
            ),
            "maintenance",
            {"boards": [[switch, 3]], "bear": 1},
        )
        self.assertAnswered(
            self.finding("switch-down", (switch, "")),
            "maintenance",
            {"switches": [switch], "bear": 1},
        )
        self.assertAnswered(
            self.finding("cube-down", ("v4-c002", "")), "maintenance", {"slots": [2]}
        )

    def test_slices_bear_a_dead_switch_as_far_as_their_pod_says(self) -> None:
        down = self.finding("switch-down", (str(self.switch(2)), ""))
        found = propose_ticket(self.pod, *wish_of_finding(down))
        self.assertEqual([one.made.name for one in found.bears], ["train"])
        self.assertEqual((found.stranded, found.risk.level), ((), "medium"))
        self.pod.bear = 0
        self.pod.save()
        down.refresh_from_db()
        self.assertEqual(wish_of_finding(down)[1], {"switches": [str(self.switch(2))], "bear": 0})

    def test_what_only_hands_can_mend_is_refused(self) -> None:
        with self.assertRaises(NotPossible) as refused:
            wish_of_finding(self.finding("swapped", ("v4-c002-t01", "4.1.1/X+")))
        self.assertEqual(
            str(refused.exception),
            "finding: no change of circuits mends swapped: only manual work does. Do its remedy, "
            "or take a part out of service with a ticket for maintenance.",
        )
