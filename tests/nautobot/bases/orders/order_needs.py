"""Orders that need tickets, in a pod whose fabric is there."""

from typing import Any

from django.urls import reverse

from fabric_twin.core.orders.order import Kind
from fabric_twin.models import (
    Finding,
    Slice,
    Ticket,
    WorkOrder,
)
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How, run_audit
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.drafts.make import confirm_drained
from tests.nautobot.bases.orders.order_on_fabric import OrderOnFabricCase
from tests.nautobot.bases.tickets.ticket_runs import RunCase

SWITCH, PORT = "iw-ocs-x-3-2", "4.3.2/X+"


class NeedsCase(OrderOnFabricCase, RunCase):
    """Pod `iw` of three cubes; orders are the admin's, and root approves what they ask for."""

    def audit(self) -> Any:
        return run_audit(self.pod, how=How(look=observe_scope))

    def carried_out(self, ticket: Ticket) -> Ticket:
        """Submitted, approved by somebody else, drained and run."""
        if ticket.state == "draft":
            ticket = life.submit(ticket, self.admin)
        ticket = life.approve(ticket, self.root)
        for note in ticket.plan["notes"]:
            for name in note["interrupts"]:
                confirm_drained(ticket, Slice.objects.get(name=name), self.root)
        ended = self.run_it(life.start(ticket, self.root))
        self.assertEqual((ended.state, ended.message), ("done", ""))
        return ended

    def press(self, order: WorkOrder, deed: str) -> WorkOrder:
        """Press a button of its page, and say yes."""
        self.client.force_login(self.admin)
        url = reverse("plugins:fabric_twin:workorder_act", args=[order.pk])
        page = self.client.get(order.get_absolute_url()).content.decode()
        self.assertIn(f"{url}?do={deed}", page)
        answer = self.client.post(f"{url}?do={deed}", {"said": "", "submitted": "on"})
        self.assertRedirects(answer, order.get_absolute_url())
        order.refresh_from_db()
        return order

    def dirty_order(self, slot: int) -> tuple[WorkOrder, Finding, str]:
        """A connector of the cube in a slot is dirty, and an order is under way that cleans it."""
        tray = f"iw-c00{slot}-t08"
        self.break_it("dirty", device=tray, port=PORT, loss_db=6.0)
        self.audit()
        finding = Finding.objects.get(code="high-loss", places__device_name=tray)
        return self.begun(Kind.REPAIR, findings=(finding,)), finding, tray
