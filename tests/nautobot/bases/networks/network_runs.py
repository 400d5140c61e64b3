"""Topologies carried out on a simulated network, over TLS."""

from contextlib import AbstractContextManager
from datetime import date
from pathlib import Path
from typing import Any

from fabric_twin.models import OpticalCircuit, Pod, Ticket
from fabric_twin.operations.networks.demand import keep_demand
from fabric_twin.operations.networks.load import load_network
from fabric_twin.operations.tickets.changes.link_drains import (
    awaits_link_drain,
    confirm_links_drained,
)
from fabric_twin.operations.tickets.changes.to_core import position_of
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.operations.tickets.drafts.terms import Terms
from tests.nautobot.bases.fabric import Said, simulated_as
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.tickets.ticket_runs import RunCase

FILES = Path(__file__).parents[4] / "docs/examples/topology"
BLOCKS, NOW, DEMAND = (FILES / name for name in ("four-blocks.json", "now.json", "demand.csv"))


class NetworkRunCase(RunCase):
    """Four blocks over two switches, joined as their circuit file says, and a demand."""

    @classmethod
    def simulator(cls, folder: Path) -> AbstractContextManager[Said]:
        return simulated_as(folder, "--network", "dc1", "--blocks", str(BLOCKS))

    @classmethod
    def setUpTestData(cls) -> None:
        blocks, now, at = BLOCKS.read_bytes(), NOW.read_bytes(), cls.said["gnmi"]
        load_network("dc1", blocks, hall(), circuits=now, address=at)
        pod = Pod.objects.get(name="dc1")
        keep_demand(pod, DEMAND.read_bytes(), day=date(2026, 11, 1))

    def begin(self) -> None:
        """Every test begins with the circuits of the file, and the records know that."""
        self.pod = Pod.objects.get(name="dc1")
        rows = self.pod.switches.order_by("number")
        self.switches = list(rows.values_list("device__name", flat=True))
        self.carried(add=True)
        OpticalCircuit.objects.update(seen=True)

    def wish(self, kind: str = "topology", terms: Terms | None = None, **wish: Any) -> Ticket:
        asked = {"topology": "engineered", "at_once": 1} | wish
        return wish_ticket(self.pod, kind, asked, self.ada, terms)

    def confirm(self, ticket: Ticket) -> Ticket:
        """Root, who routes over it, has drained the links of the next stage."""
        self.assertTrue(awaits_link_drain(ticket))
        return confirm_links_drained(ticket, position_of(ticket), self.root, "moved to the others")

    def through(self, ticket: Ticket, **how: Any) -> tuple[Ticket, int]:
        """Carry it out, stage by stage as each is drained; how often it waited for that."""
        waited, ticket = 0, self.run_it(ticket, **how)
        while ticket.state == "running":
            waited, ticket = waited + 1, self.run_it(self.confirm(ticket), **how)
        return ticket, waited
