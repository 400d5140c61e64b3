"""The phone's page and a server that refuses: nothing is lost, nothing hammers, and it is said.

The page is the product's own; the server is played by the test, which hears all that is sent.
"""

import io
import re
from collections.abc import Iterator

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from tests.e2e.aisle import HERE, LATE, ORDER, PlayedAisle
from tests.e2e.conftest import PHONE, SHOWN_WITHIN, go, wait_until

#: Holds the phone's reports until `window.letGo`.
BUSY = """() => new Promise((held) => {
    indexedDB.open("fabric-twin", 1).onsuccess = (opened) => {
        const change = opened.target.result.transaction("reports", "readwrite");
        const reports = change.objectStore("reports");
        const hold = () => { held(); if (!window.letGo) { reports.get("0").onsuccess = hold; } };
        hold();
    };
})"""


@pytest.fixture
def aisle(browser: Browser) -> Iterator[PlayedAisle]:
    context = browser.new_context(viewport=PHONE, service_workers="block")
    phone = context.new_page()
    phone.set_default_timeout(SHOWN_WITHIN)
    expect.set_options(timeout=SHOWN_WITHIN)
    problems: list[str] = []
    phone.on("pageerror", lambda error: problems.append(str(error)))
    aisle = PlayedAisle(phone)
    # A minute may pass at once.
    phone.clock.install()
    phone.route(f"{HERE}/**", aisle.serve)
    go(phone, f"{HERE}/do/")
    aisle.expect_step(1)
    yield aisle
    context.close()
    assert problems == []


def noise(width: int, height: int) -> bytes:
    """A picture that nothing makes small."""
    photo = io.BytesIO()
    Image.effect_noise((width, height), 200).save(photo, "JPEG", quality=95)
    return photo.getvalue()


def test_who_is_logged_out_is_told_so_and_the_server_is_asked_once(aisle: PlayedAisle) -> None:
    aisle.answer = lambda _: (403, {"detail": "Authentication credentials were not provided."})
    aisle.done()
    aisle.expect_said("You are logged out. Your reports are kept on this phone.")
    login = aisle.phone.get_by_role("link", name="Log in again")
    expect(login).to_have_attribute("href", "/login/?next=%2Fdo%2F")
    aisle.phone.clock.run_for(60_000)
    expect(aisle.phone.get_by_text("1 not sent yet; kept on this phone.")).to_be_visible()
    assert len(aisle.sent) == 1

    # Logged in again, the page is opened again.
    aisle.answer = lambda _: None
    aisle.phone.reload()
    aisle.expect_step(2)
    expect(aisle.phone.get_by_text("not sent yet")).to_be_hidden()
    assert [said["step"] for said in aisle.sent[-1]] == [1]


def test_who_may_not_is_told_why_and_what_was_said_is_kept(aisle: PlayedAisle) -> None:
    aisle.answer = lambda _: (403, {"what": "ada may not do the order w7", "remedy": "Ask"})
    aisle.done()
    aisle.expect_said("ada may not do the order w7. Ask")
    aisle.phone.clock.run_for(60_000)
    expect(aisle.phone.get_by_text("1 not sent yet; kept on this phone.")).to_be_visible()
    assert len(aisle.sent) == 1


def test_an_answer_from_before_a_tap_takes_nothing_back(aisle: PlayedAisle) -> None:
    expect(aisle.phone.get_by_text("0 of 6 steps")).to_be_visible()
    aisle.holding = True
    aisle.done()
    aisle.expect_step(2)
    expect(aisle.phone.get_by_text("1 of 6 steps")).to_be_visible()
    wait_until(lambda: aisle.phone.evaluate("1") and aisle.held)
    aisle.no_network()
    aisle.done()
    aisle.expect_step(3)
    aisle.held.pop()()
    expect(aisle.phone.get_by_text(f"of {LATE} steps")).to_be_visible()
    aisle.expect_step(3)
    aisle.holding = False
    aisle.network()
    expect(aisle.phone.get_by_text("not sent yet")).to_be_hidden()
    assert sorted(aisle.taken) == [1, 2]


