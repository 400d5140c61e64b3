"""A fault of a network is mended by a work order: its links are drained, hands do it, light agrees,
and the links come back."""

from collections.abc import Collection

import pytest
from django.db import transaction
from nautobot.dcim.models import Cable, Interface
from nautobot.extras.models import Status

from fabric_twin.core.errors import NotPossible
from fabric_twin.core.orders.life import Act
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.topology.joining import NewBlock
from fabric_twin.models import Block, Finding, OpticalCircuit, Ticket, WorkOrder
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.orders.fabric.check_bundles import check_bundles
from fabric_twin.operations.orders.lifecycle import act_on, make_order
from fabric_twin.operations.orders.propose import OrderWish
from fabric_twin.operations.orders.request_tickets import ask_for_tickets
from fabric_twin.operations.orders.return_to_service import bring_back
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.create import mend_by_ticket
from tests.nautobot.bases.audits.written_finding import write_finding
from tests.nautobot.bases.networks.network_runs import NetworkRunCase
from tests.nautobot.bases.orders.order_on_fabric import OrderOnFabricCase
from tests.nautobot.bases.pods.small_pod import status_of

pytestmark = pytest.mark.integration


class RepairTest(NetworkRunCase, OrderOnFabricCase):
    """Four blocks, all of whose strands are in circuits."""

    def audit(self) -> list[Finding]:
        run_audit(self.pod, how=How(look=observe_scope))
        return list(Finding.objects.exclude(state="mended").order_by("code"))

    def drained(self, order: WorkOrder) -> None:
        """Its links go by a ticket, once their routing has left them."""
        self.assertRegex(self.go_on(order).why, "dc1-ocs-01.* is in a circuit|a circuit is on")
        [drain] = ask_for_tickets(order, self.admin)
        done, waited = self.through(self.ready(drain))
        self.assertEqual((done.state, done.message, waited), ("done", "", 1))

    def test_a_dirty_connector_is_cleaned_while_its_link_is_out(self) -> None:
        fault = self.break_it("dirty", device="dc1-ab02", port="m02/1")
        [finding] = self.audit()
        self.assertEqual(finding.code, "high-reflection")
        order = self.begun(Kind.REPAIR, findings=(finding,))
        self.drained(order)
        self.assertEqual(len(self.shown()), 23)
        self.go_on(order)
        [checked] = check_bundles(order, self.admin)
        self.assertFalse(checked.agrees)
        self.control("/mend", number=fault)
        self.go_on(order)
        [checked] = check_bundles(order, self.admin)
        self.assertTrue(checked.agrees, checked)
        self.assertEqual(self.audit(), [])
        order.refresh_from_db()
        self.assertEqual(order.state, "done")
        [back] = bring_back(self.pod.pk)
        self.assertEqual((back.kind, back.state), ("return", "submitted"))
        with transaction.atomic():
            life.withdraw(back, self.root, "another day")
            for _ in range(2):
                self.assertEqual(bring_back(self.pod.pk), [], "it is asked for once")
            [said] = order.events.filter(said__contains="asks no more").values_list(
                "said", flat=True
            )
            self.assertIn(f"ports stay in maintenance: {back} is withdrawn", said)
            transaction.set_rollback(True)
        back.refresh_from_db()
        done = self.run_it(life.start(life.approve(back, self.root), self.root))
        self.assertEqual((done.state, done.message), ("done", ""))
        self.assertAgree(24)
        self.assertEqual(self.audit(), [])
        undone = life.approve(life.ask_undo(done, self.ada, "not yet"), self.root)
        undone, _ = self.through(life.undo(undone, self.root))
        self.assertEqual(undone.state, "undone")
        self.assertEqual(bring_back(self.pod.pk), [], "it is asked for once")

    def test_light_at_a_block_without_an_address_is_left_to_its_ticket(
        self,
    ) -> None:
        fault = self.break_it("dirty", device="dc1-ab02", port="m02/1")
        [finding] = self.audit()
        Block.objects.filter(name="ab02").update(address="", target="")
        order = self.begun(Kind.REPAIR, findings=(finding,))
        self.drained(order)
        self.go_on(order)
        self.control("/mend", number=fault)
        [checked] = check_bundles(order, self.admin)
        self.assertTrue(checked.agrees, checked)
        said = order.events.filter(what="light").values_list("said", flat=True)
        self.assertIn("dc1-ab02 has no address", said[0])

    def test_two_cables_that_are_exchanged_are_put_right(self) -> None:
        fault = {"cable": "dc1-ab02:m01/1", "other": "dc1-ab02:m02/1"}
        self.break_it("swapped", **fault)
        [finding] = self.audit()
        self.assertEqual(finding.code, "swapped")
        order = self.begun(Kind.REPAIR, findings=(finding,))
        self.drained(order)
        self.assertEqual(len(self.shown()), 22)
        self.go_on(order)
        self.work(finding.remedy)
        [checked] = check_bundles(order, self.admin)
        self.assertTrue(checked.agrees, checked)
        self.assertEqual(self.audit(), [])
        order.refresh_from_db()
        self.assertEqual(order.state, "done")

    def not_undone(self, ticket: Ticket, why: str) -> None:
        with self.assertRaisesMessage(NotPossible, f"it cannot be undone any more: {why}"):
            life.ask_undo(ticket, self.ada, "too early")

    def test_a_block_is_taken_out_once_nothing_joins_it(self) -> None:
        """Drained by a topology; then its cables go, and its record says that it is out."""
        block = Block.objects.get(name="ab04")
        gone = OrderWish(kind=Kind.DECOMMISSION, block=NewBlock("ab04"))
        with self.assertRaisesMessage(NotPossible, "it is Active. Set it to Draining"):
            make_order(self.pod, gone, self.admin)
        Block.objects.update_or_create(pk=block.pk, defaults={"status": self.of("Draining")})
        with self.assertRaisesMessage(NotPossible, "a circuit joins it. Change the topology"):
            make_order(self.pod, gone, self.admin)
        done, _ = self.through(self.ready(self.wish(topology="uniform")))
        self.assertEqual((done.state, done.message), ("done", ""))
        order = self.begun(Kind.DECOMMISSION, block=NewBlock("ab04"))
        self.assertEqual(order.title, "Decommission block ab04 of dc1")
        self.assertEqual(self.go_on(order).why, "")
        self.break_it("cube-down", device="dc1-ab04")  # it is off, as ordered
        order = act_on(Act.FINISH, order, self.admin, "all of it is out")
        run_audit(self.pod, how=How(look=observe_scope))
        order.refresh_from_db()
        block.refresh_from_db()
        cables = Cable.objects.filter(label__startswith="dc1-ab04").count()
        stands = str(block.status), str(block.device.status), cables
        self.assertEqual(stands, ("Out", "Decommissioning", 0))
        self.not_undone(done, "block ab04 is Out")
        Block.objects.filter(pk=block.pk).update(status=self.of("Planned"))
        self.not_undone(done, "block ab04 is Planned")
        Block.objects.filter(pk=block.pk).update(first_port=100)
        self.not_undone(done, "the block at port 10 of every switch is gone")
        Block.objects.filter(pk=block.pk).update(first_port=10)
        again = self.begun(Kind.INSTALL, block=NewBlock("ab04"))
        self.assertEqual(again.title, "Install block ab04 of dc1")
        block.device.refresh_from_db()
        self.assertEqual(str(block.device.status), "Active")

    def test_a_circuit_that_is_missing_comes_back_by_a_ticket_from_its_finding(self) -> None:
        finding, _ = self.lacking_one()
        with self.assertRaisesMessage(NotPossible, "a ticket mends it: ask for that first"):
            make_order(self.pod, OrderWish(kind=Kind.REPAIR), self.admin)
        ticket = mend_by_ticket(finding, self.ada)
        self.assertEqual(ticket.kind, "return")
        done, waited = self.through(self.ready(ticket))
        self.assertEqual((done.state, done.message, waited), ("done", "", 0))
        self.assertAgree(24)
        self.assertEqual(self.audit(), [])

    def lacking_one(self, more: Collection[tuple[str, str]] = ()) -> tuple[Finding, str]:
        """The first switch lacks its first circuit, and may have others."""
        there = self.shown()
        name, a, b = min(there)
        mine = {(f"{a}A", f"{b}B") for switch, a, b in there if switch == name}
        self.set_circuits(mine - {(f"{a}A", f"{b}B")} | {*more}, name)
        [finding] = self.audit()
        self.assertEqual(finding.code, "circuit-missing")
        return finding, f"{a}A"

    def test_a_circuit_that_is_missing_is_made_again_only_where_it_can_be(self) -> None:
        finding, port = self.lacking_one()
        with transaction.atomic():
            mine = Interface.objects.filter(device__name="dc1-ocs-01", name=port)
            mine.update(status=Status.objects.get(name="Failed"))
            why = "is wanted there and cannot be made: a port or a strand of it is out of service"
            with self.assertRaisesMessage(NotPossible, why):
                mend_by_ticket(finding, self.ada)
            transaction.set_rollback(True)
        Block.objects.filter(name="ab01").update(status=self.of("Draining"))
        ticket = mend_by_ticket(finding, self.ada)
        self.assertEqual((ticket.kind, ticket.wish), ("topology", {"topology": "engineered"}))

    def test_a_circuit_between_free_ports_goes_by_a_topology_too(self) -> None:
        stray = ("100A", "101B")
        finding, _ = self.lacking_one([stray])
        done, _ = self.through(self.ready(mend_by_ticket(finding, self.ada)))
        self.assertEqual(done.state, "done")
        [finding] = self.audit()
        self.assertEqual(finding.code, "circuit-unexpected")
        done, _ = self.through(self.ready(mend_by_ticket(finding, self.ada)))
        self.assertEqual((done.state, done.message), ("done", ""))
        self.assertAgree(24)
        self.assertEqual(self.audit(), [])

    def test_links_leave_a_bad_port_by_a_ticket_from_its_finding(self) -> None:
        finding = write_finding(self.pod, "port-failed", [], device="dc1-ocs-02", port="4A")
        ticket = mend_by_ticket(finding, self.ada)
        asked = ticket.kind, ticket.wish["ports"]
        self.assertEqual(asked, ("maintenance", [["dc1-ocs-02", "4A"]]))
        done, waited = self.through(self.ready(ticket))
        self.assertEqual((done.state, done.message, waited), ("done", "", 1))
        self.assertEqual(len(self.shown()), 23)

    def test_a_slow_link_says_what_to_look_at(self) -> None:
        at = {"device": "dc1-ab02", "port": "m02/1"}
        numbers = {"gbps": 100.0, "could_gbps": 400.0}
        finding = write_finding(self.pod, "rate-lowered", [], evidence=numbers, **at)
        with self.assertRaisesMessage(NotPossible, "Look at the speed that its ends are set to"):
            mend_by_ticket(finding, self.ada)
        with self.assertRaisesMessage(NotPossible, "it names no manual work"):
            make_order(self.pod, OrderWish(kind=Kind.REPAIR), self.admin)
        Finding.objects.filter(pk=finding.pk).update(key="slow")
        clean = [{"do": "clean", **at}]
        dirty = write_finding(self.pod, "high-reflection", clean, **at)
        order = make_order(self.pod, OrderWish(kind=Kind.REPAIR), self.admin)
        self.assertEqual([*order.findings.all()], [dirty])
        self.client.force_login(self.admin)
        page = self.client.get(finding.get_absolute_url()).content.decode()
        self.assertIn("Both ends can do (Gbit/s)", page)
        self.assertNotIn("Slices that lack links", page)

    def test_a_circuit_that_nobody_wants_goes_by_a_topology(self) -> None:
        there = OpticalCircuit.objects.filter(switch__number=1).first()
        OpticalCircuit.objects.filter(pk=there.pk).update(wanted=False)
        [finding] = self.audit()
        self.assertEqual(finding.code, "circuit-unexpected")
        ticket = mend_by_ticket(finding, self.ada)
        self.assertEqual((ticket.kind, ticket.wish["topology"]), ("topology", "engineered"))
        done, _ = self.through(self.ready(ticket))
        self.assertEqual((done.state, done.message), ("done", ""))
        self.assertEqual(self.audit(), [])

    def of(self, name: str) -> Status:
        return status_of(Block, name)
