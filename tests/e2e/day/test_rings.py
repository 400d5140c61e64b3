"""Jobs of a cluster by pages: rings within a row and over two, and a group that is lost.

Its packet switches are Open vSwitch, which tells where packets would go; a routine that shares no
code with the product follows them over the cut sheet.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.core.rings.clusters import cables, named
from tests.core.rings.follow import follow
from tests.e2e.aisle import Picture
from tests.e2e.conftest import SHOWN_WITHIN, Running, go, wait_until
from tests.e2e.day.conftest import run_job
from tests.e2e.day.hand import Hand, run, undo
from tests.openflow.open_vswitch import OpenVSwitch, require_open_vswitch
from tests.upstream.certificates import own_certificate

CLUSTER, DESIGN, SLOTS = "pg2", "groups-a", "1-4,25-27"
#: Lane 1 of the first row of processors: of both rows of groups, and between them.
DATAPATHS = {"row-01-1-1": "a1", "row-02-1-1": "a2", "row-t1-1-1-1": "b1", "row-t1-1-1-2": "b2"}
LANE = "layer=row-1-1"
GROUPS = {1: "r01c01", 2: "r01c02", 3: "r01c03", 25: "r02c01"}


@dataclass(frozen=True)
class Switches:
    """Open vSwitch, in the place of four switches of the cluster."""

    ovs: OpenVSwitch

    def rings(self) -> list[list[str]]:
        """The groups that packets pass, ring by ring."""
        names = [f"{CLUSTER}-{name}" for name in DATAPATHS]
        # The cut sheet is of a cluster of another name.
        goes = [(switch.replace(CLUSTER, "pg1"), *ports) for switch, *ports in self.ovs.goes(names)]
        found = follow(cables(named(DESIGN)), goes, 4, 4)  # type: ignore[arg-type]
        return sorted(sorted({group.removeprefix("pg1-") for group, _ in ring}) for ring in found)


@pytest.fixture(scope="module")
def switches(stack: Running) -> Iterator[Switches]:
    """The cluster's records without any address, and four of its switches that take entries."""
    require_open_vswitch()
    api, key_and_certificate = stack.api(), own_certificate("localhost")
    hall = api.dcim.locations.get(name="Demo hall").id
    wish = {"pod": CLUSTER, "design": DESIGN, "slots": SLOTS, "location": hall}
    run_job(stack, "Load pod", wish)
    with TemporaryDirectory() as folder:
        ovs = OpenVSwitch(Path(folder))
        try:
            ovs.trust(*key_and_certificate)
            group = secrets_of(api, stack.folder, *key_and_certificate)
            for name, datapath in DATAPATHS.items():
                address = ovs.add(f"{CLUSTER}-{name}", datapath.rjust(16, "0"), listen="pssl")
                device = api.dcim.devices.get(name=f"{CLUSTER}-{name}")
                device.update({"secrets_group": group})
                [switch] = api.plugins.fabric_twin.switches.filter(device=device.id)
                switch.update({"flow_address": address, "datapath": datapath})
            yield Switches(ovs)
        finally:
            ovs.stop()
    wait_until(stack.is_quiet)
    pod = api.plugins.fabric_twin.pods.get(name=CLUSTER)
    run_job(stack, "Remove pod", {"pod": pod.id, "hardware": "true"})


def secrets_of(api: Any, folder: Path, key: bytes, certificate: bytes) -> str:
    """What the worker shows to the switches, and whom it trusts, as Nautobot's secrets."""
    group = api.extras.secrets_groups.create(name="packet switches").id
    for kind, content in (("token", certificate), ("key", key), ("secret", certificate)):
        file = folder / f"packet-switches-{kind}.pem"
        file.write_bytes(content)
        secret = api.extras.secrets.create(
            name=f"packet switches {kind}", provider="text-file", parameters={"path": str(file)}
        )
        api.extras.secrets_groups_associations.create(
            secrets_group=group, access_type="gNMI", secret_type=kind, secret=secret.id
        )
    return str(group)


