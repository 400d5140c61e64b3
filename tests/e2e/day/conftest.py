"""A stack for people's day: what they break, ask for and leave behind meets no other test.

Both stacks run until all tests are over.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.e2e.conftest import Running, logged_in, of_its_own


@pytest.fixture(scope="session")
def stack() -> Iterator[Running]:
    """A stack that no other folder's tests use."""
    with of_its_own() as stack:
        yield stack


@pytest.fixture(scope="session")
def session(browser: Browser, stack: Running) -> Any:
    """Who has logged in there."""
    return logged_in(browser, stack)