def test_a_report_that_can_never_be_taken_does_not_hold_up_the_others(aisle: PlayedAisle) -> None:
    aisle.answer = lambda said: (
        (400, {"reports": {"0": {"reason": ["It is odd."]}}}) if said[0]["step"] == 1 else None
    )
    aisle.no_network()
    for number in (1, 2, 3):
        aisle.expect_step(number)
        aisle.done()
    expect(aisle.phone.get_by_text("3 not sent yet")).to_be_visible()
    aisle.network()
    aisle.expect_said("Step 1 was refused: It is odd.")
    expect(aisle.phone.get_by_text("not sent yet")).to_be_hidden()
    aisle.expect_step(1)
    assert sorted(aisle.taken) == [2, 3]
    together = [[said["step"] for said in reports] for reports in aisle.sent]
    assert together == [[1, 2, 3], [1, 2], [1], [2, 3]]


def test_a_picture_that_the_phone_cannot_read_is_left_out_and_it_is_said(
    aisle: PlayedAisle,
) -> None:
    aisle.cannot("The fan is bent", "fan.heic", b"<html>")
    aisle.expect_said("This phone cannot read the picture fan.heic.")
    aisle.expect_step(2)
    wait_until_taken(aisle, 1)
    assert (aisle.taken[1]["reason"], aisle.taken[1]["photo"]) == ("The fan is bent", "")


def test_photos_are_made_small_and_no_request_is_longer_than_servers_take(
    aisle: PlayedAisle,
) -> None:
    aisle.no_network()
    for number in (1, 2, 3, 4):
        aisle.expect_step(number)
        aisle.cannot(f"Fan {number}", f"{number}.jpg", noise(2400, 1800))
    aisle.expect_step(5)
    expect(aisle.phone.get_by_text("4 not sent yet")).to_be_visible()
    aisle.network()
    expect(aisle.phone.get_by_text("not sent yet")).to_be_hidden()
    assert sorted(aisle.taken) == [1, 2, 3, 4]
    assert all(said["photo"].startswith("data:image/jpeg") for said in aisle.taken.values())
    assert max(aisle.sizes) <= 1_000_000


def test_what_an_order_left_is_given_again_only_while_it_is_open(aisle: PlayedAisle) -> None:
    aisle.cannot("The fan is bent", "fan.jpg", noise(64, 48))
    again = aisle.phone.get_by_role("button", name="Try again: replace fan 1")
    expect(again).to_be_visible()
    aisle.state = "done"
    aisle.phone.reload()
    expect(aisle.phone.get_by_role("heading", level=1, name="Done.")).to_be_visible()
    expect(aisle.phone.get_by_text("replace fan 1: The fan is bent")).to_be_visible()
    expect(again).to_be_hidden()


def test_a_photo_that_a_server_finds_too_long_stays_behind_and_the_reason_goes(
    aisle: PlayedAisle,
) -> None:
    aisle.answer = lambda said: (
        (413, {"what": "it is too long", "remedy": "Send less"}) if said[0]["photo"] else None
    )
    aisle.cannot("The fan is bent", "fan.jpg", noise(640, 480))
    aisle.expect_said("The photo of step 1 was refused, its reason is sent without it")
    wait_until_taken(aisle, 1)
    assert aisle.taken[1]["reason"] == "The fan is bent"
    assert len(aisle.sent) == 2


def wait_until_taken(aisle: PlayedAisle, number: int) -> None:
    """And what comes next was told after that; till then the browser is heard."""

    wait_until(lambda: aisle.phone.evaluate("() => 1") and number in aisle.told_after)


def test_what_is_said_just_as_the_server_answers_counts(aisle: PlayedAisle) -> None:
    aisle.holding = True
    aisle.done()
    aisle.expect_step(2)
    wait_until(lambda: aisle.phone.evaluate("1") and aisle.held)
    # The phone is slow to keep a report: others read and write there.
    aisle.phone.evaluate(BUSY)
    aisle.done()
    aisle.no_network()
    aisle.held.pop()()
    expect(aisle.phone.get_by_text(f"of {LATE} steps")).to_be_visible()
    aisle.phone.evaluate("window.letGo = true")
    aisle.expect_step(3)


