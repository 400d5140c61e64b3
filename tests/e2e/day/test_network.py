"""A network of blocks by pages alone: loaded, its demand imported, a switch of it lost, audited."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.aisle import Picture
from tests.e2e.conftest import go
from tests.e2e.day.hand import Hand

FILES = Path(__file__).parents[3] / "docs/examples/topology"
NETWORK = "dc1"


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


def load(hand: Hand) -> None:
    """From the list of pods to a network with all of its hardware and circuits."""
    page = hand.page
    go(page, "/plugins/fabric-twin/pods/")
    hand.link("Load Network")
    page.get_by_label("Network", exact=True).fill(NETWORK)
    page.locator("#id_blocks").set_input_files(FILES / "four-blocks.json")
    page.locator("#id_circuits").set_input_files(FILES / "now.json")
    page.locator("#id_location + .select2").click()
    page.locator(".select2-search__field").last.fill("Demo hall")
    page.get_by_role("option", name="Demo hall").first.click()
    try_and_run(hand, f"Network {NETWORK}: would load ", f"Network {NETWORK}: loaded ")


@pytest.mark.usefixtures("network_removed")
def test_from_a_block_file_to_what_each_pair_keeps_without_a_switch(
    hand: Hand, twin: Any, picture: Picture
) -> None:
    page = hand.page
    load(hand)
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
