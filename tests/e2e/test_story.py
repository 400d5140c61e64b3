"""A first evening: a port is found, its light followed, a slice made and released."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import go

Picture = Callable[[Page, str], Path]


def fact(page: Page, name: str) -> Locator:
    """The link in a row of facts."""
    row = page.get_by_role("row").filter(has=page.get_by_role("cell", name=name, exact=True))
    return row.get_by_role("link").first


def drawing(page: Page) -> Locator:
    """The one that a page is about; a pod's page also draws its health."""
    return page.locator("svg.drawing:not(.health)")


def search(page: Page, words: str) -> None:
    """Type into the search box that every page has."""
    page.keyboard.press("Control+k")
    box = page.get_by_role("dialog", name="Search").get_by_role("searchbox")
    box.fill(words)
    box.press("Enter")
    page.wait_for_url("**/search/?q=*")


def open_pod(page: Page) -> None:
    go(page, "/")
    page.get_by_role("link", name="Pods", exact=True).locator("visible=true").click()
    page.get_by_role("link", name="iw1", exact=True).click()
    expect(drawing(page)).to_contain_text("train-12: 32 cubes")


def test_a_port_is_found_and_followed_to_its_switch_and_its_circuit(
    page: Page, picture: Picture
) -> None:
    go(page, "/")
    search(page, "iw1-c007:4.3.2/X+")
    found = page.get_by_role("row").filter(has_text="X+ 3,2 of cube 7")
    expect(found).to_have_count(1)
    expect(page.locator("#nb-search-results-summaries")).to_have_text(
        re.compile(r"^\s*Cables\s+1\s+Findings\s+1\s+Ports\s+1\s*$")
    )
    picture(page, "search")
    found.get_by_role("link").first.click()

    expect(page).to_have_title(re.compile(re.escape("iw1-c007-t08 4.3.2/X+")))
    expect(drawing(page)).to_contain_text("train-12")
    expect(fact(page, "Slice")).to_have_text("train-12")
    fact(page, "Cable to").click()

    expect(fact(page, "Switch")).to_have_text("iw1-ocs-x-3-2")
    circuit = fact(page, "Circuit").inner_text()
    assert re.fullmatch(r"7A to \d+B", circuit)
    fact(page, "Switch").click()
    expect(drawing(page)).to_contain_text("train-12")
    page.go_back()

    fact(page, "Circuit").click()
    expect(fact(page, "Switch")).to_have_text("iw1-ocs-x-3-2")
    expect(drawing(page)).to_contain_text(circuit)


def test_a_slice_is_made_drawn_and_released(page: Page, picture: Picture) -> None:
    open_pod(page)
    page.get_by_role("link", name="Make Slice").click()
    page.get_by_label("Name", exact=True).fill("night-1")
    page.get_by_label("Shape").fill("8x8x8")
    picture(page, "make-slice")
    page.get_by_role("button", name="Create", exact=True).click()

    expect(page.get_by_text("Made the slice night-1.")).to_be_visible()
    expect(drawing(page).get_by_role("link")).to_have_count(8)
    made = page.url
    open_pod(page)
    expect(drawing(page)).to_contain_text("night-1: 8 cubes")

    go(page, made)
    page.get_by_role("link", name="Release", exact=True).click()
    expect(page.get_by_text("Release the slice night-1 of pod iw1?")).to_be_visible()
    picture(page, "release")
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("Released night-1: slots 36-43, 384 circuits")).to_be_visible()
    open_pod(page)
    expect(drawing(page)).not_to_contain_text("night-1")
