"""Tickets and audits of a cluster, as people have them: Ada writes, and root approves."""

from typing import Any

from fabric_twin.models import AuditRun, Finding, Pod, Slice, Ticket
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How as AuditedHow
from fabric_twin.operations.audits.run import run_audit
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.changes.drains import interrupted_by
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.operations.tickets.drafts.make import confirm_drained
from fabric_twin.operations.tickets.running.carry_out import How, carry_out_ticket
from fabric_twin.services.tickets.carry_out import Calm
from fabric_twin.switches.driver import Patience

CALM = Calm(silent=1.0, light=1.0, pause=0.01, longest_pause=0.05)


class RingTickets:
    """What tests of a cluster whose switches take entries do."""

    pod: Pod
    ada: Any
    root: Any
    assertEqual: Any  # noqa: N815  # of the test case that it is mixed into

    def ready(self, kind: str = "slice", **wish: Any) -> Ticket:
        """A ticket that is approved, its jobs drained, and scheduled to begin now."""
        ticket = wish_ticket(self.pod, kind, wish, self.ada)
        return self.approved(ticket)

    def approved(self, ticket: Ticket) -> Ticket:
        ticket = life.approve(life.submit(ticket, self.ada), self.root)
        for note in ticket.plan["notes"]:
            for name in note["interrupts"]:
                confirm_drained(ticket, Slice.objects.get(name=name), self.root)
        return life.start(ticket, self.root)

    def run_it(self, ticket: Ticket) -> Ticket:
        patience = Patience(request=5, tries=2, pause=0.01)
        return carry_out_ticket(ticket, How(calm=CALM, patience=patience))

    def done(self, kind: str = "slice", **wish: Any) -> Ticket:
        ended = self.run_it(self.ready(kind, **wish))
        self.assertEqual((ended.state, ended.message), ("done", ""))
        return ended

    def undone(self, ticket: Ticket) -> None:
        """One that is done: its undo approved, its jobs drained, and carried back."""
        ticket = life.approve(life.ask_undo(ticket, self.ada, "it came too early"), self.root)
        for name in interrupted_by(ticket):
            confirm_drained(ticket, Slice.objects.get(name=name), self.root)
        ended = self.run_it(life.undo(ticket, self.root))
        self.assertEqual(ended.state, "undone")

    def audit(self) -> AuditRun:
        """Of records and switches."""
        return run_audit(self.pod, how=AuditedHow(look=observe_scope))

    def found(self, **which: Any) -> list[tuple[str, str]]:
        rows = self.pod.open_findings.filter(**which).order_by("code", "cause")
        return list(rows.values_list("code", "cause"))

    def finding(self, code: str) -> Finding:
        return Finding.objects.get(pod=self.pod, code=code)
