"""Plugs move between ports that no circuit uses: light says whether they did, not the report."""

from typing import Any

from nautobot.dcim.models import Cable

from fabric_twin.core.orders.order import Kind
from fabric_twin.core.orders.planning.moving import Moved
from fabric_twin.models import OpticalCircuit, WorkOrder
from fabric_twin.operations.orders.fabric.check_bundles import check_bundles
from tests.nautobot.bases.orders.order_on_fabric import OrderOnFabricCase

ONE, OTHER = "iw-c001:4.3.2/X+", "iw-c002:4.3.2/X+"


class MovingTest(OrderOnFabricCase):
    def exchange(self) -> tuple[WorkOrder, dict[str, tuple[str, str]]]:
        """An order that exchanges two plugs of a switch; and where they are then."""
        switch = "iw-ocs-x-3-2"
        to = {ONE: (switch, "2A"), OTHER: (switch, "1A")}
        moves = tuple(Moved(cable, "b", port) for cable, port in to.items())
        return self.begun(Kind.MOVE, moves=moves), to

    def looked(self, order: WorkOrder) -> dict[str, bool]:
        """What light says of each cable once hands have said that all is done."""
        self.go_on(order)
        said = check_bundles(order, self.admin, settle=0)
        return {one.bundle: one.agrees for one in said}

    def test_light_agrees_to_a_move_only_where_the_plugs_went(self) -> None:
        order, to = self.exchange()
        self.assertEqual(self.looked(order), {ONE: False, OTHER: False})
        self.assertEqual(order.events.filter(what="light test passed").count(), 0)

        self.work(
            [
                {"do": "unplug", "cable": ONE, "end": "b"},
                {"do": "move", "cable": OTHER, "end": "b", "to": to[OTHER]},
                {"do": "move", "cable": ONE, "end": "b", "to": to[ONE]},
            ]
        )
        self.addCleanup(self.back, to)
        self.assertEqual(self.looked(order), {ONE: True, OTHER: True})
        self.assertEqual(self.recorded(to), to)
        self.assertFalse(OpticalCircuit.objects.exists())

    def back(self, to: dict[str, tuple[str, str]]) -> None:
        self.work(
            [
                {"do": "unplug", "cable": ONE, "end": "b"},
                {"do": "move", "cable": OTHER, "end": "b", "to": to[ONE]},
                {"do": "move", "cable": ONE, "end": "b", "to": to[OTHER]},
            ]
        )

    def recorded(self, to: dict[str, Any]) -> dict[str, tuple[str, str]]:
        found = {}
        for cable in Cable.objects.filter(label__in=to, status__name="Connected"):
            ends = [end.interface for end in cable.terminations.all()]
            [far] = [end for end in ends if "-ocs-" in end.device.name]
            found[cable.label] = (far.device.name, far.name)
        return found
