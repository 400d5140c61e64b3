"""A cluster with jobs, by its records alone: nobody can reach its switches."""

import html
import re
from typing import Any

from nautobot.apps.testing import TestCase

from fabric_twin.core.tickets.life import State
from fabric_twin.models import OpticalCircuit, Pod, Reservation, Slice, Ticket
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.operations.tickets.changes.to_core import changes_of
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.repositories.circuits import write_seen
from fabric_twin.repositories.states import save_state
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.users import admin


class ClusterJobsTestCase(TestCase):
    """Twelve chains of five, `g`: a job `a` on two groups, a small one, and a ticket for a third.

    row 1   a a s      row 2   b b b      row 3   . . .      row 4   . . .
    """

    @classmethod
    def setUpTestData(cls) -> None:
        load_pod("g", "small-chains", hall())
        cls.pod = Pod.objects.get(name="g")
        cls.admin = admin()
        done(wish_ticket(cls.pod, "slice", {"name": "job-a", "sequence": 10}, cls.admin))
        done(wish_ticket(cls.pod, "slice", {"name": "tiny", "processors": 2}, cls.admin))
        asked = {"name": "job-b", "sequence": 15, "both_ways": True, "axes": ["layer=row"]}
        cls.ticket = wish_ticket(cls.pod, "slice", asked, cls.admin)
        cls.job = Slice.objects.get(name="job-a")

    def setUp(self) -> None:
        super().setUp()
        self.client.force_login(self.admin)


def done(ticket: Ticket) -> Ticket:
    """As if the switches of a ticket did all of it."""
    changes = changes_of(ticket)
    changes.circuits.write_at_last()
    changes.effects.finish()
    show(ticket.pod)
    Reservation.objects.filter(ticket=ticket).delete()
    ticket.refresh_from_db()
    save_state(ticket, State.DONE)
    return ticket


def show(pod: Pod) -> None:
    """Switches show what is wanted."""
    shown: dict[Any, set[tuple[int, int]]] = {
        pk: set() for pk in pod.switches.values_list("pk", flat=True)
    }
    rows = OpticalCircuit.objects.filter(switch__pod=pod, wanted=True)
    for switch, a, b in rows.values_list("switch", "a", "b"):
        shown[switch].add((a, b))
    write_seen(shown)


def words_of(answer: Any) -> str:
    """The words of a page, as somebody reads them."""
    body = re.sub(r"(?s).*<main|<script.*?</script>|<style.*?</style>", "", answer.content.decode())
    said = " ".join(re.sub(r"<[^>]+>", " ", body).split())
    return html.unescape(said).replace(" Copy ", " ")
