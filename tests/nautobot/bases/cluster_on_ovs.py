"""A small cluster in the inventory whose packet switches are Open vSwitch, over TLS."""

import os
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

from django.contrib.auth import get_user_model
from nautobot.apps.testing import TestCase

from fabric_twin.models import AuditRun, Finding, OpticalCircuit, Pod, Slice, Switch, Ticket
from fabric_twin.operations.audits.observe import observe_scope
from fabric_twin.operations.audits.run import How as AuditedHow
from fabric_twin.operations.audits.run import run_audit
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.changes.drains import interrupted_by
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.operations.tickets.drafts.make import confirm_drained
from fabric_twin.operations.tickets.running.carry_out import How, carry_out_ticket
from fabric_twin.services.tickets.carry_out import Calm
from fabric_twin.switches.driver import Patience
from tests.nautobot.bases.pods.small import hall
from tests.openflow.open_vswitch import OpenVSwitch, require_open_vswitch
from tests.upstream.certificates import own_certificate

CALM = Calm(silent=1.0, light=1.0, pause=0.01, longest_pause=0.05)
#: A row of ours that somebody changed: it does more than an entry of a ring.
ODD = "cookie=0x465452494e470001,priority=16384,in_port=20,actions=output:21,output:22"


def entry(into: int, out: int) -> str:
    """One of ours, as somebody else would add it."""
    return f"cookie=0x465452494e470001,priority=16384,in_port={into},actions=output:{out}"


class ClusterOnOpenVSwitch(TestCase):
    """Twelve chains of five, `g`, on four switches; Ada writes tickets, and root approves them."""

    @classmethod
    def setUpClass(cls) -> None:
        """Start Open vSwitch, with a bridge for each switch, and let this process get in."""
        require_open_vswitch()
        folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        key, certificate = own_certificate()
        (folder / "ovs").mkdir()
        cls.ovs = OpenVSwitch(folder / "ovs")
        cls.addClassCleanup(cls.ovs.stop)
        cls.ovs.trust(key, certificate)
        (folder / "key.pem").write_bytes(key)
        (folder / "cert.pem").write_bytes(certificate)
        files = {"CA": "cert.pem", "CERT": "cert.pem", "KEY": "key.pem"}
        known = {f"FABRIC_TWIN_GNMI_{name}": str(folder / file) for name, file in files.items()}
        cls.enterClassContext(mock.patch.dict(os.environ, known))
        super().setUpClass()

    @classmethod
    def setUpTestData(cls) -> None:
        """The cluster, and where its switches take entries."""
        load_pod("g", "small-chains", hall())
        cls.pod = Pod.objects.get(name="g")
        cls.names = list(cls.pod.switches.order_by("number").values_list("device__name", flat=True))
        for number, name in enumerate(cls.names):
            datapath = f"{number + 1:016x}"
            address = cls.ovs.add(name, datapath, listen="pssl")
            switch = Switch.objects.filter(pod=cls.pod, number=number)
            switch.update(flow_address=address, datapath=datapath)
        users = get_user_model().objects
        cls.ada, cls.root = users.create_superuser("ada"), users.create_superuser("root")

    def setUp(self) -> None:
        """No switch has any entry."""
        super().setUp()
        for name in self.names:
            self.ovs.change("del-flows", name, "table=0")

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

    def shown(self) -> set[tuple[str, int, int]]:
        """Where packets go, as Open vSwitch traces them."""
        return set(self.ovs.goes(self.names, 16))

    def recorded(self, **which: Any) -> set[tuple[str, int, int]]:
        rows = OpticalCircuit.objects.filter(switch__pod=self.pod, **which)
        return set(rows.values_list("switch__device__name", "a", "b"))
