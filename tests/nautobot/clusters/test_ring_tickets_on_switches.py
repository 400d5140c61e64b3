"""Tickets of a cluster carried out on Open vSwitch: done, undone, gone on with, and refused."""

from html import unescape

import pytest

from fabric_twin.models import OpticalCircuit, Slice, Switch
from fabric_twin.operations.tickets.running.carry_out import How, try_ticket
from tests.nautobot.bases.cluster_on_ovs import ClusterOnOpenVSwitch, entry

pytestmark = pytest.mark.integration

ROW_1, ROW_2 = "g-row-01-1-1", "g-row-02-1-1"
JOB = {(ROW_1, 2, 3), (ROW_1, 4, 1)}


class RingTicketsOnSwitchesTest(ClusterOnOpenVSwitch):
    def test_a_job_is_made_and_released(self) -> None:
        self.done(name="a", sequence=10)
        self.assertEqual(Slice.objects.get().status.name, "Active")
        self.assertEqual(self.shown(), JOB)
        self.assertEqual(self.recorded(wanted=True, seen=True), JOB)
        self.done("release", slice="a")
        self.assertEqual((self.shown(), Slice.objects.count()), (set(), 0))
        self.assertFalse(OpticalCircuit.objects.exists())

    def test_a_group_that_goes_is_replaced_on_the_switches(self) -> None:
        self.done(name="a", sequence=10)
        self.done("maintenance", slots=[2])
        self.assertEqual(self.shown(), {(ROW_1, 2, 5), (ROW_1, 6, 1)})

    def test_what_moved_or_released_a_job_is_undone(self) -> None:
        self.done(name="a", sequence=10)
        self.done(name="b", processors=2)
        moved = self.done("maintenance", slots=[2])
        self.undone(moved)
        self.assertEqual((self.shown(), self.recorded(wanted=True)), (JOB, JOB))
        self.assertEqual(self.pod.cubes.get(slot=2).status.name, "Active")
        self.undone(self.done("release", slice="a"))
        self.assertEqual((self.shown(), self.recorded(wanted=True)), (JOB, JOB))
        self.assertEqual(Slice.objects.get(name="a").status.name, "Active")

    def test_a_switch_that_went_out_is_taken_back(self) -> None:
        self.done(name="a", sequence=60)
        before = self.shown()
        self.undone(self.done("maintenance", switches=[ROW_2], interrupt=True))
        self.assertEqual((self.shown(), self.recorded(wanted=True)), (before, before))

    def test_what_a_switch_kept_while_it_was_out_goes_when_it_is_back(self) -> None:
        self.done(name="a", sequence=20)
        kept = {one for one in self.shown() if one[0] == ROW_2}
        self.done("maintenance", switches=[ROW_2], interrupt=True)
        # It is not told anything while it is out.
        self.assertTrue(kept and kept <= self.shown())
        self.assertEqual(self.audit().not_reached, {})
        self.done("return", switches=[ROW_2])
        self.assertEqual(self.shown(), self.recorded(wanted=True))
        self.audit()
        self.assertEqual(self.found(), [])

    def test_a_ring_that_comes_back_has_what_its_switch_kept(self) -> None:
        self.done(name="a", sequence=60)
        before = self.shown()
        self.done("maintenance", switches=[ROW_2], interrupt=True)
        self.assertLess(self.recorded(wanted=True), before)
        self.done("return", switches=[ROW_2])
        self.assertEqual(self.shown(), before)
        self.assertEqual(self.recorded(wanted=True), before)
        self.audit()
        self.assertEqual(self.found(), [])

    def test_what_a_switch_refuses_is_undone(self) -> None:
        self.done(name="a", sequence=10)
        before = self.shown()
        ticket = self.ready(name="b", sequence=15)
        [switch] = {row["switch"] for row in ticket.plan["add"]}
        into = ticket.plan["add"][0]["a"][:-1]
        # A flow of somebody else has the port at our priority.
        self.ovs.change("add-flow", switch, f"priority=16384,in_port={into},actions=drop")
        ended = self.run_it(ticket)
        self.assertEqual(ended.state, "undone")
        first = ticket.plan["add"][0]
        self.assertEqual(
            ended.message,
            f"{into} -> {first['b'][:-1]} on {switch} of b should be there: the switch does not "
            f"have it; it refuses: a flow that is not ours has port {into} at our priority "
            f"({len(ticket.plan['add']) - 1} more entries are bad)",
        )
        self.client.force_login(self.root)
        page = unescape(self.client.get(ticket.get_absolute_url()).content.decode())
        self.assertIn(ended.message, page)
        self.assertEqual(self.shown(), before)
        self.assertEqual(self.recorded(wanted=True), before)

    def test_another_switch_at_an_address_is_sent_nothing(self) -> None:
        ticket = self.ready(name="a", sequence=10)
        Switch.objects.filter(device__name=ROW_1).update(datapath="00000000000000ff")
        self.assertIn(
            "another switch answers at its address (datapath 0000000000000001)",
            try_ticket(ticket, How()),
        )
        self.assertEqual(self.ovs.flows(ROW_1), [])

    def test_a_switch_without_an_address_is_told(self) -> None:
        ticket = self.ready(name="a", sequence=10)
        Switch.objects.filter(device__name=ROW_1).update(flow_address="", datapath="")
        self.assertIn(f"{ROW_1} does not answer: it has no address", try_ticket(ticket, How()))

    def test_an_entry_in_the_way_sends_it_back_to_its_author(self) -> None:
        ticket = self.ready(name="a", sequence=10)
        self.ovs.change("add-flow", ROW_1, entry(2, 9))
        ended = self.run_it(ticket)
        self.assertEqual(ended.state, "withdrawn")
        self.assertIn(
            "port 2 on g-row-01-1-1 is in 2 -> 9, which is not of this ticket", ended.message
        )
        self.assertEqual(self.shown(), {(ROW_1, 2, 9)})
