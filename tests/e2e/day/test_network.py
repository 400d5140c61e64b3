"""A network of blocks by pages alone: loaded, its demand imported, audited, a switch of it lost;
and its topology changed, stage by stage as who routes over it drains the links.

Its switches are of a simulator of its own, which gets in as the demo's does.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from fabric_twin.stack.simulated_fabric import USER
from tests.e2e.aisle import Picture
from tests.e2e.conftest import PROGRAM, SHOWN_WITHIN, Running, go
from tests.e2e.day.hand import Hand, act, state_is

FILES = Path(__file__).parents[3] / "docs/examples/topology"
NETWORK = "dc1"


@pytest.fixture(scope="module")
def fabric(stack: Running) -> Iterator[str]:
    """Where its switches answer."""
    password = (stack.folder / "fabric-password").read_text().strip()
    known = {"FABRIC_TWIN_GNMI_USER": USER, "FABRIC_TWIN_GNMI_PASSWORD": password}
    command = [PROGRAM, "simulate", "--network", NETWORK, "--blocks", FILES / "four-blocks.json"]
    command += ["--circuits", FILES / "now.json", "--tls", stack.folder / "fabric", "--json"]
    with subprocess.Popen(
        command, env=os.environ | known, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as simulator:
        assert simulator.stdout
        yield str(json.loads(simulator.stdout.readline())["gnmi"])
        simulator.kill()


@pytest.fixture(scope="module")
def removed(fabric: str, network_removed: None) -> None:
    """The network is removed while its switches answer."""


def told(page: Page, words: str) -> None:
    """A job's result says so, in the time that a worker takes."""
    expect(page.get_by_text(words).first).to_be_visible(timeout=120_000)


def try_and_run(hand: Hand, tried: str, done: str) -> None:
    """Run the job of the form that is filled in: first dry, then for real."""
    hand.click(hand.page.get_by_role("button", name="Run Job"))
    told(hand.page, tried)
    before = hand.page.url
    hand.button("Run for Real")
    hand.page.wait_for_url(lambda url: "/job-results/" in url and url != before)
    told(hand.page, done)


def load(hand: Hand, fabric: str) -> None:
    """From the list of pods to a network with all of its hardware and circuits."""
    page = hand.page
    go(page, "/plugins/fabric-twin/pods/")
    hand.link("Load Network")
    page.get_by_label("Network", exact=True).fill(NETWORK)
    page.locator("#id_blocks").set_input_files(FILES / "four-blocks.json")
    page.locator("#id_circuits").set_input_files(FILES / "now.json")
    page.get_by_label("Address").fill(fabric)
    page.locator("#id_location + .select2").click()
    page.locator(".select2-search__field").last.fill("Demo hall")
    page.get_by_role("option", name="Demo hall").first.click()
    try_and_run(hand, f"Network {NETWORK}: would load ", f"Network {NETWORK}: loaded ")


@pytest.mark.usefixtures("removed")
def test_from_a_block_file_to_a_topology_that_follows_demand(
    hand: Hand, boss: Hand, twin: Any, fabric: str, picture: Picture
) -> None:
    page = hand.page
    load(hand, fabric)
    network = f"/plugins/fabric-twin/pods/{twin.pods.get(name=NETWORK).id}/"
    go(hand.page, network)
    expect(page.get_by_text("none is kept: import one")).to_be_visible()
    hand.link("Import Demand")
    page.locator("#id_demand").set_input_files(FILES / "demand.csv")
    kept = "3,600 Gbit/s between 6 pairs"
    try_and_run(hand, f"would keep {kept}", f"kept {kept}")
    go(hand.page, network)
    expect(page.get_by_text("ab01 and ab02, 100%")).to_be_visible()

    hand.link("Audit")
    hand.click(page.get_by_role("button", name="Run Job"))
    told(page, f"{NETWORK}: 0 findings, 0 new, 0 gone, 0 still there: pass.")

    a_switch_is_lost(hand, twin, network, picture)
    topology_follows_demand(hand, boss, network, picture)


def a_switch_is_lost(hand: Hand, twin: Any, network: str, picture: Picture) -> None:
    """What each pair keeps without it; it is in service again afterwards."""
    page = hand.page
    [switch] = twin.switches.filter(pod=NETWORK, number=0)
    go(page, f"/plugins/fabric-twin/switches/{switch.id}/edit/")
    page.locator("#id_status + .select2").click()
    page.get_by_role("option", name="Out", exact=True).click()
    hand.button("Update")
    go(hand.page, network)
    expect(page.get_by_text("12 of 24")).to_be_visible()
    expect(page.get_by_text("ab01 and ab02, 200%")).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 1500})
    picture(page, "network")
    page.get_by_role("link", name="ab02").last.click()
    expect(page.get_by_text("4A-6A, 4B-6B of every switch")).to_be_visible()
    switch.update({"status": "Active"})


def topology_follows_demand(hand: Hand, boss: Hand, network: str, picture: Picture) -> None:
    """Asked for by one, approved by the other; each stage waits until its links are drained."""
    page = hand.page
    page.set_viewport_size({"width": 1440, "height": 900})
    go(page, network)
    hand.link("Change Topology")
    page.get_by_label("Switches at once").fill("1")
    hand.button("See what it would do")
    expect(page.get_by_text("in each stage pairs keep what they ask for")).to_be_visible()
    hand.button("Make the draft")
    act(hand, "Submit")
    go(boss.page, page.url)
    act(boss, "Approve")
    state_is(boss.page, "Approved")
    act(boss, "Start now")
    for stage in (1, 2):
        waits = boss.page.get_by_text(f"stage {stage} waits until somebody confirms that 4 links")
        expect(waits.first).to_be_visible(timeout=SHOWN_WITHIN)
        if stage == 1:
            picture(boss.page, "topology-waits")
        act(boss, "Confirm links drained")
    state_is(boss.page, "Done")
    go(page, network)
    expect(page.get_by_text("ab01 and ab02, 50%")).to_be_visible()