def test_what_the_fabric_does_has_no_button_and_goes_on_by_itself(aisle: PlayedAisle) -> None:
    phone, tested = aisle.phone, "light is tested: dirty at iw1-c046-t06 port 4.1.2/X+"
    why = "no circuit could be made"
    aisle.facts_of[2] = {"do": "check", "words": tested, "fabric": True, "why": why}
    aisle.done()
    expect(phone.get_by_role("heading", level=1)).to_have_text(tested[0].upper() + tested[1:])
    expect(phone.get_by_text("Nothing for you to do. This page goes on by itself.")).to_be_visible()
    expect(phone.get_by_text(f"It waits: {why}.")).to_be_visible()
    shown = [button.inner_text() for button in phone.locator("main").get_by_role("button").all()]
    assert shown == []
    expect(phone.get_by_text("Cannot be done", exact=True)).to_be_hidden()
    # The fabric has done it meanwhile; nobody touched the phone.
    aisle.taken[2] = {"told": "verified", "reason": ""}
    phone.clock.run_for(10_000)
    aisle.expect_step(3)
    expect(phone.get_by_role("button", name="Done", exact=True)).to_be_visible()


def test_an_order_that_ends_after_the_last_look_is_seen_to_end(aisle: PlayedAisle) -> None:
    for number in range(1, 7):
        aisle.expect_step(number)
        aisle.done()
    # Light has verified the last step, and the worker has not finished the order yet.
    expect(aisle.phone.get_by_text("Every step of this crew is done.")).to_be_visible()
    for state, words in [
        ("awaiting light", "All manual steps are done. A test has to pass."),
        ("done", "Done."),
    ]:
        aisle.state = state
        aisle.phone.clock.run_for(5_000)
        expect(aisle.phone.locator("#ending")).to_have_text(words)


def test_a_step_that_comes_again_says_what_was_seen_and_what_to_try(aisle: PlayedAisle) -> None:
    phone = aisle.phone
    expect(phone.get_by_text("Still not right:")).to_be_hidden()
    aisle.done()
    aisle.expect_step(2)
    wait_until_taken(aisle, 1)
    wrong = {"seen": "ocs has lost FAN 1", "try": "Check that the new fan sits all the way in."}
    del aisle.taken[1]
    aisle.facts_of[1] = {"state": "failed by light", "failed": True, "still_wrong": wrong}
    aisle.done()
    aisle.expect_step(1)
    expect(phone.get_by_text("replace fan 1: to be done again")).to_be_visible()
    for _page in ("as it is", "loaded again"):
        box = phone.locator("#still-wrong")
        expect(box).to_have_text(
            re.compile(rf"Still not right: {wrong['seen']}\s+Try this: {wrong['try']}")
        )
        where, heading = box.bounding_box(), phone.locator("#words").bounding_box()
        assert where
        assert heading
        assert where["y"] + where["height"] <= heading["y"]
        assert "by light" not in phone.locator("main").inner_text()
        phone.reload()
    # It is done again, and what is next has nothing wrong.
    aisle.done()
    aisle.expect_step(3)
    expect(phone.get_by_text("Still not right:")).to_be_hidden()


def test_a_label_is_read_in_any_case_and_another_one_is_refused(aisle: PlayedAisle) -> None:
    cable = "iw1-c003:2.4.1/Y+"
    aisle.facts_of[2] = {"do": "scan", "words": f"scan {cable}", "cable": cable, "port": "5A"}
    aisle.done()
    label = aisle.phone.get_by_label("Scan or type the label")
    label.fill("iw1-c003:2.4.1/y-")
    label.press("Enter")
    aisle.expect_said(f"This is iw1-c003:2.4.1/y-. {cable} is meant for ocs port 5A")
    label.fill(" IW1-C003:2.4.1/y+ ")
    label.press("Enter")
    aisle.expect_step(3)
    wait_until_taken(aisle, 2)
    assert aisle.taken[2]["scanned"] == "IW1-C003:2.4.1/y+"


def test_row_and_place_are_said_for_each_rack(aisle: PlayedAisle) -> None:
    phone, far = aisle.phone, {"name": "r09", "row": 4, "place": 14}
    aisle.facts_of[2] = {"port": "5A", "other": ["tray", "1.1.1/X+"], "other_rack": far}
    aisle.facts_of[2]["panel"] = {"of": "switch", "name": "5A", "ports": 256}
    aisle.facts_of[3] = {"do": "go", "words": "go to r09", "rack": far | {"units": 42}}
    aisle.done()
    expect(phone.locator("#where")).to_have_text("row 1, place 2 · rack r01")
    expect(phone.locator("#facts")).to_contain_text("rack r09, row 4, place 14")
    expect(phone.locator("#drawn .beside")).to_have_text("5A")
    expect(phone.locator("#then li").first).to_have_text("go to r09: row 4, place 14")


