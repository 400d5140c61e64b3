"""A stack for people's day: what they break, ask for and leave behind meets no other test.

Both stacks run until all tests are over.
"""

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.conftest import Running, logged_in, of_its_own, page_without_errors, wait_until
from tests.e2e.day.hand import Hand

EXAMPLES = Path(__file__).parents[3] / "docs/examples/topology"
#: What a test calls a network that it loads.
NETWORK = "dc1"


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


def run_job(stack: Running, name: str, wish: dict[str, str], **files: str) -> None:
    """Have a worker run a job for real, with some example files, and wait until it is done."""
    api = stack.api()
    url = f"{api.base_url}/extras/jobs/{api.extras.jobs.get(name=name).id}/run/"
    fields = {name: (None, said) for name, said in {**wish, "dryrun": "false"}.items()}
    examples = {field: (file, (EXAMPLES / file).read_bytes()) for field, file in files.items()}
    token = {"Authorization": f"Token {api.token}"}
    asked = api.http_session.post(url, headers=token, files={**fields, **examples})
    assert asked.ok, asked.text
    result = api.extras.job_results.get(asked.json()["job_result"]["id"])
    wait_until(lambda: result.full_details() and result.date_done)
    assert result.status.value == "SUCCESS"


@pytest.fixture(scope="module")
def network_removed(stack: Running) -> Iterator[None]:
    """The network of a module is removed with all of its hardware."""
    yield
    wait_until(stack.is_quiet)
    [pod] = stack.api().plugins.fabric_twin.pods.filter(name=NETWORK)
    run_job(stack, "Remove pod", {"pod": pod.id, "hardware": "true"})


@pytest.fixture(scope="module")
def network(stack: Running, network_removed: None) -> str:
    """A network of four blocks with its demand, by the ID of its pod."""
    api = stack.api()
    hall = api.dcim.locations.get(name="Demo hall").id
    wish = {"network": NETWORK, "location": hall}
    run_job(stack, "Load network", wish, blocks="four-blocks.json", circuits="now.json")
    [pod] = api.plugins.fabric_twin.pods.filter(name=NETWORK)
    run_job(stack, "Import demand", {"network": pod.id}, demand="demand.csv")
    return str(pod.id)


@pytest.fixture
def hand(page: Page) -> Hand:
    """The administrator's, at a desk."""
    page.set_viewport_size({"width": 1440, "height": 900})
    return Hand(page)


@pytest.fixture
def twin(stack: Running) -> Any:
    """The App over REST."""
    return stack.api().plugins.fabric_twin
