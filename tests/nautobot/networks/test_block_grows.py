"""A network grows by an order and a ticket: the block is installed, is active, and gets links."""

from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from django.db import transaction
from django.db.models import ProtectedError

from fabric_twin.core.identity import ConfirmedBy
from fabric_twin.core.orders.order import Kind
from fabric_twin.core.topology.joining import NewBlock
from fabric_twin.models import Block, Finding, WorkOrder
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.orders.fabric.check_bundles import check_bundles
from tests.nautobot.bases.fabric import Said, simulated_as
from tests.nautobot.bases.networks.network_runs import FILES, NetworkRunCase
from tests.nautobot.bases.orders.order_on_fabric import OrderOnFabricCase

pytestmark = pytest.mark.integration

BUNDLE = "dc1-ab05 to dc1-ocs-r01"


class GrowthTest(NetworkRunCase, OrderOnFabricCase):
    """Four blocks are recorded; the fifth stands in the fabric as hands will have put it."""

    @classmethod
    def simulator(cls, folder: Path) -> AbstractContextManager[Said]:
        return simulated_as(folder, "--network", "dc1", "--blocks", str(FILES / "five-blocks.json"))

    def begun_block(self) -> WorkOrder:
        return self.begun(Kind.INSTALL, block=NewBlock("ab05", 12, 400))

    def assertStand(self, order: WorkOrder, block: str, state: str) -> None:
        order.refresh_from_db()
        self.assertEqual((str(Block.objects.get(name="ab05").status), order.state), (block, state))

    def told(self, order: WorkOrder) -> list[str]:
        """What checks and audits wrote into its history."""
        rows = order.events.filter(what__regex="light").order_by("number")
        return [f"{what}: {said}" for what, said in rows.values_list("what", "said")]

    def test_it_is_installed_by_an_order_and_gets_its_links_by_a_ticket(self) -> None:
        order = self.begun_block()
        ahead = self.go_on(order)
        self.assertEqual((ahead.why, ahead.step), ("", order.steps.get(do="check").number))
        self.assertEqual(run_audit(self.pod, how=How()).found, 0)
        self.assertStand(order, "Installing", "under way")  # records alone show no manual work
        [checked] = check_bundles(order, self.admin)
        self.assertTrue(checked.agrees)
        self.assertStand(order, "Active", "awaiting light")
        run_audit(self.pod, how=How(look=observe_scope))
        self.assertStand(order, "Active", "done")
        self.assertEqual(self.told(order), [f"records agree, no light seen: {BUNDLE}"])
        done, waited = self.through(self.ready(self.wish(topology="uniform")))
        self.assertEqual((done.state, done.message, waited), ("done", "", 2))
        self.assertAgree(30)
        joined = [row for row in self.shown() if {13, 14, 15} & {*row[1:]}]
        self.assertEqual(len(joined), 12)

    def test_a_cable_that_was_recorded_elsewhere_is_done_again(self) -> None:
        """The audit of its places does not agree, so the bundle does not."""
        order = self.begun_block()
        self.go_on(order)
        port = self.pod.ports.get(interface__device__name="dc1-ocs-01", interface__name="13A")
        spare = self.pod.ports.get(interface__device__name="dc1-ocs-01", interface__name="20A")
        cable = port.interface.cable_termination
        type(cable).objects.filter(pk=cable.pk).update(interface=spare.interface_id)
        [checked] = check_bundles(order, self.admin)
        self.assertFalse(checked.agrees)
        self.assertEqual(Finding.objects.get().code, "wrong-port")
        self.assertStand(order, "Installing", "under way")
        type(cable).objects.filter(pk=cable.pk).update(interface=port.interface_id)
        self.go_on(order)
        self.assertTrue(check_bundles(order, self.admin)[0].agrees)
        self.assertStand(order, "Active", "awaiting light")

    def test_a_block_that_answers_is_tested_by_light_over_ports_of_its_own(self) -> None:
        order = self.begun_block()
        refused = self.assertRaisesMessage(ProtectedError, "Withdraw its work order first")
        with refused, transaction.atomic():
            Block.objects.get(name="ab05").delete()
        self.let_the_block_answer()
        fault = {"cable": "dc1-ab05:m01/1", "other": "dc1-ab05:m03/1"}
        self.break_it("swapped", **fault)
        self.go_on(order)
        [checked] = check_bundles(order, self.admin)
        self.assertLessEqual({*fault.values()}, {*checked.wrong})
        self.assertStand(order, "Installing", "under way")
        self.settle()
        self.go_on(order)
        [checked] = check_bundles(order, self.admin)
        self.assertTrue(checked.agrees)
        self.assertStand(order, "Active", "awaiting light")
        wrong, right = self.told(order)
        self.assertTrue(wrong.startswith(f"light test failed: {BUNDLE}: dc1-ab05:m01/1, "))
        self.assertEqual(right, f"light test passed: {BUNDLE}")

    def let_the_block_answer(self) -> None:
        """Its record gets the address of the gateway."""
        reached = {"address": self.said["gnmi"], "target": "dc1-ab05", "called": "dc1-ab05"}
        Block.objects.filter(name="ab05").update(confirmed_by=ConfirmedBy.LOAD, **reached)
