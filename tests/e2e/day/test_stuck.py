"""At night the worker and the watch stand still: who is on duty sees it, and presses a button."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Running, go, wait_until
from tests.e2e.servers import Servers

Picture = Callable[[Page, str], Path]
WATCH, CHANGES = "start the service nautobot-server watch_fabric", "Try Changes of iw1 now"


def listed(page: Page, address: str) -> tuple[bool, bool]:
    """Whether a page lists the watch, and a change that no audit looked at, as stuck."""
    go(page, address)
    return WATCH in page.locator("body").inner_text(), page.get_by_label(CHANGES).count() == 1


def test_what_stands_still_is_listed_with_a_button_and_goes_when_it_went_on(
    page: Page, picture: Picture, stack: Running
) -> None:
    servers, api = Servers(stack), stack.api()
    pod = api.plugins.fabric_twin.pods.get(name="iw1")
    its_page = f"/plugins/fabric-twin/pods/{pod.id}/"
    page.set_viewport_size({"width": 1280, "height": 1000})
    with servers.stopped([*servers.processes("worker"), *servers.processes("watch")]):
        api.dcim.devices.get(name="iw1-c050-t01").update({"comments": "Dusted"})
        for address in ("/", its_page):

            def is_listed(address: str = address) -> bool:
                return listed(page, address) == (True, True)

            wait_until(is_listed)
        page.get_by_label(CHANGES).scroll_into_view_if_needed()
        picture(page, "stuck")
        page.get_by_label(CHANGES).click()
        expect(page.get_by_text("What changed in iw1 is audited again")).to_be_visible()
    wait_until(lambda: listed(page, its_page) == (False, False))
