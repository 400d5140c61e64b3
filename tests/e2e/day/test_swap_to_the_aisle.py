"""The demo's exchanged cables, from the finding to the first step in the aisle, by pages alone.

Clicks are counted, and none are more than the review of the screens counted.
"""

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Running, go, wait_until
from tests.e2e.day.hand import Hand

#: What the review of the screens counted: an order with its preview; its drain, from asking to
#: the start; handing out, opening, starting on a phone.
ORDER, DRAIN, HAND_OUT, DO = 3, 15, 4, 2


def need(page: Page) -> Locator:
    """The row of the order's need."""
    return page.get_by_role("row").filter(has_text="no circuit on iw1-ocs-x-3-2")


def planned(hand: Hand) -> None:
    """An order from the finding's page; its price is known before there is one."""
    hand.link("Repair order")
    hand.button("See what it would take")
    would = hand.page.locator("#what-it-would-be")
    expect(would).to_contain_text("train-12")
    expect(would).to_contain_text("cannot move: held by work order iw1-w2")
    expect(would).to_contain_text("Without interrupt tickets are refused")
    hand.button("Make the order")
    expect(hand.page.get_by_text("Made iw1-w")).to_be_visible()


def asked(hand: Hand) -> str:
    """Its ticket, made and submitted with one button."""
    expect(need(hand.page)).to_contain_text(
        "anyone who may change the order: Tickets for its needs"
    )
    hand.link("Tickets for its needs")
    hand.click(hand.page.get_by_label("Interrupt slices that cannot move"))
    hand.button("Tickets for its needs")
    expect(need(hand.page)).to_contain_text("Submitted")
    return need(hand.page).get_by_role("link", name=re.compile(r"^iw1-t\d+$")).inner_text()


def approved(boss: Hand, ticket: str) -> None:
    """The ticket from the order's page: approved, its slice drained, and started."""
    boss.link(ticket)
    boss.link("Approve")
    boss.button("Approve")
    boss.link("Confirm drained")
    boss.click(boss.page.get_by_label("train-12"))
    boss.button("Confirm drained")
    boss.link("Start now")
    boss.button("Start now")


def handed_out(hand: Hand) -> None:
    """The order to the administrator."""
    page = hand.page
    hand.link("Assign")
    hand.click(page.locator(".select2-selection").first)
    page.locator(".select2-search__field").last.fill("admin")
    hand.click(page.get_by_role("option", name="admin", exact=True))
    hand.button("Assign")
    expect(page.get_by_text("assigned.", exact=False).first).to_be_visible()


def test_the_swap_is_brought_to_the_aisle_by_pages_alone(
    stack: Running, page: Page, phone: Page, boss: Hand
) -> None:
    twin = stack.api().plugins.fabric_twin
    page.set_viewport_size({"width": 1440, "height": 900})
    [finding] = twin.findings.filter(pod="iw1", code="swapped", is_there=True)
    go(page, f"/plugins/fabric-twin/findings/{finding.id}/")
    hand = Hand(page)
    planned(hand)
    assert hand.counted() <= ORDER
    address = page.url
    ticket = asked(hand)

    go(boss.page, address)
    approved(boss, ticket)
    assert hand.counted() + boss.counted() <= DRAIN
    [drain] = [one for one in twin.tickets.filter(pod="iw1") if one.name == ticket]
    wait_until(lambda: drain.full_details() and drain.state.value == "done")

    go(hand.page, address)
    expect(need(page)).to_contain_text("met")
    handed_out(hand)
    assert hand.counted() <= HAND_OUT

    # The order is no longer locked: the fabric has blocked the port of the first step.
    go(phone, f"{address}do/")
    aisle = Hand(phone)
    aisle.button("Start")
    expect(phone.get_by_role("heading", level=1)).to_contain_text("Go to iw1-ocs-r02")
    aisle.button("Done")
    expect(phone.get_by_role("heading", level=1)).to_contain_text("Unplug", timeout=60_000)
    expect(phone.get_by_role("button", name="Done", exact=True)).to_be_visible()
    assert aisle.counted() <= DO
