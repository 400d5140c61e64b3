"""Tickets of one person that another approves, carried out on the simulated fabric over TLS."""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth import get_user_model

from fabric_twin.models import Finding, OpticalCircuit, Reservation, Slice, SlicePart, Ticket
from fabric_twin.operations.audits import run as audit_runs
from fabric_twin.operations.audits.audit import WHOLE_POD
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.changes.drains import interrupted_by
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.operations.tickets.drafts.make import confirm_drained
from fabric_twin.operations.tickets.running.carry_out import How, carry_out_ticket
from fabric_twin.services.tickets.carry_out import Calm
from fabric_twin.switches.driver import Access
from fabric_twin.switches.fabric import open_fabric, shared_targets
from tests.nautobot.bases.fabric import FabricTestCase

#: Circuits by name: a switch, an A port and a B port.
Circuits = set[tuple[str, str, str]]
#: Light that is not good stays so: nobody waits for it here.
CALM = Calm(silent=2.0, light=2.0, pause=0.05, longest_pause=0.2)


class TicketedCase(FabricTestCase):
    """Ada wishes; Otto approves, drains and runs."""

    @classmethod
    def setUpTestData(cls) -> None:
        """Both people, and what was done before every test: once, by tickets like any other."""
        super().setUpTestData()
        for name in ("ada", "otto"):
            get_user_model().objects.create_superuser(name)
        first = cls()
        first.begin()
        first.before()
        first.settle()

    def setUp(self) -> None:
        super().setUp()
        self.carried(add=True)

    def begin(self) -> None:
        super().begin()
        users = get_user_model().objects
        self.ada, self.otto = (users.get(username=name) for name in ("ada", "otto"))

    def before(self) -> None:
        """What was done before every test; the switches carry what is wanted then."""

    def done(self, kind: str, wish: dict[str, Any]) -> Ticket:
        """Wished for by one, approved by another, its slices drained, and carried out."""
        return self.run_on(self.approved(kind, wish))

    def run_on(self, ticket: Ticket, state: str = "done") -> Ticket:
        """One that is approved: its slices drained, started, and carried out."""
        self.drained(ticket, interrupted_by(ticket))
        return self.carried_out(life.start(ticket, self.otto), state)

    def approved(self, kind: str, wish: dict[str, Any]) -> Ticket:
        return self.decided(wish_ticket(self.pod, kind, wish, self.ada))

    def decided(self, ticket: Ticket) -> Ticket:
        return life.approve(life.submit(ticket, self.ada), self.otto)

    def audited(self) -> list[Finding]:
        """What an audit that looks at the fabric leaves open."""
        audit_runs.run_audit(self.pod, WHOLE_POD, audit_runs.How(look=observe_scope))
        return list(Finding.objects.exclude(state="mended").order_by("code"))

    def carried_out(self, ticket: Ticket, state: str) -> Ticket:
        ended = self.goes_on(ticket)
        self.assertEqual((ended.state, ended.message), (state, ""))
        return ended

    def goes_on(self, ticket: Ticket) -> Ticket:
        return carry_out_ticket(ticket, How(user=self.otto, calm=CALM))

    def undone(self, ticket: Ticket) -> Ticket:
        """Asked for by one, approved by another, its slices drained, and carried back."""
        return self.carried_out(life.undo(self.to_be_undone(ticket), self.otto), "undone")

    def to_be_undone(self, ticket: Ticket) -> Ticket:
        """One that is done: its undo approved, and its slices drained."""
        ticket = life.approve(life.ask_undo(ticket, self.ada, "again"), self.otto)
        self.drained(ticket, interrupted_by(ticket))
        return ticket

    def drained(self, ticket: Ticket, names: Iterable[str]) -> None:
        for name in names:
            confirm_drained(ticket, Slice.objects.get(name=name), self.otto)

    def where(self) -> dict[str, list[int]]:
        """The slots of each slice, in their order."""
        found: dict[str, list[int]] = {}
        rows = SlicePart.objects.order_by("slice__name", "place")
        for name, slot in rows.values_list("slice__name", "cube__slot"):
            found.setdefault(name, []).append(slot)
        return found

    def wanted(self) -> Circuits:
        rows = OpticalCircuit.objects.filter(switch__pod=self.pod, wanted=True)
        return {
            (name, f"{a}A", f"{b}B")
            for name, a, b in rows.values_list("switch__device__name", "a", "b")
        }

    def shown(self) -> Circuits:
        access = Access.from_environment()
        switches = shared_targets(self.said["gnmi"], self.names.switches)
        with open_fabric(switches, (), access) as fabric:
            states = fabric.read_switches().all()
        return {(name, *pair) for name, state in states.items() for pair in state.configured}

    def records(self) -> list[Any]:
        """What the records say of slices, circuits and parts; times and keys of parts aside."""
        return [
            self.where(),
            sorted(Slice.objects.values_list("pk", "name", "status__name")),
            sorted(OpticalCircuit.objects.values_list("switch", "a", "b", "slice", "wanted")),
            list(self.pod.cubes.order_by("slot").values_list("slot", "status__name")),
            list(self.pod.switches.order_by("number").values_list("number", "status__name")),
            list(self.pod.ports.exclude(interface__status__name="Active").values_list("number")),
        ]

    def assertSettled(self) -> None:
        """The inventory wants what the switches show; nothing is held; an audit finds nothing.

        What no light can show any more stays open, as not seen since.
        """
        shown = self.shown()
        self.assertEqual(self.wanted(), shown)
        seen = OpticalCircuit.objects.filter(switch__pod=self.pod, seen=True)
        self.assertEqual(seen.count(), len(shown))
        self.assertEqual(Reservation.objects.count(), 0)
        self.assertEqual([(one.code, one.cause) for one in self.audited() if one.seen], [])
