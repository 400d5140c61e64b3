"""A switch that was replaced, in a browser: it is left alone until somebody confirms it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Running, go, wait_until

#: In no slice's way: a ticket of another test does not wait for it.
SWITCH = "iw1-ocs-z-3-4"


def test_a_replaced_switch_is_confirmed_on_its_page(
    page: Page, stack: Running, picture: Callable[[Page, str], Path]
) -> None:
    api = stack.api()
    twin, device = api.plugins.fabric_twin, api.dcim.devices.get(name=SWITCH)
    record, serial = twin.switches.get(device=SWITCH), device.serial
    assert serial

    def there() -> list[Any]:
        return [
            (one.code, one.cause)
            for one in twin.findings.filter(pod="iw1", is_there=True)
            if SWITCH in one.cause
        ]

    assert there() == []
    device.update({"serial": "OLD-1"})
    told = (
        f"{SWITCH} is {serial}, and OLD-1 is recorded: it is left alone until somebody confirms it"
    )
    wait_until(lambda: there() == [("wrong-serial", told)], lambda: str(there()))

    go(page, f"/plugins/fabric-twin/switches/{record.id}/")
    expect(page.get_by_text("Another device: it is left alone")).to_be_visible()
    page.get_by_role("link", name="Confirm device").click()
    expect(page.get_by_text(f"serial {serial}, {SWITCH}")).to_be_visible()
    page.get_by_label("How do you know?").fill("RMA 4711, its label was read")
    page.set_viewport_size({"width": 1280, "height": 620})
    picture(page, "who-answers")
    page.get_by_role("button", name="Confirm device").click()
    expect(page.get_by_text("is confirmed, and audited now")).to_be_visible()
    expect(page.get_by_text("By a person")).to_be_visible()
    assert api.dcim.devices.get(name=SWITCH).serial == serial
    wait_until(lambda: there() == [], lambda: str(there()))
    wait_until(stack.is_quiet)
