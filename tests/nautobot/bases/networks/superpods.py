"""Jobs over four pods of one cube each, on a simulated network and simulated pods.

Rings are followed by hand: strand by strand over what switches show, by cables of the record.
"""

from pathlib import Path

from nautobot.dcim.models import Interface

from fabric_twin.core.superpods.standing import RingsStand
from fabric_twin.models import Block, Demand, Multislice, Pod, Slice, Switch, Ticket
from fabric_twin.operations.networks.rings import JobStands, jobs_of
from fabric_twin.operations.pods.load import load_pod
from fabric_twin.operations.superpods.ask import MultisliceWish, ask_for_multislice
from fabric_twin.operations.tickets import lifecycle as life
from fabric_twin.operations.tickets.drafts.make import confirm_drained
from fabric_twin.presenters.networks.rings import RingsSight
from tests.nautobot.bases.fabric import simulated_as
from tests.nautobot.bases.networks.network_runs import BLOCKS, NetworkRunCase
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.pods.small_pod import status_of

PODS = ("v4a", "v4b", "v4c", "v4d")


class SuperpodCase(NetworkRunCase):
    """Four pods of one cube each, and the four blocks of a network that are their own."""

    @classmethod
    def simulator(cls, folder: Path):
        pods = [option for name in PODS for option in ("--pod", name)]
        network = ("--network", "dc1", "--blocks", str(BLOCKS))
        return simulated_as(folder, "--design", "tpu-v4", *pods, "--slots", "1", *network)

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        Demand.objects.all().delete()
        for number, name in enumerate(PODS, 1):
            load_pod(name, "tpu-v4", hall(f"Hall of {name}"), slots=(1,), address=cls.said["gnmi"])
            block = Block.objects.get(name=f"ab0{number}")
            block.serves = Pod.objects.get(name=name)
            block.validated_save()
        Pod.objects.filter(name__in=PODS).update(status=status_of(Pod))

    def begin(self) -> None:
        super().begin()
        self.pods = tuple(Pod.objects.get(name=name) for name in PODS)
        self.switches = list(Switch.objects.values_list("device__name", flat=True))

    def ask(self, **how) -> Multislice:
        wish = {"name": "job7", "shape": "4x4x4", "pods": self.pods, "at_once": 1}
        return ask_for_multislice(self.pod, MultisliceWish(**wish | how), self.ada)

    def stands(self, job: Multislice) -> JobStands:
        [stands] = jobs_of([Multislice.objects.get(pk=job.pk)])
        return stands

    def rings(self, job: Multislice) -> RingsStand:
        rings = RingsSight(Multislice.objects.get(pk=job.pk), self.root).rings
        assert rings
        return rings

    def submitted(self, ticket: Ticket) -> Ticket:
        return life.submit(ticket, self.ada)

    def drain_slices(self, ticket: Ticket) -> None:
        named = {name for note in ticket.plan["notes"] for name in note["interrupts"]}
        for made in Slice.objects.filter(name__in=named, pod=ticket.pod):
            confirm_drained(ticket, made, self.root)

    def carry_out(self, ticket: Ticket) -> Ticket:
        ticket = life.approve(Ticket.objects.get(pk=ticket.pk), self.root)
        self.drain_slices(ticket)
        ended, _ = self.through(life.start(ticket, self.root))
        self.assertEqual((ended.state, ended.message), ("done", ""))
        return ended

    def run_all(self, job: Multislice) -> None:
        stands = self.stands(job)
        for ticket in (*(member.ticket for member in stands.members), stands.ticket):
            self.carry_out(ticket)

    def links_by_hand(self) -> dict[frozenset[str], int]:
        """Links of blocks: from the two ports of each circuit that a switch shows, by cable."""
        found: dict[frozenset[str], int] = {}
        for switch, a, b in self.shown():
            if not switch.startswith("dc1-"):
                continue
            ends = []
            for port in (f"{a}A", f"{b}B"):
                far = Interface.objects.get(device__name=switch, name=port).connected_endpoint
                ends.append(far.device.name)
            found[frozenset(ends)] = found.get(frozenset(ends), 0) + 1
        return found

    def assertRings(self, job: Multislice, least: int) -> None:
        """From the first pod along red, and back along blue, each hop has links."""
        links = self.links_by_hand()
        block = {f"v4{x}": f"dc1-ab0{n}" for n, x in enumerate("abcd", 1)}
        ring = list(job.parts.order_by("place").values_list("pod__name", flat=True))
        self.assertEqual(sorted(ring), list(PODS))
        for way in (ring, ring[::-1]):
            for here, there in zip(way, [*way[1:], way[0]], strict=True):
                self.assertGreaterEqual(links[frozenset((block[here], block[there]))], least)
