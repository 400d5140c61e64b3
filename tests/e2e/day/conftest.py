"""A stack for people's day: what they break, ask for and leave behind meets no other test.

Both stacks run until all tests are over.
"""

import secrets
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.conftest import Running, logged_in, of_its_own, page_without_errors
from tests.e2e.day.hand import Hand


@pytest.fixture(scope="session")
def stack() -> Iterator[Running]:
    """A stack that no other folder's tests use."""
    with of_its_own() as stack:
        yield stack


@pytest.fixture(scope="session")
def session(browser: Browser, stack: Running) -> Any:
    """Who has logged in there."""
    return logged_in(browser, stack)


@pytest.fixture(scope="session")
def lead(browser: Browser, stack: Running) -> Any:
    """A shift lead who has logged in: approves and runs, and writes nothing."""
    password = secrets.token_urlsafe(16)
    stack.api().users.users.create(
        username="lead", password=password, is_active=True, is_superuser=True
    )
    return logged_in(browser, stack, "lead", password)


@pytest.fixture
def boss(browser: Browser, stack: Running, lead: Any) -> Iterator[Hand]:
    """The lead at a desk."""
    context = browser.new_context(
        base_url=stack.address,
        storage_state=lead,
        viewport={"width": 1440, "height": 900},
        reduced_motion="reduce",
    )
    with page_without_errors(context) as page:
        yield Hand(page)


@pytest.fixture
def hand(page: Page) -> Hand:
    """The administrator's, at a desk."""
    page.set_viewport_size({"width": 1440, "height": 900})
    return Hand(page)


@pytest.fixture
def twin(stack: Running) -> Any:
    """The App over REST."""
    return stack.api().plugins.fabric_twin
