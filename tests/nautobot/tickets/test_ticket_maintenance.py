"""Maintenance by ticket, on the simulated fabric: what can move moves, and comes back.

A switch, a driver board or a cube is cleared by a ticket of one person that another approves; it is
really out meanwhile; the ticket is undone, and records and switches are as they were.
"""

from collections.abc import Iterable
from typing import Any

from fabric_twin.core.errors import NotPossible
from fabric_twin.models import Ticket
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.create import mend_by_ticket, wish_ticket
from fabric_twin.operations.tickets.running.carry_out import How, carry_out_ticket
from tests.nautobot.bases.tickets.ticketed import TicketedCase


class MaintenanceTest(TicketedCase):
    """A twisted slice on the first two cubes, and one on the third; 21 cubes are free."""

    slots = range(1, 25)

    def setUp(self) -> None:
        super().setUp()
        self.done("slice", {"shape": "4x4x8", "twisted": True, "name": "job-a"})
        self.done("slice", {"shape": "4x4x4", "name": "job-b"})

    def cleared(self, wish: dict[str, Any], moves: Iterable[str], fault: dict[str, Any]) -> Ticket:
        """Clear a part by ticket, take it out for real, put it back, and undo the ticket."""
        before, shown = self.records(), self.shown()
        self.assertEqual(self.wanted(), shown)
        ticket = self.approved("maintenance", wish)
        life.start(ticket, self.otto)
        with self.assertRaisesMessage(NotPossible, "nobody confirmed that slice"):
            carry_out_ticket(ticket, How())
        self.drained(ticket, moves)
        ticket = self.carried_out(ticket, "done")
        self.away(wish)
        self.assertSettled()
        if fault:
            number = self.break_it(**fault)
            self.assertEqual([(one.code, one.cause) for one in self.audited()], [])
            self.control("/mend", number=number)
        self.undone(ticket)
        self.assertEqual(self.records(), before)
        self.assertEqual(self.shown(), shown)
        self.assertSettled()
        return ticket

    def away(self, wish: dict[str, Any]) -> None:
        """Said of the part while it is out, by the test."""

    def test_a_cube_is_left_and_taken_again(self) -> None:
        def away(_wish: dict[str, Any]) -> None:
            self.assertEqual(self.where(), {"job-a": [1, 4], "job-b": [3]})
            self.assertEqual(self.pod.cubes.get(slot=2).status.name, "Out")

        self.away = away
        fault = {"kind": "cube-down", "device": "iw-c002"}
        self.cleared({"racks": ["iw-c002"]}, ["job-a"], fault)

    def test_a_driver_board_is_left_by_every_cube_on_its_ports(self) -> None:
        def away(_wish: dict[str, Any]) -> None:
            self.assertEqual(self.where(), {"job-a": [20, 21], "job-b": [19]})
            out = self.pod.ports.filter(interface__status__name="Maintenance")
            self.assertEqual(out.count(), 36)

        self.away = away
        fault = {"kind": "board-out", "device": "iw-ocs-x-1-1", "unit": 1}
        self.cleared({"boards": [["iw-ocs-x-1-1", 0]]}, ["job-a", "job-b"], fault)

    def test_a_switch_is_left_by_nobody_and_cleared_by_interrupting(self) -> None:
        ticket = wish_ticket(self.pod, "maintenance", {"switches": ["x-1-1"]}, self.ada)
        stranded = [(one["name"], one["links"]) for one in ticket.plan["stranded"]]
        self.assertEqual(stranded, [("job-b", 1), ("job-a", 2)])
        self.assertEqual((ticket.risk, ticket.plan["stages"]), ("high", []))
        life.withdraw(ticket, self.ada)
        before = self.wanted()

        def away(_wish: dict[str, Any]) -> None:
            gone = before - self.wanted()
            self.assertEqual({switch for switch, _, _ in gone}, {"iw-ocs-x-1-1"})
            self.assertEqual(len(gone), 3)
            self.assertEqual(self.pod.switches.get(number=0).status.name, "Maintenance")

        self.away = away
        wish = {"switches": ["x-1-1"], "interrupt": True}
        fault = {"kind": "switch-down", "device": "iw-ocs-x-1-1"}
        self.cleared(wish, ["job-a", "job-b"], fault)

    def test_a_rack_of_switches_is_cleared_and_comes_back(self) -> None:
        rack = self.pod.switches.get(number=0).device.rack
        in_it = set(self.pod.switches.filter(device__rack=rack).values_list("number", flat=True))
        before = self.wanted()

        def away(_wish: dict[str, Any]) -> None:
            out = self.pod.switches.filter(status__name="Maintenance")
            self.assertEqual(set(out.values_list("number", flat=True)), in_it)
            gone = before - self.wanted()
            self.assertEqual({name for name, _, _ in gone}, {s.device.name for s in out})

        self.away = away
        self.cleared({"racks": [rack.name], "interrupt": True}, ["job-a", "job-b"], {})

    def test_drift_is_a_finding_and_its_ticket_makes_the_fabric_what_is_wanted(self) -> None:
        self.assertEqual(self.audited(), [])
        wanted = {(a, b) for switch, a, b in self.wanted() if switch == "iw-ocs-x-3-2"}
        lost = min(wanted)
        self.set_circuits(wanted - {lost} | {("9A", "9B")})
        [finding] = self.audited()
        self.assertEqual(finding.code, "circuit-missing")
        ticket = self.decided(mend_by_ticket(finding, self.ada))
        self.assertEqual((ticket.kind, ticket.finding), ("drift", finding))
        counts = [(stage.removes, stage.adds) for stage in ticket.stages.all()]
        self.assertEqual(counts, [(0, 1), (1, 0)])
        life.start(ticket, self.otto)
        self.carried_out(ticket, "done")
        self.assertEqual(self.shown(), self.wanted())
        self.assertEqual(self.audited(), [])

    def test_a_bad_mirror_is_left_with_the_slice_where_no_port_is_spare(self) -> None:
        self.audited()
        self.break_it("lossy-mirror", device="iw-ocs-x-1-1", port="3A", loss_db=6.0)
        [finding] = self.audited()
        self.assertEqual((finding.code, finding.slices.get().name), ("high-loss", "job-b"))
        ticket = self.decided(mend_by_ticket(finding, self.ada))
        self.assertEqual(ticket.title, "iw-ocs-x-1-1: off port 3A")
        self.assertIn("iw-c003 in slot 3 lacks X at index 1,1", ticket.warnings[0])
        self.drained(ticket, ["job-b"])
        life.start(ticket, self.otto)
        self.carried_out(ticket, "done")
        self.assertEqual(self.where(), {"job-a": [1, 2], "job-b": [4]})
        self.assertEqual(self.shown(), self.wanted())
        # The mirror is as bad as before; no light passes it that could show it.
        left = [(one.key, one.state, one.seen) for one in self.audited()]
        self.assertEqual(left, [(finding.key, "open", False)])
