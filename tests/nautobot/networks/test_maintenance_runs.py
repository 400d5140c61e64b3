"""Maintenance of a network's switches, carried out on simulated ones: drained, out, and back."""

from collections import Counter
from datetime import date
from typing import Any

import networkx as nx
import pytest
from nautobot.dcim.models import Interface
from nautobot.extras.models import Status

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.core.proposals.links_out import NO_LINKS
from fabric_twin.models import Block, Demand, Switch, Ticket
from fabric_twin.operations.networks.demand import keep_demand
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.changes.link_drains import DRAINS, confirm_links_drained
from fabric_twin.operations.tickets.changes.to_core import position_of
from fabric_twin.operations.tickets.create import wish_ticket
from tests.nautobot.bases.networks.network_runs import NetworkRunCase
from tests.nautobot.bases.users import allow, somebody

pytestmark = pytest.mark.integration

#: What half of the links of each pair carry.
HALF = b"from,to,gbps\nab01,ab02,800\nab02,ab03,800\nab03,ab04,800\nab01,ab04,400\n"
#: What takes all links of a block.
ALL_OF_AB04 = b"from,to,gbps\nab01,ab04,1600\nab02,ab04,1600\nab03,ab04,1600\n"
SWITCH = "dc1-ocs-02"


class MaintenanceRunTest(NetworkRunCase):
    def setUp(self) -> None:
        super().setUp()
        keep_demand(self.pod, HALF, day=date(2026, 11, 2))

    def ask(self, kind: str = "maintenance", **wish: Any) -> Ticket:
        return wish_ticket(self.pod, kind, wish or {"switches": [SWITCH]}, self.ada)

    def out(self) -> Ticket:
        """The switch is out, and its links with it."""
        done, waited = self.through(self.ready(self.ask()))
        self.assertEqual((done.state, done.message, waited), ("done", "", 1))
        return done

    def status(self) -> str:
        return Switch.objects.get(device__name=SWITCH).status.name

    def back(self, ticket: Ticket) -> Ticket:
        """The undo of a ticket that is done, approved by another one and carried out."""
        back = life.approve(life.ask_undo(ticket, self.ada, "repaired"), self.root)
        return self.run_it(life.undo(back, self.root))

    def test_its_links_are_drained_it_is_out_and_undone_all_is_as_before(self) -> None:
        before = self.recorded(wanted=True)
        waits = self.run_it(self.ready(self.ask()))
        self.assertRegex(
            waits.message,
            rf"^{DRAINS} stage 1 waits until somebody confirms that 12 links "
            r"\(ab0\d and ab0\d: 2.*\) carry nothing$",
        )
        self.assertEqual((self.shown(), self.status()), (before, "Active"))
        done, _ = self.through(waits)
        self.assertEqual((done.state, self.status()), ("done", "Maintenance"))
        self.assertAgree(12)
        self.assertEqual(self.shown(), {one for one in before if one[0] != SWITCH})
        self.assertKept()
        # Nothing goes dark on the way back, so nothing is drained.
        self.assertEqual(self.back(done).state, "undone")
        self.assertEqual((self.recorded(wanted=True), self.status()), (before, "Active"))
        self.assertAgree(24)

    def test_demand_that_came_since_keeps_its_links(self) -> None:
        waits = self.run_it(self.ready(self.ask()))
        asked = b"from,to,gbps\nab01,ab02,1600\nab01,ab03,1600\nab01,ab04,1600\n"
        keep_demand(self.pod, asked, day=date(2026, 11, 3))
        with self.assertRaisesMessage(FabricTwinError, "stage 1: without the circuits that go, "):
            self.confirm(waits)
        self.assertEqual(self.run_it(life.undo(waits, self.root)).state, "undone")
        self.assertEqual(self.status(), "Active")
        self.assertAgree(24)

    def test_one_change_of_links_at_a_time(self) -> None:
        ticket = self.ask()
        for kind, wish in (
            ("topology", {"topology": "engineered"}),
            ("maintenance", {"switches": ["dc1-ocs-01"]}),
            ("return", {"switches": [SWITCH]}),
        ):
            why = f"ticket dc1-t1 (Maintenance of {SWITCH}) is open, and counts on the links"
            with self.subTest(kind), self.assertRaisesMessage(FabricTwinError, why):
                self.ask(kind, **wish)
        life.withdraw(ticket, self.ada, "later")
        done = self.out()
        self.ask("topology", topology="engineered")
        back = life.approve(life.ask_undo(done, self.ada, "repaired"), self.root)
        with self.assertRaisesMessage(FabricTwinError, "is open, and counts on the links"):
            life.undo(back, self.root)

    def test_a_topology_leaves_alone_what_is_out_and_the_switch_returns(self) -> None:
        maintenance = self.out()
        topology = self.ask("topology", topology="engineered")
        switched = {
            one["switch"]
            for stage in topology.plan["stages"]
            for one in (*stage["remove"], *stage["add"])
        }
        self.assertEqual(switched, {"dc1-ocs-01"})
        self.assertIn(f"Left as they are, for they are out: {SWITCH}", topology.warnings)
        self.assertEqual(self.through(self.ready(topology))[0].state, "done")
        self.assertKept()

        # It decided anew which links there are: none of those before it come back.
        with self.assertRaisesMessage(FabricTwinError, "made another topology since"):
            life.ask_undo(maintenance, self.ada, "again")
        ticket = self.ask("return", switches=[SWITCH])
        self.assertEqual(ticket.warnings, [NO_LINKS])
        done, waited = self.through(self.ready(ticket))
        self.assertEqual((done.state, waited, self.status()), ("done", 0, "Active"))
        self.assertAgree(12)
        with self.assertRaisesMessage(FabricTwinError, "it is in service, and has all"):
            self.ask("return", switches=[SWITCH])

    def test_a_return_brings_what_its_maintenance_took(self) -> None:
        before = self.recorded(wanted=True)
        self.out()
        ticket = self.ask("return", switches=[SWITCH])
        self.assertEqual((ticket.title, ticket.risk), (f"Back into service: {SWITCH}", "low"))
        done, waited = self.through(self.ready(ticket))
        self.assertEqual((done.state, waited, self.status()), ("done", 0, "Active"))
        self.assertAgree(24)
        there = {one for one in before if one[0] == SWITCH}
        self.assertLessEqual(there, self.shown())
        with self.assertRaisesMessage(FabricTwinError, "it is in service, and has all"):
            self.ask("return", switches=[SWITCH])
        # Its links may carry traffic by now, so they are drained before that is undone.
        undoing = self.back(done)
        self.assertIn("stage 1, going back waits until somebody confirms", undoing.message)
        self.assertEqual(self.run_it(self.confirm(undoing)).state, "undone")
        self.assertEqual(self.status(), "Maintenance")
        self.assertAgree(12)

    def test_a_maintenance_whose_links_came_back_is_not_undone(self) -> None:
        done = self.out()
        self.assertEqual(self.through(self.ready(self.ask("return", switches=[SWITCH])))[1], 0)
        self.assertAgree(24)
        with self.assertRaisesMessage(FabricTwinError, "it cannot be undone any more"):
            life.ask_undo(done, self.ada, "again")

    def set_port(self, name: str, status: str) -> None:
        port = self.pod.ports.get(interface__device__name=SWITCH, interface__name=name)
        Interface.objects.filter(pk=port.interface_id).update(
            status=Status.objects.get(name=status)
        )

    def test_a_return_leaves_out_ports_that_are_out_on_their_own_account(self) -> None:
        self.out()
        self.set_port("1A", "Failed")
        self.set_port("2A", "Maintenance")
        done, _ = self.through(self.ready(self.ask("return", switches=[SWITCH])))
        self.assertEqual((done.state, self.status()), ("done", "Active"))
        self.assertAgree(22)
        port = self.pod.ports.get(interface__device__name=SWITCH, interface__name="2A")
        self.assertEqual(port.interface.status.name, "Maintenance")
        # What was left out comes once it can.
        again = self.ask("return", ports=[[SWITCH, "2A"]])
        self.assertEqual(self.through(self.ready(again))[0].state, "done")
        self.assertAgree(23)

    def test_an_undo_switches_nothing_that_others_took_out_since(self) -> None:
        done, _ = self.through(self.ready(self.ask(ports=[[SWITCH, "4B"]])))
        self.out()
        with self.assertRaisesMessage(FabricTwinError, f"{SWITCH} is out of service"):
            life.ask_undo(done, self.ada, "again")

    def test_a_block_that_drains_keeps_what_it_asks_for(self) -> None:
        keep_demand(self.pod, ALL_OF_AB04, day=date(2026, 11, 3))
        Block.objects.filter(name="ab04").update(status=Status.objects.get(name="Draining"))
        with self.assertRaisesMessage(FabricTwinError, "and ab04 would have 2 links"):
            self.ask(switches=[SWITCH])

    def test_a_matrix_that_comes_meanwhile_sends_no_maintenance_back(self) -> None:
        ticket = self.ready(self.ask(switches=[SWITCH]))
        keep_demand(self.pod, b"from,to,gbps\nab01,ab04,300\n", day=date(2026, 11, 4))
        self.assertEqual(self.through(ticket)[0].state, "done")

    def test_who_may_not_view_demand_hears_of_no_figures(self) -> None:
        ticket = self.run_it(self.ready(self.ask(switches=[SWITCH])))
        keep_demand(self.pod, ALL_OF_AB04, day=date(2026, 11, 4))
        router = somebody("router")
        allow(router, ["view", "drain"], Ticket)
        with self.assertRaises(FabricTwinError) as told:
            confirm_links_drained(ticket, position_of(ticket), router, "moved")
        self.assertIn("too few links for what it asks for", str(told.exception))
        self.assertNotIn("1,600", str(told.exception))

    def test_a_port_alone_goes_out_and_comes_back(self) -> None:
        done, _ = self.through(self.ready(self.ask(ports=[[SWITCH, "4B"]])))
        port = self.pod.ports.get(interface__device__name=SWITCH, interface__name="4B")
        self.assertEqual((done.state, port.interface.status.name), ("done", "Maintenance"))
        self.assertAgree(23)
        again = self.ask("return", ports=[[SWITCH, "4B"]])
        self.assertEqual(self.through(self.ready(again))[0].state, "done")
        port.interface.refresh_from_db()
        self.assertEqual((port.interface.status.name, self.status()), ("Active", "Active"))
        self.assertAgree(24)

    def assertKept(self) -> None:
        """What the switches carry gets the demand of every pair through, over any way."""
        block = [f"ab{number:02}" for number in (1, 2, 3, 4) for _ in range(3)]
        links = Counter(frozenset({block[a - 1], block[b - 1]}) for _, a, b in self.shown())
        graph = nx.Graph()
        for (one, other), many in links.items():
            graph.add_edge(one, other, capacity=400.0 * many)
        for one, other, gbps in Demand.objects.get(day=date(2026, 11, 2)).rows:
            self.assertGreaterEqual(nx.maximum_flow_value(graph, one, other), gbps)