def test_a_page_from_before_an_update_sends_what_the_phone_kept(aisle: PlayedAisle) -> None:
    aisle.answer = lambda _: (403, {"what": "not now"})
    aisle.done()
    aisle.expect_said("not now")
    aisle.answer, aisle.old = lambda _: None, True
    aisle.phone.reload()
    wait_until_taken(aisle, 1)
    aisle.expect_step(2)
    expect(aisle.phone.locator("#route, #asked, #paper")).to_have_count(0)
    expect(aisle.phone.get_by_text("1 of 6 steps")).to_be_visible()


def code(crew: int = 0) -> str:
    """What a code on the paper of this order says."""
    return f"{HERE}/work-orders/{ORDER}/do/" + (f"?crew={crew}" if crew else "")


def crew_2_scans(aisle: PlayedAisle, what: str) -> None:
    """The phone of crew 2, whose next step is to scan, reads a code with a scanner that types."""
    aisle.crew, aisle.crews = 2, 2
    aisle.facts_of[1] = {"do": "scan", "words": "scan c1", "cable": "c1"}
    go(aisle.phone, f"{HERE}/do/?crew=2")
    label = aisle.phone.get_by_label("Scan or type the label")
    label.fill(what)
    label.press("Enter")


def test_a_code_that_names_no_crew_stays_with_the_crew_of_the_phone(aisle: PlayedAisle) -> None:
    crew_2_scans(aisle, code())
    aisle.expect_said("This is this order.")
    assert aisle.phone.url == f"{HERE}/do/?crew=2"


def test_a_code_of_another_crew_opens_its_page(aisle: PlayedAisle) -> None:
    crew_2_scans(aisle, code(1))
    aisle.phone.wait_for_url(f"{HERE}/do/")


def test_a_code_of_another_crew_is_a_link_without_a_network(aisle: PlayedAisle) -> None:
    crew_2_scans(aisle, "wrong label")
    aisle.no_network()
    expect(aisle.phone.get_by_text("No network.")).to_be_visible()
    label = aisle.phone.get_by_label("Scan or type the label")
    label.fill(code(1))
    label.press("Enter")
    aisle.expect_said("No network. This code is for crew 1's page, which opens only")
    link = aisle.phone.get_by_role("link", name="crew 1's page")
    expect(link).to_have_attribute("href", "/do/")
    assert aisle.phone.url == f"{HERE}/do/?crew=2"


#: A camera that sees a blank sheet; it counts how often it was opened.
CAMERA = """
    const sheet = Object.assign(document.createElement("canvas"), { width: 64, height: 48 });
    const pen = sheet.getContext("2d");
    setInterval(() => pen.fillRect(0, 0, 64, 48), 50);
    navigator.mediaDevices.getUserMedia = async () => sheet.captureStream(10);
"""


def test_the_camera_is_in_sight_and_its_button_closes_it(aisle: PlayedAisle) -> None:
    phone = aisle.phone
    phone.evaluate(CAMERA)
    phone.evaluate("window.jsQR = () => null")
    phone.evaluate("document.body.style.minHeight = '3000px'; scrollTo(0, 1500)")
    button = phone.locator("#paper")
    expect(button).to_have_attribute("aria-expanded", "false")
    button.click()
    expect(button).to_have_text("Close camera")
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(phone.locator("#seen")).to_be_in_viewport(ratio=0.9)
    button.click()
    expect(phone.locator("#seen")).to_be_hidden()
    expect(button).to_have_text("Scan a code")
    expect(button).to_have_attribute("aria-expanded", "false")


def test_a_decoder_that_does_not_load_is_not_the_cameras_fault(aisle: PlayedAisle) -> None:
    aisle.phone.evaluate(CAMERA)
    aisle.phone.locator("#paper").click()
    aisle.expect_said("The code reader did not load: open this page once with a network")
    expect(aisle.phone.locator("#seen")).to_be_hidden()
