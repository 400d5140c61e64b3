"""A person at the screen, whose clicks are counted."""

from playwright.sync_api import Locator, Page


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
