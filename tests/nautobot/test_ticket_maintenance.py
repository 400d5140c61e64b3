"""Maintenance by ticket, on the simulated fabric: what can move moves, and comes back.

A switch, a driver board or a cube is cleared by a ticket of one person that another approves; it is
really out meanwhile; the ticket is undone, and records and switches are as they were.
"""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth import get_user_model
from fabric import FabricTestCase

from fabric_twin.core.errors import NotPossible
from fabric_twin.models import Finding, OpticalCircuit, Slice, SlicePart, Ticket
from fabric_twin.repositories import audit_runs
from fabric_twin.repositories import ticket_life as life
from fabric_twin.repositories.auditing import WHOLE_POD
from fabric_twin.repositories.observing import observe_scope
from fabric_twin.repositories.ticket_running import How, carry_out_ticket
from fabric_twin.repositories.ticket_wishes import mend_by_ticket, wish_ticket
from fabric_twin.repositories.tickets import confirm_drained
from fabric_twin.switches.driver import Access
from fabric_twin.switches.fabric import open_fabric, shared_targets

Wanted = set[tuple[str, str, str]]


class MaintenanceTest(FabricTestCase):
    """A twisted slice on the first two cubes, and one on the third; 21 cubes are free."""

    slots = range(1, 25)

    def setUp(self) -> None:
        super().setUp()
        users = get_user_model().objects
        self.ada, self.otto = (users.create_superuser(name) for name in ("ada", "otto"))
        self.done("slice", {"shape": "4x4x8", "twisted": True, "name": "job-a"})
        self.done("slice", {"shape": "4x4x4", "name": "job-b"})

    def done(self, kind: str, wish: dict[str, Any]) -> Ticket:
        """Wished for by one, approved by another, and carried out."""
        ticket = self.approved(kind, wish)
        life.start(ticket, self.otto)
        return self.carried_out(ticket, "done")

    def approved(self, kind: str, wish: dict[str, Any]) -> Ticket:
        return self.decided(wish_ticket(self.pod, kind, wish, self.ada))

    def decided(self, ticket: Ticket) -> Ticket:
        return life.approve(life.submit(ticket, self.ada), self.otto)

    def audited(self) -> list[Finding]:
        """What an audit that looks at the fabric leaves open."""
        audit_runs.run_audit(self.pod, WHOLE_POD, audit_runs.How(look=observe_scope))
        return list(Finding.objects.exclude(state="mended").order_by("code"))

    def carried_out(self, ticket: Ticket, state: str) -> Ticket:
        ended = carry_out_ticket(ticket, How(call=lambda _pod: None, user=self.otto))
        self.assertEqual((ended.state, ended.message), (state, ""))
        return ended

    def undone(self, ticket: Ticket) -> Ticket:
        return self.carried_out(life.undo(ticket, self.otto), "undone")

    def drained(self, ticket: Ticket, names: Iterable[str]) -> None:
        for name in names:
            confirm_drained(ticket, Slice.objects.get(name=name), self.otto)

    def where(self) -> dict[str, list[int]]:
        """The slots of each slice, in their order."""
        found: dict[str, list[int]] = {}
        rows = SlicePart.objects.order_by("slice__name", "place")
        for name, slot in rows.values_list("slice__name", "cube__slot"):
            found.setdefault(name, []).append(slot)
        return found

    def wanted(self) -> Wanted:
        rows = OpticalCircuit.objects.filter(switch__pod=self.pod, wanted=True)
        return {
            (name, f"{a}A", f"{b}B")
            for name, a, b in rows.values_list("switch__device__name", "a", "b")
        }

    def shown(self) -> Wanted:
        access = Access.from_environment()
        switches = shared_targets(self.said["gnmi"], self.names.switches)
        with open_fabric(switches, (), access) as fabric:
            states = fabric.read_switches().all()
        return {(name, *pair) for name, state in states.items() for pair in state.configured}

    def records(self) -> list[Any]:
        """What the records say of slices, circuits and parts; times and keys of parts aside."""
        return [
            self.where(),
            sorted(Slice.objects.values_list("pk", "name", "status__name")),
            sorted(OpticalCircuit.objects.values_list("switch", "a", "b", "slice", "wanted")),
            list(self.pod.cubes.order_by("slot").values_list("slot", "status__name")),
            list(self.pod.switches.order_by("number").values_list("number", "status__name")),
            list(self.pod.ports.exclude(interface__status__name="Active").values_list("number")),
        ]

    def cleared(self, wish: dict[str, Any], moves: Iterable[str], fault: dict[str, Any]) -> Ticket:
        """Clear a part by ticket, take it out for real, put it back, and undo the ticket."""
        before, shown = self.records(), self.shown()
        self.assertEqual(self.wanted(), shown)
        ticket = self.approved("maintenance", wish)
        life.start(ticket, self.otto)
        with self.assertRaisesMessage(NotPossible, "nobody confirmed that slice"):
            carry_out_ticket(ticket, How(call=lambda _pod: None))
        self.drained(ticket, moves)
        ticket = self.carried_out(ticket, "done")
        self.assertEqual(self.wanted(), self.shown())
        self.away(wish)
        number = self.break_it(**fault) if fault else None
        if fault:
            self.control("/mend", number=number)
        self.undone(ticket)
        self.assertEqual(self.records(), before)
        self.assertEqual(self.shown(), shown)
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
        self.cleared(wish, ["job-a", "job-b"], {})

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
        self.assertEqual(self.audited(), [])
