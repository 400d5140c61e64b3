"""Maintenance by ticket, on the simulated fabric: what can move moves, and comes back.

A switch, a driver board or a cube is cleared by a ticket of one person that another approves; it is
really out meanwhile; the ticket is undone, and records and switches are as they were.
"""

from collections.abc import Iterable
from typing import Any

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.slices.bearing import Bearing
from fabric_twin.models import Ticket
from fabric_twin.operations.slices.as_json import slice_json
from fabric_twin.operations.slices.occupancy import read_in_use
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.create import mend_by_ticket, wish_ticket
from fabric_twin.operations.tickets.running.carry_out import How, carry_out_ticket
from fabric_twin.presenters.ticket import ticket_facts
from tests.nautobot.bases.tickets.ticketed import TicketedCase
from tests.nautobot.bases.users import admin
from tests.our_rows import sets_of, switches_set

SWITCH = "iw-ocs-x-1-1"


class MaintenanceTest(TicketedCase):
    """A twisted slice on the first two cubes, and one on the third; 21 cubes are free."""

    slots = range(1, 25)
    #: Why a ticket of them does not begin.
    unconfirmed = "nobody confirmed that "

    def before(self) -> None:
        self.done("slice", {"shape": "4x4x8", "twisted": True, "name": "job-a"})
        self.done("slice", {"shape": "4x4x4", "name": "job-b"})

    def cleared(self, wish: dict[str, Any], moves: Iterable[str], fault: dict[str, Any]) -> Ticket:
        """Clear a part by ticket, take it out for real, put it back, and undo the ticket."""
        before, shown = self.records(), self.shown()
        self.assertEqual(self.wanted(), shown)
        ticket = self.approved("maintenance", wish)
        life.start(ticket, self.otto)
        with self.assertRaisesMessage(NotPossible, self.unconfirmed):
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

    def capacity(self) -> dict[str, list[float]]:
        """What each slice has of each axis, by the circuits that the records want."""
        now, _ = read_in_use(self.pod)
        return {
            name: list(Bearing(now.intended, made).capacity)
            for name, made in now.occupancy.slices.items()
        }

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

    def test_slices_bear_a_switch_and_no_other_switch_is_ever_set(self) -> None:
        before, sets = self.wanted(), len(sets_of(self.sets))

        def away(_wish: dict[str, Any]) -> None:
            gone = before - self.wanted()
            self.assertEqual((len(gone), {switch for switch, _, _ in gone}), (3, {SWITCH}))
            self.assertEqual(self.where(), {"job-a": [1, 2], "job-b": [3]})
            self.assertEqual(self.pod.switches.get(number=0).status.name, "Maintenance")
            self.assertEqual(self.capacity(), {"job-a": [0.9375, 1, 1], "job-b": [0.9375, 1, 1]})
            [gone_of_b] = slice_json(self.pod.slices.get(name="job-b"), admin())["without"]
            ticket = Ticket.objects.get(kind="maintenance")
            self.assertEqual(gone_of_b["why"], f"{SWITCH} is unhealthy: ticket {ticket}")

        self.away = away
        fault = {"kind": "switch-down", "device": SWITCH}
        wish = {"switches": ["x-1-1"], "bear": 1}
        # A drain asks its owner: the job may not be able to bear it.
        self.unconfirmed = (
            "nobody confirmed that the job of slice job-a and 1 more can go on with fewer "
            "circuits. Confirm it on the ticket's page if its owner agrees."
        )
        ticket = self.cleared(wish, ["job-a", "job-b"], fault)
        said = ticket.events.filter(what="bears").order_by("number").values_list("said", flat=True)
        self.assertEqual(
            list(said),
            [f"the job of {name} can go on with fewer circuits." for name in ("job-a", "job-b")],
        )
        self.assertEqual([one["name"] for one in ticket.plan["bears"]], ["job-b", "job-a"])
        self.assertEqual(ticket.risk, "medium")
        self.assertEqual(ticket.risk_reason, "2 slices are slower until it is returned")
        self.assertEqual(ticket.blast["bearing"], ["job-a", "job-b"])
        self.assertEqual(self.capacity(), {"job-a": [1, 1, 1], "job-b": [1, 1, 1]})
        self.assertEqual(switches_set(self.sets, sets), {SWITCH})

    def test_undo_looks_at_the_light_of_what_comes_back_and_goes_on_where_it_is_bad(self) -> None:
        self.audited()  # light is remembered
        before = self.wanted()
        ticket = self.done("maintenance", {"switches": [SWITCH], "bear": 1})
        self.break_it("lossy-mirror", device=SWITCH, port="1A", loss_db=6.0)
        self.break_it("lossy-mirror", device=SWITCH, port="3A", loss_db=0.6)
        undone = self.goes_on(life.undo(self.to_be_undone(ticket), self.otto))
        self.assertEqual(
            (undone.state, undone.message),
            (
                "undone",
                "1 circuit came back with light that is not good; "
                "1 circuit came back worse than before: see its stages",
            ),
        )
        [stage] = ticket_facts(undone).stages
        [bad], [worse] = stage.bad, stage.worse
        self.assertRegex(bad, rf"^1A to \d+B on {SWITCH} should be there: .* hears nobody")
        self.assertTrue(worse.startswith(f"3A to 3B on {SWITCH}: its path loses 0.6 dB"), worse)
        [*_, line] = undone.events.filter(what="staged").order_by("number")
        self.assertTrue(
            line.said.startswith(
                "stage 1, going back is verified; the light is not good of 1A to "
            ),
            line.said,
        )
        self.assertEqual((self.wanted(), self.shown()), (before, before))

    def test_a_rack_of_switches_is_borne_by_slices_that_keep_a_link_at_each_join(self) -> None:
        rack = self.pod.switches.get(number=0).device.rack
        in_it = set(self.pod.switches.filter(device__rack=rack).values_list("device__name", flat=1))
        before, sets = self.wanted(), len(sets_of(self.sets))

        def away(_wish: dict[str, Any]) -> None:
            self.assertEqual({switch for switch, _, _ in before - self.wanted()}, in_it)

        self.away = away
        wish = {"racks": [rack.name], "bear": len(in_it)}
        ticket = self.cleared(wish, ["job-a", "job-b"], {})
        self.assertEqual((ticket.risk, len(ticket.plan["bears"])), ("medium", 2))
        self.assertEqual(switches_set(self.sets, sets), in_it)

    def test_what_slices_bear_of_a_driver_board_comes_back_when_its_ports_are_returned(
        self,
    ) -> None:
        before, sets = self.wanted(), len(sets_of(self.sets))
        ticket = self.done("maintenance", {"boards": [[SWITCH, 0]], "bear": 1})
        self.assertEqual([one["name"] for one in ticket.plan["bears"]], ["job-b", "job-a"])
        self.assertEqual(self.where(), {"job-a": [1, 2], "job-b": [3]})
        self.assertEqual(len(before - self.wanted()), 3)
        self.assertEqual(self.capacity()["job-a"], [0.9375, 1, 1])
        # A second switch of the axis would be one more than they may bear, and no cube is whole.
        second = wish_ticket(self.pod, "maintenance", {"switches": ["x-2-1"], "bear": 1}, self.ada)
        self.assertEqual({one["name"] for one in second.plan["stranded"]}, {"job-a", "job-b"})
        self.assertIn("a join would lack 2 switches", second.plan["stranded"][0]["why"])
        life.withdraw(second, self.ada)
        # Some of its ports first, then the others.
        ports = [f"{number}{side}" for number in range(1, 19) for side in "AB"]
        first = {"ports": [[SWITCH, port] for port in ports if port[:-1] in {"1", "2"}]}
        self.done("return", first)
        self.assertEqual({a for _, a, _ in before - self.wanted()}, {"3A"})
        self.assertEqual(self.capacity(), {"job-a": [1, 1, 1], "job-b": [0.9375, 1, 1]})
        self.done("return", {"ports": [[SWITCH, port] for port in ports if port[:-1] > "2"]})
        self.assertEqual(self.wanted(), before)
        self.assertEqual(switches_set(self.sets, sets), {SWITCH})
        self.assertSettled()

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
