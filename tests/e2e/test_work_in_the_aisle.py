"""A work order on a screen as wide as a phone's: scans, no network, and what cannot be done.

It comes last by its name: it brings a cube into the demo's pod.
"""

import io
from typing import Any

from PIL import Image
from playwright.sync_api import Page, expect

from tests.e2e.aisle import MANUAL, Aisle, Picture, Server, no_network, wait_until_kept
from tests.e2e.conftest import Running, go, wait_until

#: It stands and is cabled in the simulated fabric, and no record speaks of it.
SLOT = 66


def test_steps_are_done_with_scans_without_a_network_and_one_cannot_be_done(
    phone: Page, stack: Running, picture: Picture
) -> None:
    server = Server(stack)
    made = server.begin(kind="install", slots=str(SLOT))
    page = f"/plugins/fabric-twin/work-orders/{made['id']}/"
    aisle = Aisle(phone, server, server.steps(), page, picture)
    first, second = [step for step in aisle.steps if step["do"] == "scan"][:2]
    server.do(aisle.steps[: first["number"] - 1])
    go(phone, f"{page}do/")
    a_wrong_label_is_refused_with_what_is_meant(aisle, first, second)
    what_is_said_without_a_network_is_sent_once(aisle, first, second)
    what_cannot_be_done_has_a_reason_and_a_photo(aisle, second)
    ports_are_dark_for_hands_and_light_agrees(aisle, first, second)
    server.post(f"{server.path}withdraw/", said="The test is over")


def a_wrong_label_is_refused_with_what_is_meant(
    aisle: Aisle, first: dict[str, Any], second: dict[str, Any]
) -> None:
    aisle.expect_scan(first)
    aisle.picture(aisle.phone, "doing-scan")
    aisle.scan(second["cable"])
    expect(aisle.phone.get_by_role("alert")).to_contain_text(
        f"This is {second['cable']}. {first['cable']} is meant for"
    )
    aisle.picture(aisle.phone, "doing-wrong-label")
    aisle.scan(first["cable"])
    for word in ("Inspect", "Clean"):
        expect(aisle.heading).to_contain_text(word)
        aisle.done.click()
    expect(aisle.heading).to_contain_text(f"Plug {first['cable']} into")
    wait_until(lambda: aisle.server.state(first["number"] + 2) == "done")


def what_is_said_without_a_network_is_sent_once(
    aisle: Aisle, first: dict[str, Any], second: dict[str, Any]
) -> None:
    phone, plug = aisle.phone, first["number"] + 3
    wait_until_kept(phone)
    with no_network(phone):
        aisle.done.click()
        aisle.expect_scan(second)
        aisle.scan(second["cable"])
        expect(phone.get_by_text("No network. 2 not sent yet; kept on this phone.")).to_be_visible()
        aisle.picture(phone, "doing-no-network")
        # The page opens again all the same.
        phone.reload()
        expect(aisle.heading).to_contain_text(f"Inspect {second['device']} port {second['port']}")
        expect(phone.get_by_text("2 not sent yet")).to_be_visible()
        assert aisle.server.said(plug) == 0
    expect(phone.get_by_text("not sent yet")).to_be_hidden()
    assert [aisle.server.said(number) for number in (plug, second["number"])] == [1, 1]


def what_cannot_be_done_has_a_reason_and_a_photo(aisle: Aisle, second: dict[str, Any]) -> None:
    phone, photo = aisle.phone, io.BytesIO()
    Image.new("RGB", (2400, 1800), "#884400").save(photo, "JPEG")
    phone.get_by_text("Cannot be done").click()
    phone.get_by_label("Why").fill("The ferrule is chipped")
    phone.get_by_label("Photo").set_input_files(
        {"name": "ferrule.jpg", "mimeType": "image/jpeg", "buffer": photo.getvalue()}
    )
    aisle.picture(phone, "doing-cannot")
    phone.get_by_role("button", name="Report and go on").click()
    expect(aisle.heading).to_contain_text(f"Clean {second['device']}")
    wait_until(lambda: aisle.server.state(second["number"] + 1) == "cannot")
    go(phone, aisle.page)
    expect(phone.get_by_text("The ferrule is chipped").first).to_be_visible()


def ports_are_dark_for_hands_and_light_agrees(
    aisle: Aisle, first: dict[str, Any], second: dict[str, Any]
) -> None:
    steps, bundle = aisle.steps, first["bundle"]
    block = next(step["number"] for step in steps if step["do"] == "block")
    aisle.server.do([step for step in steps if second["number"] + 2 <= step["number"] < block])
    go(aisle.phone, f"{aisle.page}do/")
    guarded = next(step for step in steps if step["do"] == "scan" and step.get("guarded"))
    aisle.expect_scan(guarded)
    expect(aisle.phone.get_by_label("Scan or type the label")).to_be_visible()
    aisle.picture(aisle.phone, "doing-switch")
    left = [step for step in steps if step["number"] >= guarded["number"]]
    aisle.server.do([s for s in left if s.get("bundle") == bundle and s["do"] in MANUAL])
    check = next(step for step in steps if step["do"] == "check" and step["bundle"] == bundle)
    wait_until(lambda: aisle.server.state(check["number"]) == "verified")
    aisle.phone.reload()
    expect(aisle.heading).not_to_contain_text(guarded["device"])
