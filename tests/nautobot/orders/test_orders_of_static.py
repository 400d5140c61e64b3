"""A static pod, broken in ten ways: diagnosed by neighbours, mended by orders, closed."""

from typing import Any

from fabric_twin.core.orders.order import Kind
from fabric_twin.models import Finding
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.orders.fabric.check_bundles import check_bundles
from tests.nautobot.bases.orders.order_on_fabric import OrderOnFabricCase

SHINY = {"device": "iw-c006-t02", "port": "4.4/X+"}
#: What is broken, and what it is found as.
TEN: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("swapped", {"cable": "iw-c001:4.1/X+", "other": "iw-c001:4.2/X+"}, "swapped"),
    ("swapped", {"cable": "iw-c008:1.4/Y+", "other": "iw-c011:2.4/Y+"}, "swapped"),
    ("missing", {"cable": "iw-c002:4.1/X+"}, "dark"),
    ("broken", {"cable": "iw-c003:4.1/X+"}, "dark"),
    ("dirty", {"device": "iw-c005-t01", "port": "4.1/X+", "loss_db": 4.5}, "high-loss"),
    (
        "dirty",
        {"device": "iw-c006-t02", "port": "4.4/X+", "loss_db": 0.2, "reflection_db": -27},
        "high-reflection",
    ),
    ("dying-transceiver", {"device": "iw-c007-t01", "port": "4.1/X+"}, "high-loss"),
    ("tray-down", {"device": "iw-c010-t01"}, "tray-down"),
    ("cube-down", {"device": "iw-c016"}, "cube-down"),
    ("copper-down", {"device": "iw-c014", "link": "1.1/Y+"}, "copper-down"),
)


class ComingTest(OrderOnFabricCase):
    design = "tpu-v5e"
    slots, planted = tuple(range(1, 16)), tuple(range(1, 17))

    def test_a_cube_that_an_audit_agrees_to_joins_the_pod(self) -> None:
        order = self.begun(Kind.INSTALL, slots=(16,))
        for bundle in order.facts["bundles"]:
            self.assertEqual(str(self.pod.cubes.get(slot=16).status), "Installing")
            self.assertEqual(self.go_on(order).why, "")
            [checked] = check_bundles(order, self.admin, settle=0)
            self.assertEqual((checked.bundle, checked.agrees), (bundle["name"], True))
        self.assertEqual(str(self.pod.cubes.get(slot=16).status), "Active")


class BrokenInTenWaysTest(OrderOnFabricCase):
    design = "tpu-v5e"
    slots = tuple(range(1, 17))

    def test_each_is_diagnosed_repaired_by_an_order_and_closed(self) -> None:
        for kind, where, _ in TEN:
            self.break_it(kind, **where)
        run = run_audit(self.pod, how=How(look=observe_scope))
        self.assertEqual(run.found, len(TEN))
        self.assertEqual(
            sorted(Finding.objects.values_list("code", flat=True)), sorted(code for *_, code in TEN)
        )
        for finding in Finding.objects.order_by("pk"):
            with self.subTest(finding.cause):
                self.repair(finding)
        self.assertEqual(run_audit(self.pod, how=How(look=observe_scope)).found, 0)

    def repair(self, finding: Finding) -> None:
        """By an order whose hands do what its finding says."""
        order = self.begun(Kind.REPAIR, findings=(finding,))
        self.assertEqual(self.go_on(order).why, "")
        self.work([{**step} for step in finding.remedy])
        check_bundles(order, self.admin, settle=0)
        order.refresh_from_db()
        finding.refresh_from_db()
        self.assertEqual((finding.state, order.state), ("mended", "done"))
