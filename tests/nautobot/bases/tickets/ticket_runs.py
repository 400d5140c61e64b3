"""Tickets carried out on the simulated fabric."""

from typing import Any

from django.contrib.auth import get_user_model

from fabric_twin.models import OpticalCircuit, Slice, Ticket
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.changes.drains import interrupted_by
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.operations.tickets.drafts.make import confirm_drained
from fabric_twin.operations.tickets.drafts.terms import Terms
from fabric_twin.operations.tickets.running.carry_out import How, carry_out_ticket
from fabric_twin.services.tickets.carry_out import Calm
from fabric_twin.switches.driver import Access
from fabric_twin.switches.fabric import open_fabric, shared_targets
from tests.nautobot.bases.fabric import FabricTestCase

CALM = Calm(silent=2.0, light=3.0, pause=0.05, longest_pause=0.2)


class RunCase(FabricTestCase):
    """Pod `iw` of three cubes; Ada writes tickets, and root approves and runs them."""

    def setUp(self) -> None:
        super().setUp()
        users = get_user_model().objects
        self.ada, self.root = users.create_superuser("ada"), users.create_superuser("root")

    def wish(self, kind: str = "slice", terms: Terms | None = None, **wish: Any) -> Ticket:
        return wish_ticket(
            self.pod, kind, wish or {"shape": "4x4x8", "name": "train"}, self.ada, terms
        )

    def ready(self, ticket: Ticket) -> Ticket:
        """Approved by another one, its slices drained, and scheduled to begin now."""
        ticket = life.approve(life.submit(ticket, self.ada), self.root)
        for note in ticket.plan["notes"]:
            for name in note["interrupts"]:
                confirm_drained(ticket, Slice.objects.get(name=name), self.root)
        return life.start(ticket, self.root)

    def run_it(self, ticket: Ticket, **how: Any) -> Ticket:
        return carry_out_ticket(ticket, How(calm=CALM, **how))

    def done(self, ticket: Ticket, **how: Any) -> Ticket:
        ended = self.run_it(self.ready(ticket), **how)
        self.assertEqual((ended.state, ended.message), ("done", ""))
        return ended

    def run_back(self, ticket: Ticket) -> Ticket:
        """One that is done: its undo approved by another one, its slices drained, carried back."""
        ticket = life.approve(life.ask_undo(ticket, self.ada, "it came too early"), self.root)
        for name in interrupted_by(ticket):
            confirm_drained(ticket, Slice.objects.get(name=name), self.root)
        return self.run_it(life.undo(ticket, self.root))

    def shown(self) -> set[tuple[str, int, int]]:
        """What the switches carry, by gNMI."""
        switches = shared_targets(self.said["gnmi"], self.switches)
        with open_fabric(switches, (), Access.from_environment()) as fabric:
            states = fabric.read_switches().all()
        return {(name, int(a[:-1]), int(b[:-1])) for name, s in states.items() for a, b in s.tuned}

    def recorded(self, **which: Any) -> set[tuple[str, int, int]]:
        rows = OpticalCircuit.objects.filter(**which)
        return set(rows.values_list("switch__device__name", "a", "b"))

    def assertAgree(self, many: int) -> None:
        """Wanted, seen and shown are the same circuits."""
        shown = self.shown()
        self.assertEqual(len(shown), many)
        self.assertEqual(self.recorded(wanted=True), shown)
        self.assertEqual(self.recorded(seen=True), shown)
