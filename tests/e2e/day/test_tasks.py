"""The tasks of a day, by pages alone, with their clicks counted.

No task takes more clicks than the review of the screens counted; what it left undone (in the
second half) takes as many as are written here. What a test makes it takes away.
"""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import PATIENCE, Running, go, wait_until
from tests.e2e.day.hand import Hand, act, run, state_is, undo

#: What the review counted.
SLICE, RELEASE = 10, 13
SYNC, PAPER, SEARCH = 3, 1, 1
#: What it left undone.
UNDO, ORDER, WITHDRAW, EMERGENCY = 10, 4, 2, 9
NAME = "counted-1"
LONG = "the-run-of-friday-night-that-the-whole-team-waits-for-since-may"


def open_pod(hand: Hand, twin: Any) -> None:
    go(hand.page, f"/plugins/fabric-twin/pods/{twin.pods.get(name='iw1').id}/")


def test_a_slice_is_asked_for_made_and_released(hand: Hand, boss: Hand, twin: Any) -> None:
    open_pod(hand, twin)
    hand.link("Ticket")
    hand.page.get_by_label("Shape").fill("8x8x8")
    hand.page.get_by_label("Name", exact=True).fill(NAME)
    hand.page.get_by_label("Reason").fill("The run of Friday")
    hand.button("See what it would do")
    hand.button("Make the draft")
    run(hand, boss)
    assert hand.counted() + boss.counted() <= SLICE

    [made] = twin.slices.filter(pod="iw1", name=NAME)
    go(hand.page, f"/plugins/fabric-twin/slices/{made.id}/")
    hand.link("Release by Ticket")
    hand.button("Make the draft")
    run(hand, boss, NAME)
    assert hand.counted() + boss.counted() <= RELEASE
    assert not list(twin.slices.filter(pod="iw1", name=NAME))


def test_a_pod_is_synced(hand: Hand, twin: Any) -> None:
    open_pod(hand, twin)
    hand.button("Sync")
    expect(hand.page.get_by_text("113 of 113 devices answered").first).to_be_visible(
        timeout=PATIENCE * 1000
    )
    assert hand.counted() <= SYNC


def test_an_order_is_printed(hand: Hand, twin: Any) -> None:
    [order, *_] = twin.work_orders.filter(pod="iw1")
    go(hand.page, f"/plugins/fabric-twin/work-orders/{order.id}/")
    with hand.page.expect_response("**/document/?form=pdf") as paper:
        hand.link("PDF")
    assert paper.value.headers["content-type"] == "application/pdf"
    assert hand.counted() <= PAPER


@pytest.mark.parametrize(
    ("words", "link"),
    [("iw1-t1", "iw1-t1"), ("iw1-w1", "iw1-w1"), ("iw1 cube 7", "7"), ("train-12", "train-12")],
)
def test_a_thing_is_found_by_its_own_name(hand: Hand, words: str, link: str) -> None:
    go(hand.page, "/")
    hand.page.keyboard.press("Control+k")
    box = hand.page.get_by_role("dialog", name="Search").get_by_role("searchbox")
    box.fill(words)
    box.press("Enter")
    hand.page.wait_for_url("**/search/?q=*")
    hand.link(link)
    expect(hand.page.get_by_role("heading", level=1)).to_contain_text(words)
    assert hand.counted() <= SEARCH


@pytest.mark.parametrize(("kind", "slots"), [("install", "66"), ("decommission", "60")])
def test_an_order_for_a_cube_and_two_crews_is_looked_at_made_and_withdrawn(
    hand: Hand, twin: Any, kind: str, slots: str
) -> None:
    open_pod(hand, twin)
    hand.link("Work order")
    if kind != "install":
        hand.link(kind.capitalize())
    hand.page.get_by_label("Slots").fill(slots)
    hand.page.get_by_label("Crews").fill("2")
    hand.button("See what it would take")
    expect(hand.page.locator("#what-it-would-be")).to_contain_text(slots)
    hand.button("Make the order")
    expect(hand.page.get_by_text("Made iw1-w")).to_be_visible()
    assert hand.counted() <= ORDER
    act(hand, "Withdraw")
    expect(hand.page.get_by_text("withdrawn").first).to_be_visible()
    assert hand.counted() <= WITHDRAW


def test_in_an_emergency_who_wrote_it_begins_it_and_another_reviews(
    hand: Hand, boss: Hand, twin: Any
) -> None:
    open_pod(hand, twin)
    hand.link("Ticket")
    hand.page.get_by_label("Shape").fill("4x4x4")
    hand.page.get_by_label("Name", exact=True).fill(NAME)
    hand.button("Make the draft")
    act(hand, "Emergency")
    act(hand, "Start now")
    state_is(hand.page, "Done")
    go(boss.page, hand.page.url)
    act(boss, "Review")
    expect(boss.page.get_by_text("lead").first).to_be_visible()
    assert hand.counted() + boss.counted() <= EMERGENCY
    undo(hand, boss, NAME)
    assert hand.counted() + boss.counted() <= UNDO


def test_a_long_name_stays_on_its_page(hand: Hand, twin: Any) -> None:
    open_pod(hand, twin)
    hand.link("Make Slice")
    hand.page.get_by_label("Name", exact=True).fill(LONG)
    hand.page.get_by_label("Shape").fill("4x4x4")
    hand.button("Create")
    expect(hand.page.get_by_text(f"Made the slice {LONG}.")).to_be_visible()
    made = hand.page.url
    for address in (made, f"/plugins/fabric-twin/slices/?name={LONG}"):
        for width in (1440, 390):
            hand.page.set_viewport_size({"width": width, "height": 900})
            go(hand.page, address)
            main = hand.page.locator("main, #main-content, #content").first
            wide = main.evaluate("box => box.scrollWidth - box.clientWidth")
            assert wide <= 1, (address, width)
    go(hand.page, made)
    hand.link("Release")
    hand.button("Confirm")
    expect(hand.page.get_by_text(f"Released {LONG}")).to_be_visible()


def test_times_say_their_zone(browser: Browser, stack: Running, session: Any) -> None:
    context = browser.new_context(
        base_url=stack.address, storage_state=session, timezone_id="Asia/Tokyo"
    )
    page = context.new_page()
    go(page, "/plugins/fabric-twin/tickets/?pod=iw1")
    page.get_by_role("link", name=re.compile(r"^iw1-t\d+$")).first.click()
    expect(page.get_by_role("columnheader", name="Who", exact=True)).to_be_visible()
    told = re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?[^\n\t]*", page.inner_text("main"))
    assert told
    assert all(re.match(r"[\d: -]+ UTC", words) for words in told), told
    context.close()


def test_nothing_is_left(stack: Running, twin: Any) -> None:
    wait_until(stack.is_quiet)
    assert not list(twin.slices.filter(pod="iw1", name=[NAME, LONG]))
