"""The rings of a job beside what others do: topologies, undoing, slices that go, other records."""

from datetime import date

import pytest
from django.db import transaction
from django.db.models import ProtectedError

from fabric_twin.core.errors import FabricTwinError
from fabric_twin.models import Block, Multislice, Slice, Ticket
from fabric_twin.operations.networks.demand import keep_demand
from fabric_twin.operations.networks.rings import JobIs
from fabric_twin.operations.superpods.release import release_multislice
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.create import wish_ticket
from fabric_twin.operations.tickets.drafts.propose import wish_of_finding
from fabric_twin.operations.tickets.drafts.revise import revise_ticket
from tests.nautobot.bases.audits.written_finding import write_finding
from tests.nautobot.bases.networks.network_runs import DEMAND
from tests.nautobot.bases.networks.superpods import SuperpodCase
from tests.nautobot.bases.pods.small_pod import status_of

pytestmark = pytest.mark.integration


class RingsAreKeptTest(SuperpodCase):
    def is_(self, job: Multislice, state: JobIs, *, has_rings: bool) -> None:
        stands = self.stands(job)
        self.assertEqual((stands.state, stands.has_rings), (state, has_rings))

    def assertStays(self, job: Multislice) -> None:
        said = "Release this multislice first"
        with self.assertRaisesMessage(ProtectedError, said), transaction.atomic():
            job.delete()

    def undo(self, ticket: Ticket) -> Ticket:
        ticket = Ticket.objects.get(pk=ticket.pk)
        asked = life.ask_undo(ticket, self.ada, "It was a mistake")
        asked = life.approve(asked, self.root)
        self.drain_slices(asked)
        ended, _ = self.through(life.undo(asked, self.root))
        self.assertEqual((ended.state, ended.message), ("undone", ""))
        return ended

    def test_rings_that_are_there_are_kept_by_a_topology_for_others(self) -> None:
        job = self.ask()
        odd = write_finding(self.pod, "topology-odd", [], device="dc1-ab01", port="")
        self.assertEqual(wish_of_finding(odd), ("topology", {"topology": "uniform"}))
        self.run_all(job)
        self.assertEqual(wish_of_finding(odd), ("topology", {"topology": "engineered"}))
        before = self.links_by_hand()
        for kind in ("engineered", "uniform"):
            with self.subTest(kind):
                try:
                    asked = self.wish(topology=kind)
                except FabricTwinError as refusal:
                    self.assertRegex(str(refusal), "would change nothing|without the circuits")
                else:
                    self.carry_out(self.submitted(asked))
                self.assertRings(job, least=4)
        self.assertEqual(sum(before.values()), 24)

    def test_rings_whose_links_are_there_are_kept_by_a_ticket_without_stages(self) -> None:
        """With what others ask for, one order of the pods finds all of its links made."""
        keep_demand(self.pod, DEMAND.read_bytes(), day=date(2026, 11, 1))
        job = self.ask()
        ticket = self.stands(job).ticket
        self.assertEqual(ticket.plan["stages"], [])
        self.is_(job, JobIs.PLANNED, has_rings=False)
        with self.assertRaisesMessage(FabricTwinError, "is open, and counts on the links"):
            self.wish(topology="uniform")
        self.run_all(job)
        self.is_(job, JobIs.RUNNING, has_rings=True)
        self.assertRings(job, least=4)

    def test_a_slice_that_is_released_in_one_pod_ends_the_rings(self) -> None:
        job = self.ask()
        self.run_all(job)
        asked = wish_ticket(self.pods[2], "release", {"slice": "job7"}, self.ada)
        self.carry_out(self.submitted(asked))
        self.is_(job, JobIs.INCOMPLETE, has_rings=False)
        self.assertStays(job)

        with self.subTest("the next topology gives them up, and says so"):
            topology = self.wish(topology="uniform")
            self.assertIn("keep-rings", [one["do"] for one in topology.plan["effects"]])
            self.carry_out(self.submitted(topology))
            self.assertFalse(Multislice.objects.get().keeps_rings)
            self.undo(topology)
            self.assertTrue(Multislice.objects.get().keeps_rings)

    def test_a_slice_that_is_withdrawn_stops_the_ticket_of_the_rings(self) -> None:
        job = self.ask()
        first = self.stands(job).members[0]
        life.withdraw(first.ticket, self.ada, "No room")
        self.is_(job, JobIs.INCOMPLETE, has_rings=False)
        self.assertStays(job)
        ticket = life.approve(self.stands(job).ticket, self.root)
        refused = self.run_it(life.start(ticket, self.root))
        self.assertIn("a slice or a block is gone of the multislice", refused.message)
        self.assertEqual(len(self.links_by_hand()), 6)
        release_multislice(job, self.ada)
        self.is_(job, JobIs.ENDED, has_rings=False)
        self.assertFalse(Slice.objects.exists())

    def test_rings_can_be_asked_for_again(self) -> None:
        job = self.ask()
        stands = self.stands(job)
        life.withdraw(stands.ticket, self.ada, "Not now")
        for member in stands.members:
            self.carry_out(member.ticket)
        self.is_(job, JobIs.WITHOUT_RINGS, has_rings=False)
        again = self.wish(rings="job7")
        self.is_(job, JobIs.PLANNED, has_rings=False)
        self.carry_out(self.submitted(again))
        self.is_(job, JobIs.RUNNING, has_rings=True)
        self.assertRings(job, least=4)
        with self.assertRaisesMessage(FabricTwinError, "multislice job7 has its rings"):
            self.wish(rings="job7")

    def test_a_job_is_not_released_while_its_rings_are_being_made(self) -> None:
        job = self.ask()
        ticket = life.approve(self.stands(job).ticket, self.root)
        self.run_it(life.start(ticket, self.root))
        with self.assertRaisesMessage(FabricTwinError, "Finish or undo that ticket first"):
            release_multislice(job, self.ada)
        self.assertEqual(Slice.objects.filter(status__name="Planned").count(), 4)

    def test_a_release_that_is_undone_brings_the_job_back(self) -> None:
        job = self.ask()
        self.run_all(job)
        released = release_multislice(job, self.ada)
        for ticket in released:
            self.carry_out(ticket)
        self.is_(job, JobIs.ENDED, has_rings=False)
        for ticket in reversed(released):
            self.undo(ticket)
        self.is_(job, JobIs.RUNNING, has_rings=True)
        self.assertRings(job, least=4)

    def test_what_its_rings_need_is_not_undone(self) -> None:
        keep_demand(self.pod, DEMAND.read_bytes(), day=date(2026, 11, 1))
        before = self.wish(topology="engineered")
        self.carry_out(self.submitted(before))
        job = self.ask()
        self.run_all(job)
        with self.assertRaisesMessage(FabricTwinError, "it cannot be undone any more"):
            life.ask_undo(Ticket.objects.get(pk=before.pk), self.ada, "Back")
        self.assertRings(job, least=4)

    def test_its_rings_go_over_the_blocks_that_served_when_it_was_asked_for(self) -> None:
        job = self.ask()
        self.run_all(job)
        block = Block.objects.get(name="ab03")
        block.serves = None
        block.validated_save()
        self.is_(job, JobIs.RUNNING, has_rings=True)
        self.assertEqual(len(self.rings(job).pairs), 4)
        with self.assertRaisesMessage(FabricTwinError, "would change nothing"):
            self.wish(topology="engineered")

    def test_no_rings_over_blocks_of_owners_kept_apart(self) -> None:
        Block.objects.filter(name__in=["ab01", "ab02"]).update(owner="one")
        Block.objects.filter(name__in=["ab03", "ab04"]).update(owner="other")
        self.carry_out(self.submitted(self.wish(topology="isolated")))
        with self.assertRaisesMessage(FabricTwinError, "keeps the blocks of owners apart"):
            self.ask()

    def test_a_block_of_rings_is_not_drained_by_a_topology(self) -> None:
        job = self.ask()
        self.run_all(job)
        Block.objects.filter(name="ab02").update(status=status_of(Block, "Draining"))
        for kind in ("engineered", "uniform"):
            with self.subTest(kind), self.assertRaisesMessage(FabricTwinError, "multislice job7"):
                self.wish(topology=kind)
        self.assertRings(job, least=4)

    def test_a_ticket_for_rings_that_would_not_close_them_is_refused(self) -> None:
        job = self.ask()
        life.withdraw(self.stands(job).ticket, self.ada, "Not now")
        Block.objects.filter(name__in=["ab01", "ab02"]).update(owner="one")
        Block.objects.filter(name__in=["ab03", "ab04"]).update(owner="other")
        with self.assertRaisesMessage(FabricTwinError, "no link for the rings that it is to make"):
            self.wish(topology="isolated", rings="job7")

    def test_what_later_tickets_decided_of_rings_is_not_undone_before_them(self) -> None:
        job = self.ask()
        first = self.stands(job).ticket
        self.run_all(job)
        asked = wish_ticket(self.pods[2], "release", {"slice": "job7"}, self.ada)
        self.carry_out(self.submitted(asked))
        self.carry_out(self.submitted(self.wish(topology="uniform")))
        with self.assertRaisesMessage(FabricTwinError, "it cannot be undone any more"):
            life.ask_undo(Ticket.objects.get(pk=first.pk), self.ada, "Back")

    def test_rings_are_given_up_at_once_where_no_block_takes_links(self) -> None:
        job = self.ask()
        self.run_all(job)
        Block.objects.update(status=status_of(Block, "Out"))
        released = release_multislice(job, self.ada)
        self.assertEqual({ticket.kind for ticket in released}, {"release"})
        for ticket in released:
            self.carry_out(ticket)
        self.is_(job, JobIs.ENDED, has_rings=False)
        Multislice.objects.get().delete()

    def test_a_revision_of_an_older_ticket_is_the_ticket_of_its_rings(self) -> None:
        job = self.ask()
        old = life.withdraw(self.stands(job).ticket, self.ada, "Not now")
        life.withdraw(self.submitted(self.wish(rings="job7")), self.ada, "Nor now")
        revised = revise_ticket(old, self.ada)
        self.assertEqual(self.stands(job).ticket, revised)
        self.is_(job, JobIs.PLANNED, has_rings=False)
