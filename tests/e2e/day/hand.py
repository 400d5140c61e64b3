"""A person at the screen, whose clicks are counted; and what two of them do with a ticket."""

from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import PATIENCE, go


class Hand:
    """A person's mouse, counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks = page, 0

    def click(self, what: Locator) -> None:
        what.click()
        self.clicks += 1

    def link(self, name: str) -> None:
        self.click(self.page.get_by_role("link", name=name, exact=True).first)

    def button(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=name, exact=True))

    def counted(self) -> int:
        """Clicks since this was asked last."""
        found, self.clicks = self.clicks, 0
        return found


def state_is(page: Page, state: str) -> None:
    """The page follows by itself, for as long as a worker takes."""
    step = page.locator("#ticket-progress [aria-current=step]")
    expect(step).to_have_text(state, timeout=PATIENCE * 1000)


def act(hand: Hand, deed: str, *slices: str) -> None:
    """Press a button of a record's page, tick slices, and confirm."""
    hand.link(deed)
    expect(hand.page.get_by_role("button", name=deed, exact=True)).to_be_visible()
    for name in slices:
        hand.click(hand.page.locator(f'input[value="{name}"]'))
    if hand.page.get_by_label("Comment").count():
        hand.page.get_by_label("Comment").fill("It is counted")
    hand.button(deed)


def run(hand: Hand, boss: Hand, *slices: str) -> None:
    """A draft, from *Submit* to *Done*: submitted by one, approved by the other, drained, begun."""
    act(hand, "Submit")
    go(boss.page, hand.page.url)
    act(boss, "Approve")
    state_is(boss.page, "Approved")
    if slices:
        act(boss, "Confirm drained", *slices)
    act(boss, "Start now")
    state_is(boss.page, "Done")


def undo(hand: Hand, boss: Hand, *slices: str) -> None:
    """What is done is put back, which the other approves too."""
    go(hand.page, boss.page.url)
    act(hand, "Ask for Undo")
    go(boss.page, boss.page.url)
    act(boss, "Approve")
    if slices:
        act(boss, "Confirm drained", *slices)
    act(boss, "Undo")
    state_is(boss.page, "Undone")
