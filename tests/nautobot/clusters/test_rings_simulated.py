"""From the simulator's file of addresses to rings on its packet switches, and their faults."""

from contextlib import AbstractContextManager
from pathlib import Path

from django.contrib.auth import get_user_model

from fabric_twin.core.errors import NoAnswer
from fabric_twin.models import Pod
from fabric_twin.operations.pods.set_addresses import set_addresses
from tests.nautobot.bases.clusters import CHAINS, ClusterTestCase
from tests.nautobot.bases.fabric import Said, simulated_as
from tests.nautobot.bases.ring_tickets import RingTickets

ROW_1 = "g-row-01-1-1"


class SimulatedRingsTest(RingTickets, ClusterTestCase):
    """Twelve chains of five, `g`, on four simulated switches that take entries."""

    @classmethod
    def simulator(cls, folder: Path) -> AbstractContextManager[Said]:
        design, cls.file = folder / "small-chains.yaml", folder / "switches.csv"
        design.write_text(CHAINS)
        given = ("--design", str(design), "--pod", "g", "--openflow", str(cls.file))
        return simulated_as(folder, *given)

    @classmethod
    def setUpTestData(cls) -> None:
        super().setUpTestData()
        users = get_user_model().objects
        cls.ada, cls.root = users.create_superuser("ada"), users.create_superuser("root")
        set_addresses(Pod.objects.get(name="g"), cls.file.read_bytes(), user=cls.ada)

    def settle(self) -> None:
        """Leave switches without entries, and mended."""
        super().settle()
        for name in self.pod.switches.values_list("device__name", flat=True):
            self.control("/mend", number=self.break_it("cube-down", device=name))

    def test_a_job_is_made_lost_by_its_switch_and_made_again(self) -> None:
        self.done(name="a", sequence=10)
        self.audit()
        self.assertEqual(self.found(), [])
        self.break_it("flows-lost", device=ROW_1)
        self.audit()
        [(code, cause)] = self.found()
        self.assertEqual(code, "ring-open")
        self.assertIn(f"at {ROW_1} what comes in at port 2 goes nowhere", cause)
        self.done("drift")
        self.audit()
        self.assertEqual(self.found(), [])
        self.done("release", slice="a")

    def test_another_switch_in_its_place_is_sent_nothing(self) -> None:
        self.done(name="a", sequence=10)
        self.break_it("switch-replaced", device=ROW_1)
        with self.assertRaisesMessage(NoAnswer, "another switch answers at its address"):
            self.run_it(self.ready("release", slice="a"))
        self.assertEqual(self.pod.slices.count(), 1)

    def test_a_full_table_is_said_and_all_is_taken_back(self) -> None:
        self.break_it("table-full", device=ROW_1)
        ended = self.run_it(self.ready(name="a", sequence=10))
        self.assertEqual(ended.state, "undone")
        self.assertIn("OFPFMFC_TABLE_FULL", ended.message)
