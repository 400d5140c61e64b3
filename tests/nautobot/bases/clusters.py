"""A simulated cluster, over TLS: twelve chains of five on four switches joined to each other."""

from contextlib import AbstractContextManager
from pathlib import Path

from fabric_twin.models import Pod
from fabric_twin.operations.pods.load import load_pod
from tests.nautobot.bases.fabric import FabricTestCase, Said, simulated_as
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.users import admin

#: `small-chains` as a design file, for the simulator.
CHAINS = """
name: small-chains
title: Chains
plant: packet
chain: 5
rows: 4
columns: 3
joined: each-other
"""


class ClusterTestCase(FabricTestCase):
    """The cluster `g` in the inventory, and its devices."""

    @classmethod
    def simulator(cls, folder: Path) -> AbstractContextManager[Said]:
        (folder / "small-chains.yaml").write_text(CHAINS)
        return simulated_as(folder, "--design", str(folder / "small-chains.yaml"), "--pod", "g")

    @classmethod
    def setUpTestData(cls) -> None:
        load_pod("g", "small-chains", hall(), address=cls.said["gnmi"])

    def begin(self) -> None:
        self.pod = Pod.objects.get(name="g")
        self.admin = admin()

    def settle(self) -> None:
        """Mend what is broken: there are no circuits."""
        for fault in self.control("/faults")["faults"]:
            self.control("/mend", number=fault["number"])
