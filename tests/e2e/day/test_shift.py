"""A shift begins at its page: what first, whose it is, and a note to the next one."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Running, go

Picture = Callable[[Page, str], Path]
NOTE = "Two fans for iw1-ocs-z-2-4 come at 14:00."


def test_what_costs_most_comes_first_is_given_to_somebody_and_handed_over(
    page: Page, picture: Picture, stack: Running
) -> None:
    go(page, "/")
    page.get_by_role("link", name="Shift", exact=True).locator("visible=true").last.click()
    first = page.locator("#first").get_by_role("row")
    costs_most = next(iter(stack.api().plugins.fabric_twin.findings.filter(is_there=True)))
    expect(first.nth(1)).to_contain_text(costs_most.cause)
    first.nth(1).get_by_role("link").first.click()
    page.get_by_role("link", name="Assign", exact=True).click()
    due = datetime.now(UTC) + timedelta(hours=4)
    page.get_by_label("Due").fill(f"{due:%Y-%m-%d %H:%M:%S}")
    page.get_by_role("button", name="Assign", exact=True).click()
    expect(page.get_by_text(f"{due:%Y-%m-%d %H:%M} UTC", exact=True)).to_be_visible()

    go(page, "/plugins/fabric-twin/shift/")
    expect(first.nth(1)).to_contain_text(f"{due:%Y-%m-%d %H:%M} UTC")
    expect(page.locator("#orders").get_by_role("row").nth(1)).to_contain_text("iw1-")
    page.get_by_label("Note to the next shift").fill(NOTE)
    page.get_by_role("button", name="Hand over now").click()
    expect(page.locator("#note")).to_contain_text(NOTE)
    expect(page.locator("#broke")).to_contain_text("0 findings", ignore_case=True)
    page.set_viewport_size({"width": 1280, "height": 1150})
    picture(page, "shift")
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Hand over now")).not_to_be_visible()
    expect(page.locator("#first")).to_be_visible()
