"""A small cluster in the inventory whose packet switches are Open vSwitch, over TLS."""

import os
import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

from django.contrib.auth import get_user_model
from nautobot.apps.testing import TestCase

from fabric_twin.models import OpticalCircuit, Pod, Switch
from fabric_twin.operations.pods.load import load_pod
from tests.nautobot.bases.pods.small import hall
from tests.nautobot.bases.ring_tickets import RingTickets
from tests.openflow.open_vswitch import OpenVSwitch, require_open_vswitch
from tests.upstream.certificates import own_certificate

#: A row of ours that somebody changed: it does more than an entry of a ring.
ODD = "cookie=0x465452494e470001,priority=16384,in_port=20,actions=output:21,output:22"


def entry(into: int, out: int) -> str:
    """One of ours, as somebody else would add it."""
    return f"cookie=0x465452494e470001,priority=16384,in_port={into},actions=output:{out}"


class ClusterOnOpenVSwitch(RingTickets, TestCase):
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

    def shown(self) -> set[tuple[str, int, int]]:
        """Where packets go, as Open vSwitch traces them."""
        return set(self.ovs.goes(self.names, 16))

    def recorded(self, **which: Any) -> set[tuple[str, int, int]]:
        rows = OpticalCircuit.objects.filter(switch__pod=self.pod, **which)
        return set(rows.values_list("switch__device__name", "a", "b"))