def ask_for_job(hand: Hand, cluster: str, name: str, *slots: int) -> None:
    """From the page of the cluster to a draft."""
    page = hand.page
    go(page, cluster)
    hand.link("Ask for Job")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Sequence", exact=True).fill("8")
    page.get_by_label("Axes", exact=True).fill(LANE)
    for slot in slots:
        page.locator("#id_cubes + .select2").click()
        page.locator(".select2-search__field").last.fill(GROUPS[slot])
        page.get_by_role("option", name=f"{CLUSTER} group {slot}", exact=True).first.click()
    hand.button("See what it would do")


def test_rings_are_asked_for_and_a_lost_group_is_replaced(
    hand: Hand, boss: Hand, twin: Any, switches: Switches, picture: Picture
) -> None:
    page = hand.page
    cluster = f"/plugins/fabric-twin/pods/{twin.pods.get(name=CLUSTER).id}/"
    ask_for_job(hand, cluster, "pair", 1, 2)
    expect(page.get_by_text("row 1 columns 1-2").first).to_be_visible()
    hand.button("Make the draft")
    run(hand, boss)
    assert switches.rings() == [["r01c01", "r01c02"]]

    ask_for_job(hand, cluster, "across", 3, 25)
    hand.button("Make the draft")
    picture(page, "job-ticket")
    run(hand, boss)
    across = boss.page.url
    assert switches.rings() == [["r01c01", "r01c02"], ["r01c03", "r02c01"]]
    what_is_shown(page, cluster, picture)

    # The group r01c02 is dead: nobody waits for it.
    go(page, cluster)
    page.locator("svg.drawing a", has_text="r01c02").first.click()
    hand.link("Take out of Service")
    hand.button("See what it would do")
    expect(page.get_by_text("pair goes from").first).to_be_visible()
    page.set_viewport_size({"width": 1440, "height": 1900})
    picture(page, "job-replaced")
    page.set_viewport_size({"width": 1440, "height": 900})
    hand.button("Make the draft")
    run(hand, boss, "pair")
    assert switches.rings() == [["r01c01", "r01c04"], ["r01c03", "r02c01"]]

    an_entry_that_is_gone_is_put_back(hand, boss, twin, cluster, switches, picture)
    [made] = twin.slices.filter(pod=CLUSTER, name="pair")
    go(page, f"/plugins/fabric-twin/slices/{made.id}/")
    hand.link("Release by Ticket")
    hand.button("Make the draft")
    run(hand, boss, "pair")
    assert switches.rings() == [["r01c03", "r02c01"]]
    go(boss.page, across)
    undo(hand, boss, "across")
    assert switches.rings() == []
    assert not twin.slices.filter(pod=CLUSTER)


def an_entry_that_is_gone_is_put_back(
    hand: Hand, boss: Hand, twin: Any, cluster: str, switches: Switches, picture: Picture
) -> None:
    """Somebody removed it at the switch: the audit says which ring is open, a ticket adds it."""
    switches.ovs.change("del-flows", f"{CLUSTER}-row-01-1-1", "in_port=2")
    with pytest.raises(AssertionError, match="does not close"):
        switches.rings()
    go(hand.page, cluster)
    hand.link("Audit")
    hand.click(hand.page.get_by_role("button", name="Run Job"))
    told = f"{CLUSTER}: 1 finding, 1 new"
    expect(hand.page.get_by_text(told).first).to_be_visible(timeout=SHOWN_WITHIN)
    [found] = twin.findings.filter(pod=CLUSTER, is_there=True)
    assert found.code == "ring-open"
    go(hand.page, f"/plugins/fabric-twin/findings/{found.id}/")
    picture(hand.page, "ring-open")
    hand.button("Ticket")
    run(hand, boss)
    assert switches.rings() == [["r01c01", "r01c04"], ["r01c03", "r02c01"]]


def what_is_shown(page: Page, cluster: str, picture: Picture) -> None:
    """The cluster with its jobs, a job with its rings, a switch with its entries."""
    page.set_viewport_size({"width": 1280, "height": 1250})
    go(page, cluster)
    picture(page, "cluster-jobs")
    page.get_by_role("link", name="across", exact=True).first.click()
    picture(page, "job")
    page.set_viewport_size({"width": 1440, "height": 900})
