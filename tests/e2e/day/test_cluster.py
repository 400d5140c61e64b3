"""A cluster of groups: two cables exchanged, found by neighbours, accepted, told by the audit."""

import json
import os
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from fabric_twin.stack.simulated_fabric import USER
from tests.e2e.aisle import Picture
from tests.e2e.conftest import PROGRAM, Running, go, wait_until
from tests.e2e.day.conftest import run_job
from tests.e2e.demo_fabric import Fabric

CLUSTER, DESIGN, SLOTS = "pg1", "groups-a", "1,2,25,26"
#: Each group has 48 cables, and each of 576 tier-0 switches two.
CABLES = 4 * 48 + 576 * 2


@pytest.fixture(scope="module")
def cluster(stack: Running) -> Iterator[tuple[Any, Fabric]]:
    """Four of its groups and all of its switches; removed with its hardware."""
    folder = stack.folder / "fabric"
    quiet = folder.with_name("quiet.json")
    quiet.write_text('{"version": 1, "rates": {}}')
    password = (stack.folder / "fabric-password").read_text().strip()
    known = {"FABRIC_TWIN_GNMI_USER": USER, "FABRIC_TWIN_GNMI_PASSWORD": password}
    command = [PROGRAM, "simulate", "--design", DESIGN, "--pod", CLUSTER, "--slots", SLOTS]
    command += ["--faults", quiet, "--tls", folder, "--json"]
    with subprocess.Popen(
        command, env=os.environ | known, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as simulator:
        try:
            assert simulator.stdout
            said = json.loads(simulator.stdout.readline())
            hall = stack.api().dcim.locations.get(name="Demo hall").id
            wish = {"pod": CLUSTER, "design": DESIGN, "slots": SLOTS, "location": hall}
            run_job(stack, "Load pod", {**wish, "address": said["gnmi"]})
            twin = stack.api().plugins.fabric_twin
            yield twin.pods.get(name=CLUSTER), Fabric(stack, said)
            wait_until(stack.is_quiet)
            run_job(
                stack, "Remove pod", {"pod": twin.pods.get(name=CLUSTER).id, "hardware": "true"}
            )
        finally:
            simulator.kill()


def discover(page: Page, pod: Any) -> None:
    """By the button on its page; then look at the run that the job made."""
    go(page, f"/plugins/fabric-twin/pods/{pod.id}/")
    with page.expect_navigation():
        page.get_by_role("button", name="Discover", exact=True).click()


def test_records_follow_neighbours_and_the_audit_names_the_exchange(
    page: Page, stack: Running, cluster: tuple[Any, Fabric], picture: Picture
) -> None:
    pod, fabric = cluster
    twin = stack.api().plugins.fabric_twin
    one, other = f"{CLUSTER}-r01c02:1.1/W1", f"{CLUSTER}-r02c02:1.1/W1"
    fabric.control("/faults", kind="swapped", cable=one, other=other)
    discover(page, pod)
    wait_until(lambda: [run for run in twin.audit_runs.filter(pod=CLUSTER) if run.ended])
    [run] = twin.audit_runs.filter(pod=CLUSTER, scope="cables")
    go(page, f"/plugins/fabric-twin/audit-runs/{run.id}/")
    expect(page.get_by_text("Neighbours show them elsewhere", exact=True)).to_be_visible()
    expect(page.get_by_text(f"{CABLES - 2:,}", exact=True)).to_be_visible()
    page.get_by_role("link", name="Accept what neighbours show").click()
    page.get_by_label("Why is the record wrong").fill("seen at both ends")
    with page.expect_navigation():
        page.get_by_role("button", name="Accept", exact=True).click()
    run_job(stack, "Audit pod", {"pod": pod.id})
    [found] = twin.findings.filter(pod=CLUSTER, is_there=True)
    assert found.code == "swapped"

    page.set_viewport_size({"width": 1280, "height": 1250})
    go(page, f"/plugins/fabric-twin/pods/{pod.id}/")
    expect(page.get_by_text("4 of 576")).to_be_visible()
    picture(page, "cluster")
    page.locator("svg.drawing a", has_text="r01c02").click()
    expect(page.get_by_text("row 1, column 2 of groups")).to_be_visible()
    picture(page, "group")
    page.locator("svg.drawing a", has_text="row-02-1-1 3").click()
    expect(page.get_by_text("1.1/W1 of group r01c02")).to_be_visible()
    go(page, f"/plugins/fabric-twin/switches/?q={CLUSTER}-row-02-1-1")
    page.get_by_role("link", name=f"{CLUSTER}-row-02-1-1", exact=True).click()
    expect(page.get_by_text("row 2 of groups: row 1 of processors, lane 1")).to_be_visible()
    picture(page, "packet-switch")
